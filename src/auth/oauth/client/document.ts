// A client known by a metadata document (draft-ietf-oauth-client-id-metadata-document): its id is the document's address.

import { isIP } from 'node:net'
import { z } from 'zod'
import type { Deps } from '../../../ports/deps.ts'
import { type Client, RedirectUris, shownName } from './client.ts'

const MOST_CHARACTERS = 500

/** @throws BadDocument with a sentence for the person whom the client has sent here */
export class BadDocument extends Error {
  override readonly name = 'BadDocument'
}

const Document = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
})

/** https, the usual port, a path, and nothing that programs read in different ways (draft section 3). */
export function isDocumentAddress(id: string): boolean {
  if (id.length > MOST_CHARACTERS || !/^https:\/\/[\x21-\x7e]+$/.test(id) || !URL.canParse(id)) return false
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

/** @throws BadDocument, OutboundFailed */
export async function clientOfDocument({ documents }: Pick<Deps, 'documents'>, id: string): Promise<Client> {
  const read = Document.safeParse(await documents.json(id))
  if (!read.success) {
    const where = [...new Set(read.error.issues.map(({ path }) => path.join('.') || 'the document'))]
    throw new BadDocument(`What it says of itself cannot be used (${where.slice(0, 3).join(', ')}).`)
  }
  const { client_id, client_name, redirect_uris } = read.data
  // Letter by letter: no other spelling of the address is the same client.
  if (client_id !== id) throw new BadDocument('What it says of itself is about another application.')
  const host = new URL(id).host
  return { id, name: shownName(client_name) ?? host, redirectUris: redirect_uris, host }
}
