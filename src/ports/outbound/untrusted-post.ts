// Sends a POST to an address that a user entered (SSRF). The guard checks the address, and the connection goes to the checked
// address. Redirects are not followed, and only the status of the answer is read.

import { requestChecked } from './checked-request.ts'
import { checkAddress, type MayConnect } from './guard.ts'
import { OutboundFailed } from './outbound.ts'

interface PostOptions {
  headers: Record<string, string>
  body: string
  timeoutMs: number
  mayConnect: MayConnect
  signal: AbortSignal
}

/** Returns the status of the answer. @throws OutboundFailed with a message that may be shown */
export async function postUntrusted(url: URL, options: PostOptions): Promise<number> {
  const limitSignal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  try {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new OutboundFailed(
        `${url.host || url.protocol} cannot be called: use an address that begins with http or https.`,
      )
    const address = await checkAddress(url, options.mayConnect, limitSignal)
    return await statusOf(url, address, options, limitSignal)
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof OutboundFailed) throw error
    const seconds = options.timeoutMs / 1000
    const reason = limitSignal.aborted ? `did not answer within ${seconds} seconds` : 'cannot be reached'
    throw new OutboundFailed(`${url.host} ${reason}.`, undefined, { cause: error })
  }
}

function statusOf(
  url: URL,
  address: string,
  { headers, body }: PostOptions,
  signal: AbortSignal,
): Promise<number> {
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const clientRequest = requestChecked(url, address, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.length) },
      signal,
    })
    clientRequest.on('error', reject)
    clientRequest.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.on('error', () => {})
      response.destroy()
    })
    clientRequest.end(bytes)
  })
}
