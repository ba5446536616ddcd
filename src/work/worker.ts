// Runs a worker: its slots claim tasks and run them, and tasks that were cancelled or taken over are stopped. This file does not
// depend on any kind of task.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { runTask } from './attempt.ts'
import {
  longSlots,
  type MemoryBudget,
  makeMemoryBudget,
  makeReservation,
  mayStartTask,
  memoryBytes,
} from './capacity.ts'
import { type Slot, TaskLost, type Work, type WorkerDeps } from './handler.ts'
import { keepLeases, type LeaseKeeper } from './leases.ts'
import { persist } from './persist.ts'
import {
  claimNetworkBound,
  claimTask,
  type Lease,
  releaseWorker,
  selectLostTasks,
  type Task,
} from './queue.sql.ts'

// With this interval, a cancelled task is noticed and its parser killed within a second.
const LOST_TASK_CHECK_MS = 400
const IDLE_PAUSE_MS = 250
// Longer than IDLE_PAUSE_MS, because a claim that finds no task takes the embedded engine 5 to 25 ms.
const FAIRNESS_PAUSE_MS = 500
// A third task may begin only while the heap is smaller than this. A text of 100 MB takes 280 MB of heap until it is written.
const MAX_HEAP_BYTES = 300e6
// The limit for the texts of all tasks together. Eight texts of 100 MB would not fit into a heap of 1 GB.
const MAX_TEXT_BYTES = 300e6
const NETWORK_PAUSE_MS = 1000
// Slots for network-bound tasks that end within minutes.
const NETWORK_SLOTS = 4
// Slots for network-bound tasks that may take hours. They are separate, so that webhooks do not wait for slow sites. While all of
// them are in use, the short slots run such tasks for one time slice (`Slot.mustBeShort`).
const LONG_SLOTS = longSlots(memoryBytes())
const SHORT_SLOTS = 2
// Less than the number of long slots, so that one workspace never has all of them.
const MAX_LONG_PER_WORKSPACE = Math.min(2, LONG_SLOTS - 1)
const MINUTE_MS = 60_000

export interface WorkerOptions {
  /** The name stays the same after a restart by the supervisor, so that the leases of the dead process are released at once. */
  name: string
  /** The maximum number of tasks at a time. From the third task on, a task begins only while there is memory. */
  concurrency: number
  /** How many more tasks may run, one for each task that only writes (capacity.ts). Default: 0. */
  extraSlots?: number
  /**
   * Opens slots for short user-visible tasks of workspaces that have no running user-visible task, so that a small file does not
   * wait for a large file of another workspace.
   */
  fairnessSlots?: boolean
  /** Whether there is memory for one more task. Default: while the heap is small enough. */
  hasRoom?: () => boolean
  /** Extends the leases of running tasks. Default: this event loop extends them. */
  leases?: LeaseKeeper
  signal: AbortSignal
}

const heapHasRoom = (): boolean => getHeapStatistics().used_heap_size < MAX_HEAP_BYTES

/** Which tasks a slot takes. */
type SlotKind = 'usual' | 'fairness' | 'network' | 'long' | 'short'

/** The pause after a claim that found no task. */
const PAUSE_MS: Record<SlotKind, number> = {
  usual: IDLE_PAUSE_MS,
  fairness: FAIRNESS_PAUSE_MS,
  network: NETWORK_PAUSE_MS,
  long: NETWORK_PAUSE_MS,
  short: NETWORK_PAUSE_MS,
}

/** A task that this process runs. */
interface RunningTask {
  task: Task
  slotKind: SlotKind
  /** Aborted when the task was cancelled or taken over. */
  cancellation: AbortController
  /** Whether the task has read its file and only writes from now on. */
  isWriting: boolean
  /** Other tasks whose work this task also does (`Slot.coClaim`). */
  coClaimed: readonly Lease[]
}

/** What the slots of a worker share. */
interface WorkerState {
  /** The running tasks by their ids. */
  runningTasks: Map<string, RunningTask>
  leases: LeaseKeeper
  /** How many usual and fairness slots are claiming a task at this moment. */
  claimingSlots: number
  memory: MemoryBudget
}

/**
 * Runs until the signal is aborted. Tasks that are running at that moment are released, and the attempt does not count as a
 * failure.
 */
export async function runWorker<D extends WorkerDeps>(
  deps: D,
  work: Work<D>,
  options: WorkerOptions,
): Promise<void> {
  const { name, concurrency, extraSlots = 0, hasRoom = heapHasRoom, signal } = options
  // Every slot listens to the signal, and Node warns of a leak at more than ten listeners.
  setMaxListeners(0, signal)
  const leases = options.leases ?? keepLeasesHere(deps)
  await persist(deps, signal, () => releaseWorker(deps.db, name))
  for (const startTask of work.atStart) await persist(deps, signal, () => startTask(deps))
  const runningTasks = new Map<string, RunningTask>()
  const state: WorkerState = {
    runningTasks,
    leases,
    claimingSlots: 0,
    memory: makeMemoryBudget(MAX_TEXT_BYTES),
  }
  const tasksIn = (kind: SlotKind): RunningTask[] =>
    [...runningTasks.values()].filter((entry) => entry.slotKind === kind)
  const hasFreeUsualSlot = (newTasks: number): boolean => {
    const usualTasks = tasksIn('usual')
    const writing = usualTasks.filter(({ isWriting }) => isWriting).length
    return mayStartTask(usualTasks.length + newTasks, writing, { concurrency, extraSlots, hasRoom })
  }
  const slots: Promise<void>[] = []
  const addSlots = (slotKind: SlotKind, count: number, mayStart: () => boolean = () => true): void => {
    // Only the first free slot of a kind tries to claim a task, so that idle slots do not query the database.
    for (let slotNumber = 0; slotNumber < count; slotNumber++) {
      const mayClaim = (): boolean => tasksIn(slotKind).length >= slotNumber && mayStart()
      slots.push(runSlot(deps, work, state, { name, slotKind, mayClaim, signal }))
    }
  }
  addSlots('usual', concurrency + extraSlots, () => hasFreeUsualSlot(state.claimingSlots))
  // Fairness slots claim tasks only when no usual slot is free, and only one of them reads a file at a time.
  if (options.fairnessSlots)
    addSlots(
      'fairness',
      extraSlots + 1,
      () => !hasFreeUsualSlot(0) && tasksIn('fairness').every(({ isWriting }) => isWriting),
    )
  addSlots('network', NETWORK_SLOTS)
  addSlots('long', LONG_SLOTS)
  addSlots('short', SHORT_SLOTS, () => tasksIn('long').length >= LONG_SLOTS)
  await Promise.all([...slots, sweep(deps, work, signal), stopLost(deps, runningTasks, signal)])
  await leases.close()
}

const keepLeasesHere = (deps: WorkerDeps): LeaseKeeper =>
  keepLeases(deps.db, (error) => deps.log.warn({ err: error }, 'heartbeat failed'))

/** The kinds of tasks that may take hours (`mayTakeHours` true), or all other kinds (false). */
const kindsThat = (handlers: Work<never>['handlers'], mayTakeHours: boolean): string[] =>
  Object.entries(handlers).flatMap(([kind, handler]) =>
    (handler.mayTakeHours === true) === mayTakeHours ? [kind] : [],
  )

interface SlotOptions {
  /** The worker's name. */
  name: string
  slotKind: SlotKind
  /** Whether this slot may claim a task now. */
  mayClaim: () => boolean
  signal: AbortSignal
}

async function runSlot<D extends WorkerDeps>(
  deps: D,
  { handlers }: Work<D>,
  state: WorkerState,
  { name, slotKind, mayClaim, signal }: SlotOptions,
): Promise<void> {
  const claimNext = async (): Promise<Task | undefined> => {
    if (!mayClaim()) return undefined
    const countedSlots = slotKind === 'usual' || slotKind === 'fairness' ? 1 : 0
    state.claimingSlots += countedSlots
    const task = await claim(deps, handlers, state.runningTasks, { name, slotKind }).catch(
      (error: unknown) => {
        deps.log.warn({ err: error }, 'could not look for work')
        return undefined
      },
    )
    state.claimingSlots -= countedSlots
    return task
  }
  while (!signal.aborted) {
    const task = await claimNext()
    if (task) await runInSlot(deps, handlers, state, { task, slotKind, signal })
    else await sleep(PAUSE_MS[slotKind], undefined, { signal }).catch(() => undefined)
  }
}

const isUserVisible = (handlers: Work<never>['handlers'], { kind }: Task): boolean =>
  handlers[kind]?.userVisible === true

async function claim(
  deps: WorkerDeps,
  handlers: Work<never>['handlers'],
  runningTasks: WorkerState['runningTasks'],
  { name, slotKind }: Pick<SlotOptions, 'name' | 'slotKind'>,
): Promise<Task | undefined> {
  const heldTaskIds = leasesOf(runningTasks).map(({ id }) => id)
  if (slotKind === 'network')
    return claimNetworkBound(deps.db, name, { heldTaskIds, kinds: kindsThat(handlers, false) })
  if (slotKind === 'long' || slotKind === 'short')
    return claimNetworkBound(deps.db, name, {
      heldTaskIds,
      kinds: kindsThat(handlers, true),
      perWorkspace: MAX_LONG_PER_WORKSPACE,
      long: slotKind === 'long',
    })
  const userVisibleFirst = [...runningTasks.values()].some(({ task }) => isUserVisible(handlers, task))
  return claimTask(deps.db, name, { fairness: slotKind === 'fairness', userVisibleFirst, heldTaskIds })
}

/** The leases of all running tasks, and of the tasks whose work they also do. */
const leasesOf = (runningTasks: WorkerState['runningTasks']): Lease[] =>
  [...runningTasks.values()].flatMap(({ task, coClaimed }) => [task, ...coClaimed])

async function runInSlot<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  { runningTasks, leases, memory }: WorkerState,
  { task, slotKind, signal }: { task: Task; slotKind: SlotKind; signal: AbortSignal },
): Promise<void> {
  const { acquire: reserveMemory, release: releaseMemory } = makeReservation(memory, task.workspace_id)
  const isUserVisibleInWorkspace = ({ task: otherTask }: RunningTask): boolean =>
    isUserVisible(handlers, otherTask) && otherTask.workspace_id === task.workspace_id
  const entry: RunningTask = {
    task,
    slotKind,
    cancellation: new AbortController(),
    isWriting: false,
    coClaimed: [],
  }
  const slot: Slot = {
    mustBeShort: slotKind === 'fairness' || slotKind === 'short',
    isFirstOfWorkspace: ![...runningTasks.values()].some(isUserVisibleInWorkspace),
    reserveMemory,
    onlyWrites: () => {
      entry.isWriting = true
    },
    coClaim: (tasks) => {
      entry.coClaimed = tasks
      leases.hold(leasesOf(runningTasks))
    },
  }
  runningTasks.set(task.id, entry)
  leases.hold(leasesOf(runningTasks))
  try {
    await runTask(deps, handlers, { task, slot, signal, cancellation: entry.cancellation })
  } finally {
    releaseMemory()
    // After a lost lease, another slot may have started the same task again.
    if (runningTasks.get(task.id) === entry) runningTasks.delete(task.id)
    leases.hold(leasesOf(runningTasks))
  }
}

/** Stops tasks that were cancelled or taken over. */
async function stopLost(
  deps: WorkerDeps,
  runningTasks: WorkerState['runningTasks'],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(LOST_TASK_CHECK_MS, undefined, { signal }).catch(() => undefined)
    if (runningTasks.size === 0) continue
    const entries = [...runningTasks.values()]
    const tasks = entries.map(({ task }) => task)
    // While the database is down, no task counts as lost.
    const lostIds = await selectLostTasks(deps.db, tasks).catch((): string[] => [])
    // Only these attempts are stopped, because another attempt of the same task may have started in this worker meanwhile.
    for (const { task, cancellation } of entries)
      if (lostIds.includes(task.id)) cancellation.abort(new TaskLost())
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
