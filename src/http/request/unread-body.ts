// Reads and discards the rest of a body after an early response, such as an error. Simple clients send the whole body before
// they read, and would lose the response if the connection were closed.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type RateLimits, watchDataRate } from './data-rate.ts'
import { isWaitingForContinue } from './expect-continue.ts'

// Rejected requests must not occupy sockets for long: at most the size of the largest upload is read, for at most a minute, and
// after ten seconds the client must send at least 100 KB/s.
const MAX_DRAINED_BYTES = 2 ** 31 + 2 ** 20
export const DRAIN_LIMITS: RateLimits = { bytesPerSecond: 100_000, graceMs: 10_000, maxMs: 60_000 }
// If more connections than this are being drained, further ones are closed at once.
const MAX_DRAINED_CONNECTIONS = 100

let drainedConnections = 0

/** Keeps the connection of an early response open until the request's body has been read. */
export function drainAfterResponse(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!hasUnreadBody(request.raw) || typeof payload !== 'string' || request.method === 'HEAD') {
      return done(null, payload)
    }
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(sendThenDrain(payload, request.raw)))
  })
  // Streams and answers to HEAD were not wrapped above.
  app.addHook('onResponse', (request, _reply, done) => {
    if (hasUnreadBody(request.raw)) void drain(request.raw)
    done()
  })
}

/** Whether more of the body will arrive. A client that waits for "100 Continue" will not send it. */
function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.complete !== false || request.destroyed || isWaitingForContinue(request)) return false
  return (
    Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined
  )
}

/** Content-Length marks the end of the response; the stream stays open until the request's body has been read. */
async function* sendThenDrain(response: string, request: IncomingMessage): AsyncGenerator<string> {
  yield response
  await drain(request)
}

async function drain(request: IncomingMessage): Promise<void> {
  if (request.destroyed || request.readableEnded) return
  if (drainedConnections >= MAX_DRAINED_CONNECTIONS) return void request.destroy()
  drainedConnections++
  // The handler stopped reading the body, so it is detached.
  request.unpipe()
  const expectedBytes = Number(request.headers['content-length'] ?? MAX_DRAINED_BYTES)
  const closeConnection = (): void => void request.destroy()
  const { stop } = watchDataRate(request, DRAIN_LIMITS, expectedBytes, closeConnection)
  const bytesBefore = request.socket.bytesRead
  request.on('data', () => request.socket.bytesRead - bytesBefore > MAX_DRAINED_BYTES && closeConnection())
  request.resume()
  await new Promise<void>((resolve) =>
    request.once('end', resolve).once('close', resolve).once('error', resolve),
  )
  stop()
  drainedConnections--
}
