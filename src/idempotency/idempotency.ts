// Idempotency-Key: a request that is sent again makes nothing twice.

import { createHash } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertKey, selectKey } from './idempotency.sql.ts'

export interface Once {
  /** As sent in the header; undefined when none was. */
  key: string | undefined
  /** What is made and where: the same key for something else is another key. */
  operation: string
  /** What was asked for, as JSON data: the same key for something else is refused. */
  request: unknown
  /** The id of what is about to be made. */
  result: string
  workspaceId: string
}

/**
 * The id of what the key stands for: `once.result` when the caller is to make it now, in the same transaction, else
 * what an earlier request made. Two at once wait for each other.
 * @throws ApiError 422 when the key was used for another request within 24 hours
 */
export async function claimKey(tx: Queryable, caller: Caller, once: Once): Promise<string> {
  const { key, operation, result, workspaceId } = once
  if (key === undefined) return result
  const request = createHash('sha256').update(JSON.stringify(once.request)).digest('hex')
  const row = { accountId: caller.userId, operation, key }
  if (await insertKey(tx, { ...row, request, result, workspaceId })) return result
  const made = await selectKey(tx, row)
  if (made?.request === request) return made.result
  throw invalid(['body'], 'This Idempotency-Key was used for another request', 'idempotency_key_reused')
}
