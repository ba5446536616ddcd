// Builds the HTTP server: message limits, headers of every response, error handling, logging, shutdown.

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
import { mountConsole } from './console.ts'
import { mountPublic } from './health.ts'
import { mountMcp } from './mcp.ts'
import { mount } from './mount.ts'
import { mountOAuth } from './oauth/oauth.ts'
import { mountAccountLinks } from './pages/account-links.ts'
import { mountStyle, sendErrorPage } from './pages/page.ts'
import { mountReference } from './reference/reference.ts'
import {
  acceptExpectations,
  checkExpectation,
  deferContinue,
  isWaitingForContinue,
} from './request/expect-continue.ts'
import { requestIdOf } from './request/log.ts'
import { drainAfterResponse } from './request/unread-body.ts'
import { checkHead, MAX_HEAD_BYTES, MAX_URL_BYTES, pathOf } from './request/url.ts'
import { allowOrigins } from './response/cors.ts'
import {
  type ErrorResponse,
  errorResponse,
  resourceMetadataUrl,
  type ToErrorResponse,
} from './response/error.ts'
import { disconnectError, gracefulShutdown } from './shutdown.ts'
import { moveUnderPath, sitePath, withoutSitePath } from './site-path.ts'
import { traceRequests } from './traces.ts'

const HEAD_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 75_000 // longer than the usual 60 s of proxies, so that they close first
// How often Node checks for request headers that are late.
const HEAD_CHECK_MS = 5_000

/** The caller has to call `listen` and `close`. */
export async function buildServer(deps: Deps): Promise<FastifyInstance> {
  const { origin } = deps.settings
  const toErrorResponse: ToErrorResponse = (error, request) => {
    const metadata = resourceMetadataUrl(deps.settings, pathOf(request.raw.url ?? ''))
    const response = errorResponse(error, metadata, request.id)
    if (response.cause !== undefined) {
      const route = request.routeOptions?.url
      deps.log.error({ err: response.cause, requestId: request.id, route }, 'request failed')
    }
    return response
  }
  const app = Fastify(serverOptions(deps.settings, toErrorResponse))
  deferContinue(app.server)
  acceptExpectations(app.server)
  app.removeAllContentTypeParsers()
  // Bodies are read later, after the checks that come before them.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    const response = toErrorResponse(isClientDisconnect(error, reply) ? disconnectError : error, request)
    if (!request.routeOptions.config.page && !isBrowserNavigation(request)) return sendError(reply, response)
    const message = request.is404 ? 'There is no page at this address.' : response.body.error.message
    const retryAfter = response.headers['retry-after']
    const extras = retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }
    return sendErrorPage(reply.headers(response.headers), { status: response.status, message, extras })
  })
  const shutdown = gracefulShutdown(app)
  traceRequests(app)
  // Hooks of every request use callbacks: promises would cost one more turn of the event loop each (0023-overhead.md).
  const headers = fixedHeaders(origin)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    checkHead(request.raw)
    checkExpectation(request.raw)
    if (shutdown.hasBegun()) throw unavailable('The service is restarting; try again in a few seconds.')
    done()
  })
  if (sitePath(deps.settings) !== '') moveUnderPath(app, deps.settings)
  allowOrigins(app, deps.settings.corsOrigins)
  rejectUnknownRoutes(app)
  drainAfterResponse(app)
  logRequests(app, deps)
  mountPublic(app, deps)
  mountStyle(app)
  mountReference(app, deps)
  mountAccount(app, deps)
  mountAccountLinks(app, deps)
  await mountConsole(app, deps)
  mountOAuth(app, deps, toErrorResponse)
  const mountOptions = { deps, toErrorResponse, signalFor: shutdown.signalFor }
  mountMcp(app, mountOptions)
  await mount(app, mountOptions)
  return app
}

/**
 * The client disconnected before the first byte of a stream, such as an answer or a file. Fastify then ends that stream as if
 * it had failed.
 */
const isClientDisconnect = (error: unknown, { raw }: FastifyReply): boolean =>
  raw.closed && !raw.writableFinished && (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Matches `/v1`, `/v1/me` and `/v1?x`, but not `/v10`. */
const API_PATH = /^\/v1(?![^/?])/

/** Whether a browser opened a path that does not exist, outside the API. It gets an HTML page. */
const isBrowserNavigation = (request: FastifyRequest): boolean =>
  request.is404 && /^text\/html\b/.test(request.headers.accept ?? '') && !API_PATH.test(request.raw.url ?? '')

function serverOptions(
  settings: Deps['settings'],
  toErrorResponse: ToErrorResponse,
): FastifyHttpOptions<Server> {
  const { origin, trustedProxies } = settings
  return {
    // The proxies whose X-Forwarded-For is trusted. The limits on failed sign-ins count by the address that results.
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    // The onRequest hook sends the 503, in our error format.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Bodies have their own time limits (body.ts, upload.ts): a large upload may take hours.
    requestTimeout: 0,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: HEAD_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_URL_BYTES },
    rewriteUrl: (request) => {
      const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '') || '/'
      return withoutSitePath(url, settings)
    },
    clientErrorHandler: rejectMalformed,
    frameworkErrors: (error, request, reply) => {
      reply.headers(fixedHeaders(origin)).header('x-request-id', request.id)
      sendError(reply, toErrorResponse(error, request))
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

function sendError(reply: FastifyReply, response: ErrorResponse): FastifyReply {
  // A client that is still waiting for "100 Continue" may or may not send its body, so the connection cannot be reused.
  if (isWaitingForContinue(reply.request.raw)) reply.header('connection', 'close')
  const body = JSON.stringify(response.body)
  reply.code(response.status).headers(response.headers)
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

/** 404 for an unknown path, 405 for a known path with another method, both before the credential is checked. */
function rejectUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // A parameter may have a pattern of its own, as in `:page(^[^/]+).png`.
    const segments = url
      .replace(/[.]/g, '\\.')
      .replace(/\*$/, '.*')
      .replace(/:\w+(\(\^\[\^\/\]\+\))?/g, '[^/]+')
    const pattern = new RegExp(`^${segments}$`)
    routes.push({ pattern, methods: [method].flat() })
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = pathOf(request.raw.url ?? '')
    const methods = routes.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []))
    if (methods.length === 0) throw notFound()
    reply.header('allow', [...new Set(methods)].join(', '))
    throw new ApiError(
      405,
      'invalid_request',
      `Method not allowed: this path supports ${methods.join(', ')}.`,
    )
  })
}

/**
 * Logs one line for each request and counts it in the metrics. Both get the route's pattern and never the URL, whose query may
 * contain what users search for.
 */
function logRequests(app: FastifyInstance, { log, metrics }: Pick<Deps, 'log' | 'metrics'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request
    const route = request.routeOptions.url
    log.info(
      { requestId, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    metrics?.request({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

const PARSER_ERRORS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL or the header fields are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request headers took longer than 20 seconds.'],
}

/** Responds to bytes that are not an HTTP request. There is no reply object yet, so the response is written by hand. */
function rejectMalformed(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = PARSER_ERRORS[error.code] ?? [400, 'The request is not valid HTTP.']
  const body = JSON.stringify({ error: { type: 'invalid_request', message } })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
