// OAuth clients. A client has either registered itself or is identified by the URL of its metadata document
// (draft-ietf-oauth-client-id-metadata-document). All clients are public: none has a secret.

import { isIP } from 'node:net'
import { z } from 'zod'
import type { Deps } from '../ports/deps.ts'
import { selectClient } from './clients.sql.ts'
import { isRegistrable } from './redirect-uri.ts'

export interface Client {
  id: string
  /** Chosen by the client and not verified. */
  name: string
  redirectUris: readonly string[]
  /** Host of the metadata document; undefined for a client that registered itself. */
  host?: string
}

const MAX_REDIRECTS = 20
const MAX_NAME = 80

export const RedirectUris = z
  .array(
    z.string().refine(isRegistrable, 'must be https, http on a loopback address, or a private-use scheme'),
  )
  .min(1)
  .max(MAX_REDIRECTS)

/**
 * The name made safe to display in quotation marks: without control characters, characters that change the text direction,
 * and anything that looks like a quotation mark.
 * @returns undefined when nothing is left
 */
export function displayName(name: string): string | undefined {
  const withoutControls = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["“”„‟«»]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  const shortName = [...withoutControls].slice(0, MAX_NAME).join('')
  return shortName === '' ? undefined : shortName
}

const MAX_CHARACTERS = 500

/** The metadata document is not usable; the message is shown to the user. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument'
}

const Document = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
})

/** https, the default port, a path, and no part that parsers interpret differently (section 3 of the draft). */
function isDocumentUrl(id: string): boolean {
  if (id.length > MAX_CHARACTERS || !/^https:\/\/[\x21-\x7e]+$/.test(id) || !URL.canParse(id)) return false
  const url = new URL(id)
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && !url.hostname.endsWith('.')
  return (
    url.href === id &&
    url.port === '' &&
    url.pathname !== '/' &&
    url.hash === '' &&
    isName &&
    !/[@#\\]/.test(id)
  )
}

/** @throws InvalidDocument, OutboundFailed */
async function fetchClient({ clientMetadata }: Pick<Deps, 'clientMetadata'>, id: string): Promise<Client> {
  const parsedDocument = Document.safeParse(await clientMetadata.get(id))
  if (!parsedDocument.success) {
    const fields = [
      ...new Set(parsedDocument.error.issues.map(({ path }) => path.join('.') || 'the document')),
    ]
    throw new InvalidDocument(`Missing or invalid: ${fields.slice(0, 3).join(', ')}.`)
  }
  const { client_id, client_name, redirect_uris } = parsedDocument.data
  // Simple string comparison: another spelling of the URL is another client.
  if (client_id !== id) throw new InvalidDocument('Its `client_id` is not the URL of the document.')
  const host = new URL(id).host
  return { id, name: displayName(client_name) ?? host, redirectUris: redirect_uris, host }
}

/** Undefined for an unknown id. @throws InvalidDocument, OutboundFailed for a document that cannot be fetched or used */
export async function findClient(
  deps: Pick<Deps, 'db' | 'clientMetadata'>,
  id: string,
): Promise<Client | undefined> {
  if (isDocumentUrl(id)) return fetchClient(deps, id)
  const row = await selectClient(deps.db, id)
  return row && { id: row.id, name: row.name, redirectUris: row.redirect_uris }
}

/**
 * For the token endpoint. It does not fetch the metadata document again: tokens that were granted must keep working while
 * the client's web server is down.
 */
export const isKnownClient = async (deps: Pick<Deps, 'db'>, id: string): Promise<boolean> =>
  isDocumentUrl(id) || (await selectClient(deps.db, id)) !== undefined
