// `mentioned_with`: entities that passages name together more often than by chance. The relation is computed from the mentions of
// live documents and not stored. So it costs indexing nothing and does not depend on earlier versions. The log-likelihood ratio,
// which also holds for rare names, measures how surprising a pair is: T. Dunning, "Accurate Methods for the Statistics of Surprise
// and Coincidence", Computational Linguistics 19(1), 1993, in the short form that S. Evert calls simple-ll ("Corpora and
// collocations", in Corpus Linguistics: An International Handbook, 2008).

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Relation } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { allMembersOf, isActive, membersOf } from './clusters.sql.ts'

export const MENTIONED_WITH = 'mentioned_with'

// Two names are near each other if at most this many characters (about a clause) and mentions are between them. So one long passage
// gives no more pairs than the same text in several passages. One in ten pairs of a passage is near by chance.
const MAX_CHARACTERS_APART = 60
const MAX_MENTIONS_APART = 3
const NEAR_BY_CHANCE = 0.1
// One pair in twenty reaches this value by chance (chi-squared, one degree of freedom).
const MIN_SURPRISE = 3.84
// How many mentions are read of one entity, and of all entities together for one drawing of the graph.
const MAX_MENTIONS = 1000
const MAX_GRAPH_MENTIONS = 60_000

/**
 * How surprising it is that `sharedCount` of `passages` name two entities near each other, of which one is mentioned `countOfA`
 * times and the other `countOfB` times; 0 or less if chance explains it. All are SQL expressions of float8.
 */
const logLikelihood = (sharedCount: Sql, countOfA: Sql, countOfB: Sql, passages: Sql): Sql => {
  const expectedCount = sql`(${NEAR_BY_CHANCE}::float8 * (${countOfA}::float8 * ${countOfB}) / ${passages})`
  return sql`sign(${sharedCount} - ${expectedCount}) * 2 * (${sharedCount} * ln(${sharedCount} / ${expectedCount}) - ${sharedCount} + ${expectedCount})`
}

/** The number of passages of the workspace. */
const passageCount = (workspaceId: string): Sql => sql`
  (SELECT greatest(1, sum(chunks))::float8 FROM workspace_language WHERE workspace_id = ${workspaceId})`

/**
 * A condition that the version is live. It is evaluated row by row, because a join would read all mentions of a hub or hash the
 * workspace.
 */
const isLive = (workspaceId: string, versionId: Sql): Sql => sql`
  'live' = (SELECT state FROM document_graph g WHERE g.workspace_id = ${workspaceId} AND g.version_id = ${versionId})`

/** A lateral table: the first `limit` mentions of the entity `id` (SQL expressions), by version and passage. */
const firstMentions = (workspaceId: string, id: Sql, limit: Sql): Sql => sql`
  LATERAL (
    SELECT m.version_id, m.chunk_no, m.mention_no, m.start_at, m.end_at
    FROM ${membersOf(workspaceId, id)} AS member
    CROSS JOIN LATERAL (
      SELECT version_id, chunk_no, mention_no, start_at, end_at FROM mention
      WHERE workspace_id = ${workspaceId} AND entity_id = member.id
      ORDER BY version_id, chunk_no, mention_no LIMIT ${limit}
    ) m
    ORDER BY m.version_id, m.chunk_no, m.mention_no LIMIT ${limit}
  )`

/**
 * A lateral table with the first passage of the entity `id` beyond the limit, as version_id and chunk_no. It is empty if the entity
 * has at most MAX_MENTIONS mentions. `id` and `count`, the number of mentions, are SQL expressions.
 */
const firstUnreadPassage = (workspaceId: string, id: Sql, count: Sql): Sql => sql`
  LATERAL (
    SELECT first.version_id, first.chunk_no
    FROM (SELECT ${id} AS id WHERE ${count} > ${MAX_MENTIONS}) AS hub
    CROSS JOIN ${firstMentions(workspaceId, sql`hub.id`, sql`${MAX_MENTIONS + 1}`)} AS first
    ORDER BY first.version_id, first.chunk_no, first.mention_no OFFSET ${MAX_MENTIONS}
  )`

/** A condition that the mentions `a` and `b` of one passage are near each other. Mentions are numbered in text order. */
const isNear = sql`b.mention_no BETWEEN a.mention_no - ${MAX_MENTIONS_APART} AND a.mention_no + ${MAX_MENTIONS_APART}
  AND b.start_at <= a.end_at + ${MAX_CHARACTERS_APART} AND a.start_at <= b.end_at + ${MAX_CHARACTERS_APART}`

/** The number of characters between the mentions; negative if they overlap. */
const gap = (a: Sql, b: Sql): Sql =>
  sql`(greatest(${a}.start_at, ${b}.start_at) - least(${a}.end_at, ${b}.end_at))`

/** The location of the mentions `a` and `b` as an array of text: version, chunk, then number, start and end of each. */
const locationOf = (a: Sql, b: Sql): Sql => sql`
  ARRAY[a.version_id::text, a.chunk_no::text, ${a}.mention_no::text, ${a}.start_at::text, ${a}.end_at::text,
    ${b}.mention_no::text, ${b}.start_at::text, ${b}.end_at::text]`

/** The location of the closest pair of a group of pairs of mentions. It does not depend on which entity comes first. */
const closestLocation = sql`
  (array_agg(place ORDER BY gap, version_id, chunk_no, lower_no, upper_no))[1:1]`

/** The columns by which `closestLocation` orders pairs of the mentions `a` and `b`. */
const closenessColumns = sql`${gap(sql`a`, sql`b`)} AS gap,
  least(a.mention_no, b.mention_no) AS lower_no, greatest(a.mention_no, b.mention_no) AS upper_no`

/** A condition that a line of the text `c.text` ends between the mentions. */
const isOnOtherLine = (a: Sql, b: Sql): Sql => sql`
  strpos(substr(c.text, least(${a}.end_at, ${b}.end_at) + 1, greatest(0, ${gap(a, b)})), E'\n') > 0`

/**
 * A condition on a row with `shared` and `place`: the two entities are related. Two names that share only one passage and are on
 * different lines of it are mostly entries of a list. They count only if one of the two has no other name on its line, and no
 * closer name.
 */
const isRelated = (workspaceId: string): Sql => {
  const [a, b] = [sql`a`, sql`b`]
  const locationPart = (i: number): Sql => sql`place[1][${raw(String(i))}]::int`
  const passage = sql`workspace_id = ${workspaceId} AND version_id = place[1][1]::uuid AND chunk_no = ${locationPart(2)}`
  return sql`(shared > 1 OR NOT EXISTS (
    SELECT FROM (SELECT text FROM chunk WHERE ${passage}) AS c
    CROSS JOIN (SELECT ${locationPart(3)} AS mention_no, ${locationPart(4)} AS start_at, ${locationPart(5)} AS end_at) AS first
    CROSS JOIN (SELECT ${locationPart(6)} AS mention_no, ${locationPart(7)} AS start_at, ${locationPart(8)} AS end_at) AS second
    WHERE ${isOnOtherLine(sql`first`, sql`second`)} AND NOT EXISTS (
      SELECT FROM (VALUES
        (first.mention_no, first.start_at, first.end_at, second.mention_no),
        (second.mention_no, second.start_at, second.end_at, first.mention_no)
      ) AS a (mention_no, start_at, end_at, far_no)
      WHERE NOT EXISTS (
        SELECT FROM mention b
        WHERE ${passage} AND ${isNear} AND b.mention_no NOT IN (a.mention_no, a.far_no)
          AND (NOT ${isOnOtherLine(a, b)} OR (${gap(a, b)}, b.mention_no) < (${gap(sql`first`, sql`second`)}, a.far_no))))))`
}

/**
 * The entities that are named near the entity `rootId` more often than by chance, the most surprising first, without those that a
 * sentence relates to it. `evidence_count` is the number of shared passages.
 *
 * The relation is symmetric, because only the mentions of the two entities count. Of a hub the first MAX_MENTIONS are read, and
 * only passages that are read for both entities count.
 */
export const selectMentionedWith = (
  db: Queryable,
  workspaceId: string,
  rootId: string,
  limit?: number,
): Promise<Relation[]> =>
  db.rows(sql`
    WITH target AS MATERIALIZED (
      SELECT id, mention_count, ${passageCount(workspaceId)} AS passages
      FROM entity WHERE workspace_id = ${workspaceId} AND id = ${rootId}
    ),
    first AS MATERIALIZED (
      SELECT a.* FROM target CROSS JOIN ${firstMentions(
        workspaceId,
        sql`target.id`,
        sql`(SELECT ${MAX_MENTIONS + 1}::int FROM target WHERE mention_count > ${MAX_MENTIONS})`,
      )} AS a
    ),
    own_end AS MATERIALIZED (
      SELECT version_id, chunk_no FROM first
      WHERE (SELECT mention_count FROM target) > ${MAX_MENTIONS}
      ORDER BY version_id, chunk_no, mention_no OFFSET ${MAX_MENTIONS}
    ),
    own AS MATERIALIZED (
      SELECT a.* FROM first a
      WHERE ${isLive(workspaceId, sql`a.version_id`)} AND NOT EXISTS (
        SELECT FROM own_end WHERE (a.version_id, a.chunk_no) >= (own_end.version_id, own_end.chunk_no))
    ),
    near AS MATERIALIZED (
      SELECT coalesce(up.root_id, b.entity_id) AS id, a.version_id, a.chunk_no,
        ${locationOf(sql`a`, sql`b`)} AS place, ${closenessColumns}
      FROM own a
      CROSS JOIN LATERAL (
        SELECT b.entity_id, b.mention_no, b.start_at, b.end_at FROM mention b
        WHERE b.workspace_id = ${workspaceId} AND b.version_id = a.version_id AND b.chunk_no = a.chunk_no AND ${isNear}
        OFFSET 0
      ) b
      LEFT JOIN entity_merge up
        ON up.workspace_id = ${workspaceId} AND up.from_id = b.entity_id AND ${isActive(sql`up`)}
    ),
    other_end AS MATERIALIZED (
      SELECT e.id, last.* FROM (SELECT DISTINCT id FROM near WHERE id <> ${rootId}::uuid) AS named
      JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = named.id
      CROSS JOIN ${firstUnreadPassage(workspaceId, sql`e.id`, sql`e.mention_count`)} AS last
    ),
    together AS (
      SELECT id, count(DISTINCT (version_id, chunk_no))::float8 AS shared, ${closestLocation} AS place
      FROM near
      WHERE id <> ${rootId}::uuid AND NOT EXISTS (
        SELECT FROM other_end
        WHERE other_end.id = near.id AND (near.version_id, near.chunk_no) >= (other_end.version_id, other_end.chunk_no))
      GROUP BY id
    ),
    counted AS (
      SELECT e.id, e.name, e.type, shared, place, ${logLikelihood(
        sql`shared`,
        sql`target.mention_count`,
        sql`e.mention_count`,
        sql`(passages * greatest(1, greatest(target.mention_count, e.mention_count)::float8 / ${MAX_MENTIONS}))`,
      )} AS surprise
      FROM together JOIN entity e ON e.workspace_id = ${workspaceId} AND e.id = together.id CROSS JOIN target
      WHERE NOT EXISTS (
        SELECT FROM edge WHERE workspace_id = ${workspaceId}
          AND (head = ${rootId} AND tail = e.id OR head = e.id AND tail = ${rootId}))
    )
    SELECT ${MENTIONED_WITH} AS type, shared::int AS evidence_count,
      json_build_object('id', id, 'name', name, 'type', type) AS entity
    FROM counted
    WHERE surprise >= ${MIN_SURPRISE} AND ${isRelated(workspaceId)}
    ORDER BY surprise DESC, id LIMIT ${limit ?? null}::int`)

/**
 * A table of the pairs of `nodes` (the name of a table with place, id and mention_count) that are named together more often than by
 * chance. Its columns are source, target, the number of shared passages, and the better (smaller) of the ranks of the pair at its
 * two ends. If the nodes have too many mentions, the same number is read of each, and the expected counts are reduced to the share
 * that is read.
 */
export const pairsAmong = (workspaceId: string, nodes: Sql): Sql => sql`
  (
    WITH most AS (
      SELECT CASE WHEN sum(mention_count) <= ${MAX_GRAPH_MENTIONS} THEN ${MAX_GRAPH_MENTIONS}
        ELSE greatest(20, ${MAX_GRAPH_MENTIONS} / count(*)) END AS n FROM ${nodes}
    ),
    read AS MATERIALIZED (
      SELECT node.place AS node, a.*
      FROM ${nodes} AS node
      CROSS JOIN ${firstMentions(workspaceId, sql`node.id`, sql`(SELECT n FROM most)`)} AS a
      WHERE ${isLive(workspaceId, sql`a.version_id`)}
    ),
    weighed AS (
      SELECT place AS node, mention_count::float8 AS n, least(1, (SELECT n FROM most)::float8 / mention_count) AS share
      FROM ${nodes} AS node
    ),
    together AS (
      SELECT source, target, count(DISTINCT (version_id, chunk_no))::float8 AS shared, ${closestLocation} AS place
      FROM (
        SELECT least(a.node, b.node) AS source, greatest(a.node, b.node) AS target, a.version_id, a.chunk_no, ${closenessColumns},
          CASE WHEN a.node < b.node THEN ${locationOf(sql`a`, sql`b`)} ELSE ${locationOf(sql`b`, sql`a`)} END AS place
        FROM (SELECT read.*, mention_no + step AS next FROM read CROSS JOIN generate_series(1, ${MAX_MENTIONS_APART}) AS step) a
        JOIN read b ON b.version_id = a.version_id AND b.chunk_no = a.chunk_no AND b.mention_no = a.next
        WHERE a.node <> b.node AND ${isNear}
      ) pair
      GROUP BY 1, 2
    ),
    size AS MATERIALIZED (SELECT ${passageCount(workspaceId)} AS n),
    counted AS (
      SELECT source, target, shared, place,
        ${logLikelihood(sql`shared`, sql`s.n`, sql`t.n`, sql`(size.n / least(s.share, t.share))`)} AS surprise
      FROM together
      JOIN weighed s ON s.node = source
      JOIN weighed t ON t.node = target
      CROSS JOIN size
    )
    SELECT source, target, shared::int AS shared, least(
      row_number() OVER (PARTITION BY source ORDER BY surprise DESC, target),
      row_number() OVER (PARTITION BY target ORDER BY surprise DESC, source))::int AS rank
    FROM counted
    WHERE surprise >= ${MIN_SURPRISE} AND ${isRelated(workspaceId)}
  )`

/** A table like relation_evidence with the texts that name two entities near each other. */
export const nearMentions = (workspaceId: string, entityId: string, otherEntityId: string): Sql => sql`
  (
    SELECT a.workspace_id, a.version_id, a.chunk_no,
      least(a.start_at, b.start_at) AS start_at, greatest(a.end_at, b.end_at) AS end_at
    FROM mention a
    JOIN mention b ON b.workspace_id = a.workspace_id AND b.version_id = a.version_id AND b.chunk_no = a.chunk_no
      AND b.entity_id = ANY (${allMembersOf(workspaceId, [otherEntityId])}) AND ${isNear}
    WHERE a.workspace_id = ${workspaceId} AND a.entity_id = ANY (${allMembersOf(workspaceId, [entityId])})
  )`
