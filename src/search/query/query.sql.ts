// Reads from a workspace what the parsing of a query needs: its languages, exact document frequencies, and words of similar
// spelling.

import sql, { empty, type Sql } from 'sql-template-tag'
import { scopeExists } from '../../documents/scopes.sql.ts'
import { type Space, servingSpace } from '../../embed/spaces.sql.ts'
import { SPARSE_DIMENSIONS } from '../../index/weights.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace, prepared } from '../../ports/db/prepared.sql.ts'
import { changeCount } from '../memory/ranking.sql.ts'
import { type SubjectRow, subjectsOf } from '../subject.sql.ts'
import type { KnownWord, WordBounds } from './spelling.ts'

/** A language of the workspace, and how many chunks and documents are in it. */
export interface LanguageCount {
  language: Language
  chunks: number
  documents: number
}

/** How many of the sampled chunks of a language have a term. */
interface TermInLanguage {
  term: number
  language: Language
  chunks: number
}

export interface QueryContext {
  /** The workspace's languages, most chunks first; empty for an empty workspace. */
  spoken: LanguageCount[]
  /** The vector space in which the workspace is searched. Null if it is searched by words alone. */
  space: Space | null
  /** Whether the workspace has the scope of the query. True if the query has none. */
  is_scope: boolean
  /** How often the workspace's documents have changed. */
  changes: string
  /**
   * The number of chunks of all workspaces in the table (on Citus: in the workspace's shard), as the planner last counted them. 0
   * if they were not counted yet.
   */
  all_chunks: number
}

/** Terms whose frequencies are looked up. */
interface Lookup {
  /** Chunks of the workspace. */
  chunks: number
  terms: readonly number[]
  /** For each of `terms`, whether it is a pair of words. Pairs are counted in a sample of the chunks. */
  pairs: readonly boolean[]
}

/**
 * The terms that the query most likely has, and the terms by which it may name documents (`subjects`). If `subjects` is
 * undefined, no documents are read.
 */
export interface Expected extends Lookup {
  subjects: readonly number[] | undefined
}

/**
 * Reads the properties of the workspace on which the terms of a query depend. `expected`: the terms that the query most likely
 * has, which are looked up in the same round trip.
 */
export async function selectQueryContext(
  db: Queryable,
  workspaceId: string,
  scope: string | undefined,
  expected?: Expected,
): Promise<{ context: QueryContext; frequencies: Frequency[]; subjects: SubjectRow[] | undefined }> {
  const contextQuery = sql`
    SELECT (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT language, chunks, documents FROM workspace_language
        WHERE workspace_id = ${workspaceId} AND chunks > 0 ORDER BY 2 DESC, 1) s) AS spoken,
      (SELECT to_json(s) FROM (${servingSpace(workspaceId)}) s) AS space,
      ${scope === undefined ? sql`true` : scopeExists(workspaceId, scope)} AS is_scope,
      ${changeCount(workspaceId)} AS changes,
      chunks_beside(${workspaceId}) AS all_chunks`
  const subjectTerms = expected?.subjects
  const statement = expected
    ? sql`
    SELECT a.*, NULL::int AS term, NULL::int AS df,
      NULL::uuid AS document_id, NULL::real AS weight, NULL::text AS dated FROM (${contextQuery}) a
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, f.*, NULL, NULL, NULL FROM (${frequenciesOf(workspaceId, expected)}) f
    ${
      subjectTerms?.length
        ? sql`UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, s.term, NULL, s.document_id, s.weight, s.dated
    FROM (${subjectsOf(workspaceId, subjectTerms)}) s`
        : empty
    }`
    : contextQuery
  const rows = await db.rows<QueryContext | Frequency | SubjectRow>(prepared(statement, expected?.chunks))
  const isTerm = (row: QueryContext | Frequency | SubjectRow): row is Frequency | SubjectRow =>
    'term' in row && row.term !== null
  const isSubject = (row: Frequency | SubjectRow): row is SubjectRow =>
    'document_id' in row && row.document_id !== null
  const context = rows.find((row): row is QueryContext => !isTerm(row))
  const terms = rows.filter(isTerm)
  const emptyContext = {
    spoken: [],
    space: null,
    is_scope: scope === undefined,
    changes: '',
    all_chunks: 0,
  }
  return {
    context: context ?? emptyContext,
    frequencies: terms.filter((row): row is Frequency => !isSubject(row)),
    subjects: subjectTerms && terms.filter(isSubject),
  }
}

export interface Frequency {
  term: number
  df: number
}

/**
 * How many live chunks have each term. The table term_stat has the counts of folded chunks. Chunks of live versions that are
 * not yet folded are added, and chunks of retired versions that are still counted are subtracted. So the number is always exact.
 *
 * Why the statement has this form:
 * - Whether a chunk has a term is read from its weights, which are stored in the row itself: 3 ms for 900 chunks and 10 terms,
 * where reading the list of terms took 15 to 50 ms.
 * - Each term is converted to a vector once (`one`). Converting it for each chunk took five times as long.
 * - Lateral joins look up term by term and version by version. With an ordinary join, the cached plan read large workspaces
 * completely.
 * - The list of terms is in a subselect, which hides its length from the planner. Otherwise the planner would make a new plan
 * for each shorter list, because that looks cheaper than the cached plan.
 */
export const selectFrequencies = (db: Queryable, workspaceId: string, lookup: Lookup): Promise<Frequency[]> =>
  db.rows(prepared(frequenciesOf(workspaceId, lookup), lookup.chunks))

const frequenciesOf = (workspaceId: string, { terms, pairs }: Lookup): Sql => sql`
    WITH q AS MATERIALIZED (
      SELECT term, pair, format('{%s:1}/%s', term, ${SPARSE_DIMENSIONS}::int)::sparsevec AS one
      FROM unnest((SELECT ${[...terms]}::int[]), (SELECT ${[...pairs]}::boolean[])) AS asked (term, pair)
    ),
    pending AS MATERIALIZED (
      SELECT q.term, sum(CASE v.state WHEN 'live' THEN 1 ELSE -1 END * CASE WHEN q.pair THEN c.pairs ELSE 1 END)::int AS df
      FROM version v
      CROSS JOIN LATERAL (
        SELECT c.lex, c.pairs FROM visible_chunk c
        WHERE ${inWorkspace(sql`c.workspace_id`, workspaceId)} AND c.version_id = v.id
          AND CASE v.state WHEN 'live' THEN c.chunk_no >= v.folded ELSE c.chunk_no < v.folded END
        OFFSET 0) c
      JOIN q ON c.lex <#> q.one < 0
      WHERE v.workspace_id = ${workspaceId} AND NOT v.settled
        AND (v.state = 'live' OR v.state = 'retired' AND v.folded > 0)
      GROUP BY q.term
    )
    SELECT q.term, (coalesce(s.df, 0) + coalesce((SELECT p.df FROM pending p WHERE p.term = q.term), 0))::int AS df
    FROM q
    LEFT JOIN LATERAL (
      SELECT df FROM term_stat WHERE workspace_id = ${workspaceId} AND term = q.term OFFSET 0) s ON true`

// If more words begin or end like the typed word, the most frequent ones are taken. A large vocabulary has about this many.
const MAX_SIMILAR_WORDS = 5000

/**
 * Single words that begin or end like one of the typed words and that `spellingGuesses` may accept. `at` is the index of the
 * typed word. About 1,100 words begin or end like a typed word. The last two conditions of `isSimilarWord` reduce them to 220
 * (321 typos in three collections), and exclude no word that `spellingGuesses` accepts:
 * - An accepted word is at most `edits` edits from the typed word or its stem. Each letter of the word that neither of them has
 * is an edit. The last letter is not counted, because it may change with the ending (carri, carry).
 * - An accepted word is at most `edits` + 1 edits from some beginning of the typed word (`isNear`). If the word has n letters,
 * each of the first n typed letters that it does not have is an edit.
 */
export const selectSimilarWords = (
  db: Queryable,
  workspaceId: string,
  bounds: readonly WordBounds[],
): Promise<(KnownWord & { at: number })[]> =>
  db.rows(sql`
    WITH w AS (
      SELECT ordinality::int - 1 AS at, start, reverse(ending) AS ending, typed, letters, edits, length
      FROM unnest(${bounds.map((w) => w.start)}::text[], ${bounds.map((w) => w.end)}::text[],
        ${bounds.map((w) => w.typed)}::text[], ${bounds.map((w) => w.letters)}::text[],
        ${bounds.map((w) => w.edits)}::int[], ${bounds.map((w) => w.length)}::int[])
        WITH ORDINALITY AS w (start, ending, typed, letters, edits, length)
    )
    SELECT w.at, s.word, s.df FROM w CROSS JOIN LATERAL (
      (SELECT t.word, t.df FROM visible_term_stat t
       WHERE t.workspace_id = ${workspaceId} AND t.word COLLATE "C" >= w.start
         AND t.word COLLATE "C" < w.start || chr(1114111) AND ${isSimilarWord}
       ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MAX_SIMILAR_WORDS})
      UNION
      (SELECT t.word, t.df FROM visible_term_stat t
       WHERE t.workspace_id = ${workspaceId} AND reverse(t.word) COLLATE "C" >= w.ending
         AND reverse(t.word) COLLATE "C" < w.ending || chr(1114111) AND ${isSimilarWord}
       ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MAX_SIMILAR_WORDS})
    ) s`)

const isSimilarWord = sql`
  strpos(t.word, ' ') = 0 AND char_length(t.word) >= 3
  AND char_length(t.word) <= w.length + w.edits AND t.df > 0
  AND char_length(translate(left(t.word, -1), w.letters, '')) <= w.edits
  AND char_length(translate(left(w.typed, char_length(t.word)), t.word, '')) <= w.edits + 1`

// Only the most frequent of the words with the same beginning or ending are read. With two or three letters begin thousands of words,
// of which a compound may be one of the rarest.
const MAX_COMPOUND_WORDS = 40
const MAX_WORDS_WITH_SHORT_BEGINNING = 5000

/** A word of the workspace that is longer than one of the given parts, and begins or ends with it. */
interface WordWithPart extends KnownWord {
  part: string
  isFirst: boolean
}

/** Parts of words. After one of `shortFirsts` there are at least `minHeadLength` more letters. */
interface WordParts {
  heads: readonly string[]
  firsts: readonly string[]
  shortFirsts: readonly string[]
  minHeadLength: number
}

/** Single words of the workspace that end with one of `heads`, and those that begin with one of `firsts` or `shortFirsts`. */
export const selectWordsWithParts = (
  db: Queryable,
  workspaceId: string,
  { heads, firsts, shortFirsts, minHeadLength }: WordParts,
): Promise<WordWithPart[]> =>
  db.rows(sql`
    SELECT w.part, false AS "isFirst", s.word, s.df
    FROM (SELECT part, reverse(part) AS ending FROM unnest(${[...heads]}::text[]) AS w (part)) w
    CROSS JOIN LATERAL (
      SELECT t.word, t.df FROM visible_term_stat t
      WHERE t.workspace_id = ${workspaceId} AND strpos(t.word, ' ') = 0 AND char_length(t.word) >= 3
        AND reverse(t.word) COLLATE "C" > w.ending AND reverse(t.word) COLLATE "C" < w.ending || chr(1114111)
        AND t.df > 0
      ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${MAX_COMPOUND_WORDS}
    ) s
    UNION ALL ${selectWordsAfter(workspaceId, firsts, { minHeadLength: 0, limit: MAX_COMPOUND_WORDS })}
    UNION ALL ${selectWordsAfter(workspaceId, shortFirsts, { minHeadLength, limit: MAX_WORDS_WITH_SHORT_BEGINNING })}`)

const selectWordsAfter = (
  workspaceId: string,
  firsts: readonly string[],
  { minHeadLength, limit }: { minHeadLength: number; limit: number },
): Sql => sql`
    SELECT w.part, true, s.word, s.df
    FROM unnest(${[...firsts]}::text[]) AS w (part)
    CROSS JOIN LATERAL (
      SELECT t.word, t.df FROM visible_term_stat t
      WHERE t.workspace_id = ${workspaceId} AND strpos(t.word, ' ') = 0 AND char_length(t.word) >= 3
        AND t.word COLLATE "C" > w.part AND t.word COLLATE "C" < w.part || chr(1114111)
        AND char_length(t.word) >= char_length(w.part) + ${minHeadLength}::int AND t.df > 0
      ORDER BY t.df DESC, t.word COLLATE "C" LIMIT ${limit}
    ) s`

// The chunks of a more common word are not read. Reading this many chunks by the GIN index takes about 3 ms.
const MAX_CHUNKS_WITH_TERM = 1000
// The number of chunks by which the language of a word is decided. Any chunks with the word are taken, because an order would
// require reading all of them.
const SAMPLE_CHUNKS = 20
// The cost of a chunk by GIN relative to a chunk of a scan (narrow.ts).
const GIN_COST = 4

/** The languages of chunks that have `t.term`, found by the index, or by scanning if that is cheaper. */
const languagesOfChunksWithTerm = (workspaceId: string, isScanned: boolean): Sql =>
  isScanned
    ? sql`SELECT x.language FROM visible_chunk x WHERE x.workspace_id = ${workspaceId} AND x.lex <#> t.one < 0`
    : sql`
      SELECT v.language FROM chunks_holding(${workspaceId}, ARRAY[t.term], NULL) k
      CROSS JOIN LATERAL (
        SELECT x.language FROM visible_chunk x
        WHERE x.workspace_id = ${workspaceId} AND x.version_id = k.version_id AND x.chunk_no = k.chunk_no
        OFFSET 0) v`

/**
 * The languages of chunks that have a term. Terms in more than MAX_CHUNKS_WITH_TERM chunks are left out. The chunks of a small
 * workspace are scanned, because the index covers all workspaces: a term that is rare in this one may be frequent in others.
 */
export const selectLanguagesOf = (
  db: Queryable,
  workspaceId: string,
  terms: readonly number[],
  { chunks, share }: { chunks: number; share: number },
): Promise<TermInLanguage[]> =>
  db.rows(sql`
    SELECT t.term, c.language, count(*)::int AS chunks
    FROM (
      SELECT asked.term, format('{%s:1}/%s', asked.term, ${SPARSE_DIMENSIONS}::int)::sparsevec AS one
      FROM unnest(${[...terms]}::int[]) AS asked (term)
      WHERE (SELECT s.df FROM term_stat s WHERE s.workspace_id = ${workspaceId} AND s.term = asked.term)
        BETWEEN 1 AND ${MAX_CHUNKS_WITH_TERM}
      OFFSET 0) t
    CROSS JOIN LATERAL (
      ${languagesOfChunksWithTerm(workspaceId, (MAX_CHUNKS_WITH_TERM / share) * GIN_COST > chunks)} LIMIT ${SAMPLE_CHUNKS}) c
    GROUP BY 1, 2`)
