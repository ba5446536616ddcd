// Routes of the person who is signed in: known by the cookie; what changes something comes from our own pages only.

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { requireAdmin, requireSession } from '../../accounts/sessions.ts'
import { notFound } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { readBody } from '../input/read.ts'
import { requireSameOrigin, sessionCookie } from './cookie.ts'

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
