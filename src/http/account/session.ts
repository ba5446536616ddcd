// The browser's session cookie, and who may use what it stands for.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { requireAdmin, requireSession } from '../../accounts/sessions.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { readBody } from '../request/validation.ts'

/** A page of another origin must not get a bearer by the cookie that the browser adds. */
export function requireSameOrigin(request: FastifyRequest, origin: string): void {
  const sent = request.headers.origin
  if (sent === origin) return
  if (sent !== undefined)
    throw forbidden(`Only pages of ${origin} may ask for this. Open Kenning at that address.`)
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  throw forbidden(`A program without a browser sends the header "Origin: ${origin}" with this.`)
}

/** `__Host-` pins the cookie to this host over https; on http loopback browsers would drop such a one. */
export function sessionCookie(origin: string, what = 'session') {
  const secure = origin.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}ken_${what}`
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    set: (reply: FastifyReply, secret: string, seconds: number): FastifyReply =>
      reply.header('set-cookie', `${name}=${secret}; Max-Age=${seconds}; ${flags}`),
    /** Undefined when there is none, or more than one: then somebody else has set a second. */
    read: (request: FastifyRequest): string | undefined => {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
      const ours = pairs.filter((pair) => pair.startsWith(`${name}=`))
      return ours.length === 1 ? ours[0]?.slice(name.length + 1) : undefined
    },
  }
}

/** @throws ApiError 403 from another origin, 401 without a session */
export async function signedIn(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<SessionUser> {
  const { origin } = deps.settings
  if (request.method !== 'GET') requireSameOrigin(request, origin)
  return requireSession(deps, sessionCookie(origin).read(request))
}

/** @throws ApiError 403 for somebody who is not an administrator, too */
export async function signedInAdmin(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<SessionUser> {
  const user = await signedIn(deps, request)
  requireAdmin(user)
  return user
}

/**
 * Who is signed in and what they send. The session is asked for before the body is read and once more behind it: a body
 * takes up to 30 seconds, and somebody who signs out everywhere meanwhile means this request as well.
 */
export async function signedInWith<Schema extends z.ZodType>(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
  schema: Schema,
  signed: typeof signedIn = signedIn,
): Promise<{ user: SessionUser; body: z.output<Schema> }> {
  await signed(deps, request)
  const body = await readBody(schema, request)
  return { user: await signed(deps, request), body }
}

/** The id at the end of the path. @throws ApiError 404 for what can be no id */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) throw notFound()
  return id.toLowerCase()
}
