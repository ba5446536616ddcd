// Connections through an HTTP proxy: a tunnel by CONNECT (RFC 9110, 9.3.6). TLS inside the tunnel ends at the server, not the
// proxy.

import { type Agent, type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { authorityOf, portOf, trust } from './network.ts'

const TUNNEL_TIMEOUT_MS = 20_000

/** The header with the user name and password of the proxy's address. Empty if the address has neither. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** A request to a proxy itself, over TLS if its address begins with https. */
export const requestProxy = (proxy: URL, options: object) =>
  (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    ...(proxy.protocol === 'https:' ? trust() : {}),
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(proxy),
    ...options,
  })

/** A connection to host and port through the proxy. @throws Error whose `code` begins with "proxy: " and names the reason */
export function openTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const authority = authorityOf(host, port)
  return new Promise((resolve, reject) => {
    const request = requestProxy(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: TUNNEL_TIMEOUT_MS,
    })
    const fail = (code: string): void => {
      request.destroy()
      reject(Object.assign(new Error(`the proxy ${proxy.host}: ${code}`), { code }))
    }
    request.once('error', ({ code, message }: NodeJS.ErrnoException) => fail(`proxy: ${code ?? message}`))
    request.once('timeout', () => fail('proxy: no answer'))
    request.once('connect', ({ statusCode = 0 }, socket: Duplex, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        fail(`proxy: status ${statusCode}`)
        return
      }
      const tunnelSocket = socket as Socket
      tunnelSocket.setTimeout(0)
      if (head.length > 0) tunnelSocket.unshift(head)
      resolve(tunnelSocket)
    })
    request.end()
  })
}

/**
 * An agent whose connections go through the proxy.
 * @param address where the connection leads, if it is not the host of the request
 */
export function tunnelAgent(
  proxy: URL,
  protocol: string,
  { address, ...options }: AgentOptions & { address?: string | undefined } = {},
): Agent {
  const agent = protocol === 'https:' ? new HttpsAgent({ ...options, ...trust() }) : new HttpAgent(options)
  // The original method. For https it starts TLS on the socket in its options.
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (request, done) => {
    openTunnel(proxy, address ?? request.host ?? 'localhost', Number(request.port)).then(
      (socket) =>
        done?.(null, protocol === 'https:' ? (connect({ ...request, socket } as never) as Socket) : socket),
      (error: Error) => done?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}
