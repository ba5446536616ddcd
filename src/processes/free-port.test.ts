import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { FIRST_PORT, freePort, PORT_COUNT } from './free-port.ts'

/** Listens on a port. Undefined if another process of this machine has it, which makes it a port in use, too. */
const listenOn = async (port: number): Promise<(() => Promise<unknown>) | undefined> => {
  const server = createServer()
  const isListening = await once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  )
  return isListening ? () => new Promise((resolve) => server.close(resolve)) : undefined
}

test('a port is given once, and neither it nor the one after it is in use', async () => {
  let port = await freePort()
  // The ports after those of the end are the first ones.
  while (port + 6 >= FIRST_PORT + PORT_COUNT) port = await freePort()
  // The next ports in turn: one in use itself, the other by the port after it.
  const closers = [await listenOn(port + 2), await listenOn(port + 5)]
  const next = await freePort()
  await Promise.all(closers.map((close) => close?.()))
  expect([port, port + 2, port + 4]).not.toContain(next)
  expect(next).toBeGreaterThanOrEqual(FIRST_PORT)
  expect(next).toBeLessThan(FIRST_PORT + PORT_COUNT)
})
