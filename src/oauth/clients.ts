// A client: a program that asks to act for a user. All are public: none has a secret.

import { isIP } from 'node:net'
import { z } from 'zod'
import type { Deps } from '../ports/deps.ts'
import { selectClient } from './clients.sql.ts'
import { mayRedirect } from './redirect-uri.ts'

export interface Client {
  id: string
  /** What it calls itself: anybody may choose any name. */
  name: string
  redirectUris: readonly string[]
  /** Where its metadata document lies, proven by fetching it; undefined for one that registered itself. */
  host?: string
}

const MOST_REDIRECTS = 20
const MOST_NAME = 80

export const RedirectUris = z
  .array(z.string().refine(mayRedirect, 'must be https, http to this computer, or an application scheme'))
  .min(1)
  .max(MOST_REDIRECTS)

/**
 * Fit to be shown in one line between quotation marks: no control characters, none that turn the direction of what
 * follows, none that look like the end of the quotation.
 * @returns undefined when nothing is left
 */
export function shownName(name: string): string | undefined {
  const clean = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["“”„‟«»]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
  const short = [...clean].slice(0, MOST_NAME).join('')
  return short === '' ? undefined : short
}

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

/** Undefined for an id nobody has. @throws BadDocument, OutboundFailed when its document cannot be used */
export async function findClient(
  deps: Pick<Deps, 'db' | 'documents'>,
  id: string,
): Promise<Client | undefined> {
  if (isDocumentAddress(id)) return clientOfDocument(deps, id)
  const row = await selectClient(deps.db, id)
  return row && { id: row.id, name: row.name, redirectUris: row.redirect_uris }
}

/**
 * Whether tokens may be asked for under this id. Documents are not fetched again for that: what was granted stands, and
 * must not end because somebody's web server is down.
 */
export const isKnownClient = async (deps: Pick<Deps, 'db'>, id: string): Promise<boolean> =>
  isDocumentAddress(id) || (await selectClient(deps.db, id)) !== undefined
