// Prepared statements, which are parsed and planned once for each connection: for the four short statements of a search, that
// took three times as long as running them. Only statements that find rows by keys are prepared, because for them one plan is
// right for all values.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** The first characters of a statement that is to be prepared. The embedded engine also recognises such statements by them. */
export const PREPARED_MARK = '/* prepared */'

/**
 * Marks a statement whose plan is kept. Do not use it for a statement whose best plan depends on its values, such as a word or the
 * size of a workspace. The kept (generic) plan assumes that any workspace has one or two rows. So a prepared statement must look
 * up its rows key by key (LATERAL … OFFSET 0); with a plain join, the kept plan may read a large workspace completely (240 ms
 * instead of .2 ms).
 * @param size the number of chunks of the workspace that is read. Each power of four gets a plan of its own, because a plan that
 * was made while the tables were small is bad for large ones.
 */
export const prepared = (statement: Sql, size = 0): Sql =>
  sql`${raw(PREPARED_MARK)} ${raw(size > 0 ? `/* 4^${Math.ceil(Math.log2(size) / 2)} */` : '')} ${statement}`

/**
 * The condition `column = id` on a workspace, for a prepared statement. It is written as a list, because the planner assumes that
 * a list of unknown length has ten elements. So the index that finds the row looks better than an index on the workspace alone,
 * which would read the whole workspace. Tables with several such indexes (chunk, document) are read through their view, because
 * the condition of a policy would undo this.
 */
export const inWorkspace = (column: Sql, id: string): Sql =>
  sql`${column} = ANY ((SELECT ARRAY[${id}::uuid])::uuid[])`

const names = new Map<string, string>()

/** The name under which a server keeps the prepared statement, a hash of its text. Undefined if the text has no mark. */
export function preparedName(text: string): string | undefined {
  if (!text.startsWith(PREPARED_MARK)) return undefined
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

// Behind a pooler that uses another connection for each transaction, a name does not exist (26000) or exists already (42P05).
const LOST_NAME_CODES = new Set(['26000', '42P05'])
// PgBouncer manages names itself. It reports a lost name as a protocol violation, in English, and ends the connection.
const LOST_BY_POOLER = '08P01'

/** Whether a statement failed because its name was lost. Then it has changed nothing, and can be run again without a name. */
export function isForgotten(error: unknown): boolean {
  // After a migration the kept plan may return other columns (0A000). This error is recognised by its routine, because the message
  // is in the server's language.
  const { code, routine, message } = Object(error) as { code?: unknown; routine?: unknown; message?: unknown }
  if (code === LOST_BY_POOLER && String(message).includes('prepared statement did not exist')) return true
  return LOST_NAME_CODES.has(String(code)) || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
