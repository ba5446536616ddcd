// Which client an id names: one that registered itself, or one with a metadata document.

import type { Deps } from '../../../ports/deps.ts'
import type { Client } from './client.ts'
import { selectClient } from './clients.sql.ts'
import { clientOfDocument, isDocumentAddress } from './document.ts'

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
