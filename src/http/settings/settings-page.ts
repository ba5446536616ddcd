// What the settings pages have in common. GET renders a page; POST runs the action named by the button that was pressed and
// redirects, or renders the page again with a note or an error.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { requireAdmin, sessionUser } from '../../accounts/sessions.ts'
import { type Caller, SCOPES } from '../../auth/caller.ts'
import { withRowSecurity } from '../../auth/row-security.ts'
import type { Workspace } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { listWorkspaces } from '../../workspaces/workspaces.ts'
import { sessionCookie } from '../account/session.ts'
import { csrfField, type Form, readFormOf } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { asPage, errorNote, messageFor, type Page, seeOther, sendPage } from '../pages/page.ts'
import { signInUrl } from '../pages/sign-in.ts'

/** A request of a user who is signed in. */
export interface Visit {
  user: SessionUser
  caller: Caller
  /** The secret of the session cookie. */
  secret: string
  /** The hidden field that every form needs. */
  csrf: Html
  request: FastifyRequest
  reply: FastifyReply
  /** The submitted form when its action failed, to fill it in again. */
  submitted?: Form
}

/** Returns a note to show above the page, or the URL to redirect to; without either, the page is loaded again. */
export type Action = (deps: Deps, visit: Visit, form: Form) => Promise<Html | { to: string } | undefined>

export interface SettingsPage {
  url: string
  /** For administrators only. */
  admin?: true
  render: (deps: Deps, visit: Visit) => Promise<Page>
  /** By the value of their buttons. */
  actions: Record<string, Action>
}

export function mountPage(app: FastifyInstance, deps: Deps, page: SettingsPage): void {
  const cookie = sessionCookie(deps.settings.origin)

  const visitOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Visit | undefined> => {
    const secret = cookie.read(request)
    const user = await sessionUser(deps, secret)
    if (!user || secret === undefined) return undefined
    if (page.admin) requireAdmin(user)
    const { id, email } = user
    const caller: Caller = { auth: 'session', id, userId: id, email, scopes: SCOPES }
    return { user, caller, secret, csrf: csrfField(deps, secret), request, reply }
  }

  app.get(page.url, asPage, async (request, reply) => {
    const visit = await visitOf(request, reply)
    return visit ? send(deps, page, visit) : seeOther(reply, signInUrl(request.raw.url ?? '/'))
  })

  app.post(page.url, asPage, async (request, reply) => {
    const before = await visitOf(request, reply)
    const form = before && (await readFormOf(deps, request, before.secret))
    // Checked again: the session may have ended while the form was being received, which can take half a minute.
    const visit = before && (await visitOf(request, reply))
    if (!visit || !form) return seeOther(reply, signInUrl(request.raw.url ?? '/'))
    const name = form.text('do') ?? ''
    const action = Object.hasOwn(page.actions, name) ? page.actions[name] : undefined
    if (!action) throw new ApiError(400, 'invalid_request', 'The form does not name an action of this page.')
    try {
      const result = await action(deps, visit, form)
      if (result && 'to' in result) return seeOther(reply, result.to)
      return result
        ? await send(deps, page, visit, { note: result })
        : seeOther(reply, request.raw.url ?? '/')
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error
      return send(deps, page, { ...visit, submitted: form }, { error })
    }
  })
}

async function send(
  deps: Deps,
  page: SettingsPage,
  visit: Visit,
  { note, error }: { note?: Html; error?: ApiError } = {},
): Promise<FastifyReply> {
  const content = await page.render(deps, visit)
  const body = html`${navigation(visit, page.url)}${errorNote(error && messageFor(error))}${note}${content.body}`
  const status = error?.status ?? content.status ?? 200
  return sendPage(visit.reply, { ...content, body, status, email: visit.user.email })
}

const PAGES: [url: string, name: string, admin: boolean][] = [
  ['/settings', 'Account', false],
  ['/settings/keys', 'API keys', false],
  ['/settings/connections', 'Connections', false],
  ['/settings/workspaces', 'Workspaces', false],
  ['/settings/people', 'Users', true],
]

const navigation = ({ user }: Visit, current: string): Html => html`<nav aria-label="Settings">
${PAGES.filter(([, , admin]) => user.admin || !admin).map(
  ([url, name]) => html`<a href="${url}"${url === current && html` aria-current="page"`}>${name}</a>`,
)}
</nav>`

/** A button in a form of its own. */
export const button = (
  visit: Pick<Visit, 'csrf'>,
  action: string,
  label: string,
  more: { hidden?: Record<string, string>; style?: 'plain' | 'danger' } = {},
): Html =>
  html`<form method="post">${visit.csrf}${Object.entries(more.hidden ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${more.style ?? 'plain'}" name="do" value="${action}">${label}</button></form>`

/** The date in UTC. */
export const dateOf = (instant: string | null): Html | string =>
  instant === null ? '–' : html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`

const MOST_WORKSPACES = 200

export const workspacesOf = async (deps: Deps, { caller }: Visit): Promise<Workspace[]> =>
  (await listWorkspaces(withRowSecurity(deps, caller), caller, { limit: MOST_WORKSPACES })).data

/** URL of the MCP endpoint; undefined if this server has none. */
export const mcpUrl = ({ settings }: Deps, { reply }: Visit): string | undefined =>
  reply.server.hasRoute({ method: 'POST', url: '/v1/mcp' }) ? `${settings.baseUrl}/mcp` : undefined
