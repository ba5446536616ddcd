// The lines of the log about sign-ins: with what, whose account, from which address, and why not. They have no name, email address or
// secret, and nothing of what was typed.

import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'

/** What the log says beside the line that each request has. */
export interface SignInLog {
  signedIn(account: string): void
  /** @param more counts and codes */
  refused(
    reason: string,
    account?: string | undefined,
    more?: Record<string, string | number | undefined>,
  ): void
  /** For `.catch`: logs a refusal as `refused` does, and throws any error again. */
  logAndRethrow(reason: string, account?: string): (error: unknown) => never
}

/** @param clientAddress of the browser, as the trusted proxies give it */
export function signInLog(
  { log }: Pick<Deps, 'log'>,
  by: 'password' | 'second factor' | 'company' | 'link',
  clientAddress: string,
): SignInLog {
  const logRefusal: SignInLog['refused'] = (reason, account, more = {}) =>
    log.warn({ by, reason, account, clientAddress, ...more }, 'a sign-in was refused')
  return {
    signedIn: (account) => log.info({ by, account, clientAddress }, 'signed in'),
    refused: logRefusal,
    logAndRethrow: (reason, account) => (error) => {
      if (error instanceof ApiError) logRefusal(reason, account)
      throw error
    },
  }
}
