// The statements about webhooks and their deliveries.

import { randomUUID } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import type { WebhookDelivery } from '../contract/webhooks.ts'
import type { Queryable } from '../ports/db/db.ts'
import { PRIORITY } from '../work/queue.sql.ts'

export interface WebhookRow {
  id: string
  url: string
  paused: boolean
  error: string | null
  created_at: Date
  position: string
}

export interface Position {
  at: string
  id: string
}

const webhookColumns = sql`id, url, paused, error, created_at, created_at::text AS position`

export const selectWebhooks = (
  db: Queryable,
  workspaceId: string,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<WebhookRow[]> =>
  db.rows(sql`
    SELECT ${webhookColumns} FROM webhook WHERE workspace_id = ${workspaceId}
      ${after ? sql`AND (created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)` : empty}
    ORDER BY created_at, id LIMIT ${limit}`)

export async function selectWebhook(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await db.rows<WebhookRow>(
    sql`SELECT ${webhookColumns} FROM webhook WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid`,
  )
  return row
}

export async function countWebhooks(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM webhook WHERE workspace_id = ${workspaceId}`,
  )
  return row?.count ?? 0
}

export async function insertWebhook(
  tx: Queryable,
  workspaceId: string,
  row: { id: string; url: string; secret: Buffer; createdBy: string },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO webhook (workspace_id, id, url, secret, created_by)
    VALUES (${workspaceId}, ${row.id}, ${row.url}, ${row.secret}, ${row.createdBy})`)
}

/** Changes the webhook and clears its errors, because the change may have corrected their cause. False if it does not exist. */
export async function updateWebhookRow(
  tx: Queryable,
  workspaceId: string,
  id: string,
  { url, paused }: { url: string | undefined; paused: boolean | undefined },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE webhook SET url = coalesce(${url ?? null}::text, url), paused = coalesce(${paused ?? null}::boolean, paused),
      error = NULL, failures = 0
    WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid RETURNING 1`)
  return rows.length > 0
}

/** Deletes the webhook with its deliveries and their tasks. False if the webhook does not exist. */
export async function deleteWebhookRow(tx: Queryable, workspaceId: string, id: string): Promise<boolean> {
  await tx.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspaceId} AND kind = 'delivery' AND subject ->> 'delivery_id' IN (
      SELECT d.id::text FROM webhook_delivery d WHERE d.workspace_id = ${workspaceId} AND d.webhook_id = ${id}::uuid)`)
  const rows = await tx.rows(
    sql`DELETE FROM webhook WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid RETURNING 1`,
  )
  return rows.length > 0
}

/**
 * How many seconds the workspace has to wait for its next test, if only `limit` tests are allowed in `seconds`. Undefined if it may
 * test now. Tests are counted in the audit log, so that deleting and recreating a webhook does not reset the count. The row of the
 * workspace stays locked until the transaction ends, so that two concurrent tests cannot both be the last allowed one.
 */
export async function secondsUntilTest(
  tx: Queryable,
  workspaceId: string,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<number | undefined> {
  await tx.rows(sql`SELECT FROM workspace WHERE id = ${workspaceId} FOR NO KEY UPDATE`)
  const [row] = await tx.rows<{ wait: number }>(sql`
    SELECT greatest(1, ceil(extract(epoch FROM at - clock_timestamp()) + ${seconds}))::int AS wait
    FROM activity
    WHERE workspace_id = ${workspaceId} AND action = 'webhook_tested'
      AND at > clock_timestamp() - make_interval(secs => ${seconds})
    ORDER BY at DESC OFFSET ${limit - 1} LIMIT 1`)
  return row?.wait
}

interface NewDelivery {
  id: string
  webhookId: string
  type: WebhookDelivery['type']
  jobId: string | null
  body: string
}

/** Inserts a delivery with its task. */
export async function insertDelivery(tx: Queryable, workspaceId: string, row: NewDelivery): Promise<void> {
  await tx.rows(sql`
    INSERT INTO webhook_delivery (workspace_id, id, webhook_id, type, job_id, body, state)
    VALUES (${workspaceId}, ${row.id}, ${row.webhookId}, ${row.type}, ${row.jobId}, ${row.body}, 'waiting')`)
  await tx.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'delivery', ${JSON.stringify({ delivery_id: row.id })}::jsonb,
      ${PRIORITY.networkBound})`)
}

export const selectActiveIds = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`SELECT id FROM webhook WHERE workspace_id = ${workspaceId} AND NOT paused ORDER BY created_at, id`,
  )
  return rows.map(({ id }) => id)
}

export interface DeliveryRow {
  id: string
  type: WebhookDelivery['type']
  job_id: string | null
  state: WebhookDelivery['state']
  attempts: number
  status: number | null
  error: string | null
  created_at: Date
  tried_at: Date | null
  next_attempt_at: Date | null
  position: string
}

const deliveryColumns = sql`
  d.id, d.type, d.job_id, d.state, d.attempts, d.status, d.error, d.created_at, d.tried_at, d.created_at::text AS position,
  t.run_after AS next_attempt_at
  FROM webhook_delivery d LEFT JOIN task t ON t.kind = 'delivery' AND t.subject ->> 'delivery_id' = d.id::text`

export const selectDeliveries = (
  db: Queryable,
  workspaceId: string,
  webhookId: string,
  { before, limit }: { before: Position | undefined; limit: number },
): Promise<DeliveryRow[]> =>
  db.rows(sql`
    SELECT ${deliveryColumns} WHERE d.workspace_id = ${workspaceId} AND d.webhook_id = ${webhookId}::uuid
      ${before ? sql`AND (d.created_at, d.id) < (${before.at}::timestamptz, ${before.id}::uuid)` : empty}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`)

export async function selectDelivery(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.rows<DeliveryRow>(
    sql`SELECT ${deliveryColumns} WHERE d.workspace_id = ${workspaceId} AND d.id = ${id}::uuid`,
  )
  return row
}

export interface PendingDelivery {
  webhook_id: string
  url: string
  secret: Buffer
  paused: boolean
  body: string
  attempts: number
}

/** The delivery with the address and the secret of its webhook. Undefined if the webhook was deleted or the delivery has ended. */
export async function selectPendingDelivery(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<PendingDelivery | undefined> {
  const [row] = await db.rows<PendingDelivery>(sql`
    SELECT w.id AS webhook_id, w.url, w.secret, w.paused, d.body, d.attempts
    FROM webhook_delivery d JOIN webhook w ON w.workspace_id = d.workspace_id AND w.id = d.webhook_id
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${id}::uuid AND d.state = 'waiting'`)
  return row
}

interface AttemptOutcome {
  state: WebhookDelivery['state']
  status: number | undefined
  error: string | undefined
}

export async function updateDelivery(
  tx: Queryable,
  workspaceId: string,
  id: string,
  { state, status, error }: AttemptOutcome,
): Promise<void> {
  await tx.rows(sql`
    UPDATE webhook_delivery SET state = ${state}, attempts = attempts + 1, status = ${status ?? null}::int,
      error = ${error ?? null}::text, tried_at = now()
    WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid`)
}

/** Counts a delivery that was given up. After `maxFailures` in a row, or with `pause`, the webhook is paused with this reason. */
export async function countFailedDelivery(
  tx: Queryable,
  workspaceId: string,
  webhookId: string,
  { maxFailures, pause, reason }: { maxFailures: number; pause: boolean; reason: string },
): Promise<void> {
  await tx.rows(sql`
    UPDATE webhook SET failures = failures + 1, paused = paused OR ${pause} OR failures + 1 >= ${maxFailures}::int,
      error = CASE WHEN ${pause} OR failures + 1 >= ${maxFailures}::int THEN ${reason} ELSE error END
    WHERE workspace_id = ${workspaceId} AND id = ${webhookId}::uuid`)
}

export async function clearFailures(tx: Queryable, workspaceId: string, webhookId: string): Promise<void> {
  await tx.rows(sql`
    UPDATE webhook SET failures = 0 WHERE workspace_id = ${workspaceId} AND id = ${webhookId}::uuid AND failures > 0`)
}

export async function deleteOldDeliveries(db: Queryable): Promise<void> {
  await db.rows(sql`
    DELETE FROM webhook_delivery WHERE state <> 'waiting' AND created_at < now() - interval '30 days'`)
}
