// Serves the contract's table. The order of checks is a security property: the URL (400),
// path and method (404, 405), credential (401), ability (403), syntax (422); then the handler: 404, 403, 429, work.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import { authenticate, requireNotRevoked } from '../auth/credential.ts'
import { withRowSecurity } from '../auth/row-security.ts'
import type { Ability, Endpoint } from '../contract/endpoint.ts'
import { type EndpointId, endpoints } from '../contract/endpoints.ts'
import { Step } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import type { Bytes } from '../ports/bytes.ts'
import type { Deps } from '../ports/deps.ts'
import { handlers, type Request } from './handlers.ts'
import { explainUpload, registerUploads, uploadParts } from './request/upload.ts'
import { type Read, readInput } from './request/validation.ts'
import type { Fail } from './response/error.ts'
import { lastEvent, type ServerEvent, type StreamOptions, streamEvents } from './response/events.ts'
import { sendBytes } from './response/file.ts'

/** The table's handlers as mount sees them: the types that bind a row to its handler are checked in handlers.ts. */
type Handle = (
  deps: Deps,
  caller: Caller,
  input: Read,
  request: Request,
) => Promise<unknown> | AsyncIterable<ServerEvent>

export interface Mounting {
  deps: Deps
  fail: Fail
  /** A signal for one request, aborted when its client leaves or the service stops. */
  signalFor: (reply: FastifyReply) => AbortSignal
}

export async function mount(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const rows = Object.entries(endpoints) as [EndpointId, Endpoint][]
  const mountAll = (scope: FastifyInstance, chosen: typeof rows): void => {
    for (const [id, row] of chosen) mountRow(scope, mounting, row, handlers[id] as unknown as Handle)
  }
  mountAll(
    app,
    rows.filter(([, row]) => !row.multipart),
  )
  // In a scope of their own: the plugin's hooks are of no use to other requests, and cost each of them.
  await app.register(async (uploads) => {
    await registerUploads(uploads)
    mountAll(
      uploads,
      rows.filter(([, row]) => row.multipart),
    )
  })
}

function mountRow(app: FastifyInstance, { deps, fail, signalFor }: Mounting, row: Endpoint, handle: Handle) {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    // Who resumes a download asks first how large the file is.
    method: row.bytes ? [row.method, 'HEAD'] : row.method,
    url: routeOf(row.path),
    // Before the body: not one byte of it is read for somebody who may not send it.
    onRequest: async (request) => {
      const caller = await authenticate(deps, authorizations(request), row.countsWorkspaces)
      requireAbility(caller, row.ability)
      callers.set(request, caller)
    },
    handler: async (request, reply) => {
      let caller = callers.get(request)
      if (!caller) throw new Error('not authenticated')
      const early = row.body !== undefined && request.raw.complete === false
      const input = await readInput(row, request)
      // The body was still on its way when the credential was looked at: it may have been revoked meanwhile.
      if (early) caller = await authenticate(deps, authorizations(request), row.countsWorkspaces)
      let signal: AbortSignal | undefined
      const sent: Request = {
        signal: () => (signal ??= signalFor(reply)),
        parts: () => uploadParts(request),
        idempotencyKey: idempotencyKey(request),
      }
      const own = withRowSecurity(deps, caller, (input.params as { workspace_id?: string }).workspace_id)
      const result = handle(own, caller, input, sent)
      if (row.events)
        return answerEvents(row, input, result as AsyncIterable<ServerEvent>, reply, {
          signal: sent.signal(),
          // A token that was revoked meanwhile ends the stream; a role that was lost does so in the room. What goes on
          // without end also ends with its token.
          allowed: async () =>
            row.events === 'optional'
              ? requireNotRevoked(deps, authorizations(request))
              : void (await authenticate(deps, authorizations(request))),
          fail: (error) => fail(error, request).body,
        })
      const output = await (result as Promise<unknown>).catch((error: unknown) => {
        throw row.multipart ? explainUpload(error) : error
      })
      return row.bytes ? sendBytes(output as Bytes, request, reply) : answer(row, output, reply)
    },
  })
}

/** `{page}.png`: a parameter that something follows ends before it. */
const routeOf = (path: string): string =>
  `/v1${path.replace(/\{(\w+)\}(?=[^/])/g, ':$1(^[^/]+)').replace(/\{(\w+)\}/g, ':$1')}`

/** Every Authorization header as sent: Node's own view keeps the first and hides the second. */
function authorizations(request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
}

const needs: Record<Ability, readonly Caller['scopes'][number][]> = {
  any: [],
  read: ['knowledge:read'],
  write: ['knowledge:read', 'knowledge:write'],
}

function requireAbility(caller: Caller, ability: Ability): void {
  if (needs[ability].every((scope) => caller.scopes.includes(scope))) return
  const scope = needs[ability].join(' ')
  const message =
    caller.auth === 'api_key'
      ? 'API keys only read. Sign in, or connect a program, to change something.'
      : `This token may not do that: it needs the scopes ${scope}.`
  throw new ApiError(403, 'insufficient_scope', message, { challenge: `scope="${scope}"` })
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new ApiError(400, 'invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

function answer(row: Endpoint, output: unknown, reply: FastifyReply): FastifyReply {
  if (!row.output) return reply.code(row.status).send()
  const body = JSON.stringify(checked(row.output, output))
  return reply.code(row.status).header('content-type', 'application/json; charset=utf-8').send(body)
}

/** What is sent has the contract's fields and no others. @throws Error naming the fields, never their values */
function checked(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const where = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the answer does not match the contract (${where.slice(0, 5).join('; ')})`)
}

async function answerEvents(
  row: Endpoint,
  input: Read,
  events: AsyncIterable<ServerEvent>,
  reply: FastifyReply,
  stream: Pick<StreamOptions, 'signal' | 'allowed' | 'fail'>,
): Promise<FastifyReply> {
  const last = row.events === 'optional' ? 'answer' : undefined
  if (last && !(input.body as { stream: boolean }).stream) {
    return answer(row, await lastEvent(events, last, stream.allowed), reply)
  }
  const bytes = await streamEvents(events, {
    ...stream,
    present: ({ event, data }) => checked(event === 'step' ? Step : (row.output ?? Step), data),
    ...(last ? { last } : {}),
  })
  return reply
    .code(row.status)
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(bytes)
}
