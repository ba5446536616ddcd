// How much a worker has under way at once: enough that no parser stands still, no more than its heap bears. Pure.

export interface Room {
  /** Tasks at a time. Two are always begun, more while there is room. */
  concurrency: number
  /** So many more, each for a file that was parsed and is being written. */
  behind: number
  /** Whether what is under way leaves memory for one more. */
  hasRoom: () => boolean
}

// A parsed text of 100 MB takes 280 MB of a heap of 1 GB.
const ALWAYS = 2

/**
 * Whether one more may be begun beside `begun` tasks, of which `parsed` have their file's text and write it. Whatever
 * the order of large files, at most `concurrency` are on their way into the heap while it has less than its limit, two
 * while it has more.
 */
export function mayBegin(begun: number, parsed: number, { concurrency, behind, hasRoom }: Room): boolean {
  if (begun >= concurrency + behind) return false
  const always = Math.min(ALWAYS, concurrency)
  if (begun < always) return true
  return hasRoom() && (begun < concurrency || begun - parsed < Math.max(always, concurrency - 1))
}
