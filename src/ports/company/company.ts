// Sign-in with the company's OpenID provider (OpenID Connect Core, code flow with PKCE). openid-client checks everything
// that the provider returns: state, nonce, signature, issuer, audience and times.

import { send } from '../outbound/send.ts'

export interface CompanySignIn {
  issuer: string
  clientId: string
  clientSecret: string
  /** Members of these groups may sign in. If empty, everybody may whom the provider knows. */
  groups: readonly string[]
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** Text of the sign-in button. */
  label: string
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
  /** Undefined unless the provider states that the address is verified. */
  verifiedEmail: string | undefined
  groups: string[]
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
  constructor(message: string, isRefusal: boolean) {
    super(message)
    this.name = 'ProviderFailed'
    this.isRefusal = isRefusal
  }
}

const TIMEOUT_SECONDS = 10

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
          scope: 'openid email profile',
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
        if (!claims) throw new Error('no claims')
        const isIncomplete = claims.email === undefined || claims[settings.groupsClaim] === undefined
        // Some providers return address and groups only from this endpoint.
        const userInfo =
          isIncomplete && config.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {}
        return identityOf({ ...userInfo, ...claims }, settings.groupsClaim)
      }),
  }
}

async function discover({ issuer, clientId, clientSecret }: CompanySignIn) {
  const client = await import('openid-client')
  // The library would rely on TLS alone for tokens that come from the provider directly.
  const execute = [client.enableNonRepudiationChecks]
  // The settings allow plain http only for a provider on this machine.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests)
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: (url, options) => send(url, options as Parameters<typeof send>[1]),
  })
  return { client, config }
}

function identityOf(claims: Record<string, unknown>, groupsClaim: string): Identity {
  const { sub, email, email_verified } = claims
  const groups = [claims[groupsClaim]].flat().filter((group) => typeof group === 'string')
  const isVerified = email_verified === true || email_verified === 'true'
  return {
    subject: String(sub),
    verifiedEmail: isVerified && typeof email === 'string' ? email : undefined,
    groups,
  }
}

async function asProviderFailed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, name, error: reason } = error as { code?: unknown; name?: unknown; error?: unknown }
    // RFC 6749 sections 4.1.2.1 and 5.2: an error in the redirect, or an authorization code that is not valid.
    const isRefusal = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || reason === 'invalid_grant'
    throw new ProviderFailed(String(code ?? name ?? 'unknown'), isRefusal)
  }
}
