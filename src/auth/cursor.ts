// Page cursors: opaque, authenticated, and bound to what they were made for.
// A cursor carries a position, never authority: rooms check access again on each page.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertFact, selectFact } from './installation.sql.ts'

const MAC_BYTES = 32

/**
 * @param key 32 bytes of this installation (`Deps.cursorKey`), so that cursors survive a restart.
 * @param binding what the cursor is good for: route, workspace, principal, then the filters in a fixed order.
 * @param position JSON data, small: it travels in the URL.
 */
export function encodeCursor(key: Buffer, binding: string[], position: unknown): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8')
  return Buffer.concat([mac(key, binding, payload), payload]).toString('base64url')
}

/** The position that was encoded. @throws ApiError 422 at `query.cursor` for anything but that very cursor. */
export function decodeCursor<T>(key: Buffer, binding: string[], cursor: string): T {
  const bytes = Buffer.from(cursor, 'base64url')
  const payload = bytes.subarray(MAC_BYTES)
  // One spelling only: base64url decoding skips foreign characters and the last character's unused bits.
  const authentic =
    payload.length > 0 &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(key, binding, payload))
  if (!authentic) {
    throw invalid(
      ['query', 'cursor'],
      'This cursor does not belong to this request; start again from the first page without a cursor',
      'cursor_invalid',
      cursor,
    )
  }
  return JSON.parse(payload.toString('utf8')) as T
}

export interface PageQuery {
  limit: number
  cursor?: string | null | undefined
}

/**
 * One page of a list: `select` gives at most so many rows behind a position, of the first page without one.
 * @throws ApiError 422 for a cursor that belongs to another request
 */
export async function readPage<Row, Position>(
  { cursorKey }: { cursorKey: Buffer },
  binding: string[],
  { limit, cursor }: PageQuery,
  select: (from: Position | undefined, most: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<{ rows: Row[]; has_more: boolean; next_cursor: string | null }> {
  // One more than the page holds tells whether there is a next one.
  const found = await select(
    cursor ? decodeCursor<Position>(cursorKey, binding, cursor) : undefined,
    limit + 1,
  )
  const rows = found.slice(0, limit)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  return {
    rows,
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : encodeCursor(cursorKey, binding, positionOf(last)),
  }
}

function mac(key: Buffer, binding: string[], payload: Buffer): Buffer {
  const hmac = createHmac('sha256', key)
  // JSON keeps ['a','bc'] apart from ['ab','c']; the zero byte ends it, since JSON text holds none.
  return hmac.update(JSON.stringify(binding)).update('\0').update(payload).digest()
}

/** The installation's key, made by the first who asks; two processes starting at once get the same one. */
export async function cursorKey(db: Queryable): Promise<Buffer> {
  await insertFact(db, 'cursor_key', randomBytes(32).toString('base64url'))
  const kept = await selectFact(db, 'cursor_key')
  const key = Buffer.from(kept ?? '', 'base64url')
  if (key.length !== 32)
    throw new Error('installation.cursor_key is damaged: delete that row and start again')
  return key
}
