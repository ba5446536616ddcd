// Real clients over TCP through discovery, registration or a metadata document, consent, tokens, refresh and revocation: both
// generations of the MCP client, and oauth4webapi, which checks every response against the RFCs.

import { auth as auth2 } from '@modelcontextprotocol/client'
import { auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, testApp } from '../support/app.ts'
import { allowInBrowser, type Credentials } from '../support/browser.ts'
import { keeper, METADATA, REDIRECT } from '../support/oauth-client.ts'
import { freePort } from '../support/service.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { HERE, type TestWeb, testWeb } from '../support/web.ts'

const DOCUMENT = 'https://client.example/oauth/client.json'
interface Place {
  origin: string
  who: Credentials
  /** Set where the client shows a metadata document instead of registering. */
  document?: string
}

type Auth = (
  provider: ReturnType<typeof keeper>['provider'],
  options: { serverUrl: string; authorizationCode?: string; iss?: string },
) => Promise<'AUTHORIZED' | 'REDIRECT'>

const whoAmI = async (origin: string, token: unknown) => {
  const answer = await fetch(`${origin}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? ((await answer.json()) as { auth: string }).auth : answer.status
}

/** @param path of the resource that the client is given: the API or the MCP endpoint */
async function throughClient(auth: Auth, { origin, who, document }: Place, path: string): Promise<void> {
  const { kept, provider } = keeper(document)
  const serverUrl = `${origin}${path}`
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
  expect(kept.sentTo?.searchParams.get('resource')).toBe(serverUrl)
  expect(kept.sentTo?.searchParams.get('scope')).toBe('knowledge:read knowledge:write')
  const back = await allowInBrowser(kept.sentTo ?? new URL(origin), who)
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
  const answer = {
    authorizationCode: back.searchParams.get('code') ?? '',
    iss: back.searchParams.get('iss') ?? '',
  }
  expect(await auth(provider, { serverUrl, ...answer })).toBe('AUTHORIZED')
  const first = kept.tokens
  expect(await whoAmI(origin, first?.access_token)).toBe('oauth')

  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
  expect(kept.tokens?.refresh_token).not.toBe(first?.refresh_token)
  expect(await whoAmI(origin, kept.tokens?.access_token)).toBe('oauth')

  const clientId = (kept.client as { client_id?: string } | undefined)?.client_id ?? document ?? ''
  expect(clientId).toEqual(document ?? expect.stringMatching(/^ken_client_/))
  const revoked = await fetch(`${origin}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: String(kept.tokens?.refresh_token), client_id: clientId }),
  })
  expect(revoked.status).toBe(200)
  expect(await whoAmI(origin, kept.tokens?.access_token)).toBe(401)
  // The client notices, forgets its tokens and asks the person again.
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
}

/** Every answer is held against its RFC; plain http is allowed for, since this is one computer. */
async function throughStrictClient({ origin, who, document }: Place): Promise<void> {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const resource = new URL(`${origin}/v1`)
  const found = await oauth.resourceDiscoveryRequest(resource, insecure)
  const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(resource, found)
  const issuer = new URL(servers?.[0] ?? '')
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client = document ? { client_id: document } : await registered(server)

  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  const asked = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: 'knowledge:read',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: resource.href,
  }
  address.search = String(new URLSearchParams(asked))
  const back = oauth.validateAuthResponse(server, client, await allowInBrowser(address, who), state)
  const redeemed = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    back,
    REDIRECT,
    verifier,
    {
      additionalParameters: { resource: resource.href },
      ...insecure,
    },
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed)
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'knowledge:read', expires_in: 3600 })
  const me = await oauth.protectedResourceRequest(
    tokens.access_token,
    'GET',
    new URL(`${origin}/v1/me`),
    undefined,
    undefined,
    insecure,
  )
  expect(await me.json()).toMatchObject({ auth: 'oauth', scopes: ['knowledge:read'] })

  const again = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    tokens.refresh_token ?? '',
    insecure,
  )
  const next = await oauth.processRefreshTokenResponse(server, client, again)
  const revoked = await oauth.revocationRequest(server, client, oauth.None(), next.access_token, insecure)
  await oauth.processRevocationResponse(revoked)
  await expect(
    oauth.protectedResourceRequest(
      next.access_token,
      'GET',
      new URL(`${origin}/v1/me`),
      undefined,
      undefined,
      insecure,
    ),
  ).rejects.toMatchObject({ cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }] })
  const dead = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    next.refresh_token ?? '',
    insecure,
  )
  await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
}

async function registered(server: oauth.AuthorizationServer): Promise<oauth.Client> {
  const answer = await oauth.dynamicClientRegistrationRequest(server, METADATA, {
    [oauth.allowInsecureRequests]: true,
  })
  return oauth.processDynamicClientRegistrationResponse(answer)
}

const clients: [string, (place: Place) => Promise<void>][] = [
  ['@modelcontextprotocol/sdk, given the API', (place) => throughClient(auth1, place, '/v1')],
  ['@modelcontextprotocol/sdk, given the MCP endpoint', (place) => throughClient(auth1, place, '/v1/mcp')],
  ['@modelcontextprotocol/client, given the API', (place) => throughClient(auth2, place, '/v1')],
  ['@modelcontextprotocol/client, given the MCP endpoint', (place) => throughClient(auth2, place, '/v1/mcp')],
  ['oauth4webapi', throughStrictClient],
]

describe('the built service, with registration', () => {
  let service: SharedService
  beforeAll(async () => {
    service = await sharedService()
  })
  afterAll(() => service?.leave())

  test.each(clients)('%s', async (_, run) => run({ origin: service.origin, who: service.account }))
})

describe('the app on a port, with a metadata document', () => {
  let web: TestWeb
  let app: TestApp
  let place: Place
  beforeAll(async () => {
    web = await testWeb({ 'client.example': () => [HERE] })
    web.answer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...METADATA, client_id: DOCUMENT })),
    )
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    app = await testApp({ origin, siteUrl: origin, baseUrl: `${origin}/v1` }, web.internet)
    await app.server.listen({ host: '127.0.0.1', port })
    const { email } = await app.person()
    place = { origin, who: { email, password: PASSWORD }, document: DOCUMENT }
  })
  afterAll(async () => {
    await app?.close()
    await web?.close()
  })

  test.each(clients)('%s', async (_, run) => run(place))
})
