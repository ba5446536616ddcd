// Limits the memory and the hashing of uploads that arrive at the same time.

import { unavailable } from '../../errors.ts'

// A large upload holds up to 40 MB of buffers (measured with 20 × 100 MB) and uses a share of a core for hashing. One caller
// gets half of the slots. The last two are for callers who hold none, so that two callers cannot shut out a third. An upload
// may have 20 files.
const UPLOAD_SLOTS = 8
const SLOTS_A_CALLER = 4
const KEPT_FOR_NEWCOMERS = 2
// An upload of at most 1 MiB takes none of these slots. It is refused only if its sender has four under way.
const SMALL_BYTES = 2 ** 20

/** What is known about a body before it has arrived. */
export interface UploadBody {
  /** The announced length, if the sender gave one. */
  bytes: number | undefined
  /** Milliseconds until it should have ended at its speed so far. Senders that are too slow are disconnected. */
  endsInMs(): number
}

interface Slot {
  who: string
  small: boolean
  body: UploadBody
}

export interface UploadSlots {
  /**
   * Takes a slot and returns a function that gives it back. @throws ApiError 503, whose `Retry-After` is when a slot should be
   * free
   */
  take(who: string, body: UploadBody): () => void
}

export function makeUploadSlots(): UploadSlots {
  const running = new Set<Slot>()
  return {
    take: (who, body) => {
      const slot = { who, small: body.bytes !== undefined && body.bytes <= SMALL_BYTES, body }
      if (!hasRoom([...running], slot)) throw refusal([...running], slot)
      running.add(slot)
      return () => void running.delete(slot)
    },
  }
}

function hasRoom(running: readonly Slot[], { who, small }: Slot): boolean {
  const sameSize = running.filter((other) => other.small === small)
  const own = sameSize.filter((other) => other.who === who).length
  if (own >= SLOTS_A_CALLER) return false
  return small || sameSize.length < (own === 0 ? UPLOAD_SLOTS : UPLOAD_SLOTS - KEPT_FOR_NEWCOMERS)
}

/** The client is told to retry when enough of the running uploads should have ended. */
function refusal(running: readonly Slot[], slot: Slot) {
  const remaining = running
    .map((other) => ({ other, endsIn: other.body.endsInMs() }))
    .sort((one, two) => one.endsIn - two.endsIn)
  let endsIn = 0
  while (
    !hasRoom(
      remaining.map(({ other }) => other),
      slot,
    )
  )
    endsIn = remaining.shift()?.endsIn ?? 0
  const own = running.filter(({ who }) => who === slot.who).length
  const message =
    own > 0
      ? `You have ${own} uploads under way: wait for one to end, or send up to 20 files in one upload.`
      : 'There are too many large uploads at the same time: try again later.'
  return unavailable(message, Math.max(1, Math.ceil(endsIn / 1000)))
}
