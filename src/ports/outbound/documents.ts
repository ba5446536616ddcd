// Documents of strangers, kept for as long as they say within bounds, so that nobody is asked often: neither by us nor by
// somebody who uses us for it.

import { type FetchedDocument, fetchDocument, type Internet, publicInternet } from './document.ts'
import { OutboundFailed } from './outbound.ts'

export interface Documents {
  /** The parsed document. @throws OutboundFailed with a reason that may be shown */
  json(url: string): Promise<unknown>
}

const LEAST_SECONDS = 60
const MOST_SECONDS = 24 * 3600
const USUAL_SECONDS = 300
// What failed is asked again soon, but not at once.
const FAILED_SECONDS = 30
// 5 KB each at most.
const MOST_KEPT = 500
const MOST_AT_ONCE = 8
const MOST_A_MINUTE = 10

interface Kept {
  answer: Promise<FetchedDocument>
  /** Milliseconds; while it is on its way it is shared, too. */
  until: number
}

/** @param internet the real one unless a test says otherwise */
export function openDocuments(internet: Internet = publicInternet): Documents {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, number[]>()
  let running = 0

  const fetchNow = async (url: URL): Promise<FetchedDocument> => {
    running++
    try {
      return await fetchDocument(url, internet)
    } finally {
      running--
    }
  }

  return {
    json: async (url) => {
      const found = kept.get(url)
      if (found && found.until > Date.now()) return (await found.answer).json
      if (running >= MOST_AT_ONCE)
        throw new OutboundFailed('Too many addresses are being looked up. Try again.')
      const address = new URL(url)
      countAsk(asked, address.host, Date.now())
      const fresh: Kept = { answer: fetchNow(address), until: Number.POSITIVE_INFINITY }
      keep(kept, url, fresh)
      fresh.answer.then(
        ({ maxAgeSeconds = USUAL_SECONDS }) => {
          fresh.until = Date.now() + 1000 * Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, maxAgeSeconds))
        },
        () => {
          fresh.until = Date.now() + 1000 * FAILED_SECONDS
        },
      )
      return (await fresh.answer).json
    },
  }
}

/** The oldest goes. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest)
}

/** @throws OutboundFailed when the host was asked too often within the last minute */
function countAsk(asked: Map<string, number[]>, host: string, now: number): void {
  const recent = (asked.get(host) ?? []).filter((at) => at > now - 60_000)
  if (recent.length >= MOST_A_MINUTE) {
    throw new OutboundFailed(`${host} was asked too often just now. Try again in a minute.`)
  }
  keep(asked, host, [...recent, now])
}
