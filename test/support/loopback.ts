// A scripted server's place in tests: a free port of this machine, and an end that waits for nobody.

import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free loopback port; gives its address. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The body of a request; undefined where its sender went before it was through, which is no error of the test's. */
export async function wholeBody(request: IncomingMessage): Promise<string | undefined> {
  try {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    return Buffer.concat(pieces).toString('utf8')
  } catch {
    return undefined
  }
}

/** Ends the server with all its connections. */
export const closeNow = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
