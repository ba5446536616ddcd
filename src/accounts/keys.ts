// API keys: read-only, limited to chosen workspaces. The key itself is shown only when it is created.

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Key, KeyCreate, NewKey } from '../contract/account.ts'
import { forbidden, invalid, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  countReadable,
  countValidKeys,
  insertKey,
  lockAccount,
  revokeKeyRow,
  selectKeys,
} from './keys.sql.ts'
import type { SessionUser } from './sessions.sql.ts'

/** Each key has its own rate limit, so the number of keys limits how many requests one user can make. */
const MAX_KEYS = 20

type KeyDeps = Pick<Deps, 'db'>

/** Keys that are not revoked, including expired ones; newest first. */
export const listKeys = async (deps: KeyDeps, owner: SessionUser): Promise<{ data: Key[] }> => ({
  data: await selectKeys(deps.db, owner.id),
})

/**
 * Creates a key. Only this result contains the key itself; it cannot be read later.
 * @throws ApiError 404 for a workspace that the owner cannot read, 422 beyond 20 keys or for an expiry time in the past
 */
export async function createKey(deps: KeyDeps, owner: SessionUser, request: KeyCreate): Promise<NewKey> {
  const secret = newSecret('ken_mcp_')
  const workspaceIds = [...new Set(request.workspace_ids)]
  if (request.expires_at != null && Date.parse(request.expires_at) <= Date.now()) {
    throw invalid(
      ['body', 'expires_at'],
      'The expiry time must be in the future',
      'value_error',
      request.expires_at,
    )
  }
  const row = {
    id: randomUUID(),
    accountId: owner.id,
    hash: hashOf(secret),
    lastFour: secret.slice(-4),
    name: request.name,
    workspaceIds,
    expiresAt: request.expires_at ?? undefined,
  }
  const key = await deps.db.tx(async (tx) => {
    // A key that was created while the account is being suspended would work again when the account is restored.
    if (!(await lockAccount(tx, owner.id))) throw forbidden('This account is suspended.')
    if ((await countReadable(tx, owner.id, workspaceIds)) < workspaceIds.length) throw notFound()
    if ((await countValidKeys(tx, owner.id)) >= MAX_KEYS) {
      throw invalid(['body'], `You already have ${MAX_KEYS} API keys, the maximum; revoke one first`)
    }
    await record(tx, { action: 'key_made', actor: userActor(owner.id), workspaceIds, subject: row.id })
    return insertKey(tx, row)
  })
  return { ...key, key: secret }
}

/** Takes effect with the next request. @throws ApiError 404 for a key that is unknown, revoked or another user's */
export async function revokeKey(deps: KeyDeps, owner: SessionUser, keyId: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const workspaceIds = await revokeKeyRow(tx, owner.id, keyId)
    if (!workspaceIds) throw notFound()
    await record(tx, { action: 'key_revoked', actor: userActor(owner.id), workspaceIds, subject: keyId })
  })
}
