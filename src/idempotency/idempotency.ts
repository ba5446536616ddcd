// The Idempotency-Key header: a request that is sent again does not create anything twice.

import { createHash } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertKey, selectKey, updateKeyResult } from './idempotency.sql.ts'

interface IdempotentRequest {
  /** The header; undefined if it was not sent. */
  key: string | undefined
  /** What is created, and where. The same key may be used once for each operation. */
  operation: string
  /** The request as JSON data: with the same key it must be the same. */
  request: unknown
  /** Id of the object to be created. */
  result: string
  workspaceId: string
}

/**
 * Returns `attempt.result` if the caller has to create the object now, in the same transaction, or else the id of the object
 * that an earlier request created. Concurrent requests wait for each other.
 * @throws ApiError 422 when the key was used for another request within 24 hours
 */
export async function claimKey(tx: Queryable, caller: Caller, attempt: IdempotentRequest): Promise<string> {
  const { key, operation, result, workspaceId } = attempt
  if (key === undefined) return result
  const request = createHash('sha256').update(JSON.stringify(attempt.request)).digest('hex')
  const row = { accountId: caller.userId, operation, key }
  if (await insertKey(tx, { ...row, request, result, workspaceId })) return result
  const existingKey = await selectKey(tx, row)
  if (existingKey?.request === request) return existingKey.result
  throw invalid(
    ['body'],
    'This Idempotency-Key was already used for a different request',
    'idempotency_key_reused',
  )
}

/** Whether an earlier request of the caller has created something with the key. */
export async function isKeyUsed(
  db: Queryable,
  caller: Caller,
  { key, operation }: Pick<IdempotentRequest, 'key' | 'operation'>,
): Promise<boolean> {
  if (key === undefined) return false
  return (await selectKey(db, { accountId: caller.userId, operation, key })) !== undefined
}

/** Stores what later requests with the key get, in the transaction that has claimed it, where that is known only afterwards. */
export async function storeResult(
  tx: Queryable,
  caller: Caller,
  { key, operation, result }: Pick<IdempotentRequest, 'key' | 'operation' | 'result'>,
): Promise<void> {
  if (key !== undefined) await updateKeyResult(tx, { accountId: caller.userId, operation, key }, result)
}
