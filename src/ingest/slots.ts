// Upload slots of this process: what bounds the memory and the hashing of uploads that arrive at the same time.

import { unavailable } from '../errors.ts'

// An upload holds up to 40 MB of buffers (20 × 100 MB measured) and a share of a core for hashing. One caller gets half
// the slots, so that slow uploads of one do not shut out the others; each may carry 20 files.
const UPLOAD_SLOTS = 8
const SLOTS_A_CALLER = 4
const MOST_RETRY_SECONDS = 60
// Of the last uploads, how much the newest counts in the usual duration.
const NEWEST_SHARE = 0.3

export interface Slots {
  /** Takes a slot and returns how to give it back. @throws ApiError 503, `Retry-After` when one should be free */
  take(who: string): () => void
}

/** @param now milliseconds; tests give a clock of their own */
export function makeSlots(now: () => number = Date.now): Slots {
  const running = new Set<{ who: string; since: number }>()
  let usualMs = 2000
  const retryAfter = (among: { since: number }[]): number => {
    const oldest = Math.min(...among.map(({ since }) => since))
    const left = Math.ceil((oldest + usualMs - now()) / 1000)
    // One that takes longer than usual may take as long again.
    const seconds = left > 0 ? left : Math.ceil((now() - oldest) / 1000)
    return Math.min(MOST_RETRY_SECONDS, Math.max(1, seconds))
  }
  return {
    take: (who) => {
      const all = [...running]
      const own = all.filter((other) => other.who === who)
      if (own.length >= SLOTS_A_CALLER) {
        throw unavailable(
          `You have ${SLOTS_A_CALLER} uploads under way; wait for one to end, or send up to 20 files in one.`,
          retryAfter(own),
        )
      }
      if (all.length >= UPLOAD_SLOTS) {
        throw unavailable('Too many uploads at once; try again in a moment.', retryAfter(all))
      }
      const slot = { who, since: now() }
      running.add(slot)
      return () => {
        if (!running.delete(slot)) return
        usualMs += (now() - slot.since - usualMs) * NEWEST_SHARE
      }
    },
  }
}
