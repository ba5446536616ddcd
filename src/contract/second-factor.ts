// Request and response bodies of the routes for the second factor, beside /v1.

import { z } from 'zod'

const password = z.string().min(1).max(4000)

/** A one-time code of the app, or a recovery code; blanks and hyphens do not count. */
export const SecondFactorCode = z.string().min(1).max(100)

export const SecondFactorBegin = z.object({ password })
export const SecondFactorConfirm = z.object({ code: SecondFactorCode })
export const SecondFactorChange = z.object({ password, code: SecondFactorCode })
export type SecondFactorChange = z.infer<typeof SecondFactorChange>

/** The second step of a sign-in. */
export const SignInCode = z.object({ code: SecondFactorCode })

/** `recovery_codes` is the number of those that were not used. */
export interface SecondFactor {
  /** Null: the account has no second factor. */
  confirmed_at: string | null
  recovery_codes: number
}

/** The only response that contains the secret. */
export interface NewSecondFactor {
  secret: string
  /** For the QR code. */
  uri: string
}

/** The only response that contains the codes. */
export interface RecoveryCodes {
  recovery_codes: string[]
}
