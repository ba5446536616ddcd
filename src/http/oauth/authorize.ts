// The authorization endpoint and its consent form. The user signs in first and decides, and only then is redirected to the
// client (RFC 9700 section 4.11.2).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionUser } from '../../accounts/sessions.ts'
import type { Scope } from '../../auth/caller.ts'
import { ApiError } from '../../errors.ts'
import { message } from '../../messages/texts.ts'
import {
  AUTHORIZATION_PARAMETERS,
  type AuthorizationRequest,
  codeRedirect,
  errorRedirect,
  issueCode,
  type RedirectTarget,
  readAuthorizationRequest,
  requireRedirectTarget,
} from '../../oauth/authorization.ts'
import { OAuthError } from '../../oauth/error.ts'
import { readParameters } from '../../oauth/parameters.ts'
import type { Deps } from '../../ports/deps.ts'
import { sessionCookie } from '../account/session.ts'
import { csrfField, type Form, readForm, readSessionForm } from '../pages/form.ts'
import { asPage, seeOther, sendPage } from '../pages/page.ts'
import { signInUrl } from '../pages/sign-in.ts'
import { textsOf } from '../pages/texts.ts'
import { queryOf } from '../request/url.ts'
import { consentPage, WRITE_FIELD } from './consent-page.ts'

// The query becomes part of the sign-in page's URL, percent-encoded a second time, so it must be shorter than a URL may be.
const MAX_QUERY_CHARACTERS = 8_000

export function mountAuthorize(app: FastifyInstance, deps: Deps): void {
  const { siteUrl } = deps.settings
  const cookie = sessionCookie(siteUrl)

  app.get('/oauth/authorize', asPage, async (request, reply) => {
    const query = authorizationQuery(request)
    const secret = cookie.read(request)
    const user = await sessionUser(deps, secret)
    if (secret === undefined || !user) return seeOther(reply, signInUrl(authorizeUrl(query)))
    const parameters = readParameters(query)
    const target = await requireRedirectTarget(deps, parameters)
    return sendErrorsToClient(reply, target, siteUrl, async () => {
      const { scopes } = readAuthorizationRequest(deps.settings, parameters)
      const url = authorizeUrl(query)
      const hiddenFields = [...authorizationParameters(parameters)]
      const csrf = csrfField(deps, secret)
      const texts = textsOf(request, user.language)
      return sendPage(reply, consentPage(texts, { target, scopes, user, hiddenFields, csrf, url }))
    })
  })

  app.post('/oauth/consent', asPage, async (request, reply) => {
    const secret = cookie.read(request)
    const session = await sessionUser(deps, secret)
    const isSignedIn = secret !== undefined && session !== undefined
    const form = await (isSignedIn ? readSessionForm(deps, request, secret) : readForm(deps, request))
    // Checked again: the session may have ended while the form was being received, which can take half a minute.
    const user = session && (await sessionUser(deps, secret))
    if (!user) return seeOther(reply, signInUrl(authorizeUrl(authorizationParameters(form))))
    const parameters = readParameters(authorizationParameters(form))
    const target = await requireRedirectTarget(deps, parameters)
    return sendErrorsToClient(reply, target, siteUrl, async () => {
      const authorization = readAuthorizationRequest(deps.settings, parameters)
      requireAllowed(form)
      const consentedAuthorization = { ...authorization, scopes: consentedScopes(authorization, form) }
      const code = await issueCode(deps, user.id, target, consentedAuthorization)
      return seeOther(reply, codeRedirect(target, siteUrl, code))
    })
  })
}

/** OAuth errors are sent to the client, since its redirect URI has been validated. */
async function sendErrorsToClient(
  reply: FastifyReply,
  target: RedirectTarget,
  issuer: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OAuthError) return seeOther(reply, errorRedirect(target, issuer, error))
    throw error
  }
}

/** @throws OAuthError access_denied, ApiError 400 without a decision */
function requireAllowed(form: Form): void {
  const decision = form.text('decision')
  if (decision === 'allow') return
  if (decision === 'deny') throw new OAuthError('access_denied', 'The user denied the request.')
  throw new ApiError(400, 'invalid_request', message('The form contains no decision: choose Allow or Deny.'))
}

/** The user may grant less than was requested; the token response contains the granted scopes (RFC 6749 section 3.3). */
const consentedScopes = ({ scopes }: AuthorizationRequest, form: Form): readonly Scope[] =>
  form.text(WRITE_FIELD) === 'yes' ? scopes : scopes.filter((scope) => scope !== 'knowledge:write')

function authorizationQuery(request: FastifyRequest): URLSearchParams {
  const text = queryOf(request.raw.url ?? '')
  if (text.length <= MAX_QUERY_CHARACTERS) return new URLSearchParams(text)
  throw new ApiError(
    400,
    'invalid_request',
    `The authorization request is too long: its query may have at most ${MAX_QUERY_CHARACTERS} characters.`,
  )
}

const authorizationParameters = (form: Pick<Form, 'all'>): URLSearchParams =>
  new URLSearchParams(
    AUTHORIZATION_PARAMETERS.flatMap((name) =>
      form.all(name).map((value): [string, string] => [name, value]),
    ),
  )

const authorizeUrl = (query: URLSearchParams): string => `/oauth/authorize?${query}`
