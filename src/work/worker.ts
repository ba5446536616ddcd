// The worker's slots claim tasks and run them. It stops tasks that were cancelled or lost, and knows no kind of task.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { runTask } from './attempt.ts'
import {
  longSlots,
  type MemoryBudget,
  makeMemoryBudget,
  mayStartTask,
  memoryBytes,
  shareOf,
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

// With this interval a cancelled task is noticed, and its parser killed, within a second of the call.
const WATCH_MS = 400
const IDLE_MS = 250
// A look for work costs the embedded engine 5 to 25 ms. Four a second would take a fifth of its time.
const FAIRNESS_MS = 500
// A third task begins only while the heap is smaller. A parsed text of 100 MB takes 280 MB of heap until it is written.
const MAX_HEAP_BYTES = 300e6
// The limit of all texts that tasks hold at once. Eight texts of 100 MB would not fit into a heap of 1 GB.
const MAX_TEXT_BYTES = 300e6
const NETWORK_MS = 1000
// Slots for network-bound tasks that end within minutes.
const NETWORK_SLOTS = 4
// Slots for network-bound tasks that may take hours, so that slow sites do not keep webhooks waiting. When all are taken, the
// short slots run what can end soon (`Slot.mustBeShort`).
const LONG_SLOTS = longSlots(memoryBytes())
const SHORT_SLOTS = 2
// Less than the number of long slots, so that one workspace never has all of them.
const LONG_PER_WORKSPACE = Math.min(2, LONG_SLOTS - 1)
const MINUTE_MS = 60_000
export interface WorkerOptions {
  /** The name stays the same after a restart by the supervisor, so that the leases of the dead process are released at once. */
  name: string
  /** Tasks at a time. The last slot takes none while the others hold much memory. */
  concurrency: number
  /** How many more tasks may run, one for each that only writes (capacity.ts). Default: 0. */
  extraSlots?: number
  /**
   * Opens slots for short user-visible tasks of workspaces that have none running, so that a small file does not wait for a
   * large one of another workspace.
   */
  fairnessSlots?: boolean
  /** Whether there is memory for one more task. Default: while the heap is small enough. */
  hasRoom?: () => boolean
  /** Extends the leases of running tasks. Default: this event loop does. */
  leases?: LeaseKeeper
  signal: AbortSignal
}

const heapHasRoom = (): boolean => getHeapStatistics().used_heap_size < MAX_HEAP_BYTES

/** Which tasks a slot takes. */
type SlotKind = 'usual' | 'fairness' | 'network' | 'long' | 'short'

/** The pause after a claim that found no task. */
const PAUSE_MS: Record<SlotKind, number> = {
  usual: IDLE_MS,
  fairness: FAIRNESS_MS,
  network: NETWORK_MS,
  long: NETWORK_MS,
  short: NETWORK_MS,
}

/** A task that this process runs. */
interface RunningTask {
  task: Task
  slotKind: SlotKind
  /** Aborted when the task was cancelled or taken over. */
  cancellation: AbortController
  /** Whether it has read its file and only writes from now on. */
  isWriting: boolean
  /** Tasks that it does together with its own. */
  coClaimed: readonly Lease[]
}

/** What the slots of a worker share. */
interface Shared {
  /** The keys are the ids of the tasks. */
  runningTasks: Map<string, RunningTask>
  leases: LeaseKeeper
  /** How many usual and fairness slots are asking for a task right now. */
  askingSlots: number
  memory: MemoryBudget
}

/** Works until the signal. Tasks that still run at that moment are released, and the attempt does not count. */
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
  const state: Shared = {
    runningTasks,
    leases,
    askingSlots: 0,
    memory: makeMemoryBudget(MAX_TEXT_BYTES),
  }
  const tasksIn = (kind: SlotKind): RunningTask[] =>
    [...runningTasks.values()].filter((entry) => entry.slotKind === kind)
  const isFree = (newTasks: number): boolean => {
    const usualTasks = tasksIn('usual')
    const writing = usualTasks.filter(({ isWriting }) => isWriting).length
    return mayStartTask(usualTasks.length + newTasks, writing, { concurrency, extraSlots, hasRoom })
  }
  const slots: Promise<void>[] = []
  const addSlots = (slotKind: SlotKind, count: number, mayStart: () => boolean = () => true): void => {
    // While there is nothing to do, only the first free slot of a kind looks for work.
    for (let slotNumber = 0; slotNumber < count; slotNumber++) {
      const mayAsk = (): boolean => tasksIn(slotKind).length >= slotNumber && mayStart()
      slots.push(runSlot(deps, work, state, { name, slotKind, mayAsk, signal }))
    }
  }
  addSlots('usual', concurrency + extraSlots, () => isFree(state.askingSlots))
  // They ask when no usual slot is free, and only one of them reads a file at a time.
  if (options.fairnessSlots)
    addSlots(
      'fairness',
      extraSlots + 1,
      () => !isFree(0) && tasksIn('fairness').every(({ isWriting }) => isWriting),
    )
  addSlots('network', NETWORK_SLOTS)
  addSlots('long', LONG_SLOTS)
  addSlots('short', SHORT_SLOTS, () => tasksIn('long').length >= LONG_SLOTS)
  await Promise.all([...slots, sweep(deps, work, signal), stopLost(deps, runningTasks, signal)])
  await leases.close()
}

const keepLeasesHere = (deps: WorkerDeps): LeaseKeeper =>
  keepLeases(deps.db, (error) => deps.log.warn({ err: error }, 'heartbeat failed'))

/** The kinds of tasks that may take hours, or all others. */
const kindsThat = (handlers: Work<never>['handlers'], mayTakeHours: boolean): string[] =>
  Object.entries(handlers).flatMap(([kind, handler]) =>
    (handler.mayTakeHours === true) === mayTakeHours ? [kind] : [],
  )

interface SlotOptions {
  /** The worker's name. */
  name: string
  slotKind: SlotKind
  /** Whether it is this slot's turn to ask for a task. */
  mayAsk: () => boolean
  signal: AbortSignal
}

async function runSlot<D extends WorkerDeps>(
  deps: D,
  { handlers }: Work<D>,
  state: Shared,
  { name, slotKind, mayAsk, signal }: SlotOptions,
): Promise<void> {
  const ask = async (): Promise<Task | undefined> => {
    if (!mayAsk()) return undefined
    const counts = slotKind === 'usual' || slotKind === 'fairness' ? 1 : 0
    state.askingSlots += counts
    const task = await claim(deps, handlers, state.runningTasks, { name, slotKind }).catch(
      (error: unknown) => {
        deps.log.warn({ err: error }, 'could not look for work')
        return undefined
      },
    )
    state.askingSlots -= counts
    return task
  }
  while (!signal.aborted) {
    const task = await ask()
    if (task) await runInSlot(deps, handlers, state, { task, slotKind, signal })
    else await sleep(PAUSE_MS[slotKind], undefined, { signal }).catch(() => undefined)
  }
}

const isUserVisible = (handlers: Work<never>['handlers'], { kind }: Task): boolean =>
  handlers[kind]?.userVisible === true

async function claim(
  deps: WorkerDeps,
  handlers: Work<never>['handlers'],
  runningTasks: Shared['runningTasks'],
  { name, slotKind }: Pick<SlotOptions, 'name' | 'slotKind'>,
): Promise<Task | undefined> {
  const heldTaskIds = leasesOf(runningTasks).map(({ id }) => id)
  if (slotKind === 'network')
    return claimNetworkBound(deps.db, name, { heldTaskIds, kinds: kindsThat(handlers, false) })
  if (slotKind === 'long' || slotKind === 'short')
    return claimNetworkBound(deps.db, name, {
      heldTaskIds,
      kinds: kindsThat(handlers, true),
      perWorkspace: LONG_PER_WORKSPACE,
      long: slotKind === 'long',
    })
  const userVisibleFirst = [...runningTasks.values()].some(({ task }) => isUserVisible(handlers, task))
  return claimTask(deps.db, name, { fairness: slotKind === 'fairness', userVisibleFirst, heldTaskIds })
}

/** The leases of all running tasks and of those that they do together with their own. */
const leasesOf = (runningTasks: Shared['runningTasks']): Lease[] =>
  [...runningTasks.values()].flatMap(({ task, coClaimed }) => [task, ...coClaimed])

async function runInSlot<D extends WorkerDeps>(
  deps: D,
  handlers: Work<D>['handlers'],
  { runningTasks, leases, memory }: Shared,
  { task, slotKind, signal }: { task: Task; slotKind: SlotKind; signal: AbortSignal },
): Promise<void> {
  const { acquire: reserveMemory, leave } = shareOf(memory, task.workspace_id)
  const isOfAnother = ({ task: otherTask }: RunningTask): boolean =>
    !isUserVisible(handlers, otherTask) || otherTask.workspace_id !== task.workspace_id
  const entry: RunningTask = {
    task,
    slotKind,
    cancellation: new AbortController(),
    isWriting: false,
    coClaimed: [],
  }
  const slot: Slot = {
    mustBeShort: slotKind === 'fairness' || slotKind === 'short',
    isFirstOfWorkspace: [...runningTasks.values()].every(isOfAnother),
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
    leave()
    // After a lost lease, another slot may have started the same task again.
    if (runningTasks.get(task.id) === entry) runningTasks.delete(task.id)
    leases.hold(leasesOf(runningTasks))
  }
}

/** Stops tasks that were cancelled or taken over. One statement finds them all. */
async function stopLost(
  deps: WorkerDeps,
  runningTasks: Shared['runningTasks'],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined)
    if (runningTasks.size === 0) continue
    const entries = [...runningTasks.values()]
    const tasks = entries.map(({ task }) => task)
    // While the database is down nothing counts as lost.
    const lostIds = await selectLostTasks(deps.db, tasks).catch((): string[] => [])
    // Only this attempt is stopped, because another one may have started here since.
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
