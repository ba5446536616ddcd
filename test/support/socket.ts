// Bytes as they are, over TCP: for what no HTTP client would send.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Wire {
  socket: Socket
  write(bytes: string | Buffer): void
  /** All that has come until the server closes, or until `done` holds for it. */
  read(done?: (text: string) => boolean, timeoutMs?: number): Promise<string>
  close(): void
}

export async function openWire(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let text = ''
  let ended = false
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
  })
  socket.on('close', () => {
    ended = true
  })
  socket.on('error', () => undefined)
  return {
    socket,
    write: (bytes) => {
      socket.write(bytes)
    },
    read: async (done = () => false, timeoutMs = 10_000) => {
      const end = Date.now() + timeoutMs
      while (!ended && !done(text) && Date.now() < end) await sleep(5)
      return text
    },
    close: () => {
      socket.destroy()
    },
  }
}

export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
