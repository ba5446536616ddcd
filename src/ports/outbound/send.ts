// The HTTP client for servers that the operator configured. It differs from `fetch` in three ways: it uses the configured proxy, it
// trusts the configured authorities, and it never follows redirects.

import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { onNetworkUse, proxyFor, trust } from './network.ts'
import { proxyAuthorization, requestProxy, tunnelAgent } from './tunnel.ts'

interface SendOptions {
  method?: string
  headers?: Record<string, string> | Headers
  body?: string | URLSearchParams | Uint8Array | ArrayBuffer | Blob | null | undefined
  signal?: AbortSignal | null | undefined
}

const CONNECT_MS = 10_000
// The same options as those of Node.js's own agent.
const KEEP_ALIVE_OPTIONS = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const

const agents = new Map<string, Agent>()
onNetworkUse(() => {
  for (const agent of agents.values()) agent.destroy()
  agents.clear()
})

/** The answer, whatever its status. @throws Error with a code such as ECONNREFUSED, or the reason of the signal */
export async function send(url: string | URL, sendOptions: SendOptions): Promise<Response> {
  const target = new URL(url)
  const body =
    typeof sendOptions.body === 'string' || sendOptions.body instanceof URLSearchParams
      ? String(sendOptions.body)
      : sendOptions.body
  const blob =
    body instanceof Blob ? body : body == null ? undefined : new Blob([body as Uint8Array<ArrayBuffer>])
  const headers = new Headers(sendOptions.headers)
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
  if (sendOptions.body instanceof URLSearchParams && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  const method = sendOptions.method ?? 'GET'
  if (blob || method === 'POST' || method === 'PUT') headers.set('content-length', String(blob?.size ?? 0))
  const { signal } = sendOptions
  const options = { method, headers: Object.fromEntries(headers), ...(signal ? { signal } : {}) }
  for (;;) {
    signal?.throwIfAborted()
    const request = requestTo(target, options)
    try {
      return await answerTo(request, blob, method)
    } catch (error) {
      signal?.throwIfAborted()
      // The request is repeated only if the server closed an idle connection at the moment when it was used again.
      if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    }
  }
}

function requestTo(url: URL, options: RequestOptions): ClientRequest {
  const proxy = proxyFor(url)
  if (proxy && url.protocol === 'http:') return requestByProxy(proxy, url, options)
  const agent = agentFor(url.protocol, proxy)
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent })
    : httpRequest(url, { ...options, agent })
}

function agentFor(protocol: string, proxy: URL | undefined): Agent {
  const key = `${protocol} ${proxy?.href ?? ''}`
  const agent =
    agents.get(key) ??
    (proxy
      ? tunnelAgent(proxy, protocol, KEEP_ALIVE_OPTIONS)
      : protocol === 'https:'
        ? new HttpsAgent({ ...KEEP_ALIVE_OPTIONS, ...trust() })
        : new HttpAgent(KEEP_ALIVE_OPTIONS))
  agents.set(key, agent)
  return agent
}

/** Sends a request for an http address through the proxy, which gets the whole address (RFC 9112, 3.2.2). */
export function requestByProxy(proxy: URL, url: URL, options: RequestOptions): ClientRequest {
  const headers = { ...options.headers, host: url.host, ...proxyAuthorization(proxy) }
  const { origin, pathname, search } = url
  return requestProxy(proxy, { ...options, headers, path: origin + pathname + search, agent: false })
}

function answerTo(request: ClientRequest, body: Blob | undefined, method: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.once('response', (answer) => {
      try {
        resolve(responseOf(answer, method))
      } catch (error) {
        request.destroy()
        reject(error)
      }
    })
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(
        () => request.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })),
        CONNECT_MS,
      )
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer))
    })
    if (body === undefined || body.size === 0) request.end()
    else
      Readable.fromWeb(body.stream() as never)
        .on('error', (error) => request.destroy(error))
        .pipe(request)
  })
}

const STATUSES_WITHOUT_BODY = new Set([204, 205, 304])

function responseOf(answer: IncomingMessage, method: string): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  const isEmpty = method === 'HEAD' || STATUSES_WITHOUT_BODY.has(status)
  if (isEmpty) answer.resume()
  return new Response(isEmpty ? null : ReadableStream.from(decompress(answer)), {
    status,
    statusText,
    headers,
  })
}

/** The uncompressed body. Our requests ask for no compression, but some gateways compress nevertheless. */
function decompress(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers['content-encoding']?.toLowerCase()
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined
  if (!unpack) return answer
  answer.on('error', (error) => unpack.destroy(error))
  // A reader of the stream gets its errors. Without this listener, an error would end the process if nobody reads the stream.
  unpack.on('error', () => {})
  return answer.pipe(unpack)
}
