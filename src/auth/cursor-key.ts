// The key that signs page cursors: 32 random bytes made once and kept in the database.

import { randomBytes } from 'node:crypto'
import type { Queryable } from '../ports/db/db.ts'
import { insertFact, selectFact } from './installation.sql.ts'

/** The installation's key, made by the first who asks; two processes starting at once get the same one. */
export async function cursorKey(db: Queryable): Promise<Buffer> {
  await insertFact(db, 'cursor_key', randomBytes(32).toString('base64url'))
  const kept = await selectFact(db, 'cursor_key')
  const key = Buffer.from(kept ?? '', 'base64url')
  if (key.length !== 32)
    throw new Error('installation.cursor_key is damaged: delete that row and start again')
  return key
}
