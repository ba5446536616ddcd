// Checks whether a port is free before the engine is started, so that the error comes at once.

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
