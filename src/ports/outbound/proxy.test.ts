// What goes through a proxy and past it, who is trusted, and that the rules for strangers' addresses stay.

import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { generate } from 'selfsigned'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../../test/support/loopback.ts'
import { portOf, type TestProxy, testProxy } from '../../../test/support/proxy.ts'
import { checkAddress, publicAnd } from './guard.ts'
import { openGuardedProxy } from './guarded-proxy.ts'
import { DIRECT, type Network, proxyFor, useNetwork } from './network.ts'
import { getJson, postJson } from './outbound.ts'
import { send } from './send.ts'
import { openTunnel } from './tunnel.ts'
import { postUntrusted } from './untrusted-post.ts'

const PUBLIC = '93.184.215.14'
const NAMES = ['model.example', 'hook.example']
const never = new AbortController().signal

let certificate: { cert: string; private: string }
beforeAll(async () => {
  certificate = await generate([{ name: 'commonName', value: 'model.example' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [...NAMES.map((value) => ({ type: 2 as const, value })), { type: 7 as const, ip: PUBLIC }],
      },
    ],
  })
})

let proxy: TestProxy
let seen: string[]
beforeEach(async () => {
  seen = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push(`${request.method} ${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'application/json')
    request.pipe(response)
    if (request.method === 'GET') response.end('{"ok":true}')
  }
  const secure = createHttps({ key: certificate.private, cert: certificate.cert }, answer)
  const plain = createHttp(answer)
  await listenOnLoopback(secure)
  await listenOnLoopback(plain)
  onTestFinished(() => closeNow(secure))
  onTestFinished(() => closeNow(plain))
  proxy = await testProxy({
    'model.example': portOf(secure),
    'hook.example': portOf(secure),
    [PUBLIC]: portOf(secure),
    'plain.example': portOf(plain),
  })
  onTestFinished(() => proxy.close())
})
afterEach(() => useNetwork(DIRECT))

const use = (network: Partial<Network> = {}): void =>
  useNetwork({
    ...DIRECT,
    proxies: { http: proxy.url, https: proxy.url },
    authorities: certificate.cert,
    ...network,
  })

const ask = (url: string) => postJson({ url, body: { a: 1 }, timeoutMs: 20_000, maxBytes: 1000, attempts: 1 })

test('https goes through a tunnel that the proxy makes by name; http as a whole address', async () => {
  use()
  expect(await ask('https://model.example/v1/chat')).toEqual({ a: 1 })
  expect((await getJson('https://model.example/v1/models', 20_000)).body).toEqual({ ok: true })
  expect(await ask('http://plain.example/v1/chat?a=b')).toEqual({ a: 1 })
  // The second request used the tunnel of the first.
  expect(proxy.asked).toEqual(['CONNECT model.example:443', 'POST http://plain.example/v1/chat?a=b'])
  expect(seen).toEqual([
    'POST model.example/v1/chat',
    'GET model.example/v1/models',
    'POST plain.example/v1/chat?a=b',
  ])
})

test('the proxy gets its name and password, and the server does not', async () => {
  const { host } = new URL(proxy.url)
  use({ proxies: { http: `http://me:p%40ss@${host}`, https: `http://me:p%40ss@${host}` } })
  await ask('https://model.example/')
  await ask('http://plain.example/')
  const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  expect(proxy.authorizations).toEqual([expected, expected])
})

test('an authority that nobody knows is refused, with what to do', async () => {
  use({ authorities: undefined })
  await expect(ask('https://model.example/')).rejects.toThrow(/SELF_SIGNED_CERT.*KENNING_CA_FILE/)
})

test('a proxy that refuses or is not there is told apart from the server', async () => {
  use()
  proxy.refuseWith = 407
  await expect(ask('https://model.example/')).rejects.toThrow(
    'model.example cannot be reached (proxy: status 407): check HTTPS_PROXY',
  )
  await proxy.close()
  useNetwork({ ...DIRECT, proxies: { http: undefined, https: proxy.url } })
  await expect(ask('https://model.example/')).rejects.toThrow('(proxy: ECONNREFUSED)')
})

test('NO_PROXY: names with those below them, suffixes, ports, addresses, networks, everything', () => {
  use({
    noProxy: ['example.org', '.below.example', 'port.example:8080', '10.1.0.0/16', 'fd00::/8', '192.0.2.7'],
  })
  const isProxied = (url: string): boolean => proxyFor(new URL(url)) !== undefined
  const past = [
    'https://example.org',
    'https://EXAMPLE.org./',
    'https://api.example.org',
    'https://a.below.example',
    'http://port.example:8080',
    'https://10.1.2.3',
    'https://[fd00::1]',
    'http://192.0.2.7',
    // This machine.
    'http://localhost:11434',
    'http://127.0.0.1:11434',
    'http://[::1]:11434',
  ]
  const through = [
    'https://notexample.org',
    'https://below.example',
    'https://port.example',
    'https://10.2.2.3',
    'https://192.0.2.8',
  ]
  expect(past.filter(isProxied)).toEqual([])
  expect(through.filter(isProxied)).toEqual(through)
  use({ noProxy: ['*'] })
  expect(through.filter(isProxied)).toEqual([])
})

const hook = (url: string) =>
  postUntrusted(new URL(url), {
    headers: {},
    body: '{}',
    timeoutMs: 20_000,
    mayConnect: publicAnd([]),
    signal: never,
  })

test("a stranger's address is checked here, and the proxy is asked for the checked address", async () => {
  use()
  expect(await hook(`https://${PUBLIC}/hook`)).toBe(200)
  expect(proxy.asked).toEqual([`CONNECT ${PUBLIC}:443`])
  for (const host of ['10.1.2.3', '169.254.169.254', '[::1]', '127.0.0.1', 'localhost'])
    await expect(hook(`https://${host}/hook`)).rejects.toThrow('not on the public internet')
  const resolve = async () => [PUBLIC]
  expect(await checkAddress(new URL('https://hook.example/'), publicAnd([]), never, resolve)).toBe(PUBLIC)
  const unknown = async () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
  await expect(checkAddress(new URL('https://hook.example/'), publicAnd([]), never, unknown)).rejects.toThrow(
    'KENNING_PROXY_RESOLVES=on',
  )
  expect(proxy.asked).toHaveLength(1)
})

test('where names are left to the proxy, addresses are checked all the same', async () => {
  use({ proxyResolves: true })
  expect(await hook('https://hook.example/hook')).toBe(200)
  expect(await hook('http://plain.example/hook')).toBe(200)
  expect(proxy.asked).toEqual(['CONNECT hook.example:443', 'POST http://plain.example/hook'])
  for (const host of ['10.1.2.3', '[fd00::1]', '2130706433', 'localhost'])
    await expect(hook(`https://${host}/hook`)).rejects.toThrow('not on the public internet')
  use({ proxyResolves: true, noProxy: ['hook.example'] })
  const inside = async () => ['10.0.0.1']
  await expect(checkAddress(new URL('https://hook.example/'), publicAnd([]), never, inside)).rejects.toThrow(
    'not on the public internet',
  )
})

test('what git fetches goes through both proxies', async () => {
  use({ proxyResolves: true })
  const guarded = await openGuardedProxy(publicAnd([]), 1_000_000)
  onTestFinished(() => guarded.close())
  const socket = await openTunnel(new URL(guarded.url), 'hook.example', 443)
  socket.destroy()
  expect(proxy.asked).toEqual(['CONNECT hook.example:443'])
  await expect(openTunnel(new URL(guarded.url), '10.1.2.3', 443)).rejects.toThrow('502')
  expect(guarded.failure()).toContain('not on the public internet')
})

test('a request is sent as fetch sends it: bodies, headers of the answer, compression that nobody asked for', async () => {
  const { gzipSync } = await import('node:zlib')
  const lengths: (string | undefined)[] = []
  const server = createHttp((request, response) => {
    lengths.push(request.headers['content-length'])
    if (request.url === '/empty') response.writeHead(204, { 'x-a': 'b' }).end()
    else if (request.url === '/away') response.writeHead(302, { location: '/' }).end()
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'))
  })
  const origin = await listenOnLoopback(server)
  onTestFinished(() => closeNow(server))
  const empty = await send(`${origin}/empty`, { method: 'DELETE' })
  expect([empty.status, empty.headers.get('x-a'), await empty.text()]).toEqual([204, 'b', ''])
  expect((await send(`${origin}/away`, {})).status).toBe(302)
  const bodies = ['ä', new Blob(['four']), new Uint8Array(5), new URLSearchParams({ a: 'b' })]
  for (const body of bodies) expect(await (await send(origin, { method: 'POST', body })).text()).toBe('hello')
  expect(lengths).toEqual([undefined, undefined, '2', '4', '5', '3'])
})

test('a connection that the server closed while it was idle is replaced', async () => {
  let connections = 0
  const server = createHttp((_, response) => response.end('{}'))
  server.keepAliveTimeout = 0
  server.on('connection', () => connections++)
  const origin = await listenOnLoopback(server)
  onTestFinished(() => closeNow(server))
  expect(await ask(origin)).toEqual({})
  server.closeIdleConnections()
  expect(await ask(origin)).toEqual({})
  expect(connections).toBe(2)
})
