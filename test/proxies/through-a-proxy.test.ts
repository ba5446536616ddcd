// Out of a company's network: a real tinyproxy with a password, names that only the outside knows, and certificates of a private
// authority. `kenning doctor` asks each server as the service does.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeHome } from '../support/kenning.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { portOf, type TestProxy, testProxy } from '../support/proxy.ts'
import { freePort } from '../support/service.ts'
import { type PrivateAuthority, privateAuthority, scratch, startProxy } from './programs.ts'

const folder = scratch()
const home = makeHome()
let authority: PrivateAuthority
let server: Server
let outside: TestProxy
let port: number
let stop: () => Promise<void>

beforeAll(async () => {
  authority = await privateAuthority(folder)
  const { cert, key } = await authority.issue(['model.example'])
  server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const isChat = request.url === '/v1/chat/completions'
    response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isChat ? { choices: [{ message: { content: '{"ok":true}' } }] } : {}))
  })
  await listenOnLoopback(server as never)
  outside = await testProxy({ 'model.example': portOf(server) })
  port = await freePort()
  const file = join(folder, 'tinyproxy.conf')
  writeFileSync(
    file,
    `Port ${port}
Listen 127.0.0.1
Timeout 600
BasicAuth me secret
Upstream http ${new URL(outside.url).host}
`,
  )
  stop = await startProxy('tinyproxy', ['-d', '-c', file], port)
})
afterAll(async () => {
  await stop?.()
  await outside?.close()
  await closeNow(server as never)
  home.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function modelLine(proxy: string, caFile: string): Promise<string> {
  const env = {
    KENNING_DATA_DIR: join(folder, 'data'),
    KENNING_PORT: String(await freePort()),
    KENNING_LLM_URL: 'https://model.example/v1',
    KENNING_LLM_MODEL: 'm',
    HTTPS_PROXY: proxy,
    KENNING_CA_FILE: caFile,
  }
  const { stdout } = await home.kenning(['doctor'], { env })
  return stdout.split('\n').find((line) => line.includes('language model')) ?? stdout
}

test('a model outside answers through the proxy; without its password or the authority it is said what to do', async () => {
  expect(await modelLine(`http://me:secret@127.0.0.1:${port}`, authority.file)).toMatch(
    /m at model.example answers/,
  )
  expect(outside.asked).toContain('CONNECT model.example:443')
  expect(await modelLine(`http://127.0.0.1:${port}`, authority.file)).toMatch(
    /proxy: status 407.*HTTPS_PROXY/,
  )
  expect(await modelLine(`http://me:secret@127.0.0.1:${port}`, '')).toMatch(/KENNING_CA_FILE/)
})
