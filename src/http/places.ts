// How many requests are answered at once. What comes beyond is refused at once: in line it would wait longer than its sender, and
// everybody behind it, too. An overload then ends when it ends, since nothing that nobody waits for any more is left to do.

import { type ApiError, unavailable } from '../errors.ts'

// Ten connections to the database answer some hundred short requests a second; of so many none waits for much more than a second.
const MOST = 128
// One caller alone cannot take all places from the others. Browsers ask for up to a hundred things at once through HTTP/2, but
// files and pages, which take most of these, are not counted.
const MOST_OF_ONE = 64
const RETRY_SECONDS = 1

export interface Places {
  /**
   * Takes a place before anything is asked of the database, counted for the credential as it was sent; returns how to leave.
   * @throws ApiError 503
   */
  enter(credential: string): () => void
  /** Counts it for its caller, who may have several credentials. @throws ApiError 503 */
  enterFor(who: string): () => void
}

export function makePlaces(most = MOST, mostOfOne = MOST_OF_ONE): Places {
  let total = 0
  const byCredential = new Map<string, number>()
  const byCaller = new Map<string, number>()
  const count = (counts: Map<string, number>, who: string): (() => void) => {
    const own = counts.get(who) ?? 0
    if (own >= mostOfOne)
      throw busy(`More than ${mostOfOne} of your requests at once; wait for some of them.`)
    counts.set(who, own + 1)
    return () => {
      const remaining = (counts.get(who) ?? 1) - 1
      if (remaining > 0) counts.set(who, remaining)
      else counts.delete(who)
    }
  }
  return {
    enter: (credential) => {
      if (total >= most) throw busy('Too many requests at once; try again in a second.')
      const leave = count(byCredential, credential)
      total++
      return () => {
        leave()
        total--
      }
    },
    enterFor: (who) => count(byCaller, who),
  }
}

const busy = (message: string): ApiError => unavailable(message, RETRY_SECONDS)
