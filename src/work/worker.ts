// The worker: its slots claim tasks and run them, and it stops those that were cancelled or lost. It knows no kind of task.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { runTask } from './attempt.ts'
import {
  hoursSlots,
  type MemoryBudget,
  makeMemoryBudget,
  mayBegin,
  memoryBytes,
  shareOf,
} from './capacity.ts'
import { type Slot, TaskLost, type Work, type WorkerDeps } from './handler.ts'
import { keepLeases, type LeaseKeeper } from './leases.ts'
import { persist } from './persist.ts'
import { claimOutside, claimTask, type Lease, releaseWorker, selectLost, type Task } from './queue.sql.ts'

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

/** Which tasks a slot takes. */
type SlotKind = 'usual' | 'newcomers' | 'outside' | 'hours' | 'short'

/** Between two looks for work. */
const PAUSE_MS: Record<SlotKind, number> = {
  usual: IDLE_MS,
  newcomers: NEWCOMER_MS,
  outside: OUTSIDE_MS,
  hours: OUTSIDE_MS,
  short: OUTSIDE_MS,
}

/** A task that this process runs. */
interface RunningTask {
  task: Task
  takenBy: SlotKind
  /** Aborted when the task was cancelled or taken over. */
  abandoned: AbortController
  /** It has read its file, and only writes from now on. */
  isWriting: boolean
  /** What it does beside itself. */
  coClaimed: readonly Lease[]
}

/** What the slots of a worker share. */
interface Shared {
  /** By the ids of the tasks. */
  running: Map<string, RunningTask>
  leases: LeaseKeeper
  /** Slots for usual tasks and for newcomers that are asking for a task right now. */
  asking: number
  memory: MemoryBudget
}

/** Works until the signal; what is under way then is given back untried. */
export async function runWorker<D extends WorkerDeps>(
  deps: D,
  work: Work<D>,
  options: WorkerOptions,
): Promise<void> {
  const { name, concurrency, behind: extraSlots = 0, hasRoom = heapHasRoom, signal } = options
  // Every slot waits on it: more listeners than the ten after which Node warns of a leak.
  setMaxListeners(0, signal)
  const leases = options.leases ?? keepLeasesHere(deps)
  await persist(deps, signal, () => releaseWorker(deps.db, name))
  for (const begin of work.atStart) await persist(deps, signal, () => begin(deps))
  const running = new Map<string, RunningTask>()
  const shared: Shared = { running, leases, asking: 0, memory: makeMemoryBudget(MOST_TEXT_BYTES) }
  const takenBy = (kind: SlotKind): RunningTask[] =>
    [...running.values()].filter((one) => one.takenBy === kind)
  const isFree = (asking: number): boolean => {
    const usual = takenBy('usual')
    const writing = usual.filter(({ isWriting }) => isWriting).length
    return mayBegin(usual.length + asking, writing, { concurrency, behind: extraSlots, hasRoom })
  }
  const slots: Promise<void>[] = []
  const addSlots = (takes: SlotKind, count: number, when: (no: number) => boolean = () => true): void => {
    // While there is nothing to do one slot looks for work, not all: the next looks once those before it are busy.
    for (let no = 0; no < count; no++) {
      const mayAsk = (): boolean => takenBy(takes).length >= no && when(no)
      slots.push(runSlot(deps, work, shared, { name, takes, mayAsk, signal }))
    }
  }
  addSlots('usual', concurrency + extraSlots, () => isFree(shared.asking))
  // No other slot would take it: all are busy, or the next waits for memory. Only one of these reads at a time.
  if (options.newcomers)
    addSlots(
      'newcomers',
      extraSlots + 1,
      () => !isFree(0) && takenBy('newcomers').every(({ isWriting }) => isWriting),
    )
  addSlots('outside', OUTSIDE_SLOTS)
  addSlots('hours', HOURS_SLOTS)
  addSlots('short', SHORT_SLOTS, () => takenBy('hours').length >= HOURS_SLOTS)
  await Promise.all([...slots, sweep(deps, work, signal), stopLost(deps, running, signal)])
  await leases.close()
}

const keepLeasesHere = (deps: WorkerDeps): LeaseKeeper =>
  keepLeases(deps.db, (error) => deps.log.warn({ err: error }, 'heartbeat failed'))

/** Kinds of tasks that may take hours, or all others. */
const kindsThat = (handlers: Work<never>['handlers'], mayTakeHours: boolean): string[] =>
  Object.entries(handlers).flatMap(([kind, handler]) =>
    (handler.mayTakeHours === true) === mayTakeHours ? [kind] : [],
  )

interface SlotOptions {
  /** Of the worker. */
  name: string
  takes: SlotKind
  /** Whether it is this slot's turn to ask for a task. */
  mayAsk: () => boolean
  signal: AbortSignal
}

async function runSlot<D extends WorkerDeps>(
  deps: D,
  { handlers }: Work<D>,
  shared: Shared,
  { name, takes, mayAsk, signal }: SlotOptions,
): Promise<void> {
  const ask = async (): Promise<Task | undefined> => {
    if (!mayAsk()) return undefined
    const counts = takes === 'usual' || takes === 'newcomers' ? 1 : 0
    shared.asking += counts
    const task = await claim(deps, handlers, shared.running, name, takes).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'could not look for work')
      return undefined
    })
    shared.asking -= counts
    return task
  }
  while (!signal.aborted) {
    const task = await ask()
    if (task) await runInSlot(deps, handlers, shared, { task, takenBy: takes, signal })
    else await sleep(PAUSE_MS[takes], undefined, { signal }).catch(() => undefined)
  }
}

const isAwaited = (handlers: Work<never>['handlers'], { kind }: Task): boolean =>
  handlers[kind]?.awaited === true

async function claim(
  deps: WorkerDeps,
  handlers: Work<never>['handlers'],
  running: Shared['running'],
  name: string,
  takes: SlotKind,
): Promise<Task | undefined> {
  const mine = leasesOf(running).map(({ id }) => id)
  if (takes === 'outside') return claimOutside(deps.db, name, { mine, kinds: kindsThat(handlers, false) })
  if (takes === 'hours' || takes === 'short')
    return claimOutside(deps.db, name, {
      mine,
      kinds: kindsThat(handlers, true),
      perWorkspace: HOURS_PER_WORKSPACE,
      long: takes === 'hours',
    })
  const awaitedFirst = [...running.values()].some(({ task }) => isAwaited(handlers, task))
  return claimTask(deps.db, name, { newcomers: takes === 'newcomers', awaitedFirst, mine })
}

/** Of all that runs, and of what it does beside itself. */
const leasesOf = (running: Shared['running']): Lease[] =>
  [...running.values()].flatMap(({ task, coClaimed }) => [task, ...coClaimed])

async function runInSlot<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  { running, leases, memory }: Shared,
  { task, takenBy, signal }: { task: Task; takenBy: SlotKind; signal: AbortSignal },
): Promise<void> {
  const { enter, leave } = shareOf(memory, task.workspace_id)
  const isOfAnother = ({ task: other }: RunningTask): boolean =>
    !isAwaited(handlers, other) || other.workspace_id !== task.workspace_id
  const entry: RunningTask = {
    task,
    takenBy,
    abandoned: new AbortController(),
    isWriting: false,
    coClaimed: [],
  }
  const slot: Slot = {
    newcomer: takenBy === 'newcomers' || takenBy === 'short',
    first: [...running.values()].every(isOfAnother),
    enter,
    onlyWrites: () => {
      entry.isWriting = true
    },
    takesAlong: (tasks) => {
      entry.coClaimed = tasks
      leases.hold(leasesOf(running))
    },
  }
  running.set(task.id, entry)
  leases.hold(leasesOf(running))
  try {
    await runTask(deps, handlers, { task, slot, signal, abandoned: entry.abandoned })
  } finally {
    leave()
    // After a lost lease another slot may have begun the same task again.
    if (running.get(task.id) === entry) running.delete(task.id)
    leases.hold(leasesOf(running))
  }
}

/** Stops what was cancelled or taken over: one small statement for all that runs. */
async function stopLost(deps: WorkerDeps, running: Shared['running'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined)
    if (running.size === 0) continue
    const entries = [...running.values()]
    const tasks = entries.map(({ task }) => task)
    // While the database is away nothing counts as lost.
    const lostIds = await selectLost(deps.db, tasks).catch((): string[] => [])
    // Only the attempt that was asked about: another may have begun here meanwhile, which is not lost with it.
    for (const { task, abandoned } of entries) if (lostIds.includes(task.id)) abandoned.abort(new TaskLost())
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
