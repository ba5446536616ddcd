// Which addresses may be connected to, and the proxy that connects for other programs.

import { createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../../test/support/loopback.ts'
import { checkAddress, publicAnd } from './guard.ts'
import { type GuardedProxy, openGuardedProxy } from './guarded-proxy.ts'

test('the public internet, and what is listed', async () => {
  const may = publicAnd(['10.1.0.0/16', '192.168.7.4', 'fd00:1::/32'])
  const asked = [
    '93.184.215.14',
    '10.1.200.3',
    '192.168.7.4',
    'fd00:1::5',
    '::ffff:10.1.0.1',
    '2606:4700::1111',
  ]
  expect(asked.filter(may)).toEqual(asked)
  const never = [
    '10.2.0.1',
    '192.168.7.5',
    '127.0.0.1',
    '169.254.169.254',
    'fd00:2::5',
    '::1',
    '::ffff:10.2.0.1',
  ]
  expect(never.filter(may)).toEqual([])
  await expect(checkAddress(new URL('http://[::1]:80/'), may)).rejects.toThrow('not on the public internet')
  await expect(checkAddress(new URL('http://2130706433/'), may)).rejects.toThrow('127.0.0.1')
})

test('the wait for a name that nobody resolves ends with its limit', async () => {
  const stop = new AbortController()
  const never = () => new Promise<string[]>(() => {})
  const waiting = checkAddress(new URL('http://slow.example/'), publicAnd([]), stop.signal, never)
  stop.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})

/** The status and the body of the proxy's answer. */
function through(proxy: GuardedProxy, url: string, method = 'GET', authorized = true) {
  const { hostname, port, username, password } = new URL(proxy.url)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const headers = { host: 'x', ...(authorized ? { 'proxy-authorization': authorization } : {}) }
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request({ hostname, port, path: url, method, headers, agent: false })
    sent.on('connect', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, body: '' })
    })
    sent.on('response', async (response) => {
      const pieces: Buffer[] = []
      try {
        for await (const piece of response) pieces.push(piece as Buffer)
      } catch {
        // The answer was cut off.
      }
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() })
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('the proxy wants its password, asks only what may be asked, and stops what is too much', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer(({ headers, url }, response) => {
    seen.push(headers['proxy-authorization'])
    response.end(url === '/large' ? 'x'.repeat(200_000) : 'hello')
  })
  const origin = await listenOnLoopback(server)
  onTestFinished(() => closeNow(server))
  const proxy = await openGuardedProxy(publicAnd(['127.0.0.1']), 100_000)
  onTestFinished(() => proxy.close())
  const { port } = new URL(origin)
  expect((await through(proxy, `${origin}/`, 'GET', false)).status).toBe(407)
  expect((await through(proxy, `127.0.0.1:${port}`, 'CONNECT', false)).status).toBe(407)
  expect(seen).toEqual([])
  expect(await through(proxy, `${origin}/`)).toEqual({ status: 200, body: 'hello' })
  expect((await through(proxy, `127.0.0.1:${port}`, 'CONNECT')).status).toBe(200)
  // The password is for the proxy only.
  expect(seen).toEqual([undefined])
  expect(proxy.failure()).toBeUndefined()
  expect((await through(proxy, `127.0.0.2:${port}`, 'CONNECT')).status).toBe(502)
  expect(proxy.failure()).toContain('not on the public internet')
  expect((await through(proxy, `http://127.0.0.2:${port}/`)).status).toBe(502)
  expect((await through(proxy, `${origin}/large`)).body.length).toBeLessThan(200_000)
  expect(proxy.failure()).toContain('sent more than')
})
