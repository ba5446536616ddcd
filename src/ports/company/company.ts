// Sign-in with the company's OpenID provider (OpenID Connect Core, code flow with PKCE). openid-client checks everything
// that the provider returns: state, nonce, signature, issuer, audience and times.

import { send } from '../outbound/send.ts'
import { type Groups, groupsOf, hasClaim } from './groups.ts'

export interface CompanySignIn {
  issuer: string
  clientId: string
  clientSecret: string
  /** The OAuth scopes to request. Undefined: those of `scopesFor`. */
  scopes: readonly string[] | undefined
  /** Whether a mail address is accepted if the provider does not say whether it is verified. */
  acceptsUnverifiedEmail: boolean
  /** Members of these groups may sign in. If empty, everybody with an account at the provider may. */
  groups: readonly string[]
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** The rights that groups give their members. */
  roles: readonly GroupGrant[]
  /** The text of the sign-in button. */
  label: string
}

/** What the members of one group get: the right of an administrator, or a role in a workspace, which is named by id or name. */
export interface GroupGrant {
  group: string
  gives: 'administrator' | { workspace: string; role: 'owner' | 'editor' | 'viewer' }
}

/** Values that the provider's answer must match. */
interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** A person as the provider knows them. */
export interface Identity {
  subject: string
  /** `isVerified`: whether the address belongs to the person. Undefined if the provider does not say. */
  email: { address: string; isVerified: boolean | undefined } | undefined
  groups: Groups
}

export interface Company {
  /** @throws ProviderFailed when the provider cannot be reached */
  begin(redirectUri: string): Promise<{ url: string; checks: Checks }>
  /** @throws ProviderFailed when it refuses, cannot be reached, or its answer is not valid */
  finish(answer: URL, checks: Checks): Promise<Identity>
}

/** The message is an error code for the log. It contains nothing of what was sent. */
export class ProviderFailed extends Error {
  /** True if the provider refused this person or this sign-in. False if the provider itself failed. */
  readonly isRefusal: boolean
  /** The provider's own error code (RFC 6749 sections 4.1.2.1 and 5.2), such as `access_denied` or `invalid_client`. */
  readonly reason: string | undefined
  constructor(message: string, isRefusal: boolean, reason?: string) {
    super(message)
    this.name = 'ProviderFailed'
    this.isRefusal = isRefusal
    this.reason = reason
  }
}

const TIMEOUT_SECONDS = 10
// Answers are some kilobytes: tokens, keys, metadata.
const MAX_ANSWER_BYTES = 2 ** 20

const BASIC_SCOPES = ['openid', 'email', 'profile']

/** The library and the provider's metadata are loaded with the first sign-in, and again after a failure. */
export function openCompany(settings: CompanySignIn): Company {
  let discovery: ReturnType<typeof discover> | undefined
  const configuration = () => {
    discovery ??= discover(settings).catch((error: unknown) => {
      discovery = undefined
      throw error
    })
    return discovery
  }
  return {
    begin: (redirectUri) =>
      asProviderFailed(async () => {
        const { client, config } = await configuration()
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopesFor(settings, config.serverMetadata().scopes_supported).join(' '),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, checks }
      }),
    finish: (answer, checks) =>
      asProviderFailed(async () => {
        const { client, config } = await configuration()
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        // The library accepts an empty subject, which would be the same for everybody.
        if (!claims?.sub) throw new Error('no subject')
        const isIncomplete =
          claims.email === undefined || (usesGroups(settings) && !hasClaim(claims, settings.groupsClaim))
        // Some providers return address and groups only from this endpoint.
        const userInfo =
          isIncomplete && config.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {}
        return {
          subject: claims.sub,
          email: emailOf(claims, userInfo),
          groups: groupsOf({ ...userInfo, ...claims }, settings.groupsClaim),
        }
      }),
  }
}

/** Whether the settings use groups, so that the provider has to list them. */
export const usesGroups = ({ groups, roles }: Pick<CompanySignIn, 'groups' | 'roles'>): boolean =>
  groups.length > 0 || roles.length > 0

/**
 * The scopes to request. Okta, Keycloak and others list the groups of a person only with the scope `groups`. It is requested only
 * if the provider's metadata has it, because a provider refuses an unknown scope.
 * @param supported `scopes_supported` of the metadata
 */
export function scopesFor(
  settings: Pick<CompanySignIn, 'scopes' | 'groups' | 'roles'>,
  supported: unknown,
): readonly string[] {
  if (settings.scopes) return settings.scopes
  const isListed = Array.isArray(supported) && supported.includes('groups')
  return isListed && usesGroups(settings) ? [...BASIC_SCOPES, 'groups'] : BASIC_SCOPES
}

async function discover({ issuer, clientId, clientSecret }: CompanySignIn) {
  const client = await import('openid-client')
  // Without this, the library does not check the signature of tokens that come directly from the provider over TLS.
  const execute = [client.enableNonRepudiationChecks]
  // The settings allow plain http only for a provider on this machine.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests)
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: async (url, options) =>
      limited(await send(url, options as Parameters<typeof send>[1])),
  })
  return { client, config }
}

/** The same answer, whose body fails when it becomes too long. */
function limited({ body, status, headers }: Response): Response {
  let size = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) throw new Error('the answer of the OpenID provider is too long')
      controller.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(counter) ?? null, { status, headers })
}

type Claims = Record<string, unknown>

/** The address, and whether it is verified by the same answer of the provider: the other answer may have another address. */
function emailOf(token: Claims, userInfo: Claims): Identity['email'] {
  const address = token.email ?? userInfo.email
  if (typeof address !== 'string') return undefined
  const verified =
    token.email === undefined || (token.email_verified === undefined && token.email === userInfo.email)
      ? userInfo.email_verified
      : token.email_verified
  const isVerified = verified === undefined ? undefined : verified === true || verified === 'true'
  return { address, isVerified }
}

async function asProviderFailed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, name, error: givenReason } = error as { code?: unknown; name?: unknown; error?: unknown }
    const reason = typeof givenReason === 'string' && ERROR_CODE.test(givenReason) ? givenReason : undefined
    // RFC 6749 sections 4.1.2.1 and 5.2: an error in the redirect, or an authorization code that is not valid.
    const isRefusal = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || reason === 'invalid_grant'
    throw new ProviderFailed(String(code ?? name ?? 'unknown'), isRefusal, reason)
  }
}

// Any other text is not an error code, and is not logged.
const ERROR_CODE = /^[a-z_]{1,60}$/
