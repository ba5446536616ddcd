// What is different on Citus, where the rows of a workspace are on one of several nodes (docs/decisions/0039-citus.md).

import sql, { type Sql } from 'sql-template-tag'

export const isDistributed: Sql = sql`
  SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS distributed`

const HIDDEN = /= ANY \(\(SELECT ARRAY\[(\$\d+)::uuid\]\)::uuid\[\]\)/g

const known = new Map<string, string>()

/**
 * The text of a statement as Citus needs it: the condition that `inWorkspace` hides from the planner says which node to ask.
 * The node plans each statement anew, with the values, so no kept plan has to be protected there.
 */
export function forCitus(text: string): string {
  const before = known.get(text)
  if (before !== undefined) return before
  const after = text.replaceAll(HIDDEN, '= $1::uuid')
  // As many as there are statements; those with lists of values are not kept.
  if (known.size < 1000) known.set(text, after)
  return after
}
