// A span for each request if traces are collected. The spans of what the request does become its children.

import type { FastifyInstance } from 'fastify'
import { isCollecting, span } from '../ports/trace/trace.ts'
import { whenClosed } from './response/closed.ts'

const SERVER_ERROR = 500

/**
 * Must run before all other hooks, so that requests which they reject are traced, too. A span contains the route's pattern and
 * never the URL, whose query may be a question.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isCollecting()) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    const route = request.routeOptions.url
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'kenning.request.id': request.id,
    }
    const { traceparent } = headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    void span(
      route === undefined ? method : `${method} ${route}`,
      attributes,
      async (span) => {
        const closed = new Promise<void>((resolve) => whenClosed(reply, resolve))
        done()
        await closed
        span.set({ 'http.response.status_code': reply.statusCode })
        if (!reply.raw.writableFinished) span.set({ 'kenning.request.aborted': true })
        if (reply.statusCode >= SERVER_ERROR) span.fail(String(reply.statusCode))
      },
      { kind: 'server', parent },
    )
  })
}
