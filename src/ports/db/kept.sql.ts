// Statements whose plan is made once a connection and kept: what every request asks and finds by keys, so that one plan
// is right for all values. To read and plan the four short ones of a search took three times as long as to run them.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** What the text of such a statement begins with; the embedded engine looks for it, too. */
export const KEPT_MARK = '/* kept */'

/** Marks a statement as one to keep. Not one whose best way depends on its values: the size of a workspace, a word. */
export const kept = (statement: Sql): Sql => sql`${raw(KEPT_MARK)} ${statement}`

const names = new Map<string, string>()

/** Its name on a connection, one for each text; undefined where it is not to be kept. */
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
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return FORGOTTEN.has(String(code)) || (code === '0A000' && /cached plan/.test(String(message)))
}
