// Adds the document frequencies of versions to the table term_stat ("folding"), and deletes the rows of retired versions
// ("sweeping"). Both work in batches of chunks: 180,000 new rows in one statement would block the embedded engine for 0.9 s.

import sql from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Db, Queryable } from '../ports/db/db.ts'

// The number of chunks in a batch. A batch may have chunks of several versions: with one version per batch, short documents took a
// third more of the engine's time.
const CHUNKS_PER_FOLD = 100
const MAX_VERSIONS = 50
const ROWS_PER_SWEEP = 200

/** The next work in a workspace: to count the terms of versions, or to delete the rows of one version. */
type Step = { kind: 'count'; versions: string[] } | { kind: 'sweep'; version: string }

interface UnsettledVersion {
  id: string
  state: 'live' | 'retired'
  /** The number of chunks whose terms are still to be added or subtracted, at most the size of a batch. */
  remaining: number
}

/** The next step of folding and sweeping the workspace. */
export async function nextStep(db: Queryable, workspaceId: string): Promise<Step | undefined> {
  const rows = await db.rows<UnsettledVersion>(
    sql`
      SELECT v.id, v.state, (
        SELECT count(*)::int FROM (
          SELECT 1 FROM chunk c WHERE c.workspace_id = ${workspaceId} AND c.version_id = v.id
            AND CASE v.state WHEN 'live' THEN c.chunk_no >= v.folded ELSE c.chunk_no < v.folded END
          LIMIT ${CHUNKS_PER_FOLD}) k) AS remaining
      FROM (
        SELECT id, state, folded FROM version
        WHERE workspace_id = ${workspaceId} AND NOT settled AND state IN ('live', 'retired')
        ORDER BY state, id LIMIT ${MAX_VERSIONS} OFFSET 0) v
      ORDER BY v.state, v.id`,
  )
  const [firstVersion] = rows
  if (!firstVersion) return undefined
  if (firstVersion.state === 'retired' && firstVersion.remaining === 0)
    return { kind: 'sweep', version: firstVersion.id }
  let chunkTotal = firstVersion.remaining
  const otherVersions = rows.slice(1).filter(({ state, remaining }) => {
    // A retired version without counted chunks is swept in a step of its own.
    const isCountable = state === 'live' || remaining > 0
    const fits = state === firstVersion.state && chunkTotal + remaining <= CHUNKS_PER_FOLD && isCountable
    if (fits) chunkTotal += remaining
    return fits
  })
  return { kind: 'count', versions: [firstVersion, ...otherVersions].map(({ id }) => id) }
}

export const runStep = (db: Db, workspaceId: string, step: Step): Promise<unknown> =>
  step.kind === 'count'
    ? countVersions(db, workspaceId, step.versions)
    : sweepStep(db, workspaceId, step.version)

/**
 * Adds the terms of the next chunks of live versions, and subtracts the terms of the last counted chunks of retired versions.
 * The rows of the versions are locked, so that `folded` stays exact if a version is retired meanwhile. Versions and terms are
 * locked in ascending order, so that two transactions never deadlock.
 */
const countVersions = (db: Db, workspaceId: string, versionIds: readonly string[]): Promise<void> =>
  db.tx(async (tx) => {
    const lockedVersions = await tx.rows<{ id: string; state: string; folded: number }>(
      sql`
        SELECT id, state, folded FROM version
        WHERE workspace_id = ${workspaceId} AND id = ANY (${[...versionIds]}::uuid[]) AND NOT settled
        ORDER BY id FOR UPDATE`,
    )
    if (lockedVersions.length === 0) return
    const ranges = lockedVersions.map(({ id, state, folded }): Range => {
      const isLive = state === 'live'
      return isLive
        ? { id, from: folded, to: folded + CHUNKS_PER_FOLD, sign: 1 }
        : { id, from: Math.max(0, folded - CHUNKS_PER_FOLD), to: folded, sign: -1 }
    })
    const unusedTerms = await countTerms(tx, workspaceId, ranges)
    if (unusedTerms.length) await deleteTerms(tx, workspaceId, unusedTerms)
    await tx.rows(
      sql`
        UPDATE version v SET folded = r.folded, settled = r.live AND NOT EXISTS (
          SELECT 1 FROM chunk c WHERE c.workspace_id = ${workspaceId} AND c.version_id = v.id AND c.chunk_no >= r.folded)
        FROM unnest(${ranges.map(({ id }) => id)}::uuid[],
          ${ranges.map(({ sign, from, to }) => (sign > 0 ? to : from))}::int[],
          ${ranges.map(({ sign }) => sign > 0)}::boolean[]) AS r (id, folded, live)
        WHERE v.workspace_id = ${workspaceId} AND v.id = r.id`,
    )
  })

/** Chunks of a version, from `from` up to, but not including, `to`, whose terms are added (sign 1) or subtracted (sign -1). */
interface Range {
  id: string
  from: number
  to: number
  sign: 1 | -1
}

/** Adds or subtracts the terms of these chunks. Returns the terms that no chunk contains any more. */
async function countTerms(tx: Queryable, workspaceId: string, ranges: readonly Range[]): Promise<number[]> {
  const rows = await tx.rows<{ term: number }>(
    sql`
      WITH terms AS (
        SELECT t.term, min(t.word) AS word, sum(c.sign * CASE strpos(t.word, ' ') WHEN 0 THEN 1 ELSE c.pairs END)::int AS df
        FROM (
          SELECT k.terms, k.words, k.pairs, r.sign
          FROM unnest(${ranges.map(({ id }) => id)}::uuid[], ${ranges.map(({ from }) => from)}::int[],
            ${ranges.map(({ to }) => to)}::int[], ${ranges.map(({ sign }) => sign)}::int[])
            AS r (id, first, upto, sign)
          CROSS JOIN LATERAL (
            SELECT terms, words, pairs FROM chunk
            WHERE workspace_id = ${workspaceId} AND version_id = r.id AND chunk_no >= r.first AND chunk_no < r.upto
            OFFSET 0) k
          OFFSET 0) c
        CROSS JOIN LATERAL unnest(c.terms, c.words) AS t (term, word)
        GROUP BY t.term
      ), counted AS (
        INSERT INTO term_stat (workspace_id, term, word, df)
        SELECT ${workspaceId}::uuid, term, word, df FROM terms ORDER BY term
        ON CONFLICT (workspace_id, term) DO UPDATE SET df = term_stat.df + excluded.df
        RETURNING term, df
      ) SELECT term FROM counted WHERE df <= 0`,
  )
  return rows.map((row) => row.term)
}

const deleteTerms = (tx: Queryable, workspaceId: string, terms: number[]): Promise<unknown> =>
  tx.rows(sql`
    DELETE FROM term_stat WHERE workspace_id = ${workspaceId} AND term = ANY (${terms}::int[]) AND df <= 0`)

/**
 * Deletes a batch of rows of a retired version whose terms are no longer counted, and at the end the version itself (then returns
 * true). Its vectors stay until the next round of embedding, which reuses them for equal texts of the next version.
 */
async function sweepStep(db: Queryable, workspaceId: string, versionId: string): Promise<boolean> {
  const [removal] = await db.rows<{ removed: number }>(sql`
    WITH gone AS (
      DELETE FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
        AND chunk_no IN (SELECT chunk_no FROM chunk
          WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} ORDER BY chunk_no LIMIT ${ROWS_PER_SWEEP})
      RETURNING 1
    ) SELECT count(*)::int AS removed FROM gone`)
  if ((removal?.removed ?? 0) > 0) return false
  await db.rows(sql`
    WITH gone AS (
      DELETE FROM version WHERE workspace_id = ${workspaceId} AND id = ${versionId} AND state = 'retired'
      RETURNING id
    ) DELETE FROM version_subject USING gone
      WHERE workspace_id = ${workspaceId} AND version_id = gone.id`)
  return true
}

/**
 * Retires versions whose attempt of a task ended without publishing them. Returns the workspaces that have versions to fold or
 * sweep, but no task for it.
 */
export async function retireAbandoned(db: Queryable): Promise<string[]> {
  // Versions are read before tasks, so an attempt that is then not among the tasks has ended for good.
  const building = await db.rows<{
    workspace_id: string
    id: string
    task_id: string | null
    attempt: number
  }>(
    acrossWorkspaces(
      sql`SELECT v.workspace_id, v.id, v.task_id, v.attempt FROM version v WHERE v.state = 'building' AND NOT v.settled`,
    ),
  )
  const taskIds = building.flatMap(({ task_id: taskId }) => taskId ?? [])
  const tasks = await db.rows<{ id: string; attempt: number }>(sql`
    SELECT id, attempt FROM task WHERE id = ANY (${taskIds}::uuid[])`)
  const currentAttempts = new Map(tasks.map(({ id, attempt }) => [id, attempt]))
  const abandoned = building.filter(
    ({ task_id: taskId, attempt }) => taskId === null || currentAttempts.get(taskId) !== attempt,
  )
  for (const workspaceId of new Set(abandoned.map((version) => version.workspace_id))) {
    const ids = abandoned.filter((version) => version.workspace_id === workspaceId).map(({ id }) => id)
    await db.rows(sql`
      UPDATE version SET state = 'retired'
      WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::uuid[]) AND state = 'building'`)
  }
  const unfoldedRows = await db.rows<{ id: string }>(
    acrossWorkspaces(sql`
      SELECT DISTINCT v.workspace_id AS id FROM version v WHERE NOT v.settled AND v.state IN ('live', 'retired')`),
  )
  const rows = await db.rows<{ id: string }>(sql`
    SELECT w.id FROM unnest(${unfoldedRows.map(({ id }) => id)}::uuid[]) AS w (id)
    WHERE NOT EXISTS (SELECT 1 FROM task t WHERE t.workspace_id = w.id AND t.kind IN ('fold', 'purge'))
      AND NOT EXISTS (SELECT 1 FROM trashed_workspace x WHERE x.id = w.id)`)
  return rows.map(({ id }) => id)
}
