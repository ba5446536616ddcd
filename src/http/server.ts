// The HTTP server, not yet listening: limits of the message, headers of every answer, errors, draining.

import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type ConnectionError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { ApiError, notFound, unavailable } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { mountAccount } from './account/account.ts'
import { mountPublic } from './health.ts'
import { mount } from './mount.ts'
import { mountOAuth } from './oauth/oauth.ts'
import { mountStyle, sendErrorPage } from './pages/page.ts'
import { checkExpectation, holdContinue, holdExpectations, isWaiting } from './request/expect-continue.ts'
import { answerBeforeClosing } from './request/unread-body.ts'
import { checkHead, MOST_HEAD_BYTES, MOST_URL_BYTES, pathOf } from './request/url.ts'
import { allowOrigins } from './response/cors.ts'
import { type Fail, metadataOf, type Problem, problemOf } from './response/error.ts'
import { mountSettings } from './settings/settings.ts'
import { drainOnClose } from './shutdown.ts'

const HEAD_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 75_000 // longer than the 60 s of common proxies, so that they close first
// How often Node looks for heads that are late.
const HEAD_CHECK_MS = 5_000

/** Builds the server for `deps`; `listen` and `close` are the caller's. */
export async function buildServer(deps: Deps): Promise<FastifyInstance> {
  const { origin } = deps.settings
  const fail: Fail = (error, request) => {
    const problem = problemOf(error, metadataOf(origin, pathOf(request.raw.url ?? '')), request.id)
    if (problem.cause !== undefined) {
      const route = request.routeOptions?.url
      deps.log.error({ err: problem.cause, requestId: request.id, route }, 'request failed')
    }
    return problem
  }
  const app = Fastify(serverOptions(deps.settings, fail))
  holdContinue(app.server)
  holdExpectations(app.server)
  app.removeAllContentTypeParsers()
  // Bodies are read where their turn comes in the order of checks.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    const problem = fail(error, request)
    if (!request.routeOptions.config.page && !isLostReader(request)) return send(reply, problem)
    return sendErrorPage(reply.headers(problem.headers), problem.status, problem.body.error.message)
  })
  const draining = drainOnClose(app)
  // Hooks of every request call back: one that returns a promise costs a turn of the queue (0023-overhead.md).
  const fixed = fixedHeaders(origin)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id)
    checkHead(request.raw)
    checkExpectation(request.raw)
    if (draining.closing()) throw unavailable('The service is restarting; try again in a few seconds.')
    done()
  })
  allowOrigins(app, deps.settings.corsOrigins)
  refuseUnknown(app)
  answerBeforeClosing(app)
  logRequests(app, deps)
  mountPublic(app, deps)
  mountStyle(app)
  mountAccount(app, deps)
  mountSettings(app, deps)
  mountOAuth(app, deps, fail)
  await mount(app, { deps, fail, signalFor: draining.signalFor })
  return app
}

/** Somebody with a browser at an address that is none, and that never was one for programs. */
const isLostReader = (request: FastifyRequest): boolean =>
  request.is404 &&
  /^text\/html\b/.test(request.headers.accept ?? '') &&
  !/^\/v1(?![^/?])/.test(request.raw.url ?? '')

function serverOptions({ origin, trustedProxies }: Deps['settings'], fail: Fail): FastifyHttpOptions<Server> {
  return {
    // Whose word on where a request comes from is believed, for the limits of failed sign-ins.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Answered below in our shape.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Bodies have their own clocks (json-body.ts, upload.ts): a large upload may take hours.
    requestTimeout: 0,
    http: {
      maxHeaderSize: MOST_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: HEAD_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MOST_URL_BYTES },
    rewriteUrl: (request) => (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    clientErrorHandler: refuseBytes,
    frameworkErrors: (error, request, reply) => {
      reply.headers(fixedHeaders(origin)).header('x-request-id', request.id)
      send(reply, fail(error, request))
    },
  }
}

const fixedHeaders = (origin: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

function send(reply: FastifyReply, problem: Problem): FastifyReply {
  // A client that still waits for "100 Continue" may or may not send its body now: the connection is lost.
  if (isWaiting(reply.request.raw)) reply.header('connection', 'close')
  const body = JSON.stringify(problem.body)
  reply.code(problem.status).headers(problem.headers)
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

/** An unknown path is 404, a known one with another method 405: both before any credential is looked at. */
function refuseUnknown(app: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // A parameter may carry its own pattern (`:page(^[^/]+).png`).
    const steps = url.replace(/[.]/g, '\\.').replace(/:\w+(\(\^\[\^\/\]\+\))?/g, '[^/]+')
    const pattern = new RegExp(`^${steps}$`)
    known.push({ pattern, methods: [method].flat() })
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = pathOf(request.raw.url ?? '')
    const methods = known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []))
    if (methods.length === 0) throw notFound()
    reply.header('allow', [...new Set(methods)].join(', '))
    throw new ApiError(405, 'invalid_request', `This address takes ${methods.join(', ')} only.`)
  })
}

/** One line a request: the route's pattern, never the URL, whose query may hold what people search for. */
function logRequests(app: FastifyInstance, { log }: Pick<Deps, 'log'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request
    const route = request.routeOptions.url
    log.info(
      { requestId, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    done()
  })
}

const refusals: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The address or the header fields are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The head of the request took longer than 20 seconds.'],
}

/** Bytes that are no request: there is no reply object yet, so the answer is written by hand. */
function refuseBytes(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = refusals[error.code] ?? [400, 'The request is malformed.']
  const body = JSON.stringify({ error: { type: 'invalid_request', message } })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
