// A parser child cannot reach a server, whether the system prevents it or our own code.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { inFolder } from '../../test/support/files/parse.ts'
import { launchProgram, networkJail } from './launch.ts'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm')).href

const asks = `
const { connect } = await import('node:net')
const dns = (await import('node:dns')).default
const tried = async (start) => { try { return await start() } catch (error) { return error.code ?? error.message } }
const reach = () => new Promise((resolve, reject) => {
  connect(Number(process.argv[2]), '127.0.0.1').once('connect', () => resolve('connected')).once('error', reject)
})
process.send({
  socket: await tried(reach),
  web: await tried(async () => (await fetch('http://127.0.0.1:' + process.argv[2])).status),
  name: await tried(() => new Promise((resolve, reject) => dns.lookup('example.org', (e, a) => e ? reject(e) : resolve(a)))),
})
process.disconnect()
`

/** What a program under a child's conditions says of its tries, and how often the server was reached. */
function tries(before: string): Promise<{ answer: Record<string, unknown>; reached: number }> {
  return inFolder(async (folder) => {
    let reached = 0
    const server = createServer((socket) => {
      reached++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const program = join(folder, 'asks.mjs')
    await writeFile(program, before + asks)
    const child = launchProgram(program, [String(port)], ['--import', tsx], folder)
    const answer = await new Promise<Record<string, unknown>>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Record<string, unknown>))
      child.once('exit', () => reject(new Error('no answer')))
    })
    server.close()
    return { answer, reached }
  })
}

test.runIf(networkJail().length > 0)('the system gives a child no network', async () => {
  const { answer, reached } = await tries('')
  expect(reached).toBe(0)
  expect(answer.socket).toBe('ENETUNREACH')
})

test('without the system’s help no JavaScript of the child gets out', async () => {
  const guard = pathToFileURL(join(import.meta.dirname, 'child', 'isolation.ts')).href
  const { answer, reached } = await tries(`(await import(${JSON.stringify(guard)})).forbidNetwork()\n`)
  expect(reached).toBe(0)
  expect(answer).toEqual({
    socket: 'a parser has no network',
    web: 'fetch failed',
    name: 'a parser has no network',
  })
})
