// `kenning mcp` as an MCP host meets it: a program that it starts, writes messages to and ends, before a service or a folder.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { allowInBrowser } from '../support/browser.ts'
import { makeClient } from '../support/client.ts'
import { migratedDirectory } from '../support/database.ts'
import { installedMain } from '../support/installed.ts'
import { type Home, makeHome } from '../support/kenning.ts'
import { connectToProgram, GENERATIONS, type Program, resultOf, textOf } from '../support/mcp.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

const NOTE = `# Charter of the Halden Rowing Club

Ingrid Solheim is the chair of the Halden Rowing Club. The slipway crane lifts twelve tonnes.
`
const QUESTION = 'How many tonnes does the slipway crane lift?'
let service: SharedService
let home: Home

beforeAll(async () => {
  service = await sharedService()
  const client = makeClient(service.base, service.token)
  const { id } = await client.post<Workspace>('/workspaces', { name: 'Rowing club' })
  await client.done((await client.upload(id, [{ name: 'charter.md', bytes: NOTE }])).id)
  await client.ready(id)
  home = makeHome()
  await signIn()
})
afterAll(() => {
  home?.remove()
  service?.leave()
})

/** Signs the person in as `kenning login` does, in a browser elsewhere. */
async function signIn(): Promise<void> {
  let isAsked = false
  const { code, stderr } = await home.kenning(['login', service.origin, '--no-browser'], {
    onStderr: (text, child) => {
      const [address] = /http\S+\/oauth\/authorize\S+/.exec(text) ?? []
      if (isAsked || !address || !text.includes('press Enter')) return
      isAsked = true
      void allowInBrowser(new URL(address), service.account).then((back) => child.write(`${back.href}\n`))
    },
  })
  expect(code, stderr).toBe(0)
}

const program = (args: string[] = [], env: Record<string, string> = {}): Program => ({
  command: process.execPath,
  args: [resolve(installedMain()), 'mcp', ...args],
  env: { PATH: process.env.PATH ?? '', HOME: home.folder, ...env },
})

const profilePath = (): string => join(home.folder, '.config/kenning/login.json')

test.each(GENERATIONS)('%s works with a service through it, by the stored sign-in', async (generation) => {
  const { client, ended } = await connectToProgram(generation, program())
  const names = (await client.tools()).map(({ name }) => name)
  expect([names[0], names.length]).toEqual(['search', 14])
  expect(client.instructions).toContain("the user's own documents")
  const answered = await client.call('ask', { question: QUESTION })
  expect(resultOf<{ answer: string }>(answered).answer).toContain('twelve tonnes')
  const { results } = resultOf<{ results: { id: string }[] }>(await client.call('search', { query: 'crane' }))
  expect(textOf(await client.call('fetch', { id: results[0]?.id }))).toContain('twelve tonnes')
  const [resource] = await client.resources()
  expect(await client.read(resource?.uri ?? '')).toContain('twelve tonnes')
  await client.close()
  await ended
})

test('a token that has ended is renewed while it runs', async () => {
  const { client } = await connectToProgram('client 2, modern', program())
  const profile = JSON.parse(readFileSync(profilePath(), 'utf8'))
  const before = profile.servers[service.origin]
  const change = { access_token: 'ken_at_gone' }
  writeFileSync(
    profilePath(),
    JSON.stringify({ ...profile, servers: { [service.origin]: { ...before, ...change } } }),
  )
  expect(resultOf(await client.call('list_workspaces'))).toMatchObject({
    workspaces: [{ name: 'Rowing club' }],
  })
  const after = JSON.parse(readFileSync(profilePath(), 'utf8')).servers[service.origin]
  expect(after.refresh_token).not.toBe(before.refresh_token)
  await client.close()
})

test('it writes nothing but messages, and ends with its input or when it is told to', async () => {
  for (const end of ['input', 'SIGTERM'] as const) {
    const { command, args, env } = program()
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exit = once(child, 'exit')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const send = async (message: object | string): Promise<unknown> => {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
      return JSON.parse((await lines.next()).value ?? '')
    }
    expect(await send('no message')).toMatchObject({ id: null, error: { code: -32700 } })
    for (const line of ['null', '1', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'])
      expect(await send(line)).toMatchObject({ id: null, error: { code: -32600 } })
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    expect(await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toMatchObject({ id: 1 })
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    expect(await send({ jsonrpc: '2.0', id: 'a', method: 'ping' })).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {},
    })
    expect(await send({ jsonrpc: '2.0', id: 2, method: 'no/such' })).toMatchObject({
      id: 2,
      error: { code: -32601 },
    })
    // Looked at here, because the clients of the SDK drop progress that arrives together with the result.
    const withProgress = { name: 'ask', arguments: { question: QUESTION }, _meta: { progressToken: 'p' } }
    let message = await send({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: withProgress })
    const progress: unknown[] = []
    while ((message as { id?: unknown }).id !== 4) {
      progress.push(message)
      message = JSON.parse((await lines.next()).value ?? '')
    }
    expect(progress[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p' } })
    // One is under way at the end.
    const call = { name: 'ask', arguments: { question: QUESTION } }
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call })}\n`)
    if (end === 'input') {
      child.stdin.end()
      expect(JSON.parse((await lines.next()).value ?? '')).toMatchObject({ id: 3, result: {} })
    } else child.kill(end)
    expect(await exit, end).toEqual([0, null])
  }
})

test('each request is answered where the input has ended already, and a subscription keeps nothing waiting', async () => {
  const { command, args, env } = program()
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const search = { name: 'search', arguments: { query: 'crane' }, _meta }
  const requests = [
    { id: 'listen', method: 'subscriptions/listen', params: { notifications: {}, _meta } },
    { id: 'tools', method: 'tools/list', params: { _meta } },
    ...[1, 2, 3].map((id) => ({ id, method: 'tools/call', params: search })),
  ]
  child.stdin.end(requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''))
  const answers = new Map<unknown, object>()
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line)
    if (answer.id !== undefined) answers.set(answer.id, answer)
  }
  for (const id of ['tools', 1, 2, 3]) expect(answers.get(id)).toMatchObject({ result: {} })
  expect(await exit).toEqual([0, null])
})

test('a service that is lost, or a sign-in that is missing, is an error that says what to do', async () => {
  // A service that goes away: before it a door that can be shut.
  const door = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
      )
      const answer = await fetch(service.origin + request.url, {
        method: 'POST',
        headers: headers as [string, string][],
        body: Buffer.concat(chunks),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  onTestFinished(() => void door.close())
  const origin = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const env = { KENNING_SERVER: origin, KENNING_TOKEN: await service.token() }
  const { client } = await connectToProgram('client 2, modern', program([], env))
  expect((await client.call('search', { query: 'crane' })).isError).toBeUndefined()
  door.closeAllConnections()
  door.close()
  const lost = /cannot be reached \(ECONNREFUSED\)\. Is Kenning running there\?/
  await expect(client.call('search', { query: 'crane' })).rejects.toThrow(lost)
  // It runs on, and works again once the service is back.
  door.listen(Number(new URL(origin).port), '127.0.0.1')
  await once(door, 'listening')
  expect((await client.call('search', { query: 'crane' })).isError).toBeUndefined()
  await client.close()
  const stranger = makeHome()
  onTestFinished(() => stranger.remove())
  const absent = connectToProgram('sdk 1', program([], { HOME: stranger.folder }))
  await expect(absent).rejects.toThrow(/not signed in\. Run kenning login/)
  const refused = connectToProgram(
    'sdk 1',
    program([], { ...env, KENNING_SERVER: service.origin, KENNING_TOKEN: 'ken_at_no' }),
  )
  await expect(refused).rejects.toThrow(/refuses the sign-in\. Run kenning login/)
})

test('a folder is searched without a service and without a sign-in, and only read', async () => {
  const alone = makeHome()
  onTestFinished(() => alone.remove())
  const folder = join(alone.folder, 'papers')
  mkdirSync(folder)
  writeFileSync(join(folder, 'charter.md'), NOTE)
  // Its library begins with a database that is made and migrated.
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const library = join(alone.folder, '.cache/kenning/libraries', name)
  mkdirSync(library, { recursive: true, mode: 0o700 })
  renameSync(await migratedDirectory(), join(library, 'data'))
  const started = program([folder], { HOME: alone.folder })
  const { client, errors, ended } = await connectToProgram('client 2, modern', started)
  const names = (await client.tools()).map(({ name }) => name)
  expect([names.includes('search'), names.includes('upload_text')]).toEqual([true, false])
  const search = async (): Promise<string> => textOf(await client.call('search_passages', { query: 'crane' }))
  // It answers while the files are read.
  while (!(await search()).includes('twelve tonnes')) await sleep(100)
  while (!errors().includes('is read: 1 file.')) await sleep(100)
  // Another program is told why it has to wait.
  const second = connectToProgram('sdk 1', started)
  await expect(second).rejects.toThrow(/Another kenning ask or kenning mcp uses/)
  await client.close()
  await ended
  expect(await alone.kenning(['mcp', join(alone.folder, 'nothing')])).toMatchObject({ code: 4, stdout: '' })
  expect(await alone.kenning(['mcp', folder, '--server', service.origin])).toMatchObject({
    code: 2,
    stdout: '',
  })
})
