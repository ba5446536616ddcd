// Fetches pages from addresses that strangers may have chosen (SSRF), as links and redirects are: only from the public internet
// unless the person allows more, from the address that was checked, bounded in size and time.

import { lookup as resolveName } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OutboundFailed } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

export interface PageOptions {
  /** Also addresses of internal networks. */
  allowPrivate: boolean
  mostBytes: number
  timeoutMs: number
  userAgent: string
  signal: AbortSignal
}

export interface Page {
  /** Where it was found in the end. */
  url: URL
  status: number
  /** Without parameters, in lower case. */
  type: string
  body: Buffer<ArrayBuffer>
}

const MOST_REDIRECTS = 5

/**
 * The answer, whatever its status; redirects are followed, each checked as the first address.
 * @throws OutboundFailed with a message that may be shown
 */
export async function fetchPage(address: URL, options: PageOptions): Promise<Page> {
  let url = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const limit = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
    try {
      const to = await checkedAddress(url, options.allowPrivate)
      const response = await ask(url, to, options.userAgent, limit)
      const { statusCode = 0, headers } = response
      if (
        statusCode >= 300 &&
        statusCode < 400 &&
        headers.location &&
        URL.canParse(headers.location, url.href)
      ) {
        response.destroy()
        url = new URL(headers.location, url)
        continue
      }
      const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      return { url, status: statusCode, type, body: await read(response, url.host, options.mostBytes) }
    } catch (error) {
      options.signal.throwIfAborted()
      if (error instanceof OutboundFailed) throw error
      const seconds = options.timeoutMs / 1000
      const why = limit.aborted ? `did not answer within ${seconds} seconds` : 'cannot be reached'
      throw new OutboundFailed(`${url.host} ${why}.`, undefined, { cause: error })
    }
  }
  throw new OutboundFailed(`${address.host} redirects too often.`)
}

/** All addresses of the name must be public: the first that answers could be any of them. */
async function checkedAddress({ protocol, hostname, host }: URL, allowPrivate: boolean): Promise<string> {
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new OutboundFailed(`${host || protocol} was not asked: only http and https are.`)
  const literal = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal)
    ? [literal]
    : (await resolveName(literal, { all: true, order: 'ipv4first' })).map(({ address }) => address)
  const [first] = addresses
  if (first !== undefined && (allowPrivate || addresses.every(isPublicAddress))) return first
  throw new OutboundFailed(`${host} was not asked: it is not on the public internet.`)
}

function ask(url: URL, address: string, userAgent: string, signal: AbortSignal): Promise<IncomingMessage> {
  // Host and TLS keep the name, the connection goes to the checked address.
  const pinned: LookupFunction = (_host, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  // Compressed answers are not asked for: a small one may unpack to a large one.
  const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, lookup: pinned, headers, signal }, resolve)
    sent.on('error', reject)
    sent.end()
  })
}

async function read(
  response: IncomingMessage,
  host: string,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  if ((response.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    response.destroy()
    throw new OutboundFailed(`${host} answered compressed although it was asked not to.`)
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes)
      throw new OutboundFailed(`${host} sent more than ${Math.floor(mostBytes / 2 ** 20)} MB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
