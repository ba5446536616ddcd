// Authorization codes, access tokens and refresh tokens: a prefix for the kind and 256 random bits.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashOf, newSecret } from '../auth/secret.ts'

const PREFIX = { code: 'ken_ac_', access: 'ken_at_', refresh: 'ken_rt_' } as const
type Kind = keyof typeof PREFIX

export const makeSecret = (kind: Kind): string => newSecret(PREFIX[kind])

export const isSecret = (kind: Kind, text: string): boolean =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))

/**
 * The refresh token that follows `token`. It is derived, so a client that repeats a lost request gets the same one, and the
 * chain of tokens never forks. The database holds hashes only, from which it cannot be derived.
 */
export function successorOf(token: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(`refresh\0${token}`).digest('base64url')
  return PREFIX.refresh + mac
}

/** Whether the code verifier matches the challenge (PKCE, S256: RFC 7636 section 4.6). */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  const computedChallenge = hashOf(verifier)
  const expectedChallenge = Buffer.from(challenge, 'base64url')
  return (
    expectedChallenge.length === computedChallenge.length &&
    timingSafeEqual(computedChallenge, expectedChallenge)
  )
}
