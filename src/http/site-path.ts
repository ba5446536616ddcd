// The path under which the service has its public address, such as /kenning. Inside it is as if there were none: the path is
// taken off what comes in, if the proxy in front has not done so, and put in front of what goes out.

import type { FastifyInstance } from 'fastify'
import type { Settings } from '../ports/deps.ts'

type Site = Pick<Settings, 'origin' | 'siteUrl'>

/** Empty at the root of a host. */
export const sitePath = ({ origin, siteUrl }: Site): string => siteUrl.slice(origin.length)

/** @param url a path with its query */
export function withoutSitePath(url: string, site: Site): string {
  const path = sitePath(site)
  if (path === '' || !url.startsWith(path)) return url
  const pathAndQuery = url.slice(path.length)
  if (pathAndQuery.startsWith('/')) return pathAndQuery
  return pathAndQuery === '' || pathAndQuery.startsWith('?') ? `/${pathAndQuery}` : url
}

/** Redirects and pages are written as if the service were at the root. Text from people cannot look like an attribute there. */
export function moveUnderPath(app: FastifyInstance, site: Site): void {
  const path = sitePath(site)
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string' && isOwnPath(location)) reply.header('location', path + location)
    const isHtml = String(reply.getHeader('content-type')).startsWith('text/html')
    const rewrittenPayload =
      isHtml && typeof payload === 'string'
        ? payload.replace(/ (href|src|action)="(?=\/(?!\/))/g, ` $1="${path}`)
        : payload
    done(null, rewrittenPayload)
  })
}

const isOwnPath = (location: string): boolean => location.startsWith('/') && !location.startsWith('//')
