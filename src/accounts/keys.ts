// API keys: read-only, for chosen workspaces, shown once.

import { randomUUID } from 'node:crypto'
import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Key, KeyCreate, NewKey } from '../contract/account.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { countLiveKeys, countReadable, insertKey, lockAccount, revokeKeyRow, selectKeys } from './keys.sql.ts'
import type { SessionUser } from './sessions.sql.ts'

/** So that keys, which are limited each, cannot multiply a person's limit without bound (D-18). */
const MOST_KEYS = 20

type Needs = Pick<Deps, 'db'>

/** Those not revoked, also expired ones; newest first. */
export const listKeys = async (deps: Needs, owner: SessionUser): Promise<{ data: Key[] }> => ({
  data: await selectKeys(deps.db, owner.id),
})

/**
 * Makes a key; its secret is in the answer and nowhere else.
 * @throws ApiError 404 when one of the workspaces is not the owner's to read, 422 beyond 20 keys or with a past end
 */
export async function makeKey(deps: Needs, owner: SessionUser, given: KeyCreate): Promise<NewKey> {
  const secret = newSecret('ken_mcp_')
  const workspaceIds = [...new Set(given.workspace_ids)]
  if (given.expires_at != null && Date.parse(given.expires_at) <= Date.now()) {
    throw invalid(['body', 'expires_at'], 'The end must lie in the future', 'value_error', given.expires_at)
  }
  const row = {
    id: randomUUID(),
    accountId: owner.id,
    hash: hashOf(secret),
    lastFour: secret.slice(-4),
    name: given.name,
    workspaceIds,
    expiresAt: given.expires_at ?? undefined,
  }
  const key = await deps.db.tx(async (tx) => {
    // Suspended at this moment: what is made now would come alive with the account.
    if (!(await lockAccount(tx, owner.id))) throw forbidden('This account is suspended.')
    if ((await countReadable(tx, owner.id, workspaceIds)) < workspaceIds.length) throw notFound()
    if ((await countLiveKeys(tx, owner.id)) >= MOST_KEYS) {
      throw invalid(['body'], `You have ${MOST_KEYS} keys, which is the limit; revoke one first`)
    }
    await record(tx, { action: 'key_made', actor: user(owner.id), workspaceIds, subject: row.id })
    return insertKey(tx, row)
  })
  return { ...key, key: secret }
}

/** Refused from the next request on. @throws ApiError 404 for one that is absent, revoked or another's */
export async function revokeKey(deps: Needs, owner: SessionUser, keyId: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const workspaceIds = await revokeKeyRow(tx, owner.id, keyId)
    if (!workspaceIds) throw notFound()
    await record(tx, { action: 'key_revoked', actor: user(owner.id), workspaceIds, subject: keyId })
  })
}
