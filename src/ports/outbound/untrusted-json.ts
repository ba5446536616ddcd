// Fetches small JSON documents from addresses that strangers chose, without allowing SSRF: only https and the public internet are
// used, and the connection goes to the address that was checked. Answers are cached for the time that their Cache-Control allows,
// with a minimum and a maximum, so that no host gets many requests.

import { lookup as resolveName } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { requestChecked } from './checked-request.ts'
import { orAborted } from './guard.ts'
import { isResolvedByProxy } from './network.ts'
import { OutboundFailed } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

export interface UntrustedJson {
  /** @throws OutboundFailed with a message that may be shown */
  get(url: string): Promise<unknown>
}

const MAX_BYTES = 5 * 1024
const TIMEOUT_MS = 5_000
const MIN_CACHE_SECONDS = 60
const MAX_CACHE_SECONDS = 24 * 3600
const DEFAULT_CACHE_SECONDS = 300
const FAILURE_CACHE_SECONDS = 30
// The maximum number of cached answers, of at most 5 KiB each.
const MAX_CACHED_ANSWERS = 500
const MAX_CONCURRENT_REQUESTS = 8
const MAX_REQUESTS_PER_MINUTE = 10

/** The network; tests replace it. */
export interface Internet {
  /** All addresses of a name. */
  resolve(host: string): Promise<readonly string[]>
  mayConnect(address: string): boolean
  port: number
  /** An additional trusted authority, in PEM. */
  ca?: string
}

export const publicInternet: Internet = {
  resolve: async (host) =>
    (await resolveName(host, { all: true, order: 'ipv4first' })).map(({ address }) => address),
  mayConnect: isPublicAddress,
  port: 443,
}

interface CachedAnswer {
  answer: Promise<FetchedDocument>
  /** Epoch milliseconds. Infinite while the request is running, which all callers share. */
  expiresAt: number
}

export function openUntrustedJson(internet: Internet = publicInternet): UntrustedJson {
  const cache = new Map<string, CachedAnswer>()
  const requests = new Map<string, number[]>()
  let runningCount = 0

  const fetchNow = async (url: URL): Promise<FetchedDocument> => {
    runningCount++
    try {
      return await fetchDocument(url, internet)
    } finally {
      runningCount--
    }
  }

  return {
    get: async (url) => {
      const cachedEntry = cache.get(url)
      if (cachedEntry && cachedEntry.expiresAt > Date.now()) return (await cachedEntry.answer).json
      if (runningCount >= MAX_CONCURRENT_REQUESTS)
        throw new OutboundFailed('Too many addresses are being fetched. Try again.')
      const address = new URL(url)
      countRequest(requests, address.host, Date.now())
      const entry: CachedAnswer = { answer: fetchNow(address), expiresAt: Number.POSITIVE_INFINITY }
      addWithinLimit(cache, url, entry)
      entry.answer.then(
        ({ maxAgeSeconds = DEFAULT_CACHE_SECONDS }) => {
          entry.expiresAt =
            Date.now() + 1000 * Math.min(MAX_CACHE_SECONDS, Math.max(MIN_CACHE_SECONDS, maxAgeSeconds))
        },
        () => {
          entry.expiresAt = Date.now() + 1000 * FAILURE_CACHE_SECONDS
        },
      )
      return (await entry.answer).json
    },
  }
}

/** Removes the oldest entry if there are too many. */
function addWithinLimit<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldestKey] = map.keys()
  if (map.size > MAX_CACHED_ANSWERS && oldestKey !== undefined) map.delete(oldestKey)
}

/** @throws OutboundFailed if the host got too many requests in the last minute */
function countRequest(requests: Map<string, number[]>, host: string, now: number): void {
  const recent = (requests.get(host) ?? []).filter((at) => at > now - 60_000)
  if (recent.length >= MAX_REQUESTS_PER_MINUTE) {
    throw new OutboundFailed(`${host} was asked too often. Try again in a minute.`)
  }
  addWithinLimit(requests, host, [...recent, now])
}

interface FetchedDocument {
  json: unknown
  /** The max-age of Cache-Control, if there is one. */
  maxAgeSeconds: number | undefined
}

/** @throws OutboundFailed with a message that may be shown, because it names only the host */
export async function fetchDocument(url: URL, internet: Internet): Promise<FetchedDocument> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const address = await orAborted(timeout, publicAddressOf(url, internet))
    return await orAborted(timeout, get(url, address, internet, timeout))
  } catch (error) {
    if (error instanceof OutboundFailed) throw error
    const reason = timeout.aborted
      ? `did not answer within ${TIMEOUT_MS / 1000} seconds`
      : 'cannot be reached'
    throw new OutboundFailed(`${url.host} ${reason}.`, undefined, { cause: error })
  }
}

/**
 * Resolves the host name and returns an address. All its addresses must be public. Otherwise the name is internal, or an attack.
 */
async function publicAddressOf(url: URL, internet: Internet): Promise<string> {
  if (url.protocol !== 'https:' || url.port !== '' || isIP(url.hostname.replace(/^\[|\]$/g, ''))) {
    throw new OutboundFailed(
      `${url.host} cannot be fetched: the address must be https with a host name and without a port.`,
    )
  }
  if (isResolvedByProxy(url)) return url.hostname
  const [firstAddress, ...otherAddresses] = await internet.resolve(url.hostname)
  if (
    firstAddress !== undefined &&
    [firstAddress, ...otherAddresses].every((address) => internet.mayConnect(address))
  )
    return firstAddress
  throw new OutboundFailed(`${url.host} is not on the public internet, so Kenning does not connect to it.`)
}

function get(url: URL, address: string, internet: Internet, signal: AbortSignal): Promise<FetchedDocument> {
  return new Promise((resolve, reject) => {
    const request = requestChecked(url, address, {
      port: internet.port,
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity' },
      signal,
      ...(internet.ca === undefined ? {} : { ca: internet.ca }),
    })
    request.on('error', reject)
    // A redirect is not followed: any status but 200 is an error.
    request.on('response', (response) => {
      readDocument(url.host, response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.end()
  })
}

async function readDocument(host: string, response: IncomingMessage): Promise<FetchedDocument> {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new OutboundFailed(`${host} answered ${statusCode}.`, statusCode)
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Compressed answers are refused, because a small one may unpack to a large one.
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'
  if (!/^application\/([\w.-]+\+)?json$/.test(type) || isCompressed) {
    throw new OutboundFailed(`${host} did not answer in JSON.`)
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_BYTES) throw new OutboundFailed(`${host} sent more than ${MAX_BYTES / 1024} KiB.`)
    pieces.push(piece)
  }
  return { json: parseJson(host, Buffer.concat(pieces)), maxAgeSeconds: maxAgeOf(headers['cache-control']) }
}

function parseJson(host: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new OutboundFailed(`${host} did not answer in JSON.`)
  }
}

function maxAgeOf(header: string | undefined): number | undefined {
  if (/\bno-(store|cache)\b/i.test(header ?? '')) return 0
  const seconds = /\bmax-age="?(\d{1,9})/i.exec(header ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
