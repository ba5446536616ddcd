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

/** Bytes of parsed text that worker tasks hold, each from before it is read into the heap until its task ends. */
export interface TextRoom {
  /**
   * Waits for its turn until a text of `owner` (its workspace) fits; returns how to give its bytes back.
   * @throws what the signal was aborted with
   */
  enter: (bytes: number, owner: string, signal?: AbortSignal) => Promise<() => void>
}

/** What one text may hold without asking: those of so few bytes never wait behind a large one. */
const SMALL_BYTES = 4e6
// Beside the room, for workspaces that hold nothing in it: a text of 5 MB waited until one of three of 100 MB of another
// workspace was written, minutes. Costs 55 MB of heap when full.
const NEWCOMER_BYTES = 20e6

/**
 * Room for `mostBytes`. What is larger than all of it enters alone. First come, first served: else a large one would
 * wait for as long as smaller ones come. A small text of a workspace that has none here goes into a room beside it where
 * it would have to wait.
 */
export function makeTextRoom(mostBytes: number): TextRoom {
  const [usual, beside] = [makeQueue(mostBytes), makeQueue(NEWCOMER_BYTES)]
  const owners: string[] = []
  return {
    enter: async (bytes, owner, signal) => {
      signal?.throwIfAborted()
      if (bytes <= SMALL_BYTES) return () => {}
      const isNew = bytes <= NEWCOMER_BYTES && !owners.includes(owner)
      owners.push(owner)
      const leave = (): void => void owners.splice(owners.indexOf(owner), 1)
      const line = isNew && !usual.hasRoom(bytes) ? beside : usual
      const give = await line.enter(bytes, signal).catch((error: unknown) => {
        leave()
        throw error
      })
      return () => {
        leave()
        give()
      }
    },
  }
}

interface Queue {
  /** Waits for its turn; returns how to leave. */
  enter: (bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Whether so many would be let in at once. */
  hasRoom: (bytes: number) => boolean
}

/** Lets in what fits, in the order it came. */
function makeQueue(mostBytes: number): Queue {
  let held = 0
  let waiting: { bytes: number; start: () => void }[] = []
  const fits = (bytes: number): boolean => held === 0 || held + bytes <= mostBytes
  const next = (): void => {
    for (let first = waiting[0]; first && fits(first.bytes); first = waiting[0]) {
      waiting = waiting.slice(1)
      first.start()
    }
  }
  const give = (bytes: number) => (): void => {
    held -= bytes
    next()
  }
  const enter: Queue['enter'] = (bytes, signal) =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting = waiting.filter((other) => other !== entry)
        reject(signal?.reason)
        next()
      }
      const start = (): void => {
        held += bytes
        signal?.removeEventListener('abort', leave)
        resolve(give(bytes))
      }
      const entry = { bytes, start }
      waiting.push(entry)
      signal?.addEventListener('abort', leave, { once: true })
      next()
    })
  return { enter, hasRoom: (bytes) => waiting.length === 0 && fits(bytes) }
}

/** A task's place in the room; a text that it enters with takes the place of the one before. */
export function placeIn(
  room: TextRoom,
  owner: string,
): {
  enter: (bytes: number, signal?: AbortSignal) => Promise<void>
  leave: () => void
} {
  let give = (): void => {}
  const leave = (): void => {
    give()
    give = () => {}
  }
  return {
    enter: async (bytes, signal) => {
      leave()
      give = await room.enter(bytes, owner, signal)
    },
    leave,
  }
}
