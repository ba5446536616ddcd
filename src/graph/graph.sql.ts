// SQL that reads the graph: pages, search by name, neighbourhoods, and conditions on mentions for other rooms.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Entity, Graph, Relation } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { allMembersOf, isActive, rootOf } from './clusters.sql.ts'
import { MENTIONED_WITH, pairsAmong } from './mentioned-with.sql.ts'

export interface EntityPosition {
  type: string
  key: string
  id: string
}

export const selectEntities = (
  db: Queryable,
  workspaceId: string,
  page: { type: string | undefined; after: EntityPosition | undefined; limit: number },
): Promise<(Entity & { name_key: string })[]> => {
  const { type, after, limit } = page
  return db.rows(sql`
    SELECT id, name, type, mention_count, aliases, name_key FROM entity
    WHERE workspace_id = ${workspaceId} ${type === undefined ? empty : sql`AND type = ${type}`}
      ${after ? sql`AND (type, name_key, id) > (${after.type}, ${after.key}, ${after.id}::uuid)` : empty}
    ORDER BY type, name_key, id LIMIT ${limit}`)
}

export type NamedEntity = Entity & { key: string; keys: string[] }

/**
 * Candidates for a name: entities with one of `keys`, with a key that begins with `prefix`, or with one of `words`. Of each of
 * these at most 200, the most mentioned first. The caller ranks them.
 */
export const selectNameCandidates = (
  db: Queryable,
  workspaceId: string,
  nameQuery: { keys: string[]; prefix: string; words: string[]; type: string | undefined },
): Promise<NamedEntity[]> => {
  const ofType = nameQuery.type === undefined ? empty : sql`AND type = ${nameQuery.type}`
  const topMatches = (condition: Sql): Sql => sql`
    (SELECT id, name, type, mention_count, aliases, key, keys FROM visible_entity
     WHERE workspace_id = ${workspaceId} ${ofType} AND ${condition}
     ORDER BY mention_count DESC, id LIMIT 200)`
  return db.rows(sql`
    ${topMatches(sql`keys && ${nameQuery.keys}::text[]`)}
    UNION ${topMatches(sql`key LIKE ${likePrefix(nameQuery.prefix)}`)}
    UNION ${topMatches(sql`words && ${nameQuery.words}::text[]`)}`)
}

/** A LIKE pattern for texts that begin with `text`. For an empty text it matches nothing. */
const likePrefix = (text: string): string => (text ? `${text.replace(/[\\%_]/g, '\\$&')}%` : '')

export const selectMostMentioned = (
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<NamedEntity[]> =>
  db.rows(sql`
    SELECT id, name, type, mention_count, aliases, key, keys FROM entity
    WHERE workspace_id = ${workspaceId} ORDER BY mention_count DESC, id LIMIT ${limit}`)

export const selectByKeys = (db: Queryable, workspaceId: string, keys: string[]): Promise<NamedEntity[]> =>
  db.rows(sql`
    SELECT id, name, type, mention_count, aliases, key, keys FROM visible_entity
    WHERE workspace_id = ${workspaceId} AND keys && ${keys}::text[]
    ORDER BY mention_count DESC, id LIMIT 200`)

/** The entity with this id, or the root of a merged id. */
export async function selectEntity(
  db: Queryable,
  workspaceId: string,
  entityId: string,
): Promise<{ id: string; name: string; type: string } | undefined> {
  const [row] = await db.rows<{ id: string; name: string; type: string }>(sql`
    SELECT id, name, type FROM entity
    WHERE workspace_id = ${workspaceId} AND id = ${rootOf(workspaceId, sql`${entityId}::uuid`)}`)
  return row
}

/**
 * Relations on directed paths of at most `depth` steps that start (`out`) or end (`in`) at the entity, those with most evidence
 * first. Rows with the same type and end are one relation with the sum of their evidence. The second step starts at the `limit`
 * ends with most evidence and reads `limit` relations of each in index order. This limits the time for hubs beside hubs.
 */
export const selectRelations = (
  db: Queryable,
  workspaceId: string,
  relationQuery: { entityId: string; direction: 'out' | 'in'; depth: number; limit: number },
): Promise<Relation[]> => {
  const { entityId, direction, depth, limit } = relationQuery
  const from = direction === 'out' ? sql`head` : sql`tail`
  const to = direction === 'out' ? sql`tail` : sql`head`
  const secondStep = sql`
    UNION
    SELECT e.head, e.type, e.tail, e.evidence_count
    FROM (SELECT ${to} AS id FROM near GROUP BY 1 ORDER BY max(evidence_count) DESC, 1 LIMIT ${limit}) AS start
    CROSS JOIN LATERAL (
      SELECT head, type, tail, evidence_count FROM edge
      WHERE workspace_id = ${workspaceId} AND ${from} = start.id
      ORDER BY type, ${to} LIMIT ${limit}
    ) AS e`
  return db.rows(sql`
    WITH near AS (
      SELECT head, type, tail, evidence_count FROM edge
      WHERE workspace_id = ${workspaceId} AND ${from} = ${entityId}
    ),
    reached AS (SELECT head, type, tail, evidence_count FROM near ${depth > 1 ? secondStep : empty}),
    ends AS (
      SELECT type, ${to} AS id, sum(evidence_count)::int AS evidence_count FROM reached GROUP BY type, ${to}
      ORDER BY 3 DESC, 2, 1 LIMIT ${limit}
    )
    SELECT r.type, r.evidence_count, json_build_object('id', e.id, 'name', e.name, 'type', e.type) AS entity
    FROM ends r
    JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = r.id
    ORDER BY r.evidence_count DESC, r.id, r.type`)
}

export const selectTypes = (db: Queryable, workspaceId: string): Promise<{ type: string; count: number }[]> =>
  db.rows(sql`
    SELECT type, count(*)::int AS count FROM entity WHERE workspace_id = ${workspaceId}
    GROUP BY type ORDER BY 2 DESC, 1`)

/** The score of an entity: mentions × ln(1 + N / df) × the weight of its type. */
const importance = sql`e.mention_count * ln(1 + d.n::float8 / greatest(e.document_count, 1)) * w.weight`

const liveDocumentCount = (workspaceId: string): Sql => sql`
  SELECT count(*)::int AS n FROM document_graph WHERE workspace_id = ${workspaceId} AND state = 'live'`

interface TypeWeight {
  type: string
  weight: number
}

const typeWeightTable = (weights: readonly TypeWeight[]): Sql => sql`
  unnest(${weights.map((w) => w.type)}::text[], ${weights.map((w) => w.weight)}::float8[]) AS w (type, weight)`

/**
 * The most important entities first, without names that are mentioned once and have no type. An entity that nearly all documents
 * name counts less, but may still be a theme.
 */
export const selectThemes = (
  db: Queryable,
  workspaceId: string,
  weights: readonly TypeWeight[],
  limit: number,
): Promise<Entity[]> =>
  db.rows(sql`
    WITH documents AS (${liveDocumentCount(workspaceId)})
    SELECT e.id, e.name, e.type, e.mention_count, e.aliases
    FROM entity e CROSS JOIN documents d
    JOIN ${typeWeightTable(weights)} ON w.type = e.type
    WHERE e.workspace_id = ${workspaceId}
      AND (e.mention_count > 1 OR e.type <> 'other')
    ORDER BY ${importance} DESC, e.id
    LIMIT ${limit}`)

/**
 * The most important entities, and the relations between them. The relations are read from the index entity by entity. If there are
 * fewer than `limit.edges`, pairs that passages only name together are added, first the pairs that rank highest at one of their
 * ends. `place` is the index of a node in `nodes`; `source` and `target` are such indexes.
 */
export async function selectGraph(
  db: Queryable,
  workspaceId: string,
  weights: readonly TypeWeight[],
  limit: { nodes: number; edges: number },
): Promise<Graph> {
  const [row] = await db.rows<Graph>(sql`
    WITH documents AS (${liveDocumentCount(workspaceId)}),
    node AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY score DESC, id)::int - 1 AS place, id, name, type, mention_count
      FROM (
        SELECT e.id, e.name, e.type, e.mention_count, ${importance} AS score
        FROM entity e CROSS JOIN documents d JOIN ${typeWeightTable(weights)} ON w.type = e.type
        WHERE e.workspace_id = ${workspaceId}
        ORDER BY score DESC, e.id LIMIT ${limit.nodes}
      ) AS best
    ),
    relation AS (
      SELECT a.place AS source, b.place AS target, sum(e.evidence_count)::int AS evidence_count,
        array_agg(e.type ORDER BY e.evidence_count DESC, e.type) AS types
      FROM node a
      CROSS JOIN LATERAL (
        SELECT type, tail, evidence_count FROM edge
        WHERE workspace_id = ${workspaceId} AND head = a.id OFFSET 0
      ) AS e
      JOIN node b ON b.id = e.tail
      GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${limit.edges}
    ),
    together AS (
      SELECT source, target, shared AS evidence_count, ARRAY[${MENTIONED_WITH}] AS types
      FROM ${pairsAmong(workspaceId, sql`node`)} AS pair
      WHERE NOT EXISTS (
        SELECT FROM relation r WHERE (r.source, r.target) IN ((pair.source, pair.target), (pair.target, pair.source)))
      ORDER BY rank, shared DESC, source, target
      LIMIT greatest(0, ${limit.edges} - (SELECT count(*) FROM relation))
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object(
        'id', id, 'name', name, 'type', type, 'mention_count', mention_count) ORDER BY place), '[]') FROM node) AS nodes,
      (SELECT coalesce(json_agg(json_build_object(
        'source', source, 'target', target, 'types', types, 'evidence_count', evidence_count)
        ORDER BY is_pair, evidence_count DESC, source, target), '[]') FROM (
          SELECT source, target, evidence_count, types, false AS is_pair FROM relation
          UNION ALL SELECT source, target, evidence_count, types, true FROM together) r) AS edges`)
  return row ?? { nodes: [], edges: [] }
}

/**
 * A table of the chunks that mention one of the entities: version_id and chunk_nos, one row per version, published graphs only. The
 * query starts from the mentions, which are few, and not from all documents of the workspace.
 */
export function mentioningChunks(workspaceId: string, entityIds: readonly string[]): Sql {
  return sql`
  SELECT m.version_id, m.chunk_nos FROM (
    SELECT version_id, array_agg(DISTINCT chunk_no) AS chunk_nos FROM mention
    WHERE workspace_id = ${workspaceId} AND entity_id = ANY (${allMembersOf(workspaceId, entityIds)})
    GROUP BY version_id OFFSET 0
  ) m CROSS JOIN LATERAL (
    SELECT FROM document_graph g
    WHERE g.workspace_id = ${workspaceId} AND g.version_id = m.version_id AND g.state = 'live' OFFSET 0) live`
}

/** A condition that the chunk `c` (version_id and chunk_no) mentions one of the entities. It is evaluated chunk by chunk. */
export const chunkMentionsEntity = (workspaceId: string, entityIds: readonly string[]): Sql => sql`
  EXISTS (
    SELECT FROM mention m
    JOIN document_graph g ON g.workspace_id = m.workspace_id AND g.version_id = m.version_id AND g.state = 'live'
    WHERE m.workspace_id = ${workspaceId} AND m.version_id = c.version_id AND m.chunk_no = c.chunk_no
      AND m.entity_id = ANY (${allMembersOf(workspaceId, entityIds)})
    OFFSET 0)`

/**
 * The same condition for statements that read all chunks of a workspace. It is evaluated once: for 15,000 chunks this takes 21 ms
 * instead of 410 ms (embedded engine).
 */
export const isAmongMentioningChunks = (workspaceId: string, entityIds: readonly string[]): Sql => sql`
  (c.version_id, c.chunk_no) IN (
    SELECT m.version_id, unnest(m.chunk_nos) FROM (${mentioningChunks(workspaceId, entityIds)}) m)`

/** An expression for how often the entities are mentioned. A merged id counts as its root. */
export const mentionCount = (workspaceId: string, entityIds: readonly string[]): Sql => sql`(
  SELECT coalesce(sum(e.mention_count), 0)::int
  FROM (SELECT DISTINCT ${rootOf(workspaceId, sql`asked.id`)} AS id FROM unnest(${[...entityIds]}::uuid[]) AS asked (id)) root
  CROSS JOIN LATERAL (
    SELECT mention_count FROM entity WHERE workspace_id = ${workspaceId} AND id = root.id OFFSET 0) e)`

export interface BridgeEntity {
  id: string
  name: string
  type: string
  key: string
  /** The number of documents in the workspace that mention the entity. */
  document_count: number
  mention_count: number
  /** How many of the given passages mention the entity. */
  passages: number
}

export const selectBridgeEntities = (
  db: Queryable,
  workspaceId: string,
  chunks: { document_id: string; chunk_no: number }[],
  limit: number,
): Promise<BridgeEntity[]> =>
  db.rows(sql`
    WITH seen AS (
      SELECT coalesce(a.root_id, m.entity_id) AS entity_id,
        count(DISTINCT (m.version_id, m.chunk_no))::int AS passages
      FROM unnest(${chunks.map((c) => c.document_id)}::uuid[], ${chunks.map((c) => c.chunk_no)}::int[])
        AS k (document_id, chunk_no)
      JOIN document d ON d.workspace_id = ${workspaceId} AND d.id = k.document_id
      JOIN document_graph g
        ON g.workspace_id = d.workspace_id AND g.version_id = d.version_id AND g.state = 'live'
      JOIN mention m
        ON m.workspace_id = d.workspace_id AND m.version_id = d.version_id AND m.chunk_no = k.chunk_no
      LEFT JOIN entity_merge a
        ON a.workspace_id = m.workspace_id AND a.from_id = m.entity_id AND ${isActive(sql`a`)}
      GROUP BY 1
    )
    SELECT e.id, e.name, e.type, e.key, e.document_count, e.mention_count, s.passages
    FROM seen s
    JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = s.entity_id
    ORDER BY e.document_count, s.passages DESC, e.id LIMIT ${limit}`)
