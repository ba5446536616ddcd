// `mentioned_with`: entities that passages name together more often than by chance. Nothing is stored for it: it is read
// from the mentions of live documents, so it is the same whatever was added, replaced or deleted before, and costs indexing
// nothing. How surprising a pair is says the log-likelihood ratio, which also holds for rare names: T. Dunning, "Accurate
// Methods for the Statistics of Surprise and Coincidence", Computational Linguistics 19(1), 1993, in the short form that S.
// Evert calls simple-ll ("Corpora and collocations", in Corpus Linguistics: An International Handbook, 2008).

import sql, { type Sql } from 'sql-template-tag'
import type { Relation } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { allMembersOf, isActive, membersOf } from './clusters.sql.ts'

export const MENTIONED_WITH = 'mentioned_with'

// Together are names at most this many characters apart, about a clause, and at most this many mentions: a passage with a
// thousand names has no more pairs than several passages. Two names of a passage are that near by chance in one of ten.
const CHARACTERS = 60
const MENTIONS = 3
const NEAR = 0.1
// By chance, one pair of twenty has more (chi-squared, one degree of freedom).
const MIN_SURPRISE = 3.84
// Mentions that are read of one entity, and of all entities of a picture of the graph together. Of a hub they are those of
// the same documents as of every other.
const MAX_MENTIONS = 1000
const MAX_OF_GRAPH = 60_000

/**
 * How surprising it is that `shared` of `n` passages name two entities near each other of which `a` and `b` name one; 0 or
 * less when chance would do so as often. Expressions of float8.
 */
const surprise = (shared: Sql, a: Sql, b: Sql, n: Sql): Sql => {
  const expected = sql`(${NEAR}::float8 * ${a} * ${b} / ${n})`
  return sql`sign(${shared} - ${expected}) * 2 * (${shared} * ln(${shared} / ${expected}) - ${shared} + ${expected})`
}

/** The number of passages of the workspace. */
const passageCount = (workspaceId: string): Sql => sql`
  (SELECT greatest(1, sum(chunks))::float8 FROM workspace_language WHERE workspace_id = ${workspaceId})`

/**
 * A lateral table: at most `most` mentions of the entity `id` (an SQL expression) in live documents. Each table is read by
 * its key, row by row: a join would read all mentions of a hub, or hash the workspace.
 */
const mentionsOf = (workspaceId: string, id: Sql, most: Sql): Sql => sql`
  LATERAL (
    SELECT m.version_id, m.chunk_no, m.start_at, m.end_at
    FROM ${membersOf(workspaceId, id)} AS member
    CROSS JOIN LATERAL (
      SELECT version_id, chunk_no, start_at, end_at FROM mention
      WHERE workspace_id = ${workspaceId} AND entity_id = member.id ORDER BY version_id LIMIT ${most}
    ) m
    WHERE 'live' = (SELECT state FROM document_graph g
      WHERE g.workspace_id = ${workspaceId} AND g.version_id = m.version_id)
    LIMIT ${most}
  )`

/** Whether the mentions `a` and `b` of one passage are near each other. */
const isNear = sql`b.start_at <= a.end_at + ${CHARACTERS} AND a.start_at <= b.end_at + ${CHARACTERS}`

/** Of a group of pairs of mentions: where the first is, as version, chunk and the text between the two. */
const firstPlace = sql`(array_agg(ARRAY[version_id::text, chunk_no::text, from_at::text, to_at::text]
  ORDER BY version_id, chunk_no, from_at))[1:1]`

/**
 * Whether the two of a row with `shared` and `place` are named together only once, and in different lines: entries of a
 * list, which have less to do with each other. Such a pair counts where an entity has no other.
 */
const isDivided = (workspaceId: string): Sql => sql`(shared = 1 AND EXISTS (
  SELECT FROM chunk c
  WHERE c.workspace_id = ${workspaceId} AND c.version_id = place[1][1]::uuid AND c.chunk_no = place[1][2]::int
    AND strpos(substr(c.text, place[1][3]::int + 1, greatest(0, place[1][4]::int - place[1][3]::int)), E'\n') > 0))`

/**
 * The `limit` entities that are most surprisingly named near the entity `rootId`, without those that a sentence relates to
 * it. Their `evidence_count` is the number of passages.
 */
export const selectMentionedWith = (
  db: Queryable,
  workspaceId: string,
  rootId: string,
  limit: number,
): Promise<Relation[]> =>
  db.rows(sql`
    WITH own AS MATERIALIZED (
      SELECT a.* FROM (SELECT ${rootId}::uuid AS id) AS asked
      CROSS JOIN ${mentionsOf(workspaceId, sql`asked.id`, sql`${MAX_MENTIONS}`)} AS a
    ),
    near AS (
      SELECT coalesce(up.root_id, b.entity_id) AS id, a.version_id, a.chunk_no,
        least(a.end_at, b.end_at) AS from_at, greatest(a.start_at, b.start_at) AS to_at
      FROM own a
      CROSS JOIN LATERAL (
        SELECT b.entity_id, b.start_at, b.end_at FROM mention b
        WHERE b.workspace_id = ${workspaceId} AND b.version_id = a.version_id AND b.chunk_no = a.chunk_no AND ${isNear}
        ORDER BY abs(b.start_at - a.start_at), b.mention_no LIMIT ${2 * MENTIONS}
      ) b
      LEFT JOIN entity_merge up
        ON up.workspace_id = ${workspaceId} AND up.from_id = b.entity_id AND ${isActive(sql`up`)}
    ),
    size AS MATERIALIZED (
      SELECT count(DISTINCT (version_id, chunk_no))::float8 AS own, ${passageCount(workspaceId)} AS n FROM own
    ),
    counted AS (
      SELECT e.id, e.name, e.type, n.shared, n.place,
        ${surprise(sql`n.shared`, sql`size.own`, sql`e.mention_count`, sql`size.n`)} AS surprise
      FROM (SELECT id, count(DISTINCT (version_id, chunk_no))::float8 AS shared, ${firstPlace} AS place FROM near GROUP BY 1) n
      JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = n.id
      CROSS JOIN size
      WHERE n.id <> ${rootId}::uuid
    ),
    divided AS (
      SELECT c.*, row_number() OVER (ORDER BY apart, surprise DESC, c.id) AS rank
      FROM (SELECT counted.*, ${isDivided(workspaceId)} AS apart FROM counted WHERE surprise >= ${MIN_SURPRISE}) c
      WHERE NOT EXISTS (
        SELECT FROM edge WHERE workspace_id = ${workspaceId}
          AND (head = ${rootId} AND tail = c.id OR head = c.id AND tail = ${rootId}))
    )
    SELECT ${MENTIONED_WITH} AS type, shared::int AS evidence_count,
      json_build_object('id', id, 'name', name, 'type', type) AS entity
    FROM divided WHERE NOT apart OR rank = 1
    ORDER BY surprise DESC, id LIMIT ${limit}`)

/**
 * A table of the pairs of `nodes` (the name of a table with place, id and mention_count) that are named together more often
 * than by chance: source and target, the passages that they share, and the pair's rank at that of its ends where it is
 * higher. Where the mentions of all are too many, each end gives equally many, and a pair is judged by the share read.
 */
export const pairsAmong = (workspaceId: string, nodes: Sql): Sql => sql`
  (
    WITH most AS (
      SELECT CASE WHEN sum(mention_count) <= ${MAX_OF_GRAPH} THEN ${MAX_OF_GRAPH}
        ELSE greatest(20, ${MAX_OF_GRAPH} / count(*)) END AS n FROM ${nodes}
    ),
    found AS MATERIALIZED (
      SELECT node.place, a.*,
        row_number() OVER (PARTITION BY a.version_id, a.chunk_no ORDER BY a.start_at, a.end_at, node.place) AS no
      FROM ${nodes} AS node
      CROSS JOIN ${mentionsOf(workspaceId, sql`node.id`, sql`(SELECT n FROM most)`)} AS a
    ),
    weighed AS (
      SELECT place, mention_count::float8 AS n, least(1, (SELECT n FROM most)::float8 / mention_count) AS share
      FROM ${nodes} AS node
    ),
    together AS (
      SELECT least(one, other) AS source, greatest(one, other) AS target,
        count(DISTINCT (version_id, chunk_no))::float8 AS shared, ${firstPlace} AS place
      FROM (
        SELECT a.place AS one, b.place AS other, a.version_id, a.chunk_no,
          least(a.end_at, b.end_at) AS from_at, greatest(a.start_at, b.start_at) AS to_at
        FROM (SELECT found.*, no + step AS next FROM found CROSS JOIN generate_series(1, ${MENTIONS}) AS step) a
        JOIN found b ON b.version_id = a.version_id AND b.chunk_no = a.chunk_no AND b.no = a.next
        WHERE a.place <> b.place AND ${isNear}
      ) pair
      GROUP BY 1, 2
    ),
    size AS MATERIALIZED (SELECT ${passageCount(workspaceId)} AS n),
    counted AS (
      SELECT source, target, shared, together.place,
        ${surprise(sql`shared`, sql`s.n`, sql`t.n`, sql`(size.n / least(s.share, t.share))`)} AS surprise
      FROM together
      JOIN weighed s ON s.place = source
      JOIN weighed t ON t.place = target
      CROSS JOIN size
    )
    SELECT source, target, shared, rank FROM (
      SELECT source, target, shared::int AS shared, apart, least(
        row_number() OVER (PARTITION BY source ORDER BY apart, surprise DESC, target),
        row_number() OVER (PARTITION BY target ORDER BY apart, surprise DESC, source))::int AS rank
      FROM (SELECT counted.*, ${isDivided(workspaceId)} AS apart FROM counted WHERE surprise >= ${MIN_SURPRISE}) c
    ) ranked
    WHERE NOT apart OR rank = 1
  )`

/** A table like relation_evidence: where two entities are named near each other. */
export const togetherPlaces = (workspaceId: string, one: string, other: string): Sql => sql`
  (
    SELECT a.workspace_id, a.version_id, a.chunk_no,
      least(a.start_at, b.start_at) AS start_at, greatest(a.end_at, b.end_at) AS end_at
    FROM mention a
    JOIN mention b ON b.workspace_id = a.workspace_id AND b.version_id = a.version_id AND b.chunk_no = a.chunk_no
      AND b.entity_id = ANY (${allMembersOf(workspaceId, [other])}) AND ${isNear}
    WHERE a.workspace_id = ${workspaceId} AND a.entity_id = ANY (${allMembersOf(workspaceId, [one])})
  )`
