// A small internet for tests: names that lead where the test says, one https server behind every address, and a count of
// the connections that were really made.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, Socket } from 'node:net'
import { generate } from 'selfsigned'
import { isPublicAddress } from '../../src/ports/outbound/public-address.ts'
import type { Internet } from '../../src/ports/outbound/untrusted-json.ts'

export interface TestWeb {
  internet: Internet
  /** Where every address leads: host and port. */
  at: string
  /** Answers the next requests. */
  answer: (handle: (request: IncomingMessage, response: ServerResponse) => void) => void
  /** Host header and path of what was asked. */
  asked: string[]
  close(): Promise<void>
}

/** Where the test server listens; taken for public by the internet of the test. */
export const HERE = '127.0.0.1'

/** @param names the addresses of each name; what is not named here does not exist */
export async function testWeb(names: Record<string, () => readonly string[]>): Promise<TestWeb> {
  const pems = await generate([{ name: 'commonName', value: 'client.example' }], {
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: Object.keys(names).map((value) => ({ type: 2 as const, value })),
      },
    ],
  })
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end()
  const requestedPaths: string[] = []
  const server: Server = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
    requestedPaths.push(`${request.headers.host}${request.url}`)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, HERE, resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked: requestedPaths,
    at: `${HERE}:${port}`,
    answer: (given) => {
      handle = given
    },
    internet: {
      resolve: async (host) => {
        const addresses = names[host]?.()
        if (!addresses) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
        return addresses
      },
      mayConnect: (address) => address === HERE || isPublicAddress(address),
      port,
      ca: pems.cert,
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Connections of this process as `address:port`, whoever makes them, by what is asked of the socket itself. */
export function watchSockets(): { to: string[]; stop(): void } {
  const to: string[] = []
  const real = Socket.prototype.connect
  Socket.prototype.connect = function watched(this: Socket, ...given: unknown[]): Socket {
    this.once('connectionAttempt', (address: string, port: number) => to.push(`${address}:${port}`))
    return Reflect.apply(real, this, given)
  } as typeof real
  return {
    to,
    stop: () => {
      Socket.prototype.connect = real
    },
  }
}
