// Fetches pages from addresses that strangers may have chosen (SSRF), for example by a link or a redirect. `mayConnect` decides
// which addresses are allowed. The connection goes to the address that was checked, and size and time are limited.

import type { IncomingMessage } from 'node:http'
import { requestChecked } from './checked-request.ts'
import { checkAddress, type MayConnect } from './guard.ts'
import { OutboundFailed } from './outbound.ts'

interface PageOptions {
  mayConnect: MayConnect
  /**
   * Additional headers, such as a password. They are chosen for each address, so that a redirect does not send them to another
   * site.
   */
  headersFor?: (url: URL) => Record<string, string>
  maxBytes: number
  timeoutMs: number
  userAgent: string
  signal: AbortSignal
}

/** The status and headers of an answer. */
export interface PageHead {
  /** The address after all redirects. */
  url: URL
  status: number
  /** The media type of Content-Type, in lower case and without parameters. */
  type: string
  etag: string | undefined
  lastModified: string | undefined
}

export interface Page extends PageHead {
  body: Buffer<ArrayBuffer>
}

const MAX_REDIRECTS = 5

export async function wholeBody(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * Fetches a page and returns the result of `read`, whatever the status is. `read` gets the body piece by piece and may ignore it.
 * Redirects are followed, and the address of each is checked like the first one.
 * @throws OutboundFailed with a message that may be shown
 */
export async function withPage<T>(
  address: URL,
  options: PageOptions,
  read: (head: PageHead, body: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { limitSignal, response, head } = await openPage(address, options)
  try {
    return await read(head, bodyOf(response, head.url.host, options, limitSignal))
  } finally {
    response.destroy()
  }
}

interface OpenedPage {
  /** Aborted when the time limit of this page is over, or by the caller's signal. */
  limitSignal: AbortSignal
  response: IncomingMessage
  head: PageHead
}

async function openPage(address: URL, options: PageOptions): Promise<OpenedPage> {
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const limitSignal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
    try {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new OutboundFailed(
          `${url.host || url.protocol} cannot be fetched: use an address that begins with http or https.`,
        )
      const connectTo = await checkAddress(url, options.mayConnect, limitSignal)
      const headers = { 'user-agent': options.userAgent, ...options.headersFor?.(url) }
      const response = await sendRequest(url, connectTo, { headers, signal: limitSignal })
      const redirectTarget = redirectTargetOf(response, url)
      if (redirectTarget) {
        response.destroy()
        url = redirectTarget
        continue
      }
      const { statusCode = 0, headers: answerHeaders } = response
      const type = (answerHeaders['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      const { etag, 'last-modified': lastModified } = answerHeaders
      return { limitSignal, response, head: { url, status: statusCode, type, etag, lastModified } }
    } catch (error) {
      throw failureOf(error, url.host, options, limitSignal)
    }
  }
  throw new OutboundFailed(`${address.host} redirects too often.`)
}

/** The address to which an answer redirects. Undefined if it does not. */
function redirectTargetOf(
  { statusCode = 0, headers: { location } }: IncomingMessage,
  url: URL,
): URL | undefined {
  const isRedirect = statusCode >= 300 && statusCode < 400
  return isRedirect && location && URL.canParse(location, url.href) ? new URL(location, url) : undefined
}

function failureOf(error: unknown, host: string, options: PageOptions, limitSignal: AbortSignal): unknown {
  options.signal.throwIfAborted()
  if (error instanceof OutboundFailed) return error
  const seconds = options.timeoutMs / 1000
  const reason = limitSignal.aborted ? `did not answer within ${seconds} seconds` : 'cannot be reached'
  return new OutboundFailed(`${host} ${reason}.`, undefined, { cause: error })
}

interface RequestHead {
  headers: Record<string, string>
  signal: AbortSignal
}

function sendRequest(url: URL, address: string, { headers, signal }: RequestHead): Promise<IncomingMessage> {
  // Compressed answers are not requested, because a small one may unpack to a large one.
  const allHeaders = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity', ...headers }
  return new Promise((resolve, reject) => {
    const clientRequest = requestChecked(url, address, { headers: allHeaders, signal })
    clientRequest.on('response', resolve)
    clientRequest.on('error', reject)
    clientRequest.end()
  })
}

/** The body in pieces. A network error is replaced by one whose message may be shown. */
async function* bodyOf(
  response: IncomingMessage,
  host: string,
  options: PageOptions,
  limitSignal: AbortSignal,
): AsyncGenerator<Buffer> {
  if ((response.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new OutboundFailed(`${host} answered compressed although it was asked not to.`)
  let size = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > options.maxBytes)
        throw new OutboundFailed(`${host} sent more than ${Math.floor(options.maxBytes / 2 ** 20)} MB.`)
      yield piece
    }
  } catch (error) {
    throw failureOf(error, host, options, limitSignal)
  }
}
