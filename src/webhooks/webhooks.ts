// The webhooks of a workspace, for its owners. Tasks queue and send the deliveries (deliver.ts).

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { type Action, actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Page } from '../contract/resources.ts'
import type {
  Webhook,
  WebhookCreate,
  WebhookCreated,
  WebhookDelivery,
  WebhookUpdate,
} from '../contract/webhooks.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { sealPurpose } from './deliver.ts'
import { createSecret } from './signature.ts'
import {
  countWebhooks,
  type DeliveryRow,
  deleteWebhookRow,
  insertDelivery,
  insertWebhook,
  type Position,
  secondsUntilTest,
  selectDeliveries,
  selectDelivery,
  selectWebhook,
  selectWebhooks,
  updateWebhookRow,
  type WebhookRow,
} from './webhooks.sql.ts'

type WebhookDeps = Pick<Deps, 'db'>

const MAX_WEBHOOKS = 20

/** A page of the webhooks, oldest first. @throws ApiError 404, 403 */
export async function listWebhooks(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<Webhook>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const { rows, ...next } = await readPage(deps, {
    binding: ['webhooks', workspaceId, principal(caller)],
    page: query,
    select: (after: Position | undefined, limit) => selectWebhooks(deps.db, workspaceId, { after, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(asWebhook), ...next }
}

/** @throws ApiError 404, 403, 422 */
export async function createWebhook(
  deps: Pick<Deps, 'db' | 'seal'>,
  caller: Caller,
  workspaceId: string,
  body: WebhookCreate,
): Promise<WebhookCreated> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const url = requireWebUrl(body.url)
  const id = randomUUID()
  const secret = createSecret()
  await deps.db.tx(async (tx) => {
    if ((await countWebhooks(tx, workspaceId)) >= MAX_WEBHOOKS)
      throw invalid(['body'], `A workspace has at most ${MAX_WEBHOOKS} webhooks`, 'too_long')
    const sealedSecret = deps.seal.close(secret, sealPurpose(workspaceId, id))
    await insertWebhook(tx, workspaceId, { id, url, secret: sealedSecret, createdBy: caller.userId })
    await recordWebhookAction(tx, caller, workspaceId, { action: 'webhook_added', subject: id })
  })
  return { ...(await loadWebhook(deps, workspaceId, id)), secret }
}

/** @throws ApiError 404, 403, 422 */
export async function updateWebhook(
  deps: WebhookDeps,
  caller: Caller,
  { workspaceId, webhookId }: { workspaceId: string; webhookId: string },
  { url, paused }: WebhookUpdate,
): Promise<Webhook> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  if (url !== undefined || paused !== undefined) {
    const change = { url: url === undefined ? undefined : requireWebUrl(url), paused }
    await deps.db.tx(async (tx) => {
      if (!(await updateWebhookRow(tx, workspaceId, webhookId, change))) throw notFound()
      await recordWebhookAction(tx, caller, workspaceId, { action: 'webhook_changed', subject: webhookId })
    })
  }
  return loadWebhook(deps, workspaceId, webhookId)
}

/** @throws ApiError 404, 403 */
export async function deleteWebhook(
  deps: WebhookDeps,
  caller: Caller,
  workspaceId: string,
  webhookId: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await deps.db.tx(async (tx) => {
    if (!(await deleteWebhookRow(tx, workspaceId, webhookId))) throw notFound()
    await recordWebhookAction(tx, caller, workspaceId, { action: 'webhook_removed', subject: webhookId })
  })
}

// Enough for a person who sets up a webhook. Without a limit, test events could be used to send many requests to somebody else's
// server.
const MAX_TESTS = 10
const TEST_WINDOW_SECONDS = 600

/** Sends a test event. If the webhook is paused, the error of the delivery says so. @throws ApiError 404, 403, 429 */
export async function testWebhook(
  deps: WebhookDeps,
  caller: Caller,
  workspaceId: string,
  webhookId: string,
): Promise<WebhookDelivery> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await loadWebhook(deps, workspaceId, webhookId)
  const id = randomUUID()
  const event = {
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { workspace_id: workspaceId },
  }
  const delivery = { id, webhookId, type: 'webhook.test' as const, jobId: null, body: JSON.stringify(event) }
  const waitSeconds = await deps.db.tx(async (tx) => {
    const limit = { limit: MAX_TESTS, seconds: TEST_WINDOW_SECONDS }
    const seconds = await secondsUntilTest(tx, workspaceId, limit)
    if (seconds === undefined) {
      await insertDelivery(tx, workspaceId, delivery)
      await recordWebhookAction(tx, caller, workspaceId, { action: 'webhook_tested', subject: webhookId })
    }
    return seconds
  })
  if (waitSeconds !== undefined)
    throw new ApiError(
      429,
      'rate_limited',
      `A workspace sends at most ${MAX_TESTS} test events in ${TEST_WINDOW_SECONDS / 60} minutes. Try again in ${waitSeconds} seconds.`,
      { retryAfter: waitSeconds },
    )
  const row = await selectDelivery(deps.db, workspaceId, id)
  if (!row) throw notFound()
  return asDelivery(row)
}

/** @throws ApiError 404, 403 */
export async function listWebhookDeliveries(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, webhookId }: { workspaceId: string; webhookId: string },
  query: PageQuery,
): Promise<Page<WebhookDelivery>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await loadWebhook(deps, workspaceId, webhookId)
  const { rows, ...next } = await readPage(deps, {
    binding: ['webhook deliveries', workspaceId, webhookId, principal(caller)],
    page: query,
    select: (before: Position | undefined, limit) =>
      selectDeliveries(deps.db, workspaceId, webhookId, { before, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(asDelivery), ...next }
}

const recordWebhookAction = (
  tx: Queryable,
  caller: Caller,
  workspaceId: string,
  entry: { action: Extract<Action, `webhook_${string}`>; subject: string },
): Promise<void> => record(tx, { ...entry, actor: actorOf(caller), workspaceIds: [workspaceId] })

/** @throws ApiError 404 */
async function loadWebhook(deps: WebhookDeps, workspaceId: string, webhookId: string): Promise<Webhook> {
  const row = await selectWebhook(deps.db, workspaceId, webhookId)
  if (!row) throw notFound()
  return asWebhook(row)
}

const asWebhook = ({ id, url, paused, error, created_at }: WebhookRow): Webhook => ({
  id,
  url,
  paused,
  error,
  created_at: created_at.toISOString(),
})

const asDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  job_id: row.job_id,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  created_at: row.created_at.toISOString(),
  tried_at: row.tried_at?.toISOString() ?? null,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
})

/** @throws ApiError 422 */
function requireWebUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  const requirement =
    'It must be a web address without name and password, such as https://example.org/hooks/kenning'
  throw invalid(['body', 'url'], requirement, 'value_error')
}
