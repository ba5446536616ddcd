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
import { archiveBody, explainUpload, registerUploads, uploadParts } from './request/upload.ts'
import { readInput, type ValidatedInput } from './request/validation.ts'
import { whenClosed } from './response/closed.ts'
import type { ToErrorResponse } from './response/error.ts'
import { lastEvent, type ServerEvent, type StreamOptions, streamEvents } from './response/events.ts'
import { sendFile } from './response/file.ts'

/** Any handler. In handlers.ts the compiler checks that its types are those of its endpoint. */
type Handler = (
  deps: Deps,
  caller: Caller,
  input: ValidatedInput,
  context: HandlerContext,
) => Promise<unknown> | AsyncIterable<ServerEvent>

export interface Mounting {
  deps: Deps
  toErrorResponse: ToErrorResponse
  /** A signal for one request, aborted when its client disconnects or the service stops. */
  signalFor: (reply: FastifyReply) => AbortSignal
}

export async function mount(app: FastifyInstance, options: Mounting): Promise<void> {
  const rows = Object.entries(endpoints) as [EndpointId, Endpoint][]
  const { requests } = options.deps.admission
  const mountAll = (instance: FastifyInstance, rowsToMount: typeof rows): void => {
    for (const [id, row] of rowsToMount)
      mountRow(instance, options, {
        row,
        handler: handlers[id] as unknown as Handler,
        limiter: isBrief(row) ? requests : undefined,
      })
  }
  mountAll(
    app,
    rows.filter(([, row]) => !row.multipart),
  )
  // In a Fastify instance of their own, because the multipart plugin's hooks would slow down every other request.
  await app.register(async (uploads) => {
    await registerUploads(uploads)
    mountAll(
      uploads,
      rows.filter(([, row]) => row.multipart),
    )
  })
}

/**
 * Whether the endpoint only takes a few database queries. Uploads have slots of their own, questions an hourly limit, and
 * files last as long as their transfer.
 */
const isBrief = ({ multipart, archive, events, bytes }: Endpoint): boolean =>
  !multipart && !archive && !events && !bytes

function mountRow(
  app: FastifyInstance,
  { deps, toErrorResponse, signalFor }: Mounting,
  { row, handler, limiter }: { row: Endpoint; handler: Handler; limiter: RequestLimiter | undefined },
): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    // Clients that resume a download first ask for the file's size.
    method: row.bytes ? [row.method, 'HEAD'] : row.method,
    url: routeOf(row.path),
    // Runs before the body is read, because a caller without access must not send one.
    onRequest: async (request, reply) => {
      const credentials = authorizations(request)
      if (limiter) whenClosed(reply, limiter.acquire(credentials.join()))
      const caller = await authenticate(deps, credentials, row.countsWorkspaces)
      requireAbility(caller, row.ability)
      if (limiter) whenClosed(reply, limiter.acquireFor(principal(caller)))
      callers.set(request, caller)
    },
    handler: async (request, reply) => {
      let caller = callers.get(request)
      if (!caller) throw new Error('not authenticated')
      const isBodyPending = row.body !== undefined && request.raw.complete === false
      const input = await readInput(row, request)
      // Checked again if the body was still arriving: the credential may have been revoked in the meantime.
      if (isBodyPending) caller = await authenticate(deps, authorizations(request), row.countsWorkspaces)
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
      if (row.events)
        return sendEvents({ row, input, events: result as AsyncIterable<ServerEvent> }, reply, {
          signal: handlerContext.signal(),
          // Revoking the token ends every stream; the handler itself ends it when the caller loses the role. Events of a job
          // ('always') have no fixed end, so they also end when the token expires. An answer ('optional') is finished.
          requireStillAllowed: async () =>
            row.events === 'optional'
              ? requireNotRevoked(deps, authorizations(request))
              : void (await authenticate(deps, authorizations(request))),
          errorBody: (error) => toErrorResponse(error, request).body,
        })
      const output = await (result as Promise<unknown>).catch((error: unknown) => {
        throw row.multipart ? explainUpload(error) : error
      })
      return row.bytes ? sendFile(output as Bytes, request, reply) : sendJson(row, output, reply)
    },
  })
}

/** In `{page}.png` the parameter ends before the suffix. */
const routeOf = (path: string): string =>
  `/v1${path.replace(/\{(\w+)\}(?=[^/])/g, ':$1(^[^/]+)').replace(/\{(\w+)\}/g, ':$1')}`

/** Every Authorization header as sent; `request.headers` would hide all but the first. */
export function authorizations(request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
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

function sendJson(row: Endpoint, output: unknown, reply: FastifyReply): FastifyReply {
  if (!row.output) return reply.code(row.status).send()
  const body = JSON.stringify(withContractFields(row.output, output))
  return reply.code(row.status).header('content-type', 'application/json; charset=utf-8').send(body)
}

/** Ensures that a response has exactly the contract's fields. @throws Error that names the fields, never their values */
function withContractFields(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the response does not match the contract (${issues.slice(0, 5).join('; ')})`)
}

async function sendEvents(
  { row, input, events }: { row: Endpoint; input: ValidatedInput; events: AsyncIterable<ServerEvent> },
  reply: FastifyReply,
  stream: Pick<StreamOptions, 'signal' | 'requireStillAllowed' | 'errorBody'>,
): Promise<FastifyReply> {
  const lastEventName = row.events === 'optional' ? 'answer' : undefined
  if (lastEventName && !(input.body as { stream: boolean }).stream) {
    return sendJson(row, await lastEvent(events, lastEventName, stream.requireStillAllowed), reply)
  }
  const bytes = await streamEvents(events, {
    ...stream,
    validate: ({ event, data }) => withContractFields(event === 'step' ? Step : (row.output ?? Step), data),
    ...(lastEventName ? { lastEventName } : {}),
  })
  return reply
    .code(row.status)
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(bytes)
}
