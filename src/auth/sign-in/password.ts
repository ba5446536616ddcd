// Passwords: what is accepted, and argon2id hashing in PHC strings.

import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { codePoints } from '../../contract/fields.ts'
import { unavailable } from '../../errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 1000
// Argon2id with the library's defaults (19 MiB, 2 passes, 1 lane: OWASP's first choice) keeps a core busy for
// 20 to 40 ms here, so two at once and a bounded queue: a flood of sign-ins must not starve reading.
const HASHES_AT_ONCE = 2
const MOST_WAITING = 100

let hashing = 0
const waiting: (() => void)[] = []

/** What is wrong with a new password, as a sentence for its owner; nothing when it is fine. */
export function passwordProblem(password: string, email: string): string | undefined {
  const size = codePoints(password)
  if (size < LEAST_CHARACTERS) return `The password needs at least ${LEAST_CHARACTERS} characters`
  if (size > MOST_CHARACTERS) return `The password can have at most ${MOST_CHARACTERS} characters`
  const plain = password.normalize('NFKC').toLowerCase()
  const own = [email, email.split('@')[0] ?? ''].map((text) => text.normalize('NFKC').toLowerCase())
  const repeated = new Set(plain).size <= 2
  if (repeated || own.includes(plain) || COMMON_PASSWORDS.has(plain)) {
    return 'This password is easily guessed; choose another one, for example four words that do not belong together'
  }
  return undefined
}

/** A PHC string. @throws ApiError 503 when too many hashes wait already */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password)))

let dummy: Promise<string> | undefined

/** Takes as long for an account that does not exist (`phc` undefined) as for one that does. */
export async function verifyPassword(phc: string | undefined, password: string): Promise<boolean> {
  dummy ??= hash(randomBytes(32).toString('base64url'))
  const against = phc ?? (await dummy)
  const right = await inTurn(() => verify(against, normal(password)))
  return right && phc !== undefined
}

// One spelling of the same characters, however the keyboard composes them.
const normal = (password: string): string => password.normalize('NFC').slice(0, 4 * MOST_CHARACTERS)

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= HASHES_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw unavailable('Too many sign-ins at once; try again in a moment.')
    // Whoever finishes hands its place over, so `hashing` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    hashing++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else hashing--
  }
}
