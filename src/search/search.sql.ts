// Search as SQL: fresh document frequencies, candidates, one exact score (design/search.md, "Lexical").

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { inScope } from '../documents/scopes.sql.ts'
import { mentioningEntities } from '../graph/graph.sql.ts'
import type { Language } from '../language/language.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Passage } from './passage.ts'

/** The workspace's languages, most chunks first; empty when it holds nothing. */
export const selectLanguages = (
  db: Queryable,
  workspaceId: string,
): Promise<{ language: Language; chunks: number }[]> =>
  db.rows(sql`
    SELECT language, sum(chunk_count)::int AS chunks FROM document
    WHERE workspace_id = ${workspaceId} GROUP BY language HAVING sum(chunk_count) > 0 ORDER BY 2 DESC, 1`)

/**
 * In how many live chunks each term stands. term_stat holds what is folded; versions still being folded add what is
 * missing, retired ones take away what is still counted, so that the figure is exact at every moment.
 */
export const selectFrequencies = (
  db: Queryable,
  workspaceId: string,
  terms: number[],
): Promise<{ term: number; df: number }[]> =>
  db.rows(sql`
    WITH q AS (SELECT unnest(${terms}::int[]) AS term),
    pending AS (
      SELECT q.term, sum(CASE v.state WHEN 'live' THEN 1 ELSE -1 END)::int AS df
      FROM version v
      JOIN chunk c ON c.workspace_id = v.workspace_id AND c.version_id = v.id
       AND CASE v.state WHEN 'live' THEN c.chunk_no >= v.folded ELSE c.chunk_no < v.folded END
      JOIN q ON q.term = ANY (c.terms)
      WHERE v.workspace_id = ${workspaceId} AND NOT v.settled
        AND (v.state = 'live' OR v.state = 'retired' AND v.folded > 0)
      GROUP BY q.term
    )
    SELECT q.term, (coalesce(s.df, 0) + coalesce(p.df, 0))::int AS df
    FROM q
    LEFT JOIN term_stat s ON s.workspace_id = ${workspaceId} AND s.term = q.term
    LEFT JOIN pending p ON p.term = q.term`)

export interface Filter {
  scope?: string
  entityIds?: readonly string[]
}

/** The chunk, its heading or its title holds the phrase, letter case and spacing aside. */
const holdsPhrase = (phrase: string): Sql =>
  sql`strpos(regexp_replace(lower(concat_ws(' ', d.title, c.heading, c.text)), '\\s+', ' ', 'g'), ${phrase}) > 0`

export type Hit = Passage & { terms: number[] }

/**
 * Chunks ordered by the exact score; `candidates` narrows by term (GIN), without it every chunk is scored.
 * Chunks that share no term come last with score 0: the caller drops them (a condition here would score all twice).
 */
export function selectHits(
  db: Queryable,
  workspaceId: string,
  search: {
    side: string
    candidates: number[] | undefined
    filter: Filter
    phrases: string[]
    limit: number
  },
): Promise<Hit[]> {
  const { side, candidates, filter, phrases, limit } = search
  const conditions = [sql`d.workspace_id = ${workspaceId}`]
  if (candidates) conditions.push(sql`c.terms && ${candidates}::int[]`)
  for (const phrase of phrases) conditions.push(holdsPhrase(phrase))
  if (filter.scope !== undefined) conditions.push(inScope(filter.scope))
  const entities = filter.entityIds ? sql`AND ${mentioningEntities(workspaceId, filter.entityIds)}` : empty
  return db.rows<Hit>(sql`
    SELECT c.id AS chunk_id, d.id AS document_id, d.title AS document_title, c.chunk_no, c.type, c.text, c.heading,
      c.page, c.language, -(c.lex <#> ${side}::sparsevec) AS score, c.terms
    FROM document d
    JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE ${join(conditions, ' AND ')} ${entities}
    ORDER BY c.lex <#> ${side}::sparsevec, c.id
    LIMIT ${limit}`)
}
