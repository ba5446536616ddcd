// Page cursors: opaque, authenticated and bound to one request. A cursor contains a position, never a permission: access is checked
// again for every page.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertValue, selectValue } from './installation.sql.ts'

const MAC_BYTES = 32

/**
 * @param key 32 bytes, the same after a restart (`Deps.cursorKey`)
 * @param binding the request that the cursor is valid for: route, workspace, principal, then the filters in a fixed order
 * @param position small JSON data, since it is sent in the URL
 */
export function encodeCursor(key: Buffer, binding: string[], position: unknown): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8')
  return Buffer.concat([authenticationCode(key, binding, payload), payload]).toString('base64url')
}

/** The encoded position. @throws ApiError 422 at `query.cursor` for a cursor that was altered or has another binding */
export function decodeCursor<T>(key: Buffer, binding: string[], cursor: string): T {
  const bytes = Buffer.from(cursor, 'base64url')
  const payload = bytes.subarray(MAC_BYTES)
  // Decoding ignores invalid characters and unused bits, so only the canonical encoding is accepted.
  const isAuthentic =
    payload.length > 0 &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), authenticationCode(key, binding, payload))
  if (!isAuthentic) {
    throw invalid(
      ['query', 'cursor'],
      'The cursor is not valid for this request; start again from the first page without a cursor',
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
 * One page of a list. `select` returns at most `maxRows` rows after a position, or from the start without one.
 * @throws ApiError 422 for a cursor of another request
 */
export async function readPage<Row, Position>(
  { cursorKey }: { cursorKey: Buffer },
  {
    binding,
    page: { limit, cursor },
    select,
    positionOf,
  }: {
    binding: string[]
    page: PageQuery
    select: (from: Position | undefined, maxRows: number) => Promise<Row[]>
    positionOf: (row: Row) => Position
  },
): Promise<{ rows: Row[]; has_more: boolean; next_cursor: string | null }> {
  // One extra row shows whether there is a next page.
  const rowsAndOneMore = await select(
    cursor ? decodeCursor<Position>(cursorKey, binding, cursor) : undefined,
    limit + 1,
  )
  const rows = rowsAndOneMore.slice(0, limit)
  const lastOfPage = rowsAndOneMore.length > rows.length ? rows.at(-1) : undefined
  return {
    rows,
    has_more: lastOfPage !== undefined,
    next_cursor: lastOfPage === undefined ? null : encodeCursor(cursorKey, binding, positionOf(lastOfPage)),
  }
}

function authenticationCode(key: Buffer, binding: string[], payload: Buffer): Buffer {
  const hmac = createHmac('sha256', key)
  // JSON keeps ['a','bc'] apart from ['ab','c']; JSON text never contains the zero byte that ends it.
  return hmac.update(JSON.stringify(binding)).update('\0').update(payload).digest()
}

/** The key of this installation, created on first use; two processes that start at once get the same one. */
export async function cursorKey(db: Queryable): Promise<Buffer> {
  await insertValue(db, 'cursor_key', randomBytes(32).toString('base64url'))
  const storedKey = await selectValue(db, 'cursor_key')
  const key = Buffer.from(storedKey ?? '', 'base64url')
  if (key.length !== 32)
    throw new Error(
      'The row cursor_key of the table installation is not a 32-byte key: delete it and restart Kenning.',
    )
  return key
}
