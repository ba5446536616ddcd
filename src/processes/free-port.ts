// A port that somebody else holds is said at once, not after the engine has started (7 s, 50 s on a busy machine).

import { createServer } from 'node:net'

/** Listens for a moment. @throws Error with a sentence when the port is taken; anything else is left to the API */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(new Error(portInUse(host, port))) : resolve(),
    )
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

export const portInUse = (host: string, port: number): string =>
  `Port ${port} on ${host} is in use; choose another one with KENNING_PORT.`
