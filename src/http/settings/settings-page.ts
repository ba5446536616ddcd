// A page of somebody signed in with its forms: shown on GET; on POST the form's button names what is to be done, and
// what went wrong is told on the same page, with nothing of it done.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { requireAdmin, sessionUser } from '../../accounts/sessions.ts'
import { type Caller, SCOPES } from '../../auth/caller.ts'
import { boundTo } from '../../auth/row-security.ts'
import type { Workspace } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import type { Deps } from '../../ports/deps.ts'
import { listWorkspaces } from '../../workspaces/workspaces.ts'
import { sessionCookie } from '../account/session.ts'
import { csrfField, type Form, readFormOf } from '../pages/form.ts'
import { type Html, html } from '../pages/html.ts'
import { asPage, type Page, problemNote, seeOther, sendPage } from '../pages/page.ts'
import { signInAddress } from '../pages/sign-in.ts'

/** Who is looking. */
export interface Visit {
  user: SessionUser
  caller: Caller
  /** The secret of the cookie. */
  secret: string
  /** To stand in every form. */
  csrf: Html
  request: FastifyRequest
  reply: FastifyReply
  /** What was filled in, where it was not good: to be shown again. */
  typed?: Form
}

/** What is shown above the page after something was done. */
export type Note = Html | undefined

/** Does what a button says: the note to show, or the address to go to. */
export type Act = (deps: Deps, visit: Visit, form: Form) => Promise<Note | { to: string }>

export interface Place {
  url: string
  admin?: true
  show: (deps: Deps, visit: Visit) => Promise<Page>
  acts: Record<string, Act>
}

export function mountPlace(app: FastifyInstance, deps: Deps, place: Place): void {
  const cookie = sessionCookie(deps.settings.origin)

  const visitOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Visit | undefined> => {
    const secret = cookie.read(request)
    const user = await sessionUser(deps, secret)
    if (!user || secret === undefined) return undefined
    if (place.admin) requireAdmin(user)
    const caller: Caller = {
      auth: 'session',
      id: user.id,
      userId: user.id,
      email: user.email,
      scopes: SCOPES,
    }
    return { user, caller, secret, csrf: csrfField(deps, secret), request, reply }
  }

  app.get(place.url, asPage, async (request, reply) => {
    const visit = await visitOf(request, reply)
    return visit ? show(deps, place, visit) : seeOther(reply, signInAddress(request.raw.url ?? '/'))
  })

  app.post(place.url, asPage, async (request, reply) => {
    const asked = await visitOf(request, reply)
    const form = asked && (await readFormOf(deps, request, asked.secret))
    // Again: the form may have taken half a minute to come, and the session may have ended meanwhile.
    const visit = asked && (await visitOf(request, reply))
    if (!visit || !form) return seeOther(reply, signInAddress(request.raw.url ?? '/'))
    const name = form.text('do') ?? ''
    const act = Object.hasOwn(place.acts, name) ? place.acts[name] : undefined
    if (!act) throw new ApiError(400, 'invalid_request', 'This form names nothing that can be done here.')
    try {
      const done = await act(deps, visit, form)
      if (done && 'to' in done) return seeOther(reply, done.to)
      return done ? await show(deps, place, visit, { note: done }) : seeOther(reply, request.raw.url ?? '/')
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error
      return show(deps, place, { ...visit, typed: form }, { problem: error })
    }
  })
}

async function show(
  deps: Deps,
  place: Place,
  visit: Visit,
  told: { note?: Html; problem?: ApiError } = {},
): Promise<FastifyReply> {
  const page = await place.show(deps, visit)
  const body = html`${ways(visit, place.url)}${problemNote(told.problem && sentenceOf(told.problem))}${told.note}${page.body}`
  const status = told.problem?.status ?? page.status ?? 200
  return sendPage(visit.reply, { ...page, body, status, email: visit.user.email })
}

/** Without the name of the field, which means nothing to people. */
const sentenceOf = ({ message, extras }: ApiError): string => extras.detail?.[0]?.msg ?? message

const WAYS: [url: string, name: string, admin: boolean][] = [
  ['/settings', 'Account', false],
  ['/settings/keys', 'API keys', false],
  ['/settings/connections', 'Connections', false],
  ['/settings/workspaces', 'Workspaces', false],
  ['/settings/people', 'People', true],
]

const ways = ({ user }: Visit, here: string): Html => html`<nav aria-label="Settings">
${WAYS.filter(([, , admin]) => user.admin || !admin).map(
  ([url, name]) => html`<a href="${url}"${url === here && html` aria-current="page"`}>${name}</a>`,
)}
</nav>`

/** A button in a form of its own. */
export const button = (
  visit: Pick<Visit, 'csrf'>,
  act: string,
  says: string,
  more: { hidden?: Record<string, string>; style?: 'plain' | 'danger' } = {},
): Html =>
  html`<form method="post">${visit.csrf}${Object.entries(more.hidden ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${more.style ?? 'plain'}" name="do" value="${act}">${says}</button></form>`

/** The day, in UTC. */
export const dateOf = (instant: string | null): Html | string =>
  instant === null ? '–' : html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`

const MOST = 200

export const workspacesOf = async (deps: Deps, { caller }: Visit): Promise<Workspace[]> =>
  (await listWorkspaces(boundTo(deps, caller), caller, { limit: MOST })).data

/** The address for programs that speak MCP; undefined where it is not served. */
export const mcpAddress = ({ settings }: Deps, { reply }: Visit): string | undefined =>
  reply.server.hasRoute({ method: 'POST', url: '/v1/mcp' }) ? `${settings.baseUrl}/mcp` : undefined
