// Mounts the endpoints of the contract. The order of checks is a security property: URL (400), path and method (404, 405),
// credential (401), scope (403), input (422); then in the handler: workspace (404), role (403), object (404), rate limit (429).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { requireAbility } from '../auth/ability.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { authenticate, requireNotRevoked } from '../auth/credential.ts'
import { withRowSecurity } from '../auth/row-security.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type EndpointId, endpoints } from '../contract/endpoints.ts'
import { Step } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import type { RequestLimiter } from '../ports/admission/request-limiter.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Deps } from '../ports/deps.ts'
import { type HandlerContext, handlers } from './handlers.ts'
import { withRequestLog } from './request/log.ts'
import { archiveBody, registerUploads, toUploadError, uploadParts } from './request/upload.ts'
import { readInput, type ValidatedInput } from './request/validation.ts'
import { whenClosed } from './response/closed.ts'
import type { ToErrorResponse } from './response/error.ts'
import { readLastEvent, type ServerEvent, type StreamOptions, streamEvents } from './response/events.ts'
import { sendFile } from './response/file.ts'

/** A handler without the types of its endpoint. In handlers.ts the compiler checks each handler against its endpoint. */
type Handler = (
  deps: Deps,
  caller: Caller,
  input: ValidatedInput,
  context: HandlerContext,
) => Promise<unknown> | AsyncIterable<ServerEvent>

export interface MountOptions {
  deps: Deps
  toErrorResponse: ToErrorResponse
  /** A signal for one request, aborted when its client disconnects or the service stops. */
  signalFor: (reply: FastifyReply) => AbortSignal
}

export async function mount(app: FastifyInstance, options: MountOptions): Promise<void> {
  const entries = Object.entries(endpoints) as [EndpointId, Endpoint][]
  const { requests } = options.deps.admission
  const mountEntries = (instance: FastifyInstance, entriesToMount: typeof entries): void => {
    for (const [id, endpoint] of entriesToMount)
      mountEndpoint(instance, options, {
        endpoint,
        handler: handlers[id] as unknown as Handler,
        limiter: isBrief(endpoint) ? requests : undefined,
      })
  }
  mountEntries(
    app,
    entries.filter(([, endpoint]) => !endpoint.multipart),
  )
  // Endpoints with multipart bodies get a Fastify instance of their own, because the multipart plugin's hooks would slow down every
  // other request.
  await app.register(async (uploads) => {
    await registerUploads(uploads)
    mountEntries(
      uploads,
      entries.filter(([, endpoint]) => endpoint.multipart),
    )
  })
}

/**
 * Whether the endpoint only takes a few database queries. Uploads and archives have slots of their own, questions have an hourly
 * limit, and files and job events last as long as they are sent.
 */
const isBrief = ({ multipart, archive, events, bytes }: Endpoint): boolean =>
  !multipart && !archive && !events && !bytes

function mountEndpoint(
  app: FastifyInstance,
  { deps, toErrorResponse, signalFor }: MountOptions,
  {
    endpoint,
    handler,
    limiter,
  }: { endpoint: Endpoint; handler: Handler; limiter: RequestLimiter | undefined },
): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    // Clients that resume a download first ask for the file's size.
    method: endpoint.bytes ? [endpoint.method, 'HEAD'] : endpoint.method,
    url: routeOf(endpoint.path),
    // Runs before the body is read, so that the service does not read the body of a caller without access.
    onRequest: async (request, reply) => {
      const credentials = authorizationHeaders(request)
      if (limiter) whenClosed(reply, limiter.acquire(credentials.join()))
      const caller = await authenticate(deps, credentials, endpoint.countsWorkspaces)
      requireAbility(caller, endpoint.ability)
      if (limiter) whenClosed(reply, limiter.acquireFor(principal(caller)))
      callers.set(request, caller)
    },
    handler: async (request, reply) => {
      let caller = callers.get(request)
      if (!caller) throw new Error('not authenticated')
      const isBodyPending = endpoint.body !== undefined && request.raw.complete === false
      const input = await readInput(endpoint, request)
      // Checked again if the body was still arriving: the credential may have been revoked in the meantime.
      if (isBodyPending)
        caller = await authenticate(deps, authorizationHeaders(request), endpoint.countsWorkspaces)
      let signal: AbortSignal | undefined
      const handlerContext: HandlerContext = {
        signal: () => (signal ??= signalFor(reply)),
        parts: () => uploadParts(request),
        archive: () => archiveBody(request),
        idempotencyKey: idempotencyKey(request),
      }
      const { workspace_id: workspaceId } = input.params as { workspace_id?: string }
      const requestDeps = withRowSecurity(withRequestLog(deps, request), caller, workspaceId)
      const result = handler(requestDeps, caller, input, handlerContext)
      if (endpoint.events)
        return sendEvents({ endpoint, input, events: result as AsyncIterable<ServerEvent> }, reply, {
          signal: handlerContext.signal(),
          // If the token is revoked, every stream ends. If the caller loses the role, the handler ends the stream. If the token
          // expires, a stream of job events ('always') ends, because it has no fixed end, but an answer ('optional') is completed.
          requireStillAllowed: async () =>
            endpoint.events === 'optional'
              ? requireNotRevoked(deps, authorizationHeaders(request))
              : void (await authenticate(deps, authorizationHeaders(request))),
          errorBody: (error) => toErrorResponse(error, request).body,
        })
      const output = await (result as Promise<unknown>).catch((error: unknown) => {
        throw endpoint.multipart ? toUploadError(error) : error
      })
      return endpoint.bytes ? sendFile(output as Bytes, request, reply) : sendJson(endpoint, output, reply)
    },
  })
}

/**
 * `/pages/{page}.png` becomes `/v1/pages/:page(^[^/]+).png`: a parameter that is followed by a suffix needs a pattern, so that the
 * parameter ends before the suffix.
 */
const routeOf = (path: string): string =>
  `/v1${path.replace(/\{(\w+)\}(?=[^/])/g, ':$1(^[^/]+)').replace(/\{(\w+)\}/g, ':$1')}`

/** Every Authorization header as sent; `request.headers` would hide all but the first. */
export function authorizationHeaders(request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  )
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new ApiError(
    400,
    'invalid_request',
    'The Idempotency-Key header must be 1 to 255 visible ASCII characters.',
  )
}

function sendJson(endpoint: Endpoint, output: unknown, reply: FastifyReply): FastifyReply {
  if (!endpoint.output) return reply.code(endpoint.status).send()
  const body = JSON.stringify(withContractFields(endpoint.output, output))
  return reply.code(endpoint.status).header('content-type', 'application/json; charset=utf-8').send(body)
}

/** Ensures that a response has exactly the contract's fields. @throws Error that names the fields, never their values */
function withContractFields(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the response does not match the contract (${issues.slice(0, 5).join('; ')})`)
}

async function sendEvents(
  {
    endpoint,
    input,
    events,
  }: { endpoint: Endpoint; input: ValidatedInput; events: AsyncIterable<ServerEvent> },
  reply: FastifyReply,
  stream: Pick<StreamOptions, 'signal' | 'requireStillAllowed' | 'errorBody'>,
): Promise<FastifyReply> {
  const lastEventName = endpoint.events === 'optional' ? 'answer' : undefined
  if (lastEventName && !(input.body as { stream: boolean }).stream) {
    return sendJson(endpoint, await readLastEvent(events, lastEventName, stream.requireStillAllowed), reply)
  }
  const bytes = await streamEvents(events, {
    ...stream,
    validate: ({ event, data }) =>
      withContractFields(event === 'step' ? Step : (endpoint.output ?? Step), data),
    ...(lastEventName ? { lastEventName } : {}),
  })
  return reply
    .code(endpoint.status)
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(bytes)
}
