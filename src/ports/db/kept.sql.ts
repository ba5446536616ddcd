// Statements whose plan is made once a connection and kept: what every request asks and finds by keys, so that one plan
// is right for all values. To read and plan the four short ones of a search took three times as long as to run them.

import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'

/** What the text of such a statement begins with; the embedded engine looks for it, too. */
export const KEPT_MARK = '/* kept */'

/** Marks a statement as one to keep. Not one whose best way depends on its values: the size of a workspace, a word. */
export const kept = (statement: Sql): Sql => sql`${raw(KEPT_MARK)} ${statement}`

const BY_ENGINE_MARK = `${KEPT_MARK} /* by the engine */`

/**
 * Marks a statement that reads what large workspaces have much of: it is kept where no policy stands before its tables.
 * Behind one, a plan for all values takes any workspace for a row or two and reads it whole: 15 passages of 60,000 chunks
 * beside 3,000 small workspaces .2 ms planned anew, 240 by the kept plan.
 */
export const keptByEngine = (statement: Sql): Sql => sql`${raw(BY_ENGINE_MARK)} ${statement}`

const names = new Map<string, string>()

/** Its name on a server's connection, one for each text; undefined where it is not to be kept. */
export function keptName(text: string): string | undefined {
  if (!text.startsWith(KEPT_MARK) || text.startsWith(BY_ENGINE_MARK)) return undefined
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
