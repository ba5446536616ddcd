// Secrets handed out: a prefix that names the kind, and 256 bits; only their SHA-256 is kept.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashOf, newSecret } from '../auth/secret.ts'

const PREFIX = { code: 'ken_ac_', access: 'ken_at_', refresh: 'ken_rt_' } as const
export type Kind = keyof typeof PREFIX

export const makeSecret = (kind: Kind): string => newSecret(PREFIX[kind])

export const isSecret = (kind: Kind, text: string): boolean =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))

/**
 * The refresh token after `token`, the same however often it is asked for: a client that lost the answer gets it again,
 * and there is one chain, never a fork. Without `token` nobody can make it: the database holds hashes only.
 */
export function successorOf(token: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(`refresh\0${token}`).digest('base64url')
  return PREFIX.refresh + mac
}

/** Whether the verifier belongs to the challenge (PKCE, S256: RFC 7636 section 4.6). */
export function isVerified(verifier: string, challenge: string): boolean {
  const made = hashOf(verifier)
  const kept = Buffer.from(challenge, 'base64url')
  return kept.length === made.length && timingSafeEqual(made, kept)
}
