// Routes for a user who is signed in: the session cookie, the same-origin check, and reading the body.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { requireAdmin, requireSession, signOut } from '../../accounts/sessions.ts'
import { forbidden, notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { readBody } from '../request/validation.ts'

/** CSRF protection: the browser adds the cookie to requests from other origins too. @throws ApiError 403 */
export function requireSameOrigin(request: FastifyRequest, origin: string): void {
  const originHeader = request.headers.origin
  if (originHeader === origin) return
  if (originHeader !== undefined)
    throw forbidden(`This request is only accepted from pages of ${origin}. Open Kenning at that address.`)
  if (request.headers['sec-fetch-site'] === 'same-origin') return
  throw forbidden(`The Origin header is missing. Outside a browser, send "Origin: ${origin}".`)
}

/**
 * A cookie of this service. Over https its name has the prefix `__Host-`, which binds it to this host. If the service runs under a
 * path, the prefix is `__Secure-`, because browsers discard a `__Host-` cookie with a path; then the cookie is sent to that path
 * only. Over http, which is used on one machine only, browsers would discard both, so there is no prefix.
 */
export function sessionCookie(siteUrl: string, purpose = 'session') {
  const { protocol, pathname } = new URL(siteUrl)
  const secure = protocol === 'https:'
  const prefix = pathname === '/' ? '__Host-' : '__Secure-'
  const name = `${secure ? prefix : ''}ken_${purpose}`
  const flags = `Path=${pathname}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    set: (reply: FastifyReply, secret: string, seconds: number): FastifyReply =>
      reply.header('set-cookie', `${name}=${secret}; Max-Age=${seconds}; ${flags}`),
    /** Undefined if it is missing, or sent twice: an attacker may have set the second cookie. */
    read: (request: FastifyRequest): string | undefined => {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
      const ownPairs = pairs.filter((pair) => pair.startsWith(`${name}=`))
      return ownPairs.length === 1 ? ownPairs[0]?.slice(name.length + 1) : undefined
    },
  }
}

/**
 * Ends the session that the browser has sent. A new sign-in never continues that session, because an attacker may know its secret
 * (session fixation).
 */
export async function endPreviousSession(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<void> {
  const secret = sessionCookie(deps.settings.siteUrl).read(request)
  if (secret !== undefined) await signOut(deps, secret)
}

/** The user who is signed in. @throws ApiError 403 from another origin, 401 without a session */
export async function requireSignedIn(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<SessionUser> {
  const { origin, siteUrl } = deps.settings
  if (request.method !== 'GET') requireSameOrigin(request, origin)
  return requireSession(deps, sessionCookie(siteUrl).read(request))
}

/** The administrator who is signed in. @throws ApiError 403 also for a user who is not an administrator */
export async function requireSignedInAdmin(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<SessionUser> {
  const user = await requireSignedIn(deps, request)
  requireAdmin(user)
  return user
}

/**
 * The user who is signed in, and the body. The session is checked before and after the body is read, because the body can
 * take 30 seconds to arrive, and if the user signs out everywhere in the meantime, this request must stop, too.
 */
export async function requireSignedInBody<Schema extends z.ZodType>(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
  schema: Schema,
  requireUser: typeof requireSignedIn = requireSignedIn,
): Promise<{ user: SessionUser; body: z.output<Schema> }> {
  await requireUser(deps, request)
  const body = await readBody(schema, request)
  return { user: await requireUser(deps, request), body }
}

/** The path parameter `id`. @throws ApiError 404 for a value that is not an id */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) throw notFound()
  return id.toLowerCase()
}
