// Sends email in the background, where a mail server is configured.

import type { Deps } from '../ports/deps.ts'
import type { Letter } from '../ports/mail/mail.ts'

/** The text of a mail: paragraphs that are separated by blank lines. */
export const letterText = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`

/** Removes line breaks and characters that change the text direction: with these a name could imitate other parts of the mail. */
export const oneLine = (name: string): string =>
  name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/\s+/g, ' ')

/** Not awaited, because otherwise the response time would reveal whether an email address has an account. */
export function sendInBackground({ mail, log }: Pick<Deps, 'mail' | 'log'>, message: Letter): void {
  mail?.send(message).catch((error: unknown) => {
    // Only the code is logged, because the error itself contains the email address.
    const { code } = error as { code?: unknown }
    log.warn({ code }, 'an email could not be sent; check KENNING_SMTP_URL and the mail server')
  })
}
