// Checks whether a port is free before the engine is started, so that the error comes at once, and finds a free one.

import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Checks a port by listening on it for a moment. Other failures are ignored here, because the API reports them itself.
 * @throws Error if the port is in use
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(new Error(portInUse(host, port))) : resolve(),
    )
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

export const portInUse = (host: string, port: number, setting = 'KENNING_PORT'): string =>
  `Port ${port} on ${host} is in use. Set ${setting} to another one.`

/**
 * Below the ports that Linux gives to outgoing connections and to `listen(0)` (from 32,768 on, ip_local_port_range in ip(7)):
 * one of those could be in use again before the service listens on it.
 */
export const FIRST_PORT = 20_000
export const PORT_COUNT = 12_000
/** The metrics of a worker are on the port after the one in its settings. */
const PORTS_PER_SERVICE = 2

let portIndex = Math.floor(Math.random() * PORT_COUNT)

/** A TCP port that nothing listens on, nor on the port after it. The same process is not given it again soon. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORT_COUNT / PORTS_PER_SERVICE; tries++) {
    portIndex = (portIndex + PORTS_PER_SERVICE) % PORT_COUNT
    const port = FIRST_PORT + portIndex
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
  throw new Error(`No port between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT} is free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
