// The tasks of webhooks. One finds the jobs that have ended and queues a delivery for each webhook. The other makes one attempt to
// send a delivery, and queues itself again until the receiver accepts it or the attempts are used up.

import { randomUUID } from 'node:crypto'
import type { Deps } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { postUntrusted } from '../ports/outbound/untrusted-post.ts'
import { SealBroken } from '../ports/seal.ts'
import { TaskLost } from '../work/handler.ts'
import { extendLease, finishTask, releaseTask, type Subject, type Task } from '../work/queue.sql.ts'
import { claimEndedJob, type EndedJob, finishEndCheck, selectEndedJobs, startEndCheck } from './notice.sql.ts'
import { signatureHeaders } from './signature.ts'
import {
  clearFailures,
  countFailedDelivery,
  deleteOldDeliveries,
  insertDelivery,
  type PendingDelivery,
  selectActiveIds,
  selectPendingDelivery,
  updateDelivery,
} from './webhooks.sql.ts'

type DeliveryDeps = Pick<Deps, 'db' | 'log' | 'mayConnect' | 'seal'>

interface DeliverySubject extends Subject {
  delivery_id?: string
}

interface DeliveryTask extends Task {
  subject: DeliverySubject
}

const RESPONSE_TIMEOUT_MS = 15_000
// The pause before each further attempt. Their sum is about three days.
const RETRY_PAUSE_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const MAX_FAILED_DELIVERIES = 5
const STATUS_GONE = 410

/** The purpose for which the secret of a webhook is sealed. */
export const sealPurpose = (workspaceId: string, webhookId: string): string =>
  `webhook ${workspaceId} ${webhookId}`

/** Finds the jobs that have ended, and queues a delivery for each webhook. */
export async function queueDeliveries({ db }: Pick<Deps, 'db'>, task: Task): Promise<void> {
  await startEndCheck(db, task)
  for (const job of await selectEndedJobs(db, task.workspace_id)) {
    await db.tx(async (tx) => {
      if (!(await claimEndedJob(tx, task.workspace_id, job.job_id))) return
      const body = bodyOf(task.workspace_id, job)
      for (const webhookId of await selectActiveIds(tx, task.workspace_id)) {
        const delivery = { id: randomUUID(), webhookId, type: 'job.done' as const, jobId: job.job_id, body }
        await insertDelivery(tx, task.workspace_id, delivery)
      }
    })
  }
  if (!(await finishEndCheck(db, task))) await releaseTask(db, task, 0, false)
}

/** What is sent when a job has ended. It contains no name and no text of a document. The receiver can ask the API for them. */
const bodyOf = (workspaceId: string, { created_at, ...job }: EndedJob): string =>
  JSON.stringify({
    type: 'job.done',
    timestamp: new Date().toISOString(),
    data: { workspace_id: workspaceId, ...job, created_at: created_at.toISOString() },
  })

/** Makes one attempt to send a delivery, and stores its outcome. */
export async function deliver(deps: DeliveryDeps, task: DeliveryTask, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const id = task.subject.delivery_id ?? ''
  const row = await selectPendingDelivery(db, task.workspace_id, id)
  if (!row) return void (await finishTask(db, task))
  const outcome = row.paused
    ? { error: 'The webhook was paused.', status: undefined }
    : await attemptDelivery(deps, task, row, signal)
  const pause = RETRY_PAUSE_SECONDS[row.attempts]
  const isGone = outcome.status === STATUS_GONE
  const hasNoAttemptLeft = pause === undefined
  const isFinal = row.paused || isGone || hasNoAttemptLeft
  await db.tx(async (tx) => {
    if (outcome.error !== undefined && !isFinal) {
      if (!(await extendLease(tx, task))) throw new TaskLost()
      await updateDelivery(tx, task.workspace_id, id, { state: 'waiting', ...outcome })
      await releaseTask(tx, task, pause, false)
      return
    }
    if (!(await finishTask(tx, task))) throw new TaskLost()
    const state = outcome.error === undefined ? 'delivered' : 'given_up'
    await updateDelivery(tx, task.workspace_id, id, { state, ...outcome })
    if (state === 'delivered') await clearFailures(tx, task.workspace_id, row.webhook_id)
    else if (!row.paused) {
      const reason = isGone
        ? 'The webhook is paused, because its address answered 410 (gone).'
        : `The webhook is paused, because ${MAX_FAILED_DELIVERIES} events in a row could not be delivered. ${outcome.error}`
      await countFailedDelivery(tx, task.workspace_id, row.webhook_id, {
        maxFailures: MAX_FAILED_DELIVERIES,
        pause: isGone,
        reason,
      })
    }
  })
  if (outcome.error !== undefined && isFinal)
    deps.log.warn(
      { delivery: id, attempts: row.attempts + 1 },
      'a webhook could not be delivered and is given up',
    )
}

interface Outcome {
  status: number | undefined
  /** Undefined if the receiver accepted the delivery. */
  error: string | undefined
}

async function attemptDelivery(
  { mayConnect, seal }: DeliveryDeps,
  task: DeliveryTask,
  { webhook_id, url, secret, body }: PendingDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const address = new URL(url)
  try {
    const key = seal.open(secret, sealPurpose(task.workspace_id, webhook_id))
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'kenning-webhook/1',
      ...signatureHeaders(key, task.subject.delivery_id ?? '', body, new Date()),
    }
    const status = await postUntrusted(address, {
      headers,
      body,
      timeoutMs: RESPONSE_TIMEOUT_MS,
      mayConnect,
      signal,
    })
    const isAccepted = status >= 200 && status < 300
    return { status, error: isAccepted ? undefined : `${address.host} answered ${status}.` }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SealBroken)
      return {
        status: undefined,
        error:
          'Its secret cannot be decrypted, because the key of this installation (secret.key) has changed. Create the webhook again.',
      }
    if (!(error instanceof OutboundFailed)) throw error
    return { status: undefined, error: error.message }
  }
}

export const removeOldDeliveries = ({ db }: Pick<Deps, 'db'>): Promise<void> => deleteOldDeliveries(db)
