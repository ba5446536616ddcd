// Search as SQL beside the candidates: words that are no terms, what a second hop lands on.

import sql, { empty } from 'sql-template-tag'
import { inScope } from '../documents/scopes.sql.ts'
import { membersOf, rootOf } from '../graph/members.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Candidate } from './candidates/candidates.sql.ts'
import { type Required, readAll, where } from './candidates/filter.sql.ts'
import { patternOf } from './candidates/phrase.sql.ts'

// What stands in more chunks than this is no name.
const MOST_HOLDING = 1000

/** Chunks that hold the text as whole words, letter case aside; as it was typed counts three times. */
export const selectHolding = (
  db: Queryable,
  workspaceId: string,
  wanted: Required & { text: string; limit: number },
): Promise<Candidate[]> => {
  const { from, conditions } = readAll(workspaceId, wanted)
  const pattern = `(?<![[:alnum:]])${patternOf(wanted.text)}(?![[:alnum:]])`
  return db.rows(sql`
    SELECT chunk_id, document_id, times / (times + 3.0) AS score, NULL::float8 AS document_score,
      NULL::float8 AS similarity
    FROM (
      SELECT chunk_id, document_id,
        (2 * regexp_count(whole, ${pattern}) + regexp_count(whole, ${pattern}, 1, 'i'))::float8 AS times
      FROM (
        SELECT c.id AS chunk_id, d.id AS document_id, concat_ws(' ', d.title, c.heading, c.text) AS whole
        FROM ${from} ${where(conditions)}
      ) every_chunk
      WHERE whole ~* ${pattern} ORDER BY chunk_id LIMIT ${MOST_HOLDING}
    ) holding
    ORDER BY score DESC, chunk_id LIMIT ${wanted.limit}`)
}

/** A passage that a second hop may start from: `side` asks for what it leaves open of the query. */
export interface Stone {
  chunk_id: string
  document_id: string
  side: string
}

export interface Landing {
  /** Which stone led here. */
  from: string
  chunk_id: string
  document_id: string
  /** The name that led here stands where the document's title does: it is about that name. */
  about: boolean
  /** Documents that say the rarest such name. */
  shared: number
  /** BM25 of the query, and of what the stone left open. */
  score: number
  rest: number
}

// Names in more documents than this, or than two in a hundred, lead everywhere: 12 and one in a hundred MuSiQue R@5
// .644, 20 .651, 30 .665, 60 .657.
const MOST_DOCUMENTS = 30
const MOST_SHARE = 0.02
// Names of these types lead on; concepts and the untyped lead astray (scifact -.008, FinanceBench -.06).
const LEADING = ['person', 'organization', 'location', 'event', 'work']

/** Chunks of other documents that share a rare name with a stone, under whichever of its names; at most `limit`, the rarest names first. */
export const selectLandings = (
  db: Queryable,
  workspaceId: string,
  wanted: Required & { stones: readonly Stone[]; side: string; documents: number; limit: number },
): Promise<Landing[]> => {
  const { stones, side, documents, limit } = wanted
  const most = Math.max(2, Math.min(MOST_DOCUMENTS, Math.floor(documents * MOST_SHARE)))
  return db.rows(sql`
    WITH stone AS (
      SELECT c.id AS chunk_id, c.workspace_id, c.version_id, c.chunk_no, c.document_id, s.side
      FROM unnest(${stones.map((s) => s.chunk_id)}::uuid[], ${stones.map((s) => s.side)}::sparsevec[])
        AS s (chunk_id, side)
      JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.id = s.chunk_id
      JOIN document_graph g ON g.workspace_id = c.workspace_id AND g.version_id = c.version_id AND g.state = 'live'
    ), name AS (
      SELECT DISTINCT stone.chunk_id, stone.document_id, e.id AS entity_id, e.document_count
      FROM stone
      JOIN mention m ON m.workspace_id = ${workspaceId} AND m.version_id = stone.version_id
        AND m.chunk_no = stone.chunk_no
      JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = ${rootOf(workspaceId, sql`m.entity_id`)}
      WHERE e.type = ANY (${LEADING}::text[]) AND e.document_count BETWEEN 2 AND ${most}
    ), landing AS (
      SELECT name.chunk_id AS "from", d.id AS document_id, m.version_id, m.chunk_no,
        bool_or(m.chunk_no = 0 AND m.start_at < char_length(d.title)) AS about, min(name.document_count) AS shared
      FROM name
      CROSS JOIN ${membersOf(workspaceId, sql`name.entity_id`)} AS member
      JOIN mention m ON m.workspace_id = ${workspaceId} AND m.entity_id = member.id
      JOIN document_graph g ON g.workspace_id = m.workspace_id AND g.version_id = m.version_id AND g.state = 'live'
      JOIN document d ON d.workspace_id = m.workspace_id AND d.version_id = m.version_id
      WHERE g.document_id <> name.document_id
        ${wanted.filter.scope === undefined ? empty : sql`AND ${inScope(workspaceId, wanted.filter.scope)}`}
      GROUP BY name.chunk_id, d.id, m.version_id, m.chunk_no
      ORDER BY about DESC, shared, m.version_id, m.chunk_no, name.chunk_id LIMIT ${limit}
    )
    SELECT l."from", c.id AS chunk_id, l.document_id, l.about, l.shared, -(c.lex <#> ${side}::sparsevec) AS score,
      -(c.lex <#> stone.side) AS rest
    FROM landing l
    JOIN stone ON stone.chunk_id = l."from"
    JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.version_id = l.version_id AND c.chunk_no = l.chunk_no`)
}
