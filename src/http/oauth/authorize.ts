// The authorization endpoint, for browsers: sign in, look at who asks for what, allow or deny. Nobody is sent on to a
// client before they have signed in (RFC 9700 section 4.11.2), nor without having decided.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionUser } from '../../accounts/sessions.ts'
import type { Scope } from '../../auth/caller.ts'
import { ApiError } from '../../errors.ts'
import {
  type Asked,
  approve,
  codeAddress,
  errorAddress,
  PARAMETERS,
  readAsked,
  requireTarget,
  type Target,
} from '../../oauth/authorization.ts'
import { OAuthError } from '../../oauth/error.ts'
import { readParameters } from '../../oauth/parameters.ts'
import type { Deps } from '../../ports/deps.ts'
import { sessionCookie } from '../account/session.ts'
import { csrfField, type Form, readForm, readFormOf } from '../pages/form.ts'
import { asPage, seeOther, sendPage } from '../pages/page.ts'
import { signInAddress } from '../pages/sign-in.ts'
import { consentPage, WRITE } from './consent-page.ts'

// It travels on inside the address of the sign-in page, percent-encoded once more.
const MOST_QUERY = 8_000

export function mountAuthorize(app: FastifyInstance, deps: Deps): void {
  const { origin } = deps.settings
  const cookie = sessionCookie(origin)

  app.get('/oauth/authorize', asPage, async (request, reply) => {
    const sent = queryOf(request)
    const secret = cookie.read(request)
    const user = await sessionUser(deps, secret)
    if (secret === undefined || !user) return seeOther(reply, signInAddress(addressOf(sent)))
    const parameters = readParameters(sent)
    const target = await requireTarget(deps, parameters)
    return tellingClient(reply, target, origin, async () => {
      const asked = readAsked(deps.settings, parameters)
      const address = addressOf(sent)
      const hidden = [...parametersOf(parameters)]
      const csrf = csrfField(deps, secret)
      return sendPage(reply, consentPage({ target, asked, user, hidden, csrf, address }))
    })
  })

  app.post('/oauth/consent', asPage, async (request, reply) => {
    const secret = cookie.read(request)
    const asked = await sessionUser(deps, secret)
    const isSignedIn = secret !== undefined && asked !== undefined
    const form = await (isSignedIn ? readFormOf(deps, request, secret) : readForm(deps, request))
    // Again: the form may have taken half a minute to come, and the session may have ended meanwhile.
    const user = asked && (await sessionUser(deps, secret))
    if (!user) return seeOther(reply, signInAddress(addressOf(parametersOf(form))))
    const parameters = readParameters(parametersOf(form))
    const target = await requireTarget(deps, parameters)
    return tellingClient(reply, target, origin, async () => {
      const asked = readAsked(deps.settings, parameters)
      requireAllowed(form)
      const allowed = { ...asked, scopes: chosenScopes(asked, form) }
      return seeOther(reply, codeAddress(target, origin, await approve(deps, user.id, target, allowed)))
    })
  })
}

/** What is wrong with the request, once it is known where the answer goes, is the client's to know. */
async function tellingClient(
  reply: FastifyReply,
  target: Target,
  origin: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OAuthError) return seeOther(reply, errorAddress(target, origin, error))
    throw error
  }
}

/** @throws OAuthError access_denied, ApiError 400 without a decision */
function requireAllowed(form: Form): void {
  const decision = form.text('decision')
  if (decision === 'allow') return
  if (decision === 'deny') throw new OAuthError('access_denied', 'The person declined.')
  throw new ApiError(400, 'invalid_request', 'Choose whether to allow or to deny it.')
}

/** A person may allow less than was asked for; the client reads in the token's answer what it got (RFC 6749 section 3.3). */
const chosenScopes = ({ scopes }: Asked, form: Form): readonly Scope[] =>
  form.text(WRITE) === 'yes' ? scopes : scopes.filter((scope) => scope !== 'knowledge:write')

function queryOf(request: FastifyRequest): URLSearchParams {
  const [, ...query] = (request.raw.url ?? '').split('?')
  const text = query.join('?')
  if (text.length <= MOST_QUERY) return new URLSearchParams(text)
  throw new ApiError(400, 'invalid_request', 'The application asks in more words than are read here.')
}

const parametersOf = (form: Pick<Form, 'all'>): URLSearchParams =>
  new URLSearchParams(
    PARAMETERS.flatMap((name) => form.all(name).map((value): [string, string] => [name, value])),
  )

const addressOf = (parameters: URLSearchParams): string => `/oauth/authorize?${parameters}`
