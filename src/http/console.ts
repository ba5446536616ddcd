// The web console: the files that `npm run build` makes from web/. One document serves all its addresses. The names of scripts,
// styles and fonts contain a hash of their content, so browsers may cache them for ever.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionUser } from '../accounts/sessions.ts'
import type { Caller } from '../auth/caller.ts'
import { withRowSecurity } from '../auth/row-security.ts'
import { passagePath } from '../mcp/passage-page.ts'
import type { Deps } from '../ports/deps.ts'
import { sessionCookie } from './account/session.ts'
import { html } from './pages/html.ts'
import { asPage, type Page, seeOther, sendPage } from './pages/page.ts'
import { signInUrl } from './pages/sign-in.ts'

// Nothing is inline, and nothing comes from another origin. Images of pages are fetched with the token and shown from memory
// (blob:).
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The folder to which the build has written the console, beside the built server. Undefined if there is none. */
export function findConsoleFolder(): string | undefined {
  const folder = fileURLToPath(new URL('../../web', import.meta.url))
  return existsSync(join(folder, 'assets')) ? folder : undefined
}

/** The address of a script that the build has written beside the console's own. Undefined if there is none. */
export function findScriptUrl(consoleDir: string | undefined, name: string): string | undefined {
  const folder = join(consoleDir ?? '', 'assets')
  if (consoleDir === undefined || !existsSync(folder)) return undefined
  const file = readdirSync(folder).find((path) => path.startsWith(`${name}-`) && path.endsWith('.js'))
  return file === undefined ? undefined : `/assets/${file}`
}

/** The addresses of the console: its first page, workspaces, and the account's pages. */
const ADDRESSES = [
  '/',
  '/w/*',
  '/trash',
  '/keys',
  '/connections',
  '/people',
  '/models',
  '/usage',
  '/spending',
  '/health',
  '/settings',
]

/** Serves the console to people who are signed in. */
export async function mountConsole(app: FastifyInstance, deps: Deps): Promise<void> {
  const { consoleDir, siteUrl } = deps.settings
  mountShortAddresses(app, deps)
  if (consoleDir === undefined) {
    for (const url of ADDRESSES) app.get(url, asPage, (_request, reply) => sendPage(reply, notBuiltPage))
    return
  }
  // The build refers to its files by relative URLs, but the page is served at many addresses.
  const page = readFileSync(join(consoleDir, 'index.html'), 'utf8').replaceAll('="./', '="/')
  await app.register(fastifyStatic, {
    root: consoleDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['index.html*'],
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  const cookie = sessionCookie(siteUrl)
  const sendConsole = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // The console itself notices a session that has ended, and keeps unsent input.
    if (cookie.read(request) === undefined) return seeOther(reply, signInUrl(request.url))
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
      })
      .send(page)
  }
  for (const url of ADDRESSES) app.get(url, asPage, sendConsole)
}

/** The addresses that assistants cite. */
function mountShortAddresses(app: FastifyInstance, deps: Deps): void {
  const cookie = sessionCookie(deps.settings.siteUrl)
  app.get<{ Params: { id: string } }>('/d/:id', asPage, async (request, reply) => {
    const user = await sessionUser(deps, cookie.read(request))
    if (!user) return seeOther(reply, signInUrl(request.url))
    const caller: Caller = { auth: 'session', id: user.id, userId: user.id, scopes: ['knowledge:read'] }
    return seeOther(reply, await passagePath(withRowSecurity(deps, caller), caller, request.params.id))
  })
}

const notBuiltPage: Page = {
  title: 'The console is not built',
  language: 'en',
  body: html`<p>Run <code>npm run build</code>, then start Kenning again. The API works meanwhile.</p>`,
}
