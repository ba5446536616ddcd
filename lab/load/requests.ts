// One request of a load: sent to this machine only, and ended after half a minute at the latest, a stream after two.

import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Answer } from './open-loop.ts'

const LIMIT_MS = 30_000
// The service ends an answer after 118 s.
const ANSWER_LIMIT_MS = 130_000
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export interface Sending {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** A file to upload instead. */
  file?: { name: string; text: string }
  /** The answer is a stream of events that ends with one of this name. */
  endsWith?: string
}

export interface Sender {
  send(sending: Sending): Promise<Answer>
  close(): void
}

/** @throws Error for any other machine: a load is an attack on whoever did not ask for it */
export function openSender(base: string, token: () => Promise<string>): Sender {
  if (!LOOPBACK.includes(new URL(base).hostname)) throw new Error('a load is for services on this machine')
  const agent = new Agent({ keepAlive: true })
  return {
    send: async (sending) => {
      const { type, bytes } = bodyOf(sending)
      const authorization = `Bearer ${await token()}`
      return await new Promise<Answer>((resolve) => {
        const outgoing = request(`${base}${sending.path}`, {
          agent,
          method: sending.method,
          signal: AbortSignal.timeout(sending.endsWith ? ANSWER_LIMIT_MS : LIMIT_MS),
          headers: {
            authorization,
            ...(bytes && { 'content-type': type, 'content-length': bytes.length }),
            accept: sending.endsWith ? 'text/event-stream' : 'application/json',
          },
        })
        outgoing.on('error', () => resolve({ kind: 'failed' }))
        outgoing.on('response', (response) => void answerOf(response, sending).then(resolve))
        outgoing.end(bytes)
      })
    },
    close: () => agent.destroy(),
  }
}

function bodyOf({ body, file }: Sending): { type: string; bytes: Buffer | undefined } {
  if (file) {
    const mark = 'kenning-load'
    const head = `--${mark}\r\ncontent-disposition: form-data; name="files"; filename="${file.name}"\r\n\r\n`
    return {
      type: `multipart/form-data; boundary=${mark}`,
      bytes: Buffer.from(`${head}${file.text}\r\n--${mark}--\r\n`),
    }
  }
  return {
    type: 'application/json',
    bytes: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  }
}

async function answerOf(response: IncomingMessage, { endsWith }: Sending): Promise<Answer> {
  const status = response.statusCode ?? 0
  let firstAt: number | undefined
  let text = ''
  try {
    for await (const piece of response.setEncoding('utf8')) {
      if (endsWith === undefined) continue
      text = (text + piece).slice(-100_000)
      if (text.includes('event: ')) firstAt ??= performance.now()
    }
  } catch {
    return { kind: 'failed' }
  }
  if (status === 503 || status === 429)
    return { kind: 'refused', saysWhen: /^\d+$/.test(response.headers['retry-after'] ?? '') }
  if (status >= 300) return { kind: 'failed' }
  if (endsWith === undefined) return { kind: 'ok' }
  const isWhole = text.includes(`event: ${endsWith}\n`)
  return { kind: isWhole ? 'ok' : 'failed', ...(firstAt !== undefined && { firstAt }) }
}

export interface SlowConnections {
  /** How many are open still, and the seconds after which the last of the others was closed. */
  state(): { open: number; closedAfter: number }
  close(): void
}

/** Connections that send the head of a request byte by byte, one a second. */
export function openSlowConnections(base: string, count: number): SlowConnections {
  const { hostname, port } = new URL(base)
  const began = performance.now()
  let [open, closedAfter] = [count, 0]
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
    // What the service says before it closes is read, or the end would not be seen.
    socket.on('error', () => {}).resume()
    socket.once('close', () => {
      open -= 1
      closedAfter = (performance.now() - began) / 1000
    })
    return socket
  })
  const text = 'GET /v1/me HTTP/1.1\r\nhost: x\r\nx-slow: '.padEnd(1000, 'a')
  let sent = 0
  const timer = setInterval(() => {
    const byte = text.charAt(sent++ % text.length)
    for (const socket of sockets) if (!socket.destroyed) socket.write(byte)
  }, 1000)
  return {
    state: () => ({ open, closedAfter }),
    close: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}
