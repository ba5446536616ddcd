// Request and response bodies of the routes for the second factor, beside /v1.

import { z } from 'zod'
import { text } from './fields.ts'

const password = z.string().min(1).max(4000)

/** A one-time code of the app, or a recovery code; blanks and hyphens do not count. */
const SecondFactorCode = z.string().min(1).max(100)

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
// 1,023 bytes by WebAuthn.
const credentialId = base64url(1364)

/** What a browser answers to the challenge of a passkey (WebAuthn, AuthenticationResponseJSON). Other fields are ignored. */
export const PasskeyAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8000),
    authenticatorData: base64url(8000),
    signature: base64url(8000),
    // Empty from some security keys.
    userHandle: z
      .string()
      .max(200)
      .regex(/^[\w-]*$/)
      .nullish(),
  }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** What a browser answers when a passkey is made (WebAuthn, RegistrationResponseJSON). Other fields are ignored. */
export const PasskeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8000),
    attestationObject: base64url(40_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
})
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>

/** What proves the second factor: one of these. Neither is needed where the account has none. */
export const proof = { code: SecondFactorCode.optional(), passkey: PasskeyAnswer.optional() }

export const SecondFactorConfirm = z.object({ code: SecondFactorCode })
/** What changes the second factor. */
export const SecondFactorChange = z.object({ password, ...proof })
export type SecondFactorChange = z.infer<typeof SecondFactorChange>

export const PasskeyConfirm = z.object({ name: text(1, 100, { trim: true }), response: PasskeyRegistration })
export type PasskeyConfirm = z.infer<typeof PasskeyConfirm>

/** The second step of a sign-in. */
export const SecondStep = z.union([
  z.object({ code: SecondFactorCode }),
  z.object({ passkey: PasskeyAnswer }),
])
export type SecondStep = z.infer<typeof SecondStep>

export interface Passkey {
  id: string
  name: string
  created_at: string
  /** The day, in UTC. Null: never used since it was added. */
  used_on: string | null
}

/** `recovery_codes` is the number of those that were not used. */
export interface SecondFactor {
  /** Null: the account has no second factor. */
  confirmed_at: string | null
  recovery_codes: number
  /** Whether codes of an authenticator app count. */
  app: boolean
  passkeys: Passkey[]
  /** Whether browsers have passkeys at the address of this service. */
  allows_passkeys: boolean
}

/** The only response that contains the secret. */
export interface NewSecondFactor {
  secret: string
  /** For the QR code. */
  uri: string
}

/** The only response that contains the codes. Empty if the account had a second factor before, whose recovery codes stay. */
export interface RecoveryCodes {
  recovery_codes: string[]
}
