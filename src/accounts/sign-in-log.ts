// Log lines about sign-ins: the method, the id of the account, the client's address and the reason of a refusal. They contain no
// name, email address or secret, and nothing that was typed.

import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'

/** Written in addition to the log line that each request has. */
export interface SignInLog {
  logSuccess(account: string): void
  /** @param details counts and codes */
  logRefusal(
    reason: string,
    account?: string | undefined,
    details?: Record<string, string | number | undefined>,
  ): void
  /** For `.catch`: logs an ApiError as a refusal, and throws every error again. */
  logAndRethrow(reason: string, account?: string): (error: unknown) => never
}

/** @param clientAddress of the browser, as the trusted proxies give it */
export function signInLog(
  { log }: Pick<Deps, 'log'>,
  by: 'password' | 'second factor' | 'company' | 'link',
  clientAddress: string,
): SignInLog {
  const logRefusal: SignInLog['logRefusal'] = (reason, account, details = {}) =>
    log.warn({ by, reason, account, clientAddress, ...details }, 'a sign-in was refused')
  return {
    logSuccess: (account) => log.info({ by, account, clientAddress }, 'signed in'),
    logRefusal,
    logAndRethrow: (reason, account) => (error) => {
      if (error instanceof ApiError) logRefusal(reason, account)
      throw error
    },
  }
}
