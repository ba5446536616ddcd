// The browser's session cookie, and who may use what it stands for.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../errors.ts'

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
