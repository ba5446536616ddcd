// Prepared statements, which are planned once for each connection. Only statements that find rows by keys are prepared, because
// for them one plan is right for all values. Parsing and planning the four short statements of a search took three times as long
// as running them.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** The first characters of a statement that is to be prepared. The embedded engine recognises such statements by them, too. */
export const PREPARED_MARK = '/* prepared */'

/**
 * Marks a statement whose plan is kept. Do not use it for a statement whose best plan depends on its values, such as a word or the
 * size of a workspace. The kept (generic) plan expects one or two rows of any workspace, and behind a policy even fewer. So a
 * prepared statement looks up its rows key by key (LATERAL … OFFSET 0), and no plan can read a large workspace instead. With a
 * plain join, 15 passages of 60,000 chunks beside 3,000 small workspaces took .2 ms with a new plan and 240 ms with the kept one.
 * @param size how many chunks the workspace that is read has. Each power of four has a plan of its own, because the statistics of
 * a small table mislead: while a table has a single page, all indexes that begin with the workspace cost the same.
 */
export const prepared = (statement: Sql, size = 0): Sql =>
  sql`${raw(PREPARED_MARK)} ${raw(size > 0 ? `/* 4^${Math.ceil(Math.log2(size) / 2)} */` : '')} ${statement}`

/**
 * The condition `column = id` on a workspace, for a prepared statement. It is written as a list, because the planner assumes that
 * a list of unknown length has ten workspaces. So an index on the workspace alone looks worse than the index that finds the row,
 * even if most workspaces have one row. Tables with several such indexes (chunk, document) are read through their view, because
 * the condition of a policy would undo this.
 */
export const inWorkspace = (column: Sql, id: string): Sql =>
  sql`${column} = ANY ((SELECT ARRAY[${id}::uuid])::uuid[])`

const names = new Map<string, string>()

/** The name under which a server keeps the prepared statement, computed from its text. Undefined if the text lacks the mark. */
export function preparedName(text: string): string | undefined {
  if (!text.startsWith(PREPARED_MARK)) return undefined
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

// Behind a pooler that uses another connection for each transaction, a name does not exist (26000) or exists already (42P05).
const LOST_NAME_CODES = new Set(['26000', '42P05'])
// PgBouncer keeps names itself. It reports a lost one as a violation of the protocol, in English, and ends the connection.
const LOST_BY_POOLER = '08P01'

/** Whether a statement failed because its name was lost. Then it has changed nothing, and can be run again without a name. */
export function isForgotten(error: unknown): boolean {
  // After a migration the kept plan may return other columns (0A000). The routine identifies this error, since the message is in
  // the server's language.
  const { code, routine, message } = Object(error) as { code?: unknown; routine?: unknown; message?: unknown }
  if (code === LOST_BY_POOLER && String(message).includes('prepared statement did not exist')) return true
  return LOST_NAME_CODES.has(String(code)) || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
