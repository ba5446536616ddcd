// The worker: claims tasks, runs the function of their kind, and decides what a failure means. It knows no kind of task.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { BlobsAway } from '../ports/blobs/blobs.ts'
import { isDiskFull, isNodeAway, isUnavailable } from '../ports/db/postgres.ts'
import { type Span, span } from '../ports/trace/trace.ts'
import {
  hoursSlots,
  type MemoryBudget,
  makeMemoryBudget,
  mayBegin,
  memoryBytes,
  shareOf,
} from './capacity.ts'
import {
  type Handler,
  type Slot,
  TaskLost,
  TaskStale,
  type Verdict,
  type Work,
  type WorkerDeps,
} from './handler.ts'
import { keepLeases, type LeaseKeeper } from './leases.ts'
import { persist } from './persist.ts'
import {
  claimOutside,
  claimTask,
  excuseBusy,
  excuseTask,
  finishTask,
  type Lease,
  leaveTurn,
  releaseTask,
  releaseWorker,
  selectLost,
  type Task,
  takeBackFailure,
} from './queue.sql.ts'

// A cancelled task is noticed this soon, and its parser killed: within a second of the call.
const WATCH_MS = 400
const IDLE_MS = 250
// One look for work costs the embedded engine 5 to 25 ms: a fifth of its time while files were read, at four a second.
const NEWCOMER_MS = 500
// A third task is begun only below it: a parsed text of 100 MB takes 280 MB of heap until it is written.
const MOST_HEAP_BYTES = 300e6
// Of all texts at once, from before they are read into the heap. What is begun while the heap is small comes back together:
// with four parsers eight texts of 100 MB in two bytes a character took 1,128 MB of a heap of 1,024; now 823.
const MOST_TEXT_BYTES = 300e6
const OUTSIDE_MS = 1000
// Of what waits for the network and is done within minutes.
const OUTSIDE_SLOTS = 4
// Of what waits for it for hours, a process each: four slow sites kept all others waiting, webhooks among them. The last of these
// slots give way after a while (`Slot.newcomer`), so that none waits for hours behind those that do.
const HOURS_SLOTS = hoursSlots(memoryBytes())
const SHORT_SLOTS = 2
// One workspace never has all.
const HOURS_PER_WORKSPACE = Math.min(2, HOURS_SLOTS - 1)
const MINUTE_MS = 60_000
const MOST_FAILURES = 3
// Whatever the reasons, a task claimed so often does harm: a statement that takes the engine down each time looks
// like a database that is away.
const MOST_CLAIMS = 20
// An hour and a half by `machineSeconds`: a machine that is only busy starts something in that time, a broken library never.
const MAX_BUSY = 20
// Somebody has to free some space first: 20 s, twice as long each time, five minutes at most. A file whose result does not
// fit would otherwise fill what is left of the disk three times a minute.
const machineSeconds = ({ subject: { excused = 0 } }: Task): number => Math.min(20 * 2 ** excused, 300)
// A node of a Citus comes back by itself, or by somebody; until then tasks of the other nodes are claimed, so each try of these is
// a claim. Twenty of them a second apart were over before a server had restarted, and every file was given up. The same for a kind
// of another release: three failures here, and its own worker gave it up untried.
const elsewhereSeconds = ({ subject: { excused = 0 } }: Task): number => Math.min(2 ** excused, 30)
// Seconds before a failed attempt is tried again: 2, 8, 32 … 3600.
const backoff = (failures: number): number => Math.min(2 * 4 ** failures, 3600)

export interface WorkerOptions {
  /** The same name after a restart by the supervisor: leases of the dead process are free at once. */
  name: string
  /** Tasks at a time: one parses while others write. The last begins nothing while those before it hold much memory. */
  concurrency: number
  /** So many more while tasks only write (capacity.ts); none without it. */
  behind?: number
  /**
   * Opens slots that take only short awaited tasks of workspaces in which no worker holds one: else a person's small file
   * waits behind the large ones of others until one of those is done.
   */
  newcomers?: boolean
  /** Whether the last slot and those behind may begin something (default: while the heap is small enough). */
  hasRoom?: () => boolean
  /** Keeps the leases of what is held; by default this event loop does. */
  leases?: LeaseKeeper
  signal: AbortSignal
}

const heapHasRoom = (): boolean => getHeapStatistics().used_heap_size < MOST_HEAP_BYTES

/** What this process works on, with how to stop it. */
export type Held = Map<string, { task: Task; lost: AbortController }>

/** What the slots of a worker share. */
interface Shared {
  held: Held
  leases: LeaseKeeper
  /** By the id of one of `held`: what it does beside itself. */
  along: Map<string, readonly Lease[]>
  /** Those of `held` that only write from now on. */
  writing: Set<string>
  /** Those of `held` that a slot for newcomers took. */
  newcomers: Set<string>
  /** Those of `held` that wait for the network, in slots of their own. */
  outside: Set<string>
  /** The same, of kinds that may take hours. */
  hours: Set<string>
  short: Set<string>
  /** Slots that are asking for a task right now. */
  asking: number
  memory: MemoryBudget
}

/** Works until the signal; what is under way then is given back untried. */
export async function runWorker<D extends WorkerDeps>(
  deps: D,
  work: Work<D>,
  options: WorkerOptions,
): Promise<void> {
  const { name, concurrency, behind = 0, hasRoom = heapHasRoom, signal } = options
  // Every slot waits on it: more listeners than the ten after which Node warns of a leak.
  setMaxListeners(0, signal)
  const leases = options.leases ?? keepLeasesHere(deps)
  await persist(deps, signal, () => releaseWorker(deps.db, name))
  for (const begin of work.atStart) await persist(deps, signal, () => begin(deps))
  const held: Held = new Map()
  const newcomers = new Set<string>()
  const outside = new Set<string>()
  const hours = new Set<string>()
  const short = new Set<string>()
  const shared: Shared = {
    held,
    leases,
    along: new Map(),
    writing: new Set(),
    newcomers,
    outside,
    hours,
    short,
    asking: 0,
    memory: makeMemoryBudget(MOST_TEXT_BYTES),
  }
  const begun = (): number => held.size - newcomers.size - outside.size - hours.size - short.size
  const isWriting = (id: string): boolean => shared.writing.has(id)
  const isFree = (asking: number): boolean => {
    const writing = [...shared.writing].filter((id) => !newcomers.has(id)).length
    return mayBegin(begun() + asking, writing, { concurrency, behind, hasRoom })
  }
  // While there is nothing to do one slot looks for work, not all: the next looks once those before it are busy.
  const slots = Array.from({ length: concurrency + behind }, (_, no) => {
    const when = (): boolean => begun() >= no && isFree(shared.asking)
    return runSlot(deps, work, shared, { name, takes: 'usual', when }, signal)
  })
  if (options.newcomers) {
    for (let no = 0; no <= behind; no++) {
      // No other slot would take it: all are busy, or the next waits for memory. Only one of these reads at a time.
      const when = (): boolean => !isFree(0) && newcomers.size >= no && [...newcomers].every(isWriting)
      slots.push(runSlot(deps, work, shared, { name, takes: 'newcomers', when }, signal))
    }
  }
  for (let no = 0; no < OUTSIDE_SLOTS; no++) {
    const when = (): boolean => outside.size >= no
    slots.push(runSlot(deps, work, shared, { name, takes: 'outside', when }, signal))
  }
  for (let no = 0; no < HOURS_SLOTS; no++) {
    const when = (): boolean => hours.size >= no
    slots.push(runSlot(deps, work, shared, { name, takes: 'hours', when }, signal))
  }
  for (let no = 0; no < SHORT_SLOTS; no++) {
    const when = (): boolean => hours.size >= HOURS_SLOTS && short.size >= no
    slots.push(runSlot(deps, work, shared, { name, takes: 'short', when }, signal))
  }
  await Promise.all([...slots, sweep(deps, work, signal), watch(deps, held, signal)])
  await leases.close()
}

const keepLeasesHere = (deps: WorkerDeps): LeaseKeeper =>
  keepLeases(deps.db, (error) => deps.log.warn({ err: error }, 'heartbeat failed'))

/** Between two looks for work, by what a slot takes. */
const PAUSE_MS = {
  usual: IDLE_MS,
  newcomers: NEWCOMER_MS,
  outside: OUTSIDE_MS,
  hours: OUTSIDE_MS,
  short: OUTSIDE_MS,
}

/** Kinds of tasks that may take hours, or all others. */
const kindsThat = (handlers: Work<never>['handlers'], mayTakeHours: boolean): string[] =>
  Object.entries(handlers).flatMap(([kind, handler]) =>
    (handler.mayTakeHours === true) === mayTakeHours ? [kind] : [],
  )

async function runSlot<D extends WorkerDeps>(
  deps: D,
  { handlers }: Work<D>,
  shared: Shared,
  { name, takes, when }: { name: string; takes: keyof typeof PAUSE_MS; when: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const { held, leases, along, writing } = shared
  const isAwaited = (task: Task): boolean => handlers[task.kind]?.awaited === true
  const claim = async (): Promise<Task | undefined> => {
    const mine = [...held.keys(), ...[...along.values()].flat().map(({ id }) => id)]
    if (takes === 'outside') return claimOutside(deps.db, name, { mine, kinds: kindsThat(handlers, false) })
    if (takes === 'hours' || takes === 'short')
      return claimOutside(deps.db, name, {
        mine,
        kinds: kindsThat(handlers, true),
        perWorkspace: HOURS_PER_WORKSPACE,
        long: takes === 'hours',
      })
    const awaitedFirst = [...held.values()].some(({ task }) => isAwaited(task))
    return claimTask(deps.db, name, {
      newcomers: takes === 'newcomers',
      awaitedFirst,
      mine,
    })
  }
  const hold = (): void =>
    leases.hold([...[...held.values()].map(({ task }) => task), ...[...along.values()].flat()])
  const ask = async (): Promise<Task | undefined> => {
    if (!when()) return undefined
    const counts = takes === 'usual' || takes === 'newcomers' ? 1 : 0
    shared.asking += counts
    const task = await claim().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'could not look for work')
      return undefined
    })
    shared.asking -= counts
    return task
  }
  while (!signal.aborted) {
    const task = await ask()
    if (task) {
      const { enter, leave } = shareOf(shared.memory, task.workspace_id)
      const isOfAnother = ({ task: other }: { task: Task }): boolean =>
        !isAwaited(other) || other.workspace_id !== task.workspace_id
      const first = [...held.values()].every(isOfAnother)
      const slot: Slot = {
        newcomer: takes === 'newcomers' || takes === 'short',
        first,
        enter,
        onlyWrites: () => void writing.add(task.id),
        takesAlong: (tasks) => {
          along.set(task.id, tasks)
          hold()
        },
      }
      if (takes !== 'usual') shared[takes].add(task.id)
      const running = runTask(deps, handlers, held, task, signal, slot)
      hold()
      await running
      leave()
      along.delete(task.id)
      writing.delete(task.id)
      if (takes !== 'usual') shared[takes].delete(task.id)
      hold()
    } else await sleep(PAUSE_MS[takes], undefined, { signal }).catch(() => undefined)
  }
}

/** Stops what was cancelled or taken over: one small statement for all that is held. */
async function watch(deps: WorkerDeps, held: Held, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined)
    if (held.size === 0) continue
    const entries = [...held.values()]
    const tasks = entries.map(({ task }) => task)
    // While the database is away nothing counts as lost.
    const lostIds = await selectLost(deps.db, tasks).catch((): string[] => [])
    // Only the attempt that was asked about: another may have begun here meanwhile, which is not lost with it.
    for (const { task, lost: controller } of entries)
      if (lostIds.includes(task.id)) controller.abort(new TaskLost())
  }
}

async function sweep<D extends WorkerDeps>(deps: D, { sweeps }: Work<D>, signal: AbortSignal): Promise<void> {
  for (let minute = 0; !signal.aborted; minute++) {
    for (const { everyMinutes, run } of sweeps) {
      if (minute % everyMinutes !== 0 || signal.aborted) continue
      await run(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'sweeping failed'))
    }
    await sleep(MINUTE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** For a task that no worker's loop runs. */
const alone: Slot = {
  newcomer: false,
  first: true,
  onlyWrites: () => {},
  takesAlong: () => {},
  enter: async () => {},
}

/** Runs a claimed task to its end, whatever that is: done, given up, given back, or lost to another. Never throws. */
export function runTask<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  held: Held,
  task: Task,
  signal: AbortSignal,
  slot: Slot = alone,
): Promise<void> {
  const { kind, attempt, subject } = task
  return span(
    `task ${kind}`,
    { 'kenning.task.attempt': attempt, 'kenning.task.id': task.id },
    (span) => runTraced(deps, handlers, held, { task, span }, signal, slot),
    // The request that asked for it may have ended long ago: upload and indexing are one trace nevertheless.
    { kind: 'consumer', parent: subject.trace },
  )
}

async function runTraced<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  held: Held,
  { task, span }: { task: Task; span: Span },
  signal: AbortSignal,
  slot: Slot,
): Promise<void> {
  const handler = handlers[task.kind] ?? unknownKind(task)
  const controller = new AbortController()
  held.set(task.id, { task, lost: controller })
  const started = performance.now()
  let outcome: 'done' | 'failed' | 'untried' = 'done'
  try {
    if (isHopeless(handler, task)) await giveUp(deps, handler, task)
    else await handler.run(deps, task, AbortSignal.any([signal, controller.signal]), slot)
  } catch (error) {
    // One of another release is no error of this one.
    outcome = error instanceof KindUnknown ? 'untried' : 'failed'
    span.fail(error instanceof Error ? error.name : 'error')
    await settle(deps, handler, task, error, { stopping: signal.aborted, lost: controller.signal.aborted })
  } finally {
    if (held.get(task.id)?.lost === controller) held.delete(task.id)
    const ms = Math.round(performance.now() - started)
    if (outcome !== 'untried') deps.metrics?.task(task.kind, outcome, ms / 1000)
    deps.log.debug({ task: task.id, kind: task.kind, attempt: task.attempt, ms }, 'task ended')
  }
}

class KindUnknown extends Error {}

/** Of a later release that runs beside this one: it is given back until a worker of that release claims it. */
const unknownKind = ({ kind }: Task): Handler<unknown> => ({
  run: () => Promise.reject(new KindUnknown(`this release has no handler for tasks of the kind ${kind}`)),
})

const isHopeless = ({ giveUp }: Handler<never>, { failures, attempt, subject }: Task): boolean =>
  giveUp !== undefined &&
  (failures >= MOST_FAILURES || attempt - (subject.excused ?? 0) > MOST_CLAIMS + (giveUp.rounds ?? 0))

async function settle<D extends WorkerDeps>(
  deps: D,
  handler: Handler<D>,
  task: Task,
  error: unknown,
  state: { stopping: boolean; lost: boolean },
): Promise<void> {
  const fields = { task: task.id, kind: task.kind, attempt: task.attempt }
  const signal = AbortSignal.timeout(30_000)
  if (error instanceof TaskLost || state.lost) {
    deps.log.info(fields, 'task lost')
    return persist(deps, signal, () => takeBackFailure(deps.db, task))
  }
  if (state.stopping) return persist(deps, signal, () => releaseTask(deps.db, task, 0, false))
  const verdict = handler.verdict?.(error)
  if (verdict === 'long') {
    deps.log.info(fields, 'the task takes too long for a slot for newcomers and is given back')
    return persist(deps, signal, () => leaveTurn(deps.db, task))
  }
  if (verdict && 'busy' in verdict) return settleBusy(deps, handler, task, verdict, signal)
  if (verdict) {
    deps.log.info({ ...fields, reason: verdict.giveUp }, 'the task cannot succeed')
    return persist(deps, signal, () => giveUp(deps, handler, task, verdict.giveUp))
  }
  // Twenty claims, a second apart, were over in half a minute: every file was given up.
  if (isDiskFull(error)) {
    deps.log.warn({ ...fields, err: error }, 'the disk is full: the task waits')
    return persist(deps, signal, () => excuseTask(deps.db, task, machineSeconds(task)))
  }
  if (error instanceof KindUnknown) deps.log.info(fields, 'the task is of another release and is given back')
  if (isNodeAway(error) || error instanceof KindUnknown)
    return persist(deps, signal, () => excuseTask(deps.db, task, elsewhereSeconds(task)))
  // A database that is away is not the task's fault, nor is a document that changed meanwhile.
  if (isUnavailable(error) || error instanceof BlobsAway || error instanceof TaskStale) {
    return persist(deps, signal, () => releaseTask(deps.db, task, 1, false))
  }
  deps.log.error({ ...fields, err: error }, 'task failed')
  if (isHopeless(handler, { ...task, failures: task.failures + 1 })) {
    return persist(deps, signal, () => giveUp(deps, handler, task))
  }
  await persist(deps, signal, () => releaseTask(deps.db, task, backoff(task.failures), true))
}

async function settleBusy(
  deps: WorkerDeps,
  handler: Handler<never>,
  task: Task,
  { busy: reason, atLast }: Extract<Verdict, { busy: string }>,
  signal: AbortSignal,
): Promise<void> {
  const { busy } = task.subject
  const times = busy?.reason === reason ? busy.times + 1 : 1
  const fields = { task: task.id, kind: task.kind, attempt: task.attempt, reason, times }
  if (handler.giveUp && times >= MAX_BUSY) {
    deps.log.error(fields, 'the machine cannot do it: the task is given up')
    return persist(deps, signal, () => giveUp(deps, handler, task, atLast))
  }
  deps.log.warn(fields, 'the machine is too busy: the task waits')
  await persist(deps, signal, () =>
    excuseBusy(deps.db, task, { seconds: machineSeconds(task), reason, times }),
  )
}

async function giveUp(deps: WorkerDeps, handler: Handler<never>, task: Task, reason?: string): Promise<void> {
  deps.log.warn({ task: task.id, kind: task.kind, reason: reason ?? 'too many failures' }, 'given up')
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await handler.giveUp?.write(tx, task, reason)
  })
}
