// Decides how much a worker does at once: enough to keep every parser busy, but no more than its heap and the machine can hold.

import { totalmem } from 'node:os'

interface Limits {
  /** Tasks at a time. Two may always begin, and more only while there is memory. */
  concurrency: number
  /** How many more may run, one for each task that only writes. */
  extraSlots: number
  /** Whether there is memory for one more. */
  hasRoom: () => boolean
}

// A parsed text of 100 MB takes 280 MB of a heap of 1 GB.
const MIN_TASKS = 2

/**
 * Whether one more task may start beside `startedTasks`, of which `writingTasks` have read their file and now only write. So at most
 * `concurrency` files are read into the heap while it is below its limit, and two while it is above.
 */
export function mayStartTask(
  startedTasks: number,
  writingTasks: number,
  { concurrency, extraSlots, hasRoom }: Limits,
): boolean {
  if (startedTasks >= concurrency + extraSlots) return false
  const minTasks = Math.min(MIN_TASKS, concurrency)
  if (startedTasks < minTasks) return true
  return (
    hasRoom() &&
    (startedTasks < concurrency || startedTasks - writingTasks < Math.max(minTasks, concurrency - 1))
  )
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
 * The number of slots for tasks that take hours and may hold a gigabyte each. Together they use at most a quarter of the
 * memory, but there are at least two.
 */
export const longSlots = (bytes: number): number =>
  Math.max(MIN_LONG_SLOTS, Math.min(MAX_LONG_SLOTS, Math.floor(bytes / 4 / 2 ** 30)))

/** Limits the bytes of text that tasks hold. A text counts from before it is read into the heap until its task ends. */
export interface MemoryBudget {
  /**
   * Waits, first come first served, until a text of `owner` (its workspace) fits, and returns a function that releases its bytes.
   * @throws what the signal was aborted with
   */
  acquire: (bytes: number, owner: string, signal?: AbortSignal) => Promise<() => void>
}

// Smaller texts are not counted, so they never wait.
const SMALL_BYTES = 4e6
// A second budget for workspaces that hold nothing in the first. Without it, a text of 5 MB waits for minutes behind texts of
// 100 MB of another workspace. It costs 55 MB of heap when it is full.
const FAIRNESS_BYTES = 20e6

/**
 * A budget of `maxBytes`. A larger text is admitted when no other holds any. Texts are admitted in order of arrival, so that a
 * large one does not wait for ever. A small text of a workspace that holds no bytes uses the second budget instead of waiting.
 */
export function makeMemoryBudget(maxBytes: number): MemoryBudget {
  const [mainQueue, fairnessQueue] = [makeQueue(maxBytes), makeQueue(FAIRNESS_BYTES)]
  const owners: string[] = []
  return {
    acquire: async (bytes, owner, signal) => {
      signal?.throwIfAborted()
      if (bytes <= SMALL_BYTES) return () => {}
      const mayUseFairness = bytes <= FAIRNESS_BYTES && !owners.includes(owner)
      owners.push(owner)
      const forgetOwner = (): void => void owners.splice(owners.indexOf(owner), 1)
      const queue = mayUseFairness && !mainQueue.hasRoom(bytes) ? fairnessQueue : mainQueue
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
  /** Waits for its turn and returns a function that releases the bytes. */
  acquire: (bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Whether this many bytes would enter at once. */
  hasRoom: (bytes: number) => boolean
}

/** Admits texts in their order, as long as they fit. */
function makeQueue(maxBytes: number): Queue {
  let bytesHeld = 0
  let queue: { bytes: number; start: () => void }[] = []
  const fits = (bytes: number): boolean => bytesHeld === 0 || bytesHeld + bytes <= maxBytes
  const next = (): void => {
    for (let nextEntry = queue[0]; nextEntry && fits(nextEntry.bytes); nextEntry = queue[0]) {
      queue = queue.slice(1)
      nextEntry.start()
    }
  }
  const release = (bytes: number) => (): void => {
    bytesHeld -= bytes
    next()
  }
  const acquire: Queue['acquire'] = (bytes, signal) =>
    new Promise((resolve, reject) => {
      const cancel = (): void => {
        queue = queue.filter((other) => other !== entry)
        reject(signal?.reason)
        next()
      }
      const start = (): void => {
        bytesHeld += bytes
        signal?.removeEventListener('abort', cancel)
        resolve(release(bytes))
      }
      const entry = { bytes, start }
      queue.push(entry)
      signal?.addEventListener('abort', cancel, { once: true })
      next()
    })
  return { acquire, hasRoom: (bytes) => queue.length === 0 && fits(bytes) }
}

/** A task's share of the budget. Each text replaces the previous one of the same task. */
export function shareOf(
  budget: MemoryBudget,
  owner: string,
): {
  acquire: (bytes: number, signal?: AbortSignal) => Promise<void>
  leave: () => void
} {
  let release = (): void => {}
  const leave = (): void => {
    release()
    release = () => {}
  }
  return {
    acquire: async (bytes, signal) => {
      leave()
      release = await budget.acquire(bytes, owner, signal)
    },
    leave,
  }
}
