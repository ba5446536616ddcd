// The path of the service's public address, such as /kenning. Routes and links are written without it: it is removed from the URLs
// of requests, unless the proxy has already done so, and added to redirects and to the links of pages.

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

/** Adds the path to redirects and to the links of pages. Text from users is escaped there, so it cannot look like an attribute. */
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
