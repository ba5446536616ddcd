// Limits the memory and the hashing of uploads that arrive at the same time.

import { unavailable } from '../../errors.ts'

// A large upload needs up to 40 MB of buffers, and a share of a core for hashing.
const UPLOAD_SLOTS = 8
const SLOTS_PER_CALLER = 4
// The last slots are for callers who have none, so that two callers cannot take all slots.
const SLOTS_FOR_OTHERS = 2
// An upload of at most 1 MiB takes none of these slots. It is refused only if its sender already has four small uploads under way.
const SMALL_BYTES = 2 ** 20

/** What is known about a body before it has arrived. */
export interface UploadBody {
  /** The announced length, if the sender gave one. */
  bytes: number | undefined
  /** The time until it should end, by its speed so far. Senders that are too slow are disconnected. */
  endsInMs(): number
}

interface Slot {
  caller: string
  isSmall: boolean
  body: UploadBody
}

export interface UploadSlots {
  /**
   * Takes a slot and returns a function that gives it back.
   * @throws ApiError 503, with the time after which a slot should be free as `Retry-After`
   */
  take(caller: string, body: UploadBody): () => void
}

export function makeUploadSlots(): UploadSlots {
  const runningUploads = new Set<Slot>()
  return {
    take: (caller, body) => {
      const slot = { caller, isSmall: body.bytes !== undefined && body.bytes <= SMALL_BYTES, body }
      if (!hasRoom([...runningUploads], slot)) throw refusal([...runningUploads], slot)
      runningUploads.add(slot)
      return () => void runningUploads.delete(slot)
    },
  }
}

function hasRoom(runningUploads: readonly Slot[], { caller, isSmall }: Slot): boolean {
  const sameSize = runningUploads.filter((other) => other.isSmall === isSmall)
  const ownUploads = sameSize.filter((other) => other.caller === caller).length
  if (ownUploads >= SLOTS_PER_CALLER) return false
  return isSmall || sameSize.length < (ownUploads === 0 ? UPLOAD_SLOTS : UPLOAD_SLOTS - SLOTS_FOR_OTHERS)
}

/** Retry-After is the time by which enough of the running uploads should have ended. */
function refusal(runningUploads: readonly Slot[], slot: Slot) {
  const uploadsByEnd = runningUploads
    .map((other) => ({ other, endsIn: other.body.endsInMs() }))
    .sort((a, b) => a.endsIn - b.endsIn)
  let endsIn = 0
  while (
    !hasRoom(
      uploadsByEnd.map(({ other }) => other),
      slot,
    )
  )
    endsIn = uploadsByEnd.shift()?.endsIn ?? 0
  const ownUploads = runningUploads.filter(({ caller }) => caller === slot.caller).length
  const message =
    ownUploads > 0
      ? `You have ${ownUploads} uploads under way: wait for one to end, or send up to 20 files in one upload.`
      : 'There are too many large uploads at the same time: try again later.'
  return unavailable(message, Math.max(1, Math.ceil(endsIn / 1000)))
}
