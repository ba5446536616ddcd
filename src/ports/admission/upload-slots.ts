// Limits how many uploads arrive at the same time, because each needs memory, and a share of a core for hashing.

import { type ApiError, unavailable } from '../../errors.ts'

// A large upload needs up to 40 MB of buffers.
const MAX_LARGE_UPLOADS = 8
// Of large uploads, and of small ones.
const MAX_UPLOADS_PER_CALLER = 4
// The last slots are for callers who have no large upload under way, so that two callers cannot take all slots.
const SLOTS_FOR_OTHERS = 2
// An upload of at most 1 MiB is small. It does not count towards MAX_LARGE_UPLOADS.
const MAX_SMALL_BYTES = 2 ** 20

/** What is known about a body before it has arrived. */
export interface UploadBody {
  /** The announced length, if the sender gave one. */
  bytes: number | undefined
  /** The estimated time until it has arrived, or until its sender is disconnected for being too slow. */
  endsInMs(): number
}

interface RunningUpload {
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
  const runningUploads = new Set<RunningUpload>()
  return {
    take: (caller, body) => {
      const upload = { caller, isSmall: body.bytes !== undefined && body.bytes <= MAX_SMALL_BYTES, body }
      if (!hasRoom([...runningUploads], upload)) throw tooManyUploads([...runningUploads], upload)
      runningUploads.add(upload)
      return () => void runningUploads.delete(upload)
    },
  }
}

/** Whether the upload may run beside the others. */
function hasRoom(runningUploads: readonly RunningUpload[], { caller, isSmall }: RunningUpload): boolean {
  const uploadsOfSameClass = runningUploads.filter((other) => other.isSmall === isSmall)
  const ownCount = uploadsOfSameClass.filter((other) => other.caller === caller).length
  if (ownCount >= MAX_UPLOADS_PER_CALLER) return false
  const maxLargeUploads = ownCount === 0 ? MAX_LARGE_UPLOADS : MAX_LARGE_UPLOADS - SLOTS_FOR_OTHERS
  return isSmall || uploadsOfSameClass.length < maxLargeUploads
}

/** The error for an upload that must wait. Its `Retry-After` is the estimated time until enough running uploads have ended. */
function tooManyUploads(runningUploads: readonly RunningUpload[], upload: RunningUpload): ApiError {
  const remainingMs = new Map(runningUploads.map((running) => [running, running.body.endsInMs()]))
  const remainingOf = (running: RunningUpload): number => remainingMs.get(running) ?? 0
  const uploadsByEnd = runningUploads.toSorted((a, b) => remainingOf(a) - remainingOf(b))
  const lastToWaitFor = uploadsByEnd.find((_, i) => hasRoom(uploadsByEnd.slice(i + 1), upload))
  const waitMs = lastToWaitFor ? remainingOf(lastToWaitFor) : 0
  const ownUploads = runningUploads.filter(({ caller }) => caller === upload.caller)
  const isOwnLimit = !hasRoom(ownUploads, upload)
  const message = isOwnLimit
    ? `You already have ${MAX_UPLOADS_PER_CALLER} uploads under way: wait for one to end.`
    : 'There are too many large uploads at the same time: try again later.'
  return unavailable(message, Math.max(1, Math.ceil(waitMs / 1000)))
}
