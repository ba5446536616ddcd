// Decides how many tasks a worker runs at the same time: enough to keep every parser busy, but not more than fit into memory.

import { totalmem } from 'node:os'

interface Limits {
  /** The maximum number of tasks at a time. Two tasks may always begin; more begin only while there is memory. */
  concurrency: number
  /** How many more tasks may run, one for each task that only writes. */
  extraSlots: number
  /** Whether there is memory for one more task. */
  hasRoom: () => boolean
}

// Two tasks always fit: a parsed text of 100 MB takes 280 MB of a heap of 1 GB.
const MIN_TASKS = 2

/**
 * Whether one more task may start beside `startedTasks`, of which `writingTasks` have read their file and now only write. The rule
 * limits how many files are read into the heap at a time: `concurrency` while there is memory, otherwise two.
 */
export function mayStartTask(
  startedTasks: number,
  writingTasks: number,
  { concurrency, extraSlots, hasRoom }: Limits,
): boolean {
  if (startedTasks >= concurrency + extraSlots) return false
  const minTasks = Math.min(MIN_TASKS, concurrency)
  if (startedTasks < minTasks) return true
  const readingTasks = startedTasks - writingTasks
  return hasRoom() && (startedTasks < concurrency || readingTasks < Math.max(minTasks, concurrency - 1))
}

/** The memory of the machine, or of the container (cgroup) if that has a limit. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory()
  // Without a limit the value is 0, or larger than the memory of any machine.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

const MIN_LONG_SLOTS = 2
const MAX_LONG_SLOTS = 6

/**
 * The number of slots for tasks that take hours and may need a gigabyte each: as many as fit into a quarter of the memory, but at
 * least two.
 */
export const longSlots = (bytes: number): number =>
  Math.max(MIN_LONG_SLOTS, Math.min(MAX_LONG_SLOTS, Math.floor(bytes / 4 / 2 ** 30)))

/** Limits the bytes of text that tasks have in memory. A text counts from before it is read into the heap until its task ends. */
export interface MemoryBudget {
  /**
   * Waits, first come first served, until a text of `owner` (its workspace) fits, and returns a function that releases its bytes.
   * @throws what the signal was aborted with
   */
  acquire: (bytes: number, owner: string, signal?: AbortSignal) => Promise<() => void>
}

// Smaller texts are not counted, so they never wait.
const MAX_UNCOUNTED_BYTES = 4e6
// The size of a second budget, for workspaces that have no text in memory. Without it, a text of 5 MB would wait for minutes
// behind texts of 100 MB of another workspace.
const FAIRNESS_BUDGET_BYTES = 20e6

/**
 * A budget of `maxBytes`. A text that is larger than this is admitted when no other text is in memory. Texts are admitted in the
 * order of arrival, so that a large text does not wait for ever. A text of at most FAIRNESS_BUDGET_BYTES of a workspace that has no
 * text in memory uses the second budget instead of waiting.
 */
export function makeMemoryBudget(maxBytes: number): MemoryBudget {
  const [mainQueue, fairnessQueue] = [makeQueue(maxBytes), makeQueue(FAIRNESS_BUDGET_BYTES)]
  const owners: string[] = []
  return {
    acquire: async (bytes, owner, signal) => {
      signal?.throwIfAborted()
      if (bytes <= MAX_UNCOUNTED_BYTES) return () => {}
      const mayUseFairnessBudget = bytes <= FAIRNESS_BUDGET_BYTES && !owners.includes(owner)
      owners.push(owner)
      const forgetOwner = (): void => void owners.splice(owners.indexOf(owner), 1)
      const queue = mayUseFairnessBudget && !mainQueue.hasRoom(bytes) ? fairnessQueue : mainQueue
      const release = await queue.acquire(bytes, signal).catch((error: unknown) => {
        forgetOwner()
        throw error
      })
      return () => {
        forgetOwner()
        release()
      }
    },
  }
}

interface Queue {
  /** Waits until the bytes fit, in the order of the calls, and returns a function that releases them. */
  acquire: (bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Whether `acquire` would admit the bytes without waiting. */
  hasRoom: (bytes: number) => boolean
}

/** Admits texts in their order, as long as they fit. */
function makeQueue(maxBytes: number): Queue {
  let admittedBytes = 0
  let queue: { bytes: number; start: () => void }[] = []
  const fits = (bytes: number): boolean => admittedBytes === 0 || admittedBytes + bytes <= maxBytes
  const startNext = (): void => {
    for (let nextEntry = queue[0]; nextEntry && fits(nextEntry.bytes); nextEntry = queue[0]) {
      queue = queue.slice(1)
      nextEntry.start()
    }
  }
  const release = (bytes: number) => (): void => {
    admittedBytes -= bytes
    startNext()
  }
  const acquire: Queue['acquire'] = (bytes, signal) =>
    new Promise((resolve, reject) => {
      const cancel = (): void => {
        queue = queue.filter((other) => other !== entry)
        reject(signal?.reason)
        startNext()
      }
      const start = (): void => {
        admittedBytes += bytes
        signal?.removeEventListener('abort', cancel)
        resolve(release(bytes))
      }
      const entry = { bytes, start }
      queue.push(entry)
      signal?.addEventListener('abort', cancel, { once: true })
      startNext()
    })
  return { acquire, hasRoom: (bytes) => queue.length === 0 && fits(bytes) }
}

/** The reservation of one task in the budget. Each text replaces the task's previous text. */
export function makeReservation(
  budget: MemoryBudget,
  owner: string,
): {
  acquire: (bytes: number, signal?: AbortSignal) => Promise<void>
  release: () => void
} {
  let releaseText = (): void => {}
  const release = (): void => {
    releaseText()
    releaseText = () => {}
  }
  return {
    acquire: async (bytes, signal) => {
      release()
      releaseText = await budget.acquire(bytes, owner, signal)
    },
    release,
  }
}
