// Mail: one plain text to one person, by the operator's SMTP server. The library is loaded where one is configured.

export interface Letter {
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Handed over to the server when it resolves. Rejects with what the server said; the text is in no error. */
  send(letter: Letter): Promise<void>
}

const TIMEOUT_MS = 20_000

/** @param from such as `Kenning <kenning@example.org>` */
export async function openMail(url: string, from: string): Promise<Mail> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  // No file and no address is fetched into a letter, whatever stands in it.
  const closed = { disableFileAccess: true, disableUrlAccess: true }
  const transport = createTransport({ url, ...timeouts, ...closed }, { from })
  return {
    send: async ({ to, subject, text }) => {
      // As an object: an address with commas or brackets in it is one address.
      await transport.sendMail({ to: { name: '', address: to }, subject, text })
    },
  }
}
