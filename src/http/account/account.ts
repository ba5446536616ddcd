// JSON routes for a user's own account, beside /v1: sessions, password, API keys, OAuth grants.

import type { FastifyInstance } from 'fastify'
import { createAccount } from '../../accounts/accounts.ts'
import { listGrants, revokeGrant } from '../../accounts/grants.ts'
import { createKey, listKeys, revokeKey } from '../../accounts/keys.ts'
import {
  changePassword,
  hasPassword,
  requestPasswordReset,
  resetPassword,
  signOutEverywhere,
} from '../../accounts/passwords.ts'
import type { SessionUser } from '../../accounts/sessions.sql.ts'
import { createSessionToken, SESSION_SECONDS, signIn, signOut } from '../../accounts/sessions.ts'
import { createSignInLink } from '../../accounts/sign-in-links.ts'
import { setLanguage } from '../../accounts/users.ts'
import {
  type Account,
  AccountCreate,
  AccountDelete,
  AccountUpdate,
  type Grant,
  KeyCreate,
  PasswordChange,
  Reset,
  SignIn,
  SignInLinkCreate,
} from '../../contract/account.ts'
import { consentDestination } from '../../oauth/redirect-uri.ts'
import type { Deps } from '../../ports/deps.ts'
import { closeAccount } from '../../workspaces/close-account.ts'
import { ownedWorkspaces } from '../../workspaces/usage.ts'
import { languageOf } from '../pages/texts.ts'
import { withRequestLog } from '../request/log.ts'
import { readBody } from '../request/validation.ts'
import { mountAdmin } from './admin.ts'
import { mountCompany } from './company.ts'
import { mountSecondFactor, signInCookies } from './second-factor.ts'
import { idOf, requireSameOrigin, requireSignedIn, requireSignedInBody, sessionCookie } from './session.ts'
import { mountSessionList } from './session-list.ts'

export function mountAccount(app: FastifyInstance, deps: Deps): void {
  mountSessions(app, deps)
  mountCompany(app, deps)
  mountSecondFactor(app, deps)
  mountSessionList(app, deps)
  mountOwnAccount(app, deps)
  mountKeys(app, deps)
  mountGrants(app, deps)
  mountAdmin(app, deps)
}

function mountOwnAccount(app: FastifyInstance, deps: Deps): void {
  const { settings } = deps
  const cookie = sessionCookie(settings.siteUrl)

  const accountOf = async (user: SessionUser): Promise<Account> => ({
    ...user,
    has_password: await hasPassword(deps, user),
    company: settings.company?.label ?? null,
    sends_mail: deps.mail !== undefined,
    api_url: settings.baseUrl,
    mcp_url: `${settings.baseUrl}/mcp`,
  })

  app.get('/account', async (request) => accountOf(await requireSignedIn(deps, request)))

  app.get('/account/owned-workspaces', async (request) => ({
    data: await ownedWorkspaces(deps, await requireSignedIn(deps, request)),
  }))

  app.patch('/account', async (request) => {
    const { user, body } = await requireSignedInBody(deps, request, AccountUpdate)
    await setLanguage(deps, user, body.language)
    return accountOf({ ...user, ...body })
  })

  app.post('/account', async (request, reply) => {
    const account = await createAccount(deps, await readBody(AccountCreate, request), request.ip)
    return reply.code(201).send(account)
  })

  app.delete('/account', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, AccountDelete)
    const session = { secret: cookie.read(request) ?? '', remoteAddress: request.ip }
    await closeAccount(deps, user, body, session)
    return cookie.set(reply, '', 0).code(204).send()
  })

  app.post('/account/password', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, PasswordChange)
    const session = { secret: cookie.read(request) ?? '', remoteAddress: request.ip }
    await changePassword(deps, user, body, session)
    return reply.code(204).send()
  })

  app.post('/account/reset', async (request, reply) => {
    const reset = await readBody(Reset, request)
    if ('token' in reset) await resetPassword(deps, reset)
    else
      await requestPasswordReset(withRequestLog(deps, request), reset.email, request.ip, languageOf(request))
    return reply.code(204).send()
  })

  app.post('/account/sign-in-link', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, SignInLinkCreate)
    const link = await createSignInLink(deps, user, cookie.read(request) ?? '', body.next)
    return reply.code(201).send(link)
  })

  app.delete('/account/sessions', async (request, reply) => {
    await signOutEverywhere(deps, await requireSignedIn(deps, request))
    return cookie.set(reply, '', 0).code(204).send()
  })
}

function mountGrants(app: FastifyInstance, deps: Deps): void {
  app.get('/account/grants', async (request): Promise<{ data: Grant[] }> => {
    const { data } = await listGrants(deps, await requireSignedIn(deps, request))
    return {
      data: data.map(({ redirect_uri, ...grant }) => ({
        ...grant,
        returns_to: redirect_uri === null ? null : consentDestination(redirect_uri),
      })),
    }
  })

  app.delete('/account/grants/:id', async (request, reply) => {
    await revokeGrant(deps, await requireSignedIn(deps, request), idOf(request))
    return reply.code(204).send()
  })
}

function mountSessions(app: FastifyInstance, deps: Deps): void {
  const { origin, siteUrl } = deps.settings
  const cookie = sessionCookie(siteUrl)

  app.post('/session', async (request, reply) => {
    const result = await signIn(withRequestLog(deps, request), await readBody(SignIn, request), request.ip)
    signInCookies(siteUrl).set(reply, result)
    return 'session' in result ? reply.code(204).send() : reply.code(202).send({ next: 'code' })
  })

  app.delete('/session', async (request, reply) => {
    const secret = cookie.read(request)
    if (secret !== undefined) await signOut(deps, secret)
    return cookie.set(reply, '', 0).code(204).send()
  })

  app.post('/session/token', async (request, reply) => {
    requireSameOrigin(request, origin)
    const secret = cookie.read(request)
    const token = await createSessionToken(deps, secret, request.headers['user-agent'])
    if (secret !== undefined) cookie.set(reply, secret, SESSION_SECONDS)
    return reply.send(token)
  })
}

function mountKeys(app: FastifyInstance, deps: Deps): void {
  app.get('/account/keys', async (request) => listKeys(deps, await requireSignedIn(deps, request)))

  app.post('/account/keys', async (request, reply) => {
    const { user, body } = await requireSignedInBody(deps, request, KeyCreate)
    return reply.code(201).send(await createKey(deps, user, body))
  })

  app.delete('/account/keys/:id', async (request, reply) => {
    await revokeKey(deps, await requireSignedIn(deps, request), idOf(request))
    return reply.code(204).send()
  })
}
