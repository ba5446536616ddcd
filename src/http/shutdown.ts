// Stopping: new requests are refused, running ones get 10 s, then their signals are aborted and connections cut.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, unavailable } from '../errors.ts'

// Together well inside the 15 s that the supervisor gives the API (processes/service.ts).
const DRAIN_MS = 10_000
const LAST_WORDS_MS = 2_000

// A reason that is no fault of ours: nothing is logged, and nobody is there to read it.
const left = new ApiError(400, 'invalid_request', 'The client has left.')

export interface Draining {
  closing: () => boolean
  /** A signal for one request, aborted when its client leaves (or has left) or the service stops. */
  signalFor: (reply: FastifyReply) => AbortSignal
}

export function drainOnClose(app: FastifyInstance): Draining {
  const running = new Set<AbortController>()
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    setTimeout(() => stop(app, running), DRAIN_MS).unref()
  })
  // A connection whose last answer is out would else be kept for 75 s, and the server with it.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  return {
    closing: () => closing,
    signalFor: ({ raw }) => {
      const controller = new AbortController()
      const ended = (): void => {
        running.delete(controller)
        if (!raw.writableFinished) controller.abort(left)
      }
      running.add(controller)
      if (raw.closed) ended()
      else raw.once('close', ended)
      return controller.signal
    },
  }
}

function stop(app: FastifyInstance, running: Set<AbortController>): void {
  const reason = unavailable('The service is restarting; try again in a few seconds.')
  for (const controller of running) controller.abort(reason)
  setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS).unref()
}
