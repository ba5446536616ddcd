// Reads and discards the rest of a body after an early response, such as an error. Simple clients send the whole body before
// they read, and would lose the response if the connection were closed.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { watchDataRate } from './data-rate.ts'
import { isWaiting } from './expect-continue.ts'

// At most the largest upload is read, for at most a minute; after ten seconds the client must send 100 KB/s or more. So rejected
// requests cannot occupy sockets.
const MAX_BYTES = 2 ** 31 + 2 ** 20
const LIMITS = { bytesPerSecond: 100_000, graceMs: 10_000, mostMs: 60_000 }
// Beyond this number connections are closed at once.
const MAX_DRAINING = 100

let drainingCount = 0

/** Keeps the connection of an early response open until the request's body has been read. */
export function drainAfterResponse(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isPending(request.raw) || typeof payload !== 'string' || request.method === 'HEAD') {
      return done(null, payload)
    }
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(sendThenDrain(payload, request.raw)))
  })
  // Streams and answers to HEAD were not wrapped above.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isPending(request.raw)) void drain(request.raw)
    done()
  })
}

/** Whether more of the body will arrive. A client that waits for "100 Continue" will not send it. */
function isPending(request: IncomingMessage): boolean {
  if (request.complete !== false || request.destroyed || isWaiting(request)) return false
  return (
    Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined
  )
}

/** Content-Length tells the client where the response ends; the stream stays open until the request's body has been read. */
async function* sendThenDrain(response: string, request: IncomingMessage): AsyncGenerator<string> {
  yield response
  await drain(request)
}

async function drain(request: IncomingMessage): Promise<void> {
  if (request.destroyed || request.readableEnded) return
  if (drainingCount >= MAX_DRAINING) return void request.destroy()
  drainingCount++
  // The handler stopped reading the body, so it is detached.
  request.unpipe()
  const bytes = Number(request.headers['content-length'] ?? MAX_BYTES)
  const closeConnection = (): void => void request.destroy()
  const { stop } = watchDataRate(request, LIMITS, bytes, closeConnection)
  const start = request.socket.bytesRead
  request.on('data', () => request.socket.bytesRead - start > MAX_BYTES && closeConnection())
  request.resume()
  await new Promise<void>((resolve) =>
    request.once('end', resolve).once('close', resolve).once('error', resolve),
  )
  stop()
  drainingCount--
}
