// A program that a person lets in: a real OAuth client, which waits on this machine for where the browser is sent.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'

export interface AskedProgram {
  /** What the program opens in the browser. */
  address: string
  /** Host and port that the browser returns to. */
  host: string
  /** Once it was let in. */
  token(): Promise<string>
  end(): Promise<unknown>
}

export async function askedProgram(origin: string, client_name: string): Promise<AskedProgram> {
  let answered: (url: URL) => void = () => undefined
  const back = new Promise<URL>((resolve) => {
    answered = resolve
  })
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>The program</title>')
    if (request.url?.startsWith('/callback')) answered(new URL(request.url, redirect))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirect = `http://${host}/callback`
  const metadata = { client_name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
  const insecure = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] }
  const config = await client.dynamicClientRegistration(new URL(origin), metadata, client.None(), insecure)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'knowledge:read knowledge:write',
    resource: `${origin}/v1/mcp`,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  }).href
  return {
    address,
    host,
    token: async () => {
      const tokens = await client.authorizationCodeGrant(config, await back, {
        pkceCodeVerifier,
        expectedState,
      })
      return tokens.access_token
    },
    end: () => new Promise((resolve) => server.close(resolve)),
  }
}
