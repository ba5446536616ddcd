// Reports that a port is in use at once, instead of after the engine has started (7 s, or 50 s on a busy machine).

import { createServer } from 'node:net'

/**
 * Checks a port by listening on it for a moment. @throws Error if the port is in use. The API reports any other failure
 * itself.
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
