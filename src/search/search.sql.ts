// Search as SQL: candidates, one exact score for each, and the passages that are shown (design/search.md, "Lexical").

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { inScope } from '../documents/scopes.sql.ts'
import type { SemanticQuery } from '../embed/embed.ts'
import { similarity } from '../embed/nearest.sql.ts'
import { mentioningEntities } from '../graph/graph.sql.ts'
import { membersOf, rootOf } from '../graph/resolve/members.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { inWorkspace, kept } from '../ports/db/kept.sql.ts'
import type { Passage } from './passage.ts'
import type { Phrase } from './query/phrases.ts'

export interface Filter {
  scope?: string
  entityIds?: readonly string[]
}

/** What a hit must be, as conditions on `document d` and `chunk c`, besides standing in the workspace. */
export interface Required {
  filter: Filter
  phrases: readonly Phrase[]
}

/**
 * The chunk, its heading or its title holds the phrase, letter case and spacing aside. Its words come first, by GIN; then
 * the text: 4,000 of 1 kB in 31 ms by a pattern, in 202 ms with their spacing made even.
 */
const holdsPhrase = ({ text, terms }: Phrase): Sql => {
  const holds = sql`concat_ws(' ', d.title, c.heading, c.text) ~* ${patternOf(text)}`
  if (terms.length === 0) return holds
  const words = terms.map((reading) => sql`c.terms @> ${[...reading]}::int[]`)
  return sql`(${join(words, ' OR ')}) AND ${holds}`
}

// What keyboards have one sign for, and word processors and typesetters several.
const APOSTROPHES = "['‘’ʼ′]"
const HYPHENS = '[-‐‑‒–−]'

/** The text as a regular expression, whatever its spacing, apostrophes and hyphens. */
const patternOf = (text: string): string =>
  text
    .replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
    .replace(new RegExp(APOSTROPHES, 'g'), APOSTROPHES)
    .replace(new RegExp(HYPHENS, 'g'), HYPHENS)
    .replaceAll(' ', '\\s+')

export const conditionsOf = (workspaceId: string, { filter, phrases }: Required): Sql[] => [
  sql`d.workspace_id = ${workspaceId}`,
  ...(filter.scope === undefined ? [] : [inScope(workspaceId, filter.scope)]),
  ...(filter.entityIds ? [mentioningEntities(workspaceId, filter.entityIds)] : []),
  ...phrases.map(holdsPhrase),
]

// 1,000 of 20,000 documents that all lie in the scope are read in 1 ms, all in 10 (embedded).
const MOST_COUNTED = 1000

/** Chunks of the documents in the scope; null where these are more than `MOST_COUNTED`. */
export async function countInside(db: Queryable, workspaceId: string, scope: string): Promise<number | null> {
  const [row] = await db.rows<{ documents: number; chunks: number }>(sql`
    SELECT count(*)::int AS documents, coalesce(sum(chunk_count), 0)::int AS chunks FROM (
      SELECT d.chunk_count FROM document d
      WHERE d.workspace_id = ${workspaceId} AND ${inScope(workspaceId, scope)} LIMIT ${MOST_COUNTED + 1}) d`)
  return row && row.documents <= MOST_COUNTED ? row.chunks : null
}

export interface Candidate {
  chunk_id: string
  document_id: string
  /** BM25 of the chunk. */
  score: number
  /** BM25 of its whole document; null when its terms were not gathered. */
  document_score: number | null
  /** Cosine with the query's vector; null without one. */
  similarity: number | null
}

/** Chunks that hold any of the terms, or all terms of any of the sets. */
export interface Holding {
  oneOf: readonly number[]
  allOf: readonly (readonly number[])[]
}

/**
 * `c`: the chunks that are scored, of documents `d`, and the distance of each. Candidates come in the order of their
 * distance and are asked for their document one by one, so that a limit ends it: 20,000 documents were joined whole for
 * a hundred, 15 of 24 ms.
 */
export function scoredChunks(
  workspaceId: string,
  { side, holding, isPhrased }: { side: string; holding: Holding | undefined; isPhrased: boolean },
): { from: Sql; distance: Sql } {
  const scored = sql`c.lex <#> ${side}::sparsevec`
  if (!holding) {
    const from = sql`document d JOIN visible_chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id`
    return { from, distance: scored }
  }
  const oneOf = holding.oneOf.length ? [...holding.oneOf] : null
  const allOf = holding.allOf.map((set) => `{${set.join()}}`)
  const held = sql`${workspaceId}, ${oneOf}::int[], ${allOf}::text[]`
  const document = sql`
    CROSS JOIN LATERAL (
      SELECT v.* FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = c.version_id OFFSET 0) d`
  if (!isPhrased) {
    const best = sql`SELECT * FROM chunks_scored(${held}, ${side}::sparsevec) ORDER BY distance, id`
    return { from: sql`(${best}) c ${document}`, distance: sql`c.distance` }
  }
  // Phrases are looked for in the text, which does not come along.
  const from = sql`chunks_holding(${held}) k
    JOIN visible_chunk c ON c.workspace_id = k.workspace_id AND c.version_id = k.version_id AND c.chunk_no = k.chunk_no
    ${document}`
  return { from, distance: scored }
}

/**
 * The best chunks by the exact score; `holding` narrows to some of them (by GIN, see
 * migrations/0024_scored_candidates.sql), without it every chunk is scored. The distance is computed once a row: a
 * condition on it, or its negative beside it, would double the time. Documents are scored once each.
 */
export const selectCandidates = (
  db: Queryable,
  workspaceId: string,
  wanted: Required & {
    side: string
    holding: Holding | undefined
    meaning: SemanticQuery | undefined
    /** How many there are in the workspace. */
    chunks: number
    limit: number
  },
): Promise<Candidate[]> => {
  const { side, holding, meaning, limit } = wanted
  const conditions = conditionsOf(workspaceId, wanted)
  const scored = scoredChunks(workspaceId, { side, holding, isPhrased: wanted.phrases.length > 0 })
  const statement = sql`
    WITH c AS MATERIALIZED (
      SELECT ${workspaceId}::uuid AS workspace_id, c.version_id, c.chunk_no, c.id AS chunk_id, d.id AS document_id,
        ${scored.distance} AS distance
      FROM ${scored.from}
      WHERE ${join(conditions, ' AND ')}
      ORDER BY distance, c.id
      LIMIT ${limit}
    ), whole AS MATERIALIZED (
      SELECT found.version_id, v.distance
      FROM (SELECT DISTINCT version_id FROM c WHERE distance < 0) found
      CROSS JOIN LATERAL (
        SELECT lex <#> ${side}::sparsevec AS distance FROM version
        WHERE workspace_id = ${workspaceId} AND id = found.version_id OFFSET 0) v
    )
    SELECT c.chunk_id, c.document_id, -c.distance AS score, -whole.distance AS document_score,
      ${meaning ? similarity(meaning) : sql`NULL::float8`} AS similarity
    FROM c JOIN whole ON whole.version_id = c.version_id
    WHERE c.distance < 0
    ORDER BY c.distance, c.chunk_id`
  // A function brings its chunks, however large the workspace is; how all of them are read best depends on that.
  const isHeld = holding !== undefined && conditions.length === 1
  return db.rows(isHeld ? kept(statement, wanted.chunks) : statement)
}

// What stands in more chunks than this is no name.
const MOST_HOLDING = 1000

/** Chunks that hold the text as whole words, letter case aside; as it was typed counts three times. */
export const selectHolding = (
  db: Queryable,
  workspaceId: string,
  wanted: Required & { text: string; limit: number },
): Promise<Candidate[]> => {
  const pattern = `(?<![[:alnum:]])${patternOf(wanted.text)}(?![[:alnum:]])`
  return db.rows(sql`
    SELECT chunk_id, document_id, times / (times + 3.0) AS score, NULL::float8 AS document_score,
      NULL::float8 AS similarity
    FROM (
      SELECT chunk_id, document_id,
        (2 * regexp_count(whole, ${pattern}) + regexp_count(whole, ${pattern}, 1, 'i'))::float8 AS times
      FROM (
        SELECT c.id AS chunk_id, d.id AS document_id, concat_ws(' ', d.title, c.heading, c.text) AS whole
        FROM document d
        JOIN visible_chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
        WHERE ${join(conditionsOf(workspaceId, wanted), ' AND ')}
      ) every_chunk
      WHERE whole ~* ${pattern} ORDER BY chunk_id LIMIT ${MOST_HOLDING}
    ) holding
    ORDER BY score DESC, chunk_id LIMIT ${wanted.limit}`)
}

export type Hit = Omit<Passage, 'score'> & { terms: number[] }

/**
 * Whole passages of live chunks, in no order; ids of what was replaced or deleted meanwhile are left out. Their terms
 * come as bytes: 15 times 340 numbers took 2 ms to read as text.
 */
export const selectPassages = async (
  db: Queryable,
  workspaceId: string,
  chunkIds: readonly string[],
  chunks: number,
): Promise<Hit[]> => {
  const rows = await db.rows<Omit<Hit, 'terms'> & { terms: Buffer }>(
    kept(
      sql`
    SELECT c.id AS chunk_id, d.id AS document_id, d.title AS document_title, c.chunk_no, c.type, c.text, c.heading,
      c.page, c.language, array_send(c.terms) AS terms
    FROM unnest(${[...chunkIds]}::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT v.* FROM visible_chunk v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.id = wanted.id OFFSET 0) c
    CROSS JOIN LATERAL (
      SELECT v.id, v.title FROM visible_document v
      WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = c.version_id OFFSET 0) d`,
      chunks,
    ),
  )
  return rows.map((row) => ({ ...row, terms: numbersIn(row.terms) }))
}

// PostgreSQL's binary array: 20 bytes of head (12 when it is empty), then length and value of each.
const HEAD = 20
const ELEMENT = 8

function numbersIn(array: Buffer): number[] {
  const count = Math.max(0, (array.length - HEAD) / ELEMENT)
  return Array.from({ length: count }, (_, i) => array.readInt32BE(HEAD + i * ELEMENT + 4))
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
