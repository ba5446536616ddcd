// Statements whose plan is made once a connection and kept: what every request asks and finds by keys, so that one plan
// is right for all values. To read and plan the four short ones of a search took three times as long as to run them.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** What the text of such a statement begins with; the embedded engine looks for it, too. */
export const KEPT_MARK = '/* kept */'

/**
 * Marks a statement as one to keep. Not one whose best way depends on its values: the size of a workspace, a word. The plan
 * for all values takes any workspace for a row or two, behind a policy even more so: what a statement finds by keys it asks
 * for key by key (LATERAL … OFFSET 0), so that no plan can read a large workspace instead. Joined, 15 passages of 60,000
 * chunks beside 3,000 small workspaces took .2 ms planned anew, 240 by the kept plan.
 * @param size chunks of the workspace that is read: each power of four has a plan of its own. One made while a table has a
 *   page takes any index that begins with the workspace, since all cost the same then
 */
export const kept = (statement: Sql, size = 0): Sql =>
  sql`${raw(KEPT_MARK)} ${raw(size > 0 ? `/* 4^${Math.ceil(Math.log2(size) / 2)} */` : '')} ${statement}`

/**
 * The condition `column = id` on a workspace, for a kept statement: the planner takes a list of unknown length for ten
 * workspaces, so that no index that leads to all of one is as good as that which leads to the row, even where most
 * workspaces have one row. What has several such indexes (chunk, document) is read as its view: a policy's own condition
 * would undo this.
 */
export const inWorkspace = (column: Sql, id: string): Sql =>
  sql`${column} = ANY ((SELECT ARRAY[${id}::uuid])::uuid[])`

const names = new Map<string, string>()

/** Its name on a server's connection, one for each text; undefined where it is not to be kept. */
export function keptName(text: string): string | undefined {
  if (!text.startsWith(KEPT_MARK)) return undefined
  const known = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, known)
  return known
}

// Behind a pooler that hands out another connection for each transaction, a name is not there (26000), or there already
// (42P05); after a migration of a newer version a kept plan may give other columns than it did.
const FORGOTTEN = new Set(['26000', '42P05'])

/** Whether a statement failed because names do not last here: nothing was done, and without names it will be. */
export function isForgotten(error: unknown): boolean {
  // The message is in the server's language, the routine that says it is not.
  const { code, routine } = Object(error) as { code?: unknown; routine?: unknown }
  return FORGOTTEN.has(String(code)) || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
