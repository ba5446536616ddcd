// Sends mails, as plain text and as HTML, through the operator's SMTP server. The library is loaded only if one is configured.

import { trust } from '../outbound/network.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mail {
  /** Resolves when the server has accepted the letter. Errors contain the server's message, never the letter's text. */
  send(letter: Letter): Promise<void>
}

const TIMEOUT_MS = 20_000

/** @param from the sender, such as `Kenning <kenning@example.org>` */
export async function openMail(url: string, from: string): Promise<Mail> {
  const transport = await openTransport(url, from)
  return {
    send: async ({ to, subject, text, html }) => {
      // As an object, so that an address with commas or brackets stays one address.
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        html,
      })
    },
  }
}

/** Connects and signs in without sending anything. @throws Error with the message of the server or the connection */
export async function checkMail(url: string, from: string): Promise<void> {
  const transport = await openTransport(url, from)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function openTransport(url: string, from: string) {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  // The library must not read files or addresses that a letter contains.
  const noAccess = { disableFileAccess: true, disableUrlAccess: true }
  return createTransport({ url, ...timeouts, ...noAccess, tls: trust() }, { from })
}
