// The MCP endpoint, /v1/mcp. It has the same credentials, limits and errors as the rest of the API, but answers in the form of the
// protocol.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireAbility } from '../auth/ability.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { authenticate, requireNotRevoked } from '../auth/credential.ts'
import { ApiError, forbidden } from '../errors.ts'
import { isBrief, opensSubscription } from '../mcp/message.ts'
import type { Settings } from '../ports/deps.ts'
import { authorizationHeaders, type MountOptions } from './mount.ts'
import { readJson } from './request/body.ts'
import { sendContinue } from './request/expect-continue.ts'
import { withRequestLog } from './request/log.ts'
import { whenClosed } from './response/closed.ts'

export function mountMcp(app: FastifyInstance, { deps, toErrorResponse, signalFor }: MountOptions): void {
  const { siteUrl } = deps.settings
  const callers = new WeakMap<FastifyRequest, Caller>()
  const authenticateRequest = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await authenticate(deps, authorizationHeaders(request))
    requireAbility(caller, 'read')
    return caller
  }
  app.route({
    // A GET or DELETE without a credential gets the challenge, because some clients look for it that way.
    method: ['GET', 'POST', 'DELETE'],
    url: '/v1/mcp',
    onRequest: async (request) => {
      requireOwnAddress(request, deps.settings)
      callers.set(request, await authenticateRequest(request))
    },
    handler: async (request, reply) => {
      if (request.method !== 'POST')
        return sendProtocolError(reply.header('allow', 'POST'), 405, SERVER_ERROR, NO_SESSIONS)
      let caller = callers.get(request)
      if (!caller) throw new Error('not authenticated')
      const isBodyPending = request.raw.complete === false
      sendContinue(request.raw)
      const body = await readJson(request.raw).catch(undefinedIfNotJson)
      if (body === undefined) return sendProtocolError(reply, 400, PARSE_ERROR, 'The body is not JSON.')
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        return sendProtocolError(reply, 400, INVALID_REQUEST, 'Send one JSON-RPC message in a request.')
      // Checked again if the body was still arriving: the credential may have been revoked in the meantime.
      if (isBodyPending) caller = await authenticateRequest(request)
      // The limit can only be applied after the body is parsed, since the tool in it decides whether the request is brief.
      if (isBrief(body)) {
        whenClosed(reply, deps.admission.requests.acquire(authorizationHeaders(request).join()))
        whenClosed(reply, deps.admission.requests.acquireFor(principal(caller)))
      }
      const disconnectSignal = signalFor(reply)
      const signal = opensSubscription(body)
        ? AbortSignal.any([disconnectSignal, AbortSignal.timeout(MAX_SUBSCRIPTION_MS)])
        : disconnectSignal
      const { answerMcp } = await import('../mcp/mcp.ts')
      const response = await answerMcp(withRequestLog(deps, request), {
        web: webRequest(request, siteUrl, signal),
        body,
        caller,
        signal,
        requireStillAllowed: () => requireNotRevoked(deps, authorizationHeaders(request)),
        explain: (error) => toErrorResponse(error, request).body.error.message,
      })
      if (isStream(response)) reply.header('x-accel-buffering', 'no')
      return reply.send(response)
    },
  })
}

/**
 * The request in the form that the SDK takes, without its body, which has been read already. The SDK's own adapter for Node does
 * the same, but depends on another web framework of 4 MB.
 */
const webRequest = (
  { method, url, headers }: FastifyRequest,
  siteUrl: string,
  signal: AbortSignal,
): Request =>
  new Request(siteUrl + url, {
    method,
    signal,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  })

// Nothing is ever sent on a subscription. Clients open it again after it ends.
const MAX_SUBSCRIPTION_MS = 300_000

// JSON-RPC 2.0, section 5.1.
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const SERVER_ERROR = -32000
const NO_SESSIONS =
  'Method not allowed: this endpoint keeps no sessions and has no stream to listen to. Use POST.'

const sendProtocolError = (
  reply: FastifyReply,
  status: number,
  code: number,
  message: string,
): FastifyReply => reply.code(status).send({ jsonrpc: '2.0', id: null, error: { code, message } })

/** Invalid JSON is answered with an error of the protocol. Other errors of the body, such as its size, keep their HTTP status. */
function undefinedIfNotJson(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 422) return undefined
  throw error
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Required by the protocol against DNS rebinding: a web page must not reach a service on the user's machine under the page's
 * own host name. A service with a public address is behind a proxy, which checks host names. @throws ApiError 403
 */
function requireOwnAddress({ headers }: FastifyRequest, { origin, corsOrigins }: Settings): void {
  const ownUrl = new URL(origin)
  const isLocal = LOOPBACK.includes(ownUrl.hostname)
  if (isLocal && !isLoopback(`http://${headers.host ?? 'localhost'}`)) {
    throw forbidden(
      'This service expects to be called as localhost. Set KENNING_BASE_URL to the address that clients use.',
    )
  }
  const { origin: originHeader } = headers
  if (originHeader === undefined) return
  if (originHeader === ownUrl.origin || corsOrigins.includes(originHeader)) return
  if (isLocal && isLoopback(originHeader)) return
  throw forbidden('Pages of this origin may not call Kenning. KENNING_CORS_ORIGINS names those that may.')
}

const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname)
