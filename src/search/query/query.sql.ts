// What the workspace knows of a query's words: its languages, fresh document frequencies, words spelled alike.

import sql, { empty, type Sql } from 'sql-template-tag'
import { roleIn } from '../../auth/access.sql.ts'
import type { Role } from '../../auth/caller.ts'
import { scopeIn } from '../../documents/scopes.sql.ts'
import { basisOf } from '../../embed/basis.sql.ts'
import { type Space, servingSpace } from '../../embed/spaces.sql.ts'
import { SPARSE_DIMENSIONS } from '../../index/weights.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace, kept } from '../../ports/db/kept.sql.ts'
import type { Bounds, KnownWord } from './spelling.ts'

/** A language of the workspace: how much is in it. */
export interface Spoken {
  language: Language
  chunks: number
  documents: number
}

/** In how many of the chunks looked at a term stands in a language. */
export interface SpokenTerm {
  term: number
  language: Language
  chunks: number
}

export interface Surroundings {
  /** Of who asks; null: none. */
  role: Role | null

  /** The workspace's languages, most chunks first; empty when it holds nothing. */
  spoken: Spoken[]
  /** The space it is searched in; null: by words alone. */
  space: Space | null
  /** Whether the scope is one of it; true without one. */
  is_scope: boolean
  /** Chunks of all workspaces, as the planner last counted them; 0: never yet. */
  all_chunks: number
}

/** Terms that are looked up, and the LSA space whose rows of them are read along. */
export interface Lookup {
  /** How many there are in the workspace. */
  chunks: number
  terms: readonly number[]
  basis: number | undefined
}

/**
 * Whether somebody may read the workspace, and what has to be known before a query's words can be read; `expected`: the
 * terms that it will most likely be read as, looked up in the same round trip.
 */
export async function selectSurroundings(
  db: Queryable,
  workspaceId: string,
  asking: { userId: string; scope: string | undefined },
  expected?: Lookup,
): Promise<{ surroundings: Surroundings; frequencies: Frequency[] }> {
  const { userId, scope } = asking
  const around = sql`
    SELECT ${roleIn(workspaceId, userId)} AS role,
      (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT language, chunks, documents FROM workspace_language
        WHERE workspace_id = ${workspaceId} AND chunks > 0 ORDER BY 2 DESC, 1) s) AS spoken,
      (SELECT to_json(s) FROM (${servingSpace(workspaceId)}) s) AS space,
      ${scope === undefined ? sql`true` : scopeIn(workspaceId, scope)} AS is_scope,
      (SELECT greatest(reltuples, 0)::int FROM pg_class WHERE oid = 'chunk'::regclass) AS all_chunks`
  const statement = expected
    ? sql`
    SELECT a.*, NULL::int AS term, NULL::int AS df, NULL::real AS scale, NULL::bytea AS v FROM (${around}) a
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, f.* FROM (${frequenciesOf(workspaceId, expected)}) f`
    : around
  const rows = await db.rows<Surroundings | Frequency>(kept(statement, expected?.chunks))
  const isFrequency = (row: Surroundings | Frequency): row is Frequency => 'term' in row && row.term !== null
  const surroundings = rows.find((row): row is Surroundings => !isFrequency(row))
  const none = { role: null, spoken: [], space: null, is_scope: scope === undefined, all_chunks: 0 }
  return { surroundings: surroundings ?? none, frequencies: rows.filter(isFrequency) }
}

export interface Frequency {
  term: number
  df: number
  /** The term's row in the basis of an LSA space; null without one. */
  scale: number | null
  v: Buffer | null
}

/**
 * In how many live chunks each term stands. term_stat holds what is folded; versions still being folded add what is
 * missing, retired ones take away what is still counted, so that the figure is exact at every moment. Whether a chunk
 * holds a term is read from its weights, which stand in its row: 900 chunks and 10 terms 3 ms, from the list of terms 15
 * where that stands in the row and 50 where it does not.
 * The term as a vector is made once a term: once a chunk and term it took 1,000 chunks and 39 terms from 30 to 153 ms
 * (embedded engine, busy machine).
 * Looked up term by term and version by version, whatever the planner takes them for: joined, one plan for all values
 * read large workspaces whole. The list stands in a subselect, which hides its length: for each shorter one a plan of its
 * own looked cheaper than the kept one, and was made.
 */
export const selectFrequencies = (db: Queryable, workspaceId: string, lookup: Lookup): Promise<Frequency[]> =>
  db.rows(kept(frequenciesOf(workspaceId, lookup), lookup.chunks))

const frequenciesOf = (workspaceId: string, { terms, basis }: Lookup): Sql => sql`
    WITH q AS MATERIALIZED (
      SELECT term, format('{%s:1}/%s', term, ${SPARSE_DIMENSIONS}::int)::sparsevec AS one
      FROM unnest((SELECT ${[...terms]}::int[])) AS term
    ),
    pending AS MATERIALIZED (
      SELECT q.term, sum(CASE v.state WHEN 'live' THEN 1 ELSE -1 END)::int AS df
      FROM version v
      CROSS JOIN LATERAL (
        SELECT c.lex FROM visible_chunk c
        WHERE ${inWorkspace(sql`c.workspace_id`, workspaceId)} AND c.version_id = v.id
          AND CASE v.state WHEN 'live' THEN c.chunk_no >= v.folded ELSE c.chunk_no < v.folded END
        OFFSET 0) c
      JOIN q ON c.lex <#> q.one < 0
      WHERE v.workspace_id = ${workspaceId} AND NOT v.settled
        AND (v.state = 'live' OR v.state = 'retired' AND v.folded > 0)
      GROUP BY q.term
    )
    SELECT q.term, (coalesce(s.df, 0) + coalesce((SELECT p.df FROM pending p WHERE p.term = q.term), 0))::int AS df,
      ${basis === undefined ? sql`NULL::real AS scale, NULL::bytea AS v` : sql`b.scale, b.v`}
    FROM q
    ${basis === undefined ? empty : basisOf(workspaceId, basis)}
    LEFT JOIN LATERAL (
      SELECT df FROM term_stat WHERE workspace_id = ${workspaceId} AND term = q.term OFFSET 0) s ON true`

// So many words with the same first letters there are in a large vocabulary; of more the most frequent are looked at.
const MOST_SIMILAR = 5000

/**
 * Single words that begin or end alike and that `guesses` may take; `at` is the word's place. Of 1,100 of them, at worst
 * 7,900, the last two conditions leave 220 and 960 (words of three collections, 321 typos). No guess is lost by them:
 * - A word is taken where it, with an ending behind it, is at most `edits` from what was typed, or where it is from the
 *   stem of that: each of its letters that neither of both has is an edit. Its last one aside, which changes with the
 *   ending: carri is carry, hoping belongs to hope.
 * - It is at most `edits` + 1 from some beginning of what was typed (`isNear`). Of its n letters k are kept there. Where
 *   the beginning is no longer than n, all k stand among the n first that were typed, and n - k edits are what else is
 *   there; where it is longer, the n first are part of it, and each that the word has not is an edit.
 */
export const selectSimilarWords = (
  db: Queryable,
  workspaceId: string,
  wanted: readonly Bounds[],
): Promise<(KnownWord & { at: number })[]> =>
  db.rows(sql`
    WITH w AS (
      SELECT ordinality::int - 1 AS at, start, reverse(ending) AS ending, typed, letters, edits, length
      FROM unnest(${wanted.map((w) => w.start)}::text[], ${wanted.map((w) => w.end)}::text[],
        ${wanted.map((w) => w.typed)}::text[], ${wanted.map((w) => w.letters)}::text[],
        ${wanted.map((w) => w.edits)}::int[], ${wanted.map((w) => w.length)}::int[])
        WITH ORDINALITY AS w (start, ending, typed, letters, edits, length)
    )
    SELECT w.at, s.word, s.df FROM w CROSS JOIN LATERAL (
      (SELECT t.word, t.df FROM visible_term_stat t
       WHERE t.workspace_id = ${workspaceId} AND t.word COLLATE "C" >= w.start
         AND t.word COLLATE "C" < w.start || chr(1114111) AND ${isAlike}
       ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MOST_SIMILAR})
      UNION
      (SELECT t.word, t.df FROM visible_term_stat t
       WHERE t.workspace_id = ${workspaceId} AND reverse(t.word) COLLATE "C" >= w.ending
         AND reverse(t.word) COLLATE "C" < w.ending || chr(1114111) AND ${isAlike}
       ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MOST_SIMILAR})
    ) s`)

const isAlike = sql`
  strpos(t.word, ' ') = 0 AND char_length(t.word) >= 3
  AND char_length(t.word) <= w.length + w.edits AND t.df > 0
  AND char_length(translate(left(t.word, -1), w.letters, '')) <= w.edits
  AND char_length(translate(left(w.typed, char_length(t.word)), t.word, '')) <= w.edits + 1`

// So many that end alike are looked at, the most frequent ones.
const MOST_ENDING = 40

/** Single words of the workspace that end with one of these and are longer; `at` is its place. */
export const selectEndingWords = (
  db: Queryable,
  workspaceId: string,
  endings: readonly string[],
): Promise<(KnownWord & { at: number })[]> =>
  db.rows(sql`
    SELECT w.at, s.word, s.df
    FROM (SELECT ordinality::int - 1 AS at, reverse(ending) AS ending
      FROM unnest(${[...endings]}::text[]) WITH ORDINALITY AS w (ending, ordinality)) w
    CROSS JOIN LATERAL (
      SELECT t.word, t.df FROM visible_term_stat t
      WHERE t.workspace_id = ${workspaceId} AND strpos(t.word, ' ') = 0 AND char_length(t.word) >= 3
        AND reverse(t.word) COLLATE "C" > w.ending AND reverse(t.word) COLLATE "C" < w.ending || chr(1114111)
        AND t.df > 0
      ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MOST_ENDING}
    ) s`)

// What stands in more chunks is no word of a few documents; reading so many by GIN takes some 3 ms.
const MOST_SPOKEN = 1000
// As many tell in what language a word is, whichever are found first: in an order all of them would be read.
const SPOKEN_SAMPLE = 20
// What a chunk by GIN costs in chunks of a scan (narrow.ts).
const LOOK = 4

/** Chunks that hold `t.term`: looked up, or where that is dear compared one by one. */
const holders = (workspaceId: string, isDear: boolean): Sql =>
  isDear
    ? sql`SELECT x.language FROM visible_chunk x WHERE x.workspace_id = ${workspaceId} AND x.lex <#> t.one < 0`
    : sql`
      SELECT v.language FROM chunks_holding(${workspaceId}, ARRAY[t.term], NULL) k
      CROSS JOIN LATERAL (
        SELECT x.language FROM visible_chunk x
        WHERE x.workspace_id = k.workspace_id AND x.version_id = k.version_id AND x.chunk_no = k.chunk_no
        OFFSET 0) v`

/**
 * In what languages the chunks are that hold a term; none for one that many hold. The index holds all workspaces, and what
 * is rare in a small one may stand in a tenth of the others' chunks: there its own are looked through.
 */
export const selectLanguagesOf = (
  db: Queryable,
  workspaceId: string,
  terms: readonly number[],
  { chunks, share }: { chunks: number; share: number },
): Promise<SpokenTerm[]> =>
  db.rows(sql`
    SELECT t.term, c.language, count(*)::int AS chunks
    FROM (
      SELECT asked.term, format('{%s:1}/%s', asked.term, ${SPARSE_DIMENSIONS}::int)::sparsevec AS one
      FROM unnest(${[...terms]}::int[]) AS asked (term)
      WHERE (SELECT s.df FROM term_stat s WHERE s.workspace_id = ${workspaceId} AND s.term = asked.term)
        BETWEEN 1 AND ${MOST_SPOKEN}
      OFFSET 0) t
    CROSS JOIN LATERAL (${holders(workspaceId, (MOST_SPOKEN / share) * LOOK > chunks)} LIMIT ${SPOKEN_SAMPLE}) c
    GROUP BY 1, 2`)
