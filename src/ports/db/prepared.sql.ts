// Prepared statements, which are planned once for each connection. They are the statements of every request that find rows by
// keys, so that one plan is right for all values. Parsing and planning the four short statements of a search took three times
// as long as running them.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** The first characters of such a statement. The embedded engine recognises it by them too. */
export const PREPARED_MARK = '/* prepared */'

/**
 * Marks a statement whose plan is kept. It is not for a statement whose best plan depends on its values, such as the size of a
 * workspace or a word. The generic plan expects a row or two of any workspace, and behind a policy even fewer. So such a
 * statement looks up its rows key by key (LATERAL … OFFSET 0), and no plan can read a large workspace instead. With a plain
 * join, 15 passages of 60,000 chunks beside 3,000 small workspaces took .2 ms with a new plan and 240 ms with the kept one.
 * @param size chunks of the workspace that is read. Each power of four has a plan of its own. A plan made while a table has a
 * single page takes any index that begins with the workspace, because they all cost the same then.
 */
export const prepared = (statement: Sql, size = 0): Sql =>
  sql`${raw(PREPARED_MARK)} ${raw(size > 0 ? `/* 4^${Math.ceil(Math.log2(size) / 2)} */` : '')} ${statement}`

/**
 * The condition `column = id` on a workspace, for a prepared statement. The planner assumes that a list of unknown length has
 * ten workspaces. So an index that leads to a whole workspace looks worse than the one that leads to the row, even if most
 * workspaces have one row. Tables with several such indexes (chunk, document) are read through their view, because the
 * condition of a policy would undo this.
 */
export const inWorkspace = (column: Sql, id: string): Sql =>
  sql`${column} = ANY ((SELECT ARRAY[${id}::uuid])::uuid[])`

const names = new Map<string, string>()

/** The name under which a server keeps the statement, one for each text. Undefined if it is not to be kept. */
export function preparedName(text: string): string | undefined {
  if (!text.startsWith(PREPARED_MARK)) return undefined
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

// Behind a pooler that uses another connection for each transaction, a name does not exist (26000) or exists already (42P05).
// After a migration a kept plan may return other columns.
const LOST_NAME_CODES = new Set(['26000', '42P05'])
// PgBouncer keeps names itself. It reports a lost one as a violation of the protocol, in English, and ends the connection.
const LOST_BY_POOLER = '08P01'

/** Whether a statement failed because its name was lost. It did nothing then, and can be run again without a name. */
export function isForgotten(error: unknown): boolean {
  // The routine identifies the error, since the message is in the server's language.
  const { code, routine, message } = Object(error) as { code?: unknown; routine?: unknown; message?: unknown }
  if (code === LOST_BY_POOLER && String(message).includes('prepared statement did not exist')) return true
  return LOST_NAME_CODES.has(String(code)) || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
