import { createServer } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../test/support/loopback.ts'
import { openSender, openSlowConnections, type Sender } from './requests.ts'

const server = createServer((request, response) => {
  request.resume()
  const { pathname } = new URL(request.url ?? '', 'http://x')
  if (pathname === '/cut') return void response.destroy()
  if (pathname === '/full') response.setHeader('retry-after', '1')
  response.statusCode = { '/full': 503, '/rude': 429, '/wrong': 422 }[pathname] ?? 200
  response.end(
    { '/whole': 'event: step\ndata: {}\n\nevent: answer\ndata: {}\n\n', '/half': 'event: step\n' }[pathname],
  )
})
let sender: Sender
beforeAll(async () => {
  sender = openSender(await listenOnLoopback(server), async () => 'a-token')
})
afterAll(async () => {
  sender.close()
  await closeNow(server)
})

test('only this machine is put under load', () => {
  expect(() => openSender('http://kenning.example.org/v1', async () => '')).toThrow(/on this machine/)
})

test.each([
  ['/ok', {}, { kind: 'ok' }],
  ['/full', {}, { kind: 'refused', saysWhen: true }],
  ['/rude', {}, { kind: 'refused', saysWhen: false }],
  ['/wrong', {}, { kind: 'failed' }],
  ['/cut', {}, { kind: 'failed' }],
  ['/whole', { endsWith: 'answer' }, { kind: 'ok', firstAt: expect.any(Number) }],
  ['/half', { endsWith: 'answer' }, { kind: 'failed' }],
])('%s is counted as what it is', async (path, more, expected) => {
  expect(await sender.send({ method: 'POST', path, body: {}, ...more })).toMatchObject(expected)
})

test('slow connections tell how many the service has closed', async () => {
  const held: Socket[] = []
  const slow = createTcpServer((socket) => {
    socket.on('error', () => {})
    if (held.push(socket) % 2) socket.destroy()
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as { port: number }
  const connections = openSlowConnections(`http://127.0.0.1:${port}/v1`, 10)
  await expect.poll(() => connections.state().open).toBe(5)
  connections.close()
  await expect.poll(() => connections.state().open).toBe(0)
  await new Promise((resolve) => slow.close(resolve))
})
