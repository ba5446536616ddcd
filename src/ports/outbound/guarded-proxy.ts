// A proxy on loopback for programs that use the network themselves, such as git. The guard checks the address of each connection,
// and the received bytes are limited. Each run has a password of its own, so other programs cannot use the proxy.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { requestChecked } from './checked-request.ts'
import { checkAddress, type MayConnect } from './guard.ts'
import { proxyFor } from './network.ts'
import { OutboundFailed } from './outbound.ts'
import { openTunnel } from './tunnel.ts'

export interface GuardedProxy {
  /** The address of this proxy, with the password. */
  url: string
  /**
   * Why the last connection was refused, failed or was cut off at the limit. Undefined if none was. The program's own message does
   * not contain the reason.
   */
  failure(): string | undefined
  close(): Promise<void>
}

const TIMEOUT_MS = 60_000

/**
 * @param maxBytes the limit for the bytes of all answers together
 * @param onBytes called whenever bytes arrive
 */
export async function openGuardedProxy(
  mayConnect: MayConnect,
  maxBytes: number,
  onBytes: () => void = () => undefined,
): Promise<GuardedProxy> {
  const password = randomBytes(24).toString('base64url')
  const expectedHeader = Buffer.from(`Basic ${Buffer.from(`kenning:${password}`).toString('base64')}`)
  const sockets = new Set<Duplex>()
  let failure: string | undefined
  let receivedBytes = 0

  const isAuthenticated = ({ headers }: IncomingMessage): boolean => {
    const credentials = Buffer.from(headers['proxy-authorization'] ?? '')
    return credentials.length === expectedHeader.length && timingSafeEqual(credentials, expectedHeader)
  }
  const recordFailure = (error: unknown, host: string): void => {
    failure = error instanceof OutboundFailed ? error.message : `${host} cannot be reached.`
  }
  const countBytes = (bytes: number, host: string, stop: () => void): void => {
    receivedBytes += bytes
    onBytes()
    if (receivedBytes <= maxBytes) return
    failure = `${host} sent more than ${Math.floor(maxBytes / 2 ** 20)} MB.`
    stop()
  }

  const server = createServer((request, response) => {
    if (!isAuthenticated(request))
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="kenning"' }).end()
    else
      forward(request, response).catch((error: unknown) => {
        recordFailure(error, request.headers.host ?? 'The host')
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      })
  })
  /** Forwards a request to an http URL. For these a program sends the full URL to the proxy instead of opening a tunnel. */
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '')
    if (url.protocol !== 'http:')
      throw new OutboundFailed(
        `${url.host} cannot be fetched: use an address that begins with http or https.`,
      )
    const address = await checkAddress(url, mayConnect, AbortSignal.timeout(TIMEOUT_MS))
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers
    await new Promise<void>((resolve, reject) => {
      const upstream = requestChecked(url, address, {
        ...(request.method === undefined ? {} : { method: request.method }),
        headers,
        timeout: TIMEOUT_MS,
      })
      upstream.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (piece: Buffer) => countBytes(piece.length, url.host, () => answer.destroy()))
        answer.once('error', reject)
        answer.once('close', () => {
          // The answer was cut off, and the program must not wait for the rest.
          if (!answer.complete) response.destroy()
          resolve()
        })
        answer.pipe(response)
      })
      upstream.once('timeout', () => upstream.destroy(new OutboundFailed(`${url.host} does not answer.`)))
      upstream.once('error', reject)
      request.pipe(upstream)
    })
  }
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    if (!isAuthenticated(request)) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="kenning"\r\n\r\n',
      )
      return
    }
    tunnel(request.url ?? '', client).catch((error: unknown) => {
      recordFailure(error, request.url ?? 'The host')
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
  })
  const tunnel = async (authority: string, client: Duplex): Promise<void> => {
    // Programs request a tunnel only for https, whatever the port is.
    const url = new URL(`https://${authority}`)
    const port = Number(url.port || 443)
    const address = await checkAddress(url, mayConnect, AbortSignal.timeout(TIMEOUT_MS))
    const proxy = proxyFor(url)
    const upstream: Socket = proxy
      ? await openTunnel(proxy, address, port)
      : connect({ host: address, port, timeout: TIMEOUT_MS })
    upstream.setTimeout(TIMEOUT_MS)
    sockets.add(upstream)
    upstream.once('close', () => {
      sockets.delete(upstream)
      client.destroy()
    })
    client.once('close', () => upstream.destroy())
    await new Promise<void>((resolve, reject) => {
      upstream.once('error', reject)
      upstream.once('timeout', () => upstream.destroy(new OutboundFailed(`${url.host} does not answer.`)))
      upstream.once('connect', resolve)
      if (proxy) resolve()
    })
    upstream.on('error', () => upstream.destroy())
    upstream.on('data', (piece: Buffer) => countBytes(piece.length, url.host, () => upstream.destroy()))
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.pipe(client)
    client.pipe(upstream)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://kenning:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    failure: () => failure,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
