// A real mail server on loopback: what was sent can be read, as a mail program shows it.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  to: string[]
  subject: string
  text: string
  html: string
}

export interface MailServer {
  url: string
  received: Received[]
  /** The next letter, or the first one that is there. */
  next(): Promise<Received>
  close(): Promise<void>
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
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const { subject = '', text = '', html = '' } = await PostalMime.parse(Buffer.concat(pieces))
        const letter = { to, subject, text, html }
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
