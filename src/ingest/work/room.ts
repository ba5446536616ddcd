// How much a worker has under way at once: enough that no parser stands still, no more than its heap bears. Pure.

export interface Room {
  /** Tasks at a time. All but the last are always begun (two at least), the last while there is room. */
  concurrency: number
  /** So many more, each for a file that was parsed and is being written. */
  behind: number
  /** Whether what is under way leaves memory for one more. */
  hasRoom: () => boolean
}

/**
 * Whether one more may be begun beside `begun` tasks, of which `parsed` have their file's text and write it. Whatever
 * the order of large files, at most `concurrency` are on their way into the heap while it has less than its limit.
 */
export function mayBegin(begun: number, parsed: number, { concurrency, behind, hasRoom }: Room): boolean {
  if (begun >= concurrency + behind) return false
  const sure = Math.max(concurrency - 1, Math.min(2, concurrency))
  if (begun < sure) return true
  return hasRoom() && (begun < concurrency || begun - parsed < sure)
}
