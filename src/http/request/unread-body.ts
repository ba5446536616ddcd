// What is left of a body when its answer is out already: simple clients write the whole body before they read, and a
// connection that is closed on them takes the answer along. So the rest is read and thrown away, within bounds.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { watchPace } from './data-rate.ts'
import { isWaiting } from './expect-continue.ts'

// As large as the largest upload; a minute on the whole and at least 100 KB/s behind ten seconds, so that a refusal is no
// way to hold sockets.
const MOST_BYTES = 2 ** 31 + 2 ** 20
const LIMITS = { bytesPerSecond: 100_000, graceMs: 10_000, mostMs: 60_000 }
// It costs a socket each. Whoever comes beyond finds the connection closed.
const MOST_AT_ONCE = 100

let drainingNow = 0

/** Answers that go out before their request is through keep the connection until it is. */
export function answerBeforeClosing(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isComing(request.raw) || typeof payload !== 'string' || request.method === 'HEAD') {
      return done(null, payload)
    }
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(answerThenDrain(payload, request.raw)))
  })
  // An answer that was a stream itself.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isComing(request.raw)) void drain(request.raw)
    done()
  })
}

/** Whether more of a body is to come. Who waits for leave to send one is told no, and need not be waited for. */
function isComing(request: IncomingMessage): boolean {
  if (request.complete !== false || request.destroyed || isWaiting(request)) return false
  return (
    Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined
  )
}

/** The answer is whole by its length; its end, and with it the connection's, waits for the body's. */
async function* answerThenDrain(answer: string, request: IncomingMessage): AsyncGenerator<string> {
  yield answer
  await drain(request)
}

async function drain(request: IncomingMessage): Promise<void> {
  if (request.destroyed || request.readableEnded) return
  if (drainingNow >= MOST_AT_ONCE) return void request.destroy()
  drainingNow++
  // What read it has stopped in the middle.
  request.unpipe()
  const bytes = Number(request.headers['content-length'] ?? MOST_BYTES)
  const cut = (): void => void request.destroy()
  const { stop } = watchPace(request, LIMITS, bytes, cut)
  const start = request.socket.bytesRead
  request.on('data', () => request.socket.bytesRead - start > MOST_BYTES && cut())
  request.resume()
  await new Promise<void>((resolve) =>
    request.once('end', resolve).once('close', resolve).once('error', resolve),
  )
  stop()
  drainingNow--
}
