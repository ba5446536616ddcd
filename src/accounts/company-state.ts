// A company sign-in on its way to the provider and back: kept by its browser, sealed (AES-256-GCM), so that a stranger who
// begins a thousand leaves nothing here.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'

const Start = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })
export type Start = z.infer<typeof Start>

const Sealed = Start.extend({ until: z.number() })

const IV_BYTES = 12
const TAG_BYTES = 16

/** A key of its own: what one seals the others cannot be given for. */
const keyOf = (installationKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', installationKey, '', 'company sign-in', 32))

/** @param installationKey 32 bytes (`Deps.cursorKey`) @returns base64url */
export function sealStart(installationKey: Buffer, start: Start, seconds: number): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(installationKey), iv)
  const text = JSON.stringify({ ...start, until: Date.now() + seconds * 1000 })
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

/** Undefined for what was not sealed here, or is too old. */
export function openStart(installationKey: Buffer, sealed: string): Start | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyOf(installationKey), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const text =
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    const { until, ...start } = Sealed.parse(JSON.parse(text))
    return until > Date.now() ? start : undefined
  } catch {
    return undefined
  }
}
