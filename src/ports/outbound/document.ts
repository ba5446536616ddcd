// Fetching a JSON document whose address a stranger chose (SSRF): over https, from the public internet only, small, soon,
// and from just that place. The name is resolved once, and what was looked at is what is connected to.

import { lookup as resolveName } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OutboundFailed } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

/** What is around us: tests put a server of their own there. */
export interface Internet {
  /** All addresses of a name. */
  resolve(host: string): Promise<readonly string[]>
  mayConnect(address: string): boolean
  port: number
  /** Trusted beside the system's, in PEM. */
  ca?: string
}

export const publicInternet: Internet = {
  resolve: async (host) =>
    (await resolveName(host, { all: true, order: 'ipv4first' })).map(({ address }) => address),
  mayConnect: isPublicAddress,
  port: 443,
}

const MOST_BYTES = 5 * 1024
const MOST_MS = 5_000

export interface FetchedDocument {
  json: unknown
  /** From Cache-Control; undefined when it says nothing. */
  maxAgeSeconds: number | undefined
}

/**
 * @param url https, with a name as its host
 * @throws OutboundFailed with a reason that may be shown: it names the host and nothing else of the network
 */
export async function fetchDocument(url: URL, internet: Internet): Promise<FetchedDocument> {
  const late = AbortSignal.timeout(MOST_MS)
  try {
    const address = await within(late, pinnedAddress(url, internet))
    return await within(late, get(url, address, internet, late))
  } catch (error) {
    if (error instanceof OutboundFailed) throw error
    const why = late.aborted ? `did not answer within ${MOST_MS / 1000} seconds` : 'cannot be reached'
    throw new OutboundFailed(`${url.host} ${why}.`, undefined, { cause: error })
  }
}

/** Resolving cannot be broken off, but it need not be waited for. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** All of a name's addresses have to be public: one that is not is a trap, or a name of somebody's inside. */
async function pinnedAddress(url: URL, internet: Internet): Promise<string> {
  if (url.protocol !== 'https:' || url.port !== '' || isIP(url.hostname.replace(/^\[|\]$/g, ''))) {
    throw new OutboundFailed(`${url.host} is not asked: the address must be https with a name and no port.`)
  }
  const [first, ...others] = await internet.resolve(url.hostname)
  if (first !== undefined && [first, ...others].every((address) => internet.mayConnect(address))) return first
  throw new OutboundFailed(`${url.host} is not asked: it is not on the public internet.`)
}

function get(url: URL, address: string, internet: Internet, signal: AbortSignal): Promise<FetchedDocument> {
  // Called in place of the system's: the name stays in Host and in TLS, the address is the one that was looked at.
  const pinned: LookupFunction = (_host, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, {
      agent: false,
      port: internet.port,
      lookup: pinned,
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity' },
      signal,
      ...(internet.ca === undefined ? {} : { ca: internet.ca }),
    })
    request.on('error', reject)
    // A redirect is an answer like another that is not 200.
    request.on('response', (response) => {
      read(url.host, response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.end()
  })
}

async function read(host: string, response: IncomingMessage): Promise<FetchedDocument> {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new OutboundFailed(`${host} answered ${statusCode}.`, statusCode)
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Nothing is unpacked, so no small answer can become a large one.
  const packed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'
  if (!/^application\/([\w.-]+\+)?json$/.test(type) || packed) {
    throw new OutboundFailed(`${host} did not answer in JSON.`)
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MOST_BYTES) throw new OutboundFailed(`${host} sent more than ${MOST_BYTES / 1024} KiB.`)
    pieces.push(piece)
  }
  return { json: parsed(host, Buffer.concat(pieces)), maxAgeSeconds: maxAgeOf(headers['cache-control']) }
}

function parsed(host: string, bytes: Buffer): unknown {
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
