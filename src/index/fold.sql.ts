// Folds the document frequencies of versions into term_stat, and sweeps the rows of retired versions. In batches of chunks:
// 180,000 new rows in one statement block the embedded engine for 0.9 s.

import sql from 'sql-template-tag'
import type { Db, Queryable } from '../ports/db/db.ts'

// 50 chunks of 130 terms take 36 ms of the embedded engine's time, 100 take 55 ms (15 % less in all).
const FOLDED_A_BATCH = 50
const SWEPT_A_BATCH = 200

interface Unsettled {
  id: string
  state: 'live' | 'retired'
  folded: number
}

/** One version of the workspace that is still to be folded or swept. */
export async function selectUnsettled(db: Queryable, workspaceId: string): Promise<Unsettled | undefined> {
  const [row] = await db.rows<Unsettled>(sql`
    SELECT id, state, folded FROM version
    WHERE workspace_id = ${workspaceId} AND NOT settled AND state IN ('live', 'retired')
    ORDER BY state, id LIMIT 1`)
  return row
}

/**
 * Adds the terms of the next chunks of a live version, or subtracts those of the last counted chunks of a retired one. The
 * version's row is locked, so `folded` stays exact when it is retired meanwhile; terms ascend, so two folds never deadlock.
 */
export const foldStep = (db: Db, workspaceId: string, versionId: string): Promise<void> =>
  db.tx(async (tx) => {
    const [version] = await tx.rows<Unsettled & { settled: boolean }>(sql`
      SELECT state, folded, settled FROM version
      WHERE workspace_id = ${workspaceId} AND id = ${versionId} FOR UPDATE`)
    if (!version || version.settled) return
    const live = version.state === 'live'
    const from = live ? version.folded : Math.max(0, version.folded - FOLDED_A_BATCH)
    const upto = live ? version.folded + FOLDED_A_BATCH : version.folded
    const spent = await countTerms(tx, { workspaceId, versionId, from, upto, sign: live ? 1 : -1 })
    if (spent.length) await deleteTerms(tx, workspaceId, spent)
    await tx.rows(sql`
      UPDATE version v SET folded = ${live ? upto : from}, settled = ${live} AND NOT EXISTS (
        SELECT 1 FROM chunk c WHERE c.workspace_id = v.workspace_id AND c.version_id = v.id AND c.chunk_no >= ${upto})
      WHERE workspace_id = ${workspaceId} AND id = ${versionId}`)
  })

/** Adds or subtracts the terms of some chunks; returns those that no chunk has any more. */
async function countTerms(
  tx: Queryable,
  batch: { workspaceId: string; versionId: string; from: number; upto: number; sign: 1 | -1 },
): Promise<number[]> {
  const rows = await tx.rows<{ term: number }>(sql`
    WITH terms AS (
      SELECT t.term, min(t.word) AS word, count(*)::int AS df
      FROM chunk c CROSS JOIN LATERAL unnest(c.terms, c.words) AS t (term, word)
      WHERE c.workspace_id = ${batch.workspaceId} AND c.version_id = ${batch.versionId}
        AND c.chunk_no >= ${batch.from} AND c.chunk_no < ${batch.upto}
      GROUP BY t.term
    ), counted AS (
      INSERT INTO term_stat (workspace_id, term, word, df)
      SELECT ${batch.workspaceId}::uuid, term, word, df * ${batch.sign}::int FROM terms ORDER BY term
      ON CONFLICT (workspace_id, term) DO UPDATE SET df = term_stat.df + excluded.df
      RETURNING term, df
    ) SELECT term FROM counted WHERE df <= 0`)
  return rows.map((row) => row.term)
}

const deleteTerms = (tx: Queryable, workspaceId: string, terms: number[]): Promise<unknown> =>
  tx.rows(sql`
    DELETE FROM term_stat WHERE workspace_id = ${workspaceId} AND term = ANY (${terms}::int[]) AND df <= 0`)

/**
 * Removes some rows of a retired version that is no longer counted; true when the version is gone. Its vectors stay until
 * the next round of embedding, which may take them over for the same text in the next version.
 */
export async function sweepStep(db: Queryable, workspaceId: string, versionId: string): Promise<boolean> {
  const [left] = await db.rows<{ removed: number }>(sql`
    WITH gone AS (
      DELETE FROM chunk WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
        AND chunk_no IN (SELECT chunk_no FROM chunk
          WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} ORDER BY chunk_no LIMIT ${SWEPT_A_BATCH})
      RETURNING 1
    ) SELECT count(*)::int AS removed FROM gone`)
  if ((left?.removed ?? 0) > 0) return false
  await db.rows(sql`
    WITH gone AS (
      DELETE FROM version WHERE workspace_id = ${workspaceId} AND id = ${versionId} AND state = 'retired'
      RETURNING id
    ) DELETE FROM version_subject USING gone
      WHERE workspace_id = ${workspaceId} AND version_id = gone.id`)
  return true
}

/**
 * Retires versions whose attempt ended without publishing them; returns the workspaces in which something is left to fold
 * or sweep and no task will do it.
 */
export async function retireAbandoned(db: Queryable): Promise<string[]> {
  await db.rows(sql`
    UPDATE version v SET state = 'retired'
    WHERE v.state = 'building' AND NOT EXISTS (
      SELECT 1 FROM task t WHERE t.id = v.task_id AND t.attempt = v.attempt)`)
  const rows = await db.rows<{ workspace_id: string }>(sql`
    SELECT DISTINCT workspace_id FROM version v WHERE NOT settled AND state IN ('live', 'retired')
      AND NOT EXISTS (SELECT 1 FROM task t WHERE t.workspace_id = v.workspace_id AND t.kind IN ('fold', 'purge'))`)
  return rows.map((row) => row.workspace_id)
}
