// A forward proxy on loopback and the outside behind it: names that only the proxy knows, each leading to a server of the test.

import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { closeNow, listenOnLoopback } from './loopback.ts'

export interface TestProxy {
  url: string
  /** What the proxy was asked for: `CONNECT host:port`, or the method and the whole address. */
  asked: string[]
  /** The header Proxy-Authorization of each of them. */
  authorizations: (string | undefined)[]
  /** Refuses everything with this status. */
  refuseWith: number | undefined
  close(): Promise<void>
}

/** @param outside the loopback port behind each name or address; what is not named here cannot be reached */
export async function testProxy(outside: Readonly<Record<string, number>>): Promise<TestProxy> {
  const tunnels = new Set<Duplex>()
  const server = createServer((request, response) => {
    note(`${request.method} ${request.url}`, request.headers['proxy-authorization'])
    const url = new URL(request.url ?? '')
    const port = outside[url.hostname]
    if (port === undefined || proxy.refuseWith !== undefined) {
      response.writeHead(proxy.refuseWith ?? 502).end()
      return
    }
    const path = url.pathname + url.search
    const { method, headers } = request
    request.pipe(
      httpRequest({ host: '127.0.0.1', port, path, headers, ...(method ? { method } : {}) }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }).on('error', () => response.destroy()),
    )
  })
  server.on('connect', (request, client: Duplex) => {
    note(`CONNECT ${request.url}`, request.headers['proxy-authorization'])
    const { hostname } = new URL(`http://${request.url}`)
    const port = outside[hostname]
    tunnels.add(client)
    client.on('error', () => client.destroy())
    if (port === undefined || proxy.refuseWith !== undefined) {
      client.end(`HTTP/1.1 ${proxy.refuseWith ?? 502} No\r\n\r\n`)
      return
    }
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    tunnels.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const note = (what: string, authorization: string | undefined): void => {
    proxy.asked.push(what)
    proxy.authorizations.push(authorization)
  }
  const proxy: TestProxy = {
    url: await listenOnLoopback(server),
    asked: [],
    authorizations: [],
    refuseWith: undefined,
    close: async () => {
      for (const tunnel of tunnels) tunnel.destroy()
      await closeNow(server)
    },
  }
  return proxy
}

/** The port of a server that listens. */
export const portOf = (server: { address(): AddressInfo | string | null }): number =>
  (server.address() as AddressInfo).port
