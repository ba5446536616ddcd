// The state of a company sign-in while the user is at the provider. It is stored in an encrypted cookie (AES-256-GCM), so that
// sign-ins that are never finished take no space on the server.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'

const State = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })
type CompanyState = z.infer<typeof State>

const SealedState = State.extend({ until: z.number() })

const IV_BYTES = 12
const TAG_BYTES = 16

/** Derives a key for this purpose only, so that values that were encrypted for other purposes are not accepted. */
const keyOf = (installationKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', installationKey, '', 'company sign-in', 32))

/** @param installationKey 32 bytes (`Deps.cursorKey`) @returns base64url */
export function sealState(installationKey: Buffer, state: CompanyState, seconds: number): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(installationKey), iv)
  const text = JSON.stringify({ ...state, until: Date.now() + seconds * 1000 })
  const ciphertext = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]).toString('base64url')
}

/** Undefined if the value was not made by `sealState`, was changed, or has expired. */
export function openState(installationKey: Buffer, sealedState: string): CompanyState | undefined {
  const bytes = Buffer.from(sealedState, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(installationKey), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const text =
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    const { until, ...state } = SealedState.parse(JSON.parse(text))
    return until > Date.now() ? state : undefined
  } catch {
    return undefined
  }
}
