// One-time codes of an authenticator app: TOTP (RFC 6238) with six digits and a new code every 30 seconds. It uses SHA-1, because
// apps ignore any other choice.

import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** The codes of the time step before and of the one after are accepted too, since clocks differ. */
const TOLERANCE_STEPS = 1
const CODE = /^\d{6}$/

const generator = (secret: string, email: string): TOTP =>
  new TOTP({ issuer: 'Kenning', label: email, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })

/** In base32, as apps take it. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** What the QR code for the app contains. */
export const totpUri = (secret: string, email: string): string => generator(secret, email).toString()

export const isTotpCode = (code: string): boolean => CODE.test(code)

/** The number of the time step to which the code belongs; undefined if the code is wrong at that time. */
export function timeStepOf(secret: string, code: string, timestamp: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const totp = generator(secret, '')
  const delta = totp.validate({ token: code, timestamp, window: TOLERANCE_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
