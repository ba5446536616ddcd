// Out of a company's network: a real tinyproxy with a password, names that only the outside knows, and certificates of a private
// authority. `kenning doctor` asks each server as the service does, and the commands ask a service of the outside.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openCompany } from '../../src/ports/company/company.ts'
import { publicAnd } from '../../src/ports/outbound/guard.ts'
import { DIRECT, useNetwork } from '../../src/ports/outbound/network.ts'
import { postUntrusted } from '../../src/ports/outbound/untrusted-post.ts'
import { makeHome } from '../support/kenning.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { portOf, type TestProxy, testProxy } from '../support/proxy.ts'
import { quickService } from '../support/quick-service.ts'
import { freePort, type Service } from '../support/service.ts'
import { type PrivateAuthority, privateAuthority, scratch, startProxy } from './programs.ts'

const folder = scratch()
const home = makeHome()
let authority: PrivateAuthority
let server: Server
let outside: TestProxy
let port: number
let stop: () => Promise<void>

const NAMES = ['model.example', 'kenning.example', 'idp.example', 'hook.example']
const ISSUER = 'https://idp.example'
const PAGES: Readonly<Record<string, readonly [number, object]>> = {
  'model.example/v1/chat/completions': [200, { choices: [{ message: { content: '{"ok":true}' } }] }],
  'idp.example/.well-known/openid-configuration': [
    200,
    {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
    },
  ],
  'idp.example/token': [400, { error: 'invalid_grant' }],
  'hook.example/hook': [204, {}],
}

let service: Service
const seen: string[] = []

function forward(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url: path } = incoming
  const request = httpRequest(origin, { path, method, headers } as RequestOptions, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(request)
}

beforeAll(async () => {
  authority = await privateAuthority(folder)
  const { cert, key } = await authority.issue(NAMES)
  service = await quickService()
  server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const host = request.headers.host ?? ''
    seen.push(`${request.method} ${host}${request.url}`)
    if (host === 'kenning.example') return forward(service.origin, request, response)
    const [status, body] = PAGES[`${host}${request.url}`] ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await listenOnLoopback(server as never)
  outside = await testProxy(Object.fromEntries(NAMES.map((name) => [name, portOf(server)])))
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
  await service?.remove()
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

describe('what the service asks for', () => {
  const use = (): void =>
    useNetwork({
      ...DIRECT,
      proxies: { http: undefined, https: `http://me:secret@127.0.0.1:${port}` },
      proxyResolves: true,
      authorities: authority.pem,
    })
  afterEach(() => useNetwork(DIRECT))

  test('the company’s sign-in: discovery and the call for tokens', async () => {
    use()
    const company = openCompany({
      issuer: ISSUER,
      clientId: 'kenning',
      clientSecret: 'a-secret',
      scopes: undefined,
      acceptsUnverifiedEmail: false,
      groups: [],
      groupsClaim: 'groups',
      roles: [],
      label: 'Company',
    })
    const { url, checks } = await company.begin('https://kenning.example/callback')
    expect(url).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    const back = new URL(`https://kenning.example/callback?code=c&state=${checks.state}`)
    await expect(company.finish(back, checks)).rejects.toThrow()
    expect(seen).toContain('POST idp.example/token')
    expect(outside.asked).toContain('CONNECT idp.example:443')
  })

  test('a webhook', async () => {
    use()
    const options = {
      headers: {},
      body: '{}',
      timeoutMs: 60_000,
      mayConnect: publicAnd([]),
      signal: new AbortController().signal,
    }
    expect(await postUntrusted(new URL('https://hook.example/hook'), options)).toBe(204)
    expect(outside.asked).toContain('CONNECT hook.example:443')
  })
})

test('commands reach a service of the outside through the proxy, upload to it, and go past it for names of NO_PROXY', async () => {
  writeFileSync(join(folder, 'note.txt'), 'A file from outside.')
  const key = await service.token()
  const env = {
    KENNING_SERVER: 'https://kenning.example',
    KENNING_TOKEN: key,
    HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}`,
    KENNING_CA_FILE: authority.file,
  }
  expect(await home.kenning(['workspaces', 'create', 'Outside'], { env })).toMatchObject({ code: 0 })
  const uploaded = await home.kenning(['upload', join(folder, 'note.txt'), '--workspace', 'Outside'], { env })
  expect(uploaded).toMatchObject({ code: 0 })
  expect(outside.asked).toContain('CONNECT kenning.example:443')
  const untrusted = await home.kenning(['workspaces'], { env: { ...env, KENNING_CA_FILE: '' } })
  expect(untrusted.code).not.toBe(0)
  const direct = await home.kenning(['workspaces'], { env: { ...env, NO_PROXY: 'kenning.example' } })
  expect(direct.code).not.toBe(0)
  const wrong = await home.kenning(['workspaces'], {
    env: { ...env, KENNING_CA_FILE: join(folder, 'none.pem') },
  })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('KENNING_CA_FILE') })
})
