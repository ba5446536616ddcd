// Discovery documents: protected resource metadata (RFC 9728) and authorization server metadata (RFC 8414).

import { SCOPES } from '../auth/caller.ts'
import type { Settings } from '../ports/deps.ts'

/** @param resource the API, or the MCP endpoint below it */
export const resourceMetadata = ({ siteUrl }: Pick<Settings, 'siteUrl'>, resource: string) => ({
  resource,
  authorization_servers: [siteUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Kenning',
})

export const serverMetadata = ({ siteUrl }: Pick<Settings, 'siteUrl'>) => ({
  issuer: siteUrl,
  authorization_endpoint: `${siteUrl}/oauth/authorize`,
  token_endpoint: `${siteUrl}/oauth/token`,
  registration_endpoint: `${siteUrl}/oauth/register`,
  revocation_endpoint: `${siteUrl}/oauth/revoke`,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})
