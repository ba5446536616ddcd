// The company's OpenID provider: where to send somebody who signs in, and who comes back (OpenID Connect Core, code flow
// with PKCE). Everything the provider says is checked by openid-client: state, nonce, signature, issuer, audience, times.

export interface CompanySignIn {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who is in one of these may sign in; everybody the provider knows when empty. */
  groups: readonly string[]
  /** The claim that lists somebody's groups. */
  groupsClaim: string
  /** What its button says. */
  label: string
}

/** What must come back with the answer. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** Who somebody is at the provider. */
export interface Identity {
  subject: string
  /** Only when the provider says that it has made sure of it. */
  verifiedEmail: string | undefined
  groups: string[]
}

export interface Company {
  /** @throws ProviderFailed when the provider cannot be reached */
  begin(redirectUri: string): Promise<{ url: string; checks: Checks }>
  /** @throws ProviderFailed when it refuses, cannot be reached, or its answer is not good */
  finish(answer: URL, checks: Checks): Promise<Identity>
}

/** The message is for the log: a code, never what was sent. `refused`: of the person or what their browser brought. */
export class ProviderFailed extends Error {
  readonly refused: boolean
  constructor(message: string, refused: boolean) {
    super(message)
    this.name = 'ProviderFailed'
    this.refused = refused
  }
}

const TIMEOUT_SECONDS = 10

/** The library and the provider's description are fetched with the first sign-in, again after a failure. */
export function openCompany(settings: CompanySignIn): Company {
  let known: ReturnType<typeof discover> | undefined
  const configuration = () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    begin: (redirectUri) =>
      told(async () => {
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
      told(async () => {
        const { client, config } = await configuration()
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no claims')
        const lacks = claims.email === undefined || claims[settings.groupsClaim] === undefined
        // Some providers tell address and groups only when asked.
        const more =
          lacks && config.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {}
        return identityOf({ ...more, ...claims }, settings.groupsClaim)
      }),
  }
}

async function discover({ issuer, clientId, clientSecret }: CompanySignIn) {
  const client = await import('openid-client')
  // Signatures, too: the library would rely on TLS alone for tokens that come from the provider itself.
  const execute = [client.enableNonRepudiationChecks]
  // A provider on this machine: the settings allow plain http there only.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests)
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
  })
  return { client, config }
}

function identityOf(claims: Record<string, unknown>, groupsClaim: string): Identity {
  const { sub, email, email_verified } = claims
  const groups = [claims[groupsClaim]].flat().filter((group) => typeof group === 'string')
  const verified = email_verified === true || email_verified === 'true'
  return {
    subject: String(sub),
    verifiedEmail: verified && typeof email === 'string' ? email : undefined,
    groups,
  }
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, name, error: said } = error as { code?: unknown; name?: unknown; error?: unknown }
    // RFC 6749 sections 4.1.2.1 and 5.2: told by way of the browser, or of a code that the browser brought.
    const refused = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || said === 'invalid_grant'
    throw new ProviderFailed(String(code ?? name ?? 'unknown'), refused)
  }
}
