// Sends a request to a server whose address a user entered in the console (SSRF). The guard checks the address, and the connection
// goes to the checked address. Redirects are not followed.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { requestChecked } from './checked-request.ts'
import { checkAddress, type MayConnect } from './guard.ts'
import { type Fetch, type FetchOptions, OutboundFailed } from './outbound.ts'

// Answers with these statuses have no body, and `Response` throws if it is given one.
const EMPTY_STATUSES = new Set([204, 205, 304])

export const guardedFetch =
  (mayConnect: MayConnect): Fetch =>
  async (text, options) => {
    const url = new URL(text)
    const address = await checkAddress(url, mayConnect, options.signal)
    const response = await request(url, address, options)
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, String(value))
    const status = response.statusCode ?? 0
    if (status < 200 || status > 599) throw new OutboundFailed(`${url.host} answered ${status}`, status)
    const isEmpty = EMPTY_STATUSES.has(status)
    if (isEmpty) response.resume()
    const body = isEmpty ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>)
    return new Response(body, { status, headers })
  }

function request(
  url: URL,
  address: string,
  { method = 'GET', headers, body, signal }: FetchOptions,
): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const clientRequest = requestChecked(url, address, {
      method,
      headers: { ...headers, ...length, 'accept-encoding': 'identity' },
      signal,
    })
    clientRequest.on('error', reject)
    clientRequest.on('response', resolve)
    clientRequest.end(body)
  })
}
