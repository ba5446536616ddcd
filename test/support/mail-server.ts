// A real mail server on loopback: what was sent can be read, as text and by whom it was for.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Received {
  to: string[]
  text: string
}

export interface MailServer {
  url: string
  received: Received[]
  /** The next letter, or the first one that is there. */
  next(): Promise<Received>
  close(): Promise<void>
}

/** The letter with its text in plain: quoted-printable would hide links, and a text in Japanese comes as Base64. */
function decoded(bytes: Buffer): string {
  const raw = bytes.toString('latin1')
  const end = raw.indexOf('\r\n\r\n')
  if (/^content-transfer-encoding: base64/im.test(raw.slice(0, end)))
    return raw.slice(0, end) + Buffer.from(raw.slice(end), 'base64').toString()
  const text = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(text, 'latin1').toString()
}

/** @param refuse what the server says instead of taking a letter */
export async function mailServer(refuse?: string): Promise<MailServer> {
  const mails: Received[] = []
  const waiting: ((letter: Received) => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(refuse === undefined ? null : new Error(refuse)),
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const letter = { to, text: decoded(Buffer.concat(pieces)) }
        const waiter = waiting.shift()
        if (waiter) waiter(letter)
        else mails.push(letter)
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: mails,
    next: async () => mails.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
