// Handing a letter to the mail server without letting anybody wait for it.

import type { Deps } from '../ports/deps.ts'
import type { Letter } from '../ports/mail/mail.ts'

/** Not waited for: how long it takes would tell whether an address is known. Nothing where no server is configured. */
export function deliver({ mail, log }: Pick<Deps, 'mail' | 'log'>, letter: Letter): void {
  mail?.send(letter).catch((error: unknown) => {
    // Without the error itself, which quotes the address.
    log.warn({ code: (error as { code?: unknown }).code }, 'a mail could not be sent: check KENNING_SMTP_URL')
  })
}
