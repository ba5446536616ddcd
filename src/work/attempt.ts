// Runs one attempt at a task. The error that the handler throws decides whether the task is given up, or when it is tried again.

import { BlobsAway } from '../ports/blobs/blobs.ts'
import { isDiskFull, isNodeAway, isUnavailable } from '../ports/db/db-errors.ts'
import { type Span, span } from '../ports/trace/trace.ts'
import {
  type Handler,
  type Slot,
  TaskLost,
  TaskStale,
  type Verdict,
  type Work,
  type WorkerDeps,
} from './handler.ts'
import { persist } from './persist.ts'
import {
  deferBusy,
  deferTask,
  finishTask,
  releaseAsLong,
  releaseTask,
  type Task,
  takeBackFailure,
} from './queue.sql.ts'

const MAX_FAILURES = 3
// A task that was claimed more often is given up, even if no attempt counted as its failure: if a task's statement crashes the
// engine, it looks as if the database were down.
const MAX_CLAIMS = 20
// With the pauses of `resourceBackoffSeconds`, this many attempts take 80 minutes. A machine that is only temporarily busy can
// do the task in that time.
const MAX_BUSY_ATTEMPTS = 20
// The pause before the next attempt when the disk is full or the machine is busy: 20 s, doubling each time, at most 300 s.
const resourceBackoffSeconds = ({ subject: { excused = 0 } }: Task): number =>
  Math.min(20 * 2 ** excused, 300)
// The pause when a node of a Citus cluster cannot be reached, or when this release has no handler for the kind. Without this
// pause, the task would use up its claims before the node has restarted.
const nodeBackoffSeconds = ({ subject: { excused = 0 } }: Task): number => Math.min(2 ** excused, 30)
// The seconds between a failed attempt and the next one: 2, 8, 32 … 3600.
const backoffSeconds = (failures: number): number => Math.min(2 * 4 ** failures, 3600)

/** The slot of a task that runs without a worker, in tests. */
const NO_SLOT: Slot = {
  mustBeShort: false,
  isFirstOfWorkspace: true,
  onlyWrites: () => {},
  coClaim: () => {},
  reserveMemory: async () => {},
}

interface Attempt {
  task: Task
  /** Aborted when the worker stops. */
  signal: AbortSignal
  slot?: Slot | undefined
  /** Aborted when the task is cancelled or taken over. */
  cancellation?: AbortController
}

/** Runs a claimed task until it is done, given up, released, or lost to another worker. Never throws. */
export function runTask<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  attempt: Attempt,
): Promise<void> {
  const { id, kind, attempt: attemptNumber, subject } = attempt.task
  return span(
    `task ${kind}`,
    { 'kenning.task.attempt': attemptNumber, 'kenning.task.id': id },
    (span) => runTraced(deps, handlers, attempt, span),
    // The task continues the trace of the request that queued it, even if that request ended long ago.
    { kind: 'consumer', parent: subject.trace },
  )
}

async function runTraced<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  { task, signal, slot = NO_SLOT, cancellation = new AbortController() }: Attempt,
  span: Span,
): Promise<void> {
  const handler = handlers[task.kind] ?? handlerOfUnknownKind(task)
  const startMs = performance.now()
  let outcome: 'done' | 'failed' | 'untried' = 'done'
  try {
    if (hasFailedTooOften(handler, task)) await giveUp(deps, handler, task)
    else await handler.run(deps, task, AbortSignal.any([signal, cancellation.signal]), slot)
  } catch (error) {
    // A kind of another release does not count as a failure.
    outcome = error instanceof UnknownKind ? 'untried' : 'failed'
    span.fail(error instanceof Error ? error.name : 'error')
    await finishAttempt(deps, handler, task, {
      error,
      isStopping: signal.aborted,
      isLost: cancellation.signal.aborted,
    })
  } finally {
    const ms = Math.round(performance.now() - startMs)
    if (outcome !== 'untried') deps.metrics?.task(task.kind, outcome, ms / 1000)
    deps.log.debug({ task: task.id, kind: task.kind, attempt: task.attempt, ms }, 'task ended')
  }
}

class UnknownKind extends Error {}

/**
 * The handler of tasks of an unknown kind, which a process of a later release has queued. The task is released until a worker of
 * that release claims it.
 */
const handlerOfUnknownKind = ({ kind }: Task): Handler<unknown> => ({
  run: () => Promise.reject(new UnknownKind(`this release has no handler for tasks of the kind ${kind}`)),
})

const hasFailedTooOften = ({ giveUp }: Handler<never>, { failures, attempt, subject }: Task): boolean =>
  giveUp !== undefined &&
  (failures >= MAX_FAILURES || attempt - (subject.excused ?? 0) > MAX_CLAIMS + (giveUp.rounds ?? 0))

/** Why an attempt ended before its task was done. */
interface Interruption {
  error: unknown
  /** Whether the worker stops. */
  isStopping: boolean
  /** Whether the task was cancelled or taken over. */
  isLost: boolean
}

async function finishAttempt<D extends WorkerDeps>(
  deps: D,
  handler: Handler<D>,
  task: Task,
  { error, isStopping, isLost }: Interruption,
): Promise<void> {
  const logFields = { task: task.id, kind: task.kind, attempt: task.attempt }
  const writeSignal = AbortSignal.timeout(30_000)
  if (error instanceof TaskLost || isLost) {
    deps.log.info(logFields, 'task lost')
    return persist(deps, writeSignal, () => takeBackFailure(deps.db, task))
  }
  if (isStopping) return persist(deps, writeSignal, () => releaseTask(deps.db, task, 0, false))
  const verdict = handler.verdict?.(error)
  if (verdict === 'long') {
    deps.log.info(logFields, 'the task takes too long for its slot and is given back')
    return persist(deps, writeSignal, () => releaseAsLong(deps.db, task))
  }
  if (verdict && 'busy' in verdict) return deferOrGiveUp(deps, handler, { task, verdict }, writeSignal)
  if (verdict) {
    deps.log.info({ ...logFields, reason: verdict.giveUp }, 'the task cannot succeed')
    return persist(deps, writeSignal, () => giveUp(deps, handler, task, verdict.giveUp))
  }
  if (isDiskFull(error)) {
    deps.log.warn({ ...logFields, err: error }, 'the disk is full: the task waits')
    return persist(deps, writeSignal, () => deferTask(deps.db, task, resourceBackoffSeconds(task)))
  }
  if (error instanceof UnknownKind)
    deps.log.info(logFields, 'the task is of another release and is given back')
  if (isNodeAway(error) || error instanceof UnknownKind)
    return persist(deps, writeSignal, () => deferTask(deps.db, task, nodeBackoffSeconds(task)))
  // These errors are not the task's fault.
  if (isUnavailable(error) || error instanceof BlobsAway || error instanceof TaskStale) {
    return persist(deps, writeSignal, () => releaseTask(deps.db, task, 1, false))
  }
  deps.log.error({ ...logFields, err: error }, 'task failed')
  if (hasFailedTooOften(handler, { ...task, failures: task.failures + 1 })) {
    return persist(deps, writeSignal, () => giveUp(deps, handler, task))
  }
  await persist(deps, writeSignal, () => releaseTask(deps.db, task, backoffSeconds(task.failures), true))
}

async function deferOrGiveUp(
  deps: WorkerDeps,
  handler: Handler<never>,
  { task, verdict }: { task: Task; verdict: Extract<Verdict, { busy: string }> },
  signal: AbortSignal,
): Promise<void> {
  const { busy: reason, giveUpReason } = verdict
  const { busy } = task.subject
  const times = busy?.reason === reason ? busy.times + 1 : 1
  const fields = { task: task.id, kind: task.kind, attempt: task.attempt, reason, times }
  if (handler.giveUp && times >= MAX_BUSY_ATTEMPTS) {
    deps.log.error(fields, 'the machine cannot do it: the task is given up')
    return persist(deps, signal, () => giveUp(deps, handler, task, giveUpReason))
  }
  deps.log.warn(fields, 'the machine is too busy: the task waits')
  await persist(deps, signal, () =>
    deferBusy(deps.db, task, { seconds: resourceBackoffSeconds(task), reason, times }),
  )
}

async function giveUp(deps: WorkerDeps, handler: Handler<never>, task: Task, reason?: string): Promise<void> {
  deps.log.warn({ task: task.id, kind: task.kind, reason: reason ?? 'too many failures' }, 'given up')
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await handler.giveUp?.write(tx, task, reason)
  })
}
