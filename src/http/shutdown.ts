// Graceful shutdown: new requests are rejected, running ones get 10 s, then they are aborted and their connections closed.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, unavailable } from '../errors.ts'
import { whenClosed } from './response/closed.ts'

// Together less than the 15 s that the supervisor gives the API (processes/service.ts).
const DRAIN_MS = 10_000
const CLOSE_MS = 2_000

/** A client error, so that it is not logged as a failure. No client receives it. */
export const disconnectError = new ApiError(400, 'invalid_request', 'The client closed the connection.')

interface Shutdown {
  hasBegun: () => boolean
  /** A signal for one request, aborted when its client disconnects or the service stops. */
  signalFor: (reply: FastifyReply) => AbortSignal
}

export function gracefulShutdown(app: FastifyInstance): Shutdown {
  const runningRequests = new Set<AbortController>()
  let hasBegun = false
  app.addHook('preClose', async () => {
    hasBegun = true
    setTimeout(() => stop(app, runningRequests), DRAIN_MS).unref()
  })
  // Otherwise idle keep-alive connections would keep the server open for up to 75 s.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (hasBegun) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  return {
    hasBegun: () => hasBegun,
    signalFor: (reply) => {
      const controller = new AbortController()
      const onClose = (): void => {
        runningRequests.delete(controller)
        if (!reply.raw.writableFinished) controller.abort(disconnectError)
      }
      runningRequests.add(controller)
      whenClosed(reply, onClose)
      return controller.signal
    },
  }
}

function stop(app: FastifyInstance, runningRequests: Set<AbortController>): void {
  const reason = unavailable('The service is restarting; try again in a few seconds.')
  for (const controller of runningRequests) controller.abort(reason)
  setTimeout(() => app.server.closeAllConnections(), CLOSE_MS).unref()
}
