// Filters of a search: a scope, properties of documents, entities, quoted phrases. If candidates are found by their terms, the
// filter becomes conditions on them. If all chunks that pass the filter are read, it becomes the FROM clause of the statement.

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { isInFolder } from '../../documents/folders.sql.ts'
import { documentsInScope, isInScope } from '../../documents/scopes.sql.ts'
import {
  chunkMentionsEntity,
  isAmongMentioningChunks,
  mentionCount,
  mentioningChunks,
} from '../../graph/graph.sql.ts'
import { int4sOf } from '../../ports/db/binary.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { inWorkspace } from '../../ports/db/prepared.sql.ts'
import type { RankedChunk, RankingLimits } from '../memory/ranking.ts'
import type { Phrase } from '../query/phrases.ts'
import { containsPhrase } from './phrase.sql.ts'

export interface Filter {
  scope?: string
  entityIds?: readonly string[]
  /** The ids of the documents that are searched. */
  documents?: readonly string[]
  properties?: DocumentProperties
}

/** Properties of documents, all of which a document must have. */
export interface DocumentProperties {
  kind?: string | undefined
  /** The beginning of the path: this folder and those in it, without a slash at either end. */
  folder?: string | undefined
  /** The first and the last day (UTC) on which the file was uploaded, as 2026-03-31. */
  since?: string | undefined
  until?: string | undefined
}

/** The conditions that every result must meet. */
export interface ResultConditions {
  filter: Filter
  phrases: readonly Phrase[]
}

/** The filter's conditions on `document d`. */
export const documentConditions = (workspaceId: string, { scope, documents, properties }: Filter): Sql[] => [
  ...(scope === undefined ? [] : [isInScope(workspaceId, scope)]),
  ...(documents ? [sql`d.id = ANY (${[...documents]}::uuid[])`] : []),
  ...propertyConditions(properties),
]

const propertyConditions = ({ kind, folder, since, until }: DocumentProperties = {}): Sql[] => [
  ...(kind === undefined ? [] : [sql`d.kind = ${kind}`]),
  ...(folder === undefined ? [] : [isInFolder(folder)]),
  ...(since === undefined ? [] : [sql`d.uploaded_at >= ${`${since}T00:00:00Z`}::timestamptz`]),
  ...(until === undefined
    ? []
    : [sql`d.uploaded_at < ${`${until}T00:00:00Z`}::timestamptz + interval '24 hours'`]),
]

/** The documents that are in the scope and have the properties. Undefined if the filter has neither. */
function documentsMatching(workspaceId: string, { scope, properties }: Filter): Sql | undefined {
  const conditions = propertyConditions(properties)
  if (scope === undefined && conditions.length === 0) return undefined
  const documents =
    scope === undefined
      ? sql`SELECT d.* FROM visible_document d WHERE d.workspace_id = ${workspaceId}`
      : documentsInScope(workspaceId, scope)
  return conditions.length === 0 ? documents : sql`SELECT d.* FROM (${documents}) d ${where(conditions)}`
}

/**
 * The conditions on `document d` and `chunk c`. @param mentionCondition the condition for entities: `chunkMentionsEntity`
 * checks chunk by chunk, for a few candidates; `isAmongMentioningChunks` is faster for a statement that reads all chunks
 */
export const conditionsOf = (
  workspaceId: string,
  { filter, phrases }: ResultConditions,
  mentionCondition = chunkMentionsEntity,
): Sql[] => [
  sql`d.workspace_id = ${workspaceId}`,
  ...documentConditions(workspaceId, filter),
  ...(filter.entityIds ? [mentionCondition(workspaceId, filter.entityIds)] : []),
  ...phrases.map(containsPhrase),
]

/** As `conditionsOf`, for a statement that reads all chunks of the workspace. */
export const conditionsOnAll = (workspaceId: string, required: ResultConditions): Sql[] =>
  conditionsOf(workspaceId, required, isAmongMentioningChunks)

/** A FROM clause that yields `document d` with its `chunk c`, and the conditions that are still to be checked on them. */
export interface ChunkSource {
  from: Sql
  conditions: Sql[]
}

export const where = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`WHERE ${join([...conditions], ' AND ')}` : empty

/**
 * The source of all chunks that pass a filter. It starts from the entities or documents of the filter and looks up the chunks of
 * each with a lateral join. With an ordinary join the planner assumes that a scope has half of all documents, and reads every
 * chunk of the workspace.
 */
export function sourceOfAllChunks(workspaceId: string, { filter, phrases }: ResultConditions): ChunkSource {
  const { entityIds, documents } = filter
  const phraseConditions = phrases.map(containsPhrase)
  const allConditions = [...documentConditions(workspaceId, filter), ...phraseConditions]
  if (entityIds) return { from: chunksMentioning(workspaceId, entityIds), conditions: allConditions }
  // The condition by which the documents were found is not checked again.
  const matching = documentsMatching(workspaceId, filter)
  if (matching) {
    const { scope: _, properties: __, ...others } = filter
    const conditions = [...documentConditions(workspaceId, others), ...phraseConditions]
    return { from: chunksOf(workspaceId, matching), conditions }
  }
  if (documents) {
    const { documents: _, ...others } = filter
    const conditions = [...documentConditions(workspaceId, others), ...phraseConditions]
    return { from: chunksOf(workspaceId, documentsById(workspaceId, documents)), conditions }
  }
  return {
    from: sql`document d JOIN visible_chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id`,
    conditions: [sql`d.workspace_id = ${workspaceId}`, ...allConditions],
  }
}

const documentsById = (workspaceId: string, documents: readonly string[]): Sql => sql`
  SELECT v.* FROM unnest(${[...documents]}::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT v.* FROM visible_document v
    WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.id = wanted.id OFFSET 0) v`

const chunksOf = (workspaceId: string, documents: Sql): Sql => sql`
  (${documents}) d
  CROSS JOIN LATERAL (
    SELECT v.* FROM visible_chunk v
    WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = d.version_id OFFSET 0) c`

const chunksMentioning = (workspaceId: string, entityIds: readonly string[]): Sql => sql`
  (${mentioningChunks(workspaceId, entityIds)}) m
  CROSS JOIN LATERAL (
    SELECT v.* FROM visible_document v
    WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = m.version_id OFFSET 0) d
  CROSS JOIN LATERAL (
    SELECT v.* FROM visible_chunk v
    WHERE ${inWorkspace(sql`v.workspace_id`, workspaceId)} AND v.version_id = m.version_id
      AND v.chunk_no = ANY (m.chunk_nos) OFFSET 0) c`

// The chunks of up to this many documents are counted.
const MAX_COUNTED_DOCUMENTS = 200
// For more documents, their share of the chunks is estimated from this many documents of the workspace.
const SAMPLE_DOCUMENTS = 1000

/**
 * Estimates how many of the workspace's `chunks` pass a filter. The estimate decides only how the workspace is searched. If only
 * a few documents pass, or the filter has entities, chunks are counted.
 */
export async function countMatchingChunks(
  db: Queryable,
  workspaceId: string,
  filter: Filter,
  chunks: number,
): Promise<number> {
  const { entityIds, documents } = filter
  const matching = documentsMatching(workspaceId, filter)
  if (documents && !matching && !entityIds) {
    const [sumRow] = await db.rows<{ inside: number }>(sql`
      SELECT coalesce(sum(d.chunk_count), 0)::int AS inside FROM (${documentsById(workspaceId, documents)}) d`)
    return Math.min(chunks, sumRow?.inside ?? 0)
  }
  const [row] = await db.rows<{ inside: number | null; share: number | null; mentions: number | null }>(sql`
    SELECT ${entityIds ? mentionCount(workspaceId, entityIds) : sql`NULL::int`} AS mentions,
      CASE WHEN s.documents <= ${MAX_COUNTED_DOCUMENTS} THEN s.chunks END AS inside,
      CASE WHEN s.documents > ${MAX_COUNTED_DOCUMENTS} THEN ${matching ? shareOfSample(workspaceId, filter) : sql`1`} END AS share
    FROM (${matching ? firstCounts(matching) : sql`SELECT NULL::int AS documents, NULL::int AS chunks`}) s`)
  const { inside, share, mentions } = row ?? {}
  return Math.min(chunks, mentions ?? chunks, inside ?? chunks * (share ?? 1))
}

// The maximum number of document ids that are passed to a ranking in memory: 5,000 take two milliseconds of database time.
const MAX_RANKING_DOCUMENTS = 5000

/** The documents that pass a filter, for a search in memory. Undefined if they are too many. */
export async function selectDocuments(
  db: Queryable,
  workspaceId: string,
  filter: Filter,
): Promise<Pick<RankingLimits, 'documents'> | undefined> {
  const { documents } = filter
  const matching = documentsMatching(workspaceId, filter)
  if (!matching) return { documents }
  const matchingDocuments = await db.rows<{ id: string }>(sql`
    SELECT d.id FROM (${matching}) d LIMIT ${MAX_RANKING_DOCUMENTS + 1}`)
  if (matchingDocuments.length > MAX_RANKING_DOCUMENTS) return undefined
  const documentIds = documents && new Set(documents)
  return {
    documents: matchingDocuments.flatMap(({ id }) =>
      documentIds === undefined || documentIds.has(id) ? [id] : [],
    ),
  }
}

/** The numbers of the chunks that mention one of the entities, by version. */
export async function selectMentioning(
  db: Queryable,
  workspaceId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const rows = await db.rows<{ version_id: string; chunk_nos: Buffer }>(sql`
    SELECT m.version_id, array_send(m.chunk_nos) AS chunk_nos FROM (${mentioningChunks(workspaceId, entityIds)}) m`)
  return new Map(rows.map(({ version_id, chunk_nos }) => [version_id, new Set(int4sOf(chunk_nos))]))
}

/** The positions (from 0, in the list `chunks`) of the first `limit` chunks that mention one of the entities. */
export async function selectFirstMentioning(
  db: Queryable,
  workspaceId: string,
  entityIds: readonly string[],
  { chunks, limit }: { chunks: readonly Pick<RankedChunk, 'versionId' | 'chunkNo'>[]; limit: number },
): Promise<number[]> {
  // The subquery sorts the chunks before they are checked, so that the checks stop after `limit` matches. OFFSET 0 keeps the
  // planner from merging it with the outer query.
  const rows = await db.rows<{ place: number }>(sql`
    SELECT c.place FROM (
      SELECT version_id, chunk_no, place::int - 1 AS place
      FROM unnest(${chunks.map((c) => c.versionId)}::uuid[], ${chunks.map((c) => c.chunkNo)}::int[])
        WITH ORDINALITY AS given (version_id, chunk_no, place)
      ORDER BY place OFFSET 0) c
    WHERE ${chunkMentionsEntity(workspaceId, entityIds)} ORDER BY c.place LIMIT ${limit}`)
  return rows.map(({ place }) => place)
}

/** The number of mentions of the entities. */
export async function countMentions(
  db: Queryable,
  workspaceId: string,
  entityIds: readonly string[],
): Promise<number> {
  const [row] = await db.rows<{ mentions: number }>(sql`
    SELECT ${mentionCount(workspaceId, entityIds)} AS mentions`)
  return row?.mentions ?? 0
}

const firstCounts = (matching: Sql): Sql => sql`
  SELECT count(*)::int AS documents, coalesce(sum(chunk_count), 0)::int AS chunks
  FROM (SELECT d.chunk_count FROM (${matching}) d LIMIT ${MAX_COUNTED_DOCUMENTS + 1}) first`

/** The share of the chunks that match in a sample of the workspace. Ids are random, so the first documents are a random sample. */
const shareOfSample = (workspaceId: string, { scope, properties }: Filter): Sql => sql`(
  SELECT sum(CASE WHEN ${join(
    [...(scope === undefined ? [] : [isInScope(workspaceId, scope)]), ...propertyConditions(properties)],
    ' AND ',
  )} THEN d.chunk_count ELSE 0 END)::float8
    / nullif(sum(d.chunk_count), 0)
  FROM (SELECT * FROM document WHERE workspace_id = ${workspaceId} ORDER BY id LIMIT ${SAMPLE_DOCUMENTS}) d)`
