// What an MCP client keeps of its sign-in, and who it says it is.

export const REDIRECT = 'http://127.0.0.1:39999/callback'
export const METADATA = {
  client_name: 'A tool',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

/** What the MCP clients keep of a connection, and where they would send the browser. */
export function keeper(document?: string) {
  const storage: {
    client?: object
    discovery?: object
    tokens?: Record<string, unknown>
    verifier: string
    sentTo?: URL
  } = {
    verifier: '',
  }
  return {
    kept: storage,
    provider: {
      redirectUrl: REDIRECT,
      clientMetadata: METADATA,
      ...(document === undefined ? {} : { clientMetadataUrl: document }),
      state: () => 'a state',
      clientInformation: () => storage.client as never,
      saveClientInformation: (client: object) => void Object.assign(storage, { client }),
      tokens: () => storage.tokens as never,
      saveTokens: (tokens: object) => void Object.assign(storage, { tokens }),
      redirectToAuthorization: (sentTo: URL) => void Object.assign(storage, { sentTo }),
      saveCodeVerifier: (verifier: string) => void Object.assign(storage, { verifier }),
      codeVerifier: () => storage.verifier,
      // The second generation holds the callback against the server that it began with.
      saveDiscoveryState: (discovery: object) => void Object.assign(storage, { discovery }),
      discoveryState: () => storage.discovery as never,
      invalidateCredentials: (scope: string) => {
        if (scope === 'all' || scope === 'tokens') delete storage.tokens
        if (scope === 'all' || scope === 'client') delete storage.client
      },
    },
  }
}
