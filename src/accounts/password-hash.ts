// Which passwords are accepted, and argon2id hashing to PHC strings.

import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { codePoints } from '../contract/fields.ts'
import { unavailable } from '../errors.ts'
import type { Passwords } from '../ports/deps.ts'

const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 1000
// Argon2id with 19 MiB, 2 passes and 1 lane (the first recommendation of OWASP) takes 20 to 40 ms of one core. Only two hashes run at
// a time and the queue is limited, so that many sign-ins do not slow down other requests.
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }
const MAX_CONCURRENT_HASHES = 2
const MAX_QUEUED_HASHES = 100

interface HashCost {
  /** Kibibytes. */
  memoryCost: number
  /** Passes. */
  timeCost: number
}

/** Why a new password is not accepted, as a message for the user. Undefined if the password is accepted. */
export function passwordProblem(password: string, email: string): string | undefined {
  const size = codePoints(password)
  if (size < MIN_CHARACTERS) return `The password must have at least ${MIN_CHARACTERS} characters`
  if (size > MAX_CHARACTERS) return `The password must have at most ${MAX_CHARACTERS} characters`
  const normalizedPassword = password.normalize('NFKC').toLowerCase()
  const ownNames = [email, email.split('@')[0] ?? ''].map((text) => text.normalize('NFKC').toLowerCase())
  const hasFewCharacters = new Set(normalizedPassword).size <= 2
  const isGuessable = ownNames.includes(normalizedPassword) || COMMON_PASSWORDS.has(normalizedPassword)
  if (hasFewCharacters || isGuessable) {
    return 'This password is too easy to guess; choose another one, for example four unrelated words'
  }
  return undefined
}

/** @param cost a lower cost is only for tests that create hundreds of accounts */
export function openPasswords(cost = COST): Passwords {
  const runQueued = makeQueue()
  let dummyHash: Promise<string> | undefined
  return {
    hash: (password) => runQueued(() => hash(normalise(password), cost)),
    verify: async (phc, password) => {
      // Without an account a random hash is compared, so that the time of the answer does not reveal which accounts exist.
      dummyHash ??= hash(randomBytes(32).toString('base64url'), cost)
      const comparedHash = phc ?? (await dummyHash)
      const matches = await runQueued(() => verify(comparedHash, normalise(password)))
      return matches && phc !== undefined
    },
  }
}

// Depending on the keyboard, the same character arrives composed or decomposed (Unicode).
const normalise = (password: string): string => password.normalize('NFC').slice(0, 4 * MAX_CHARACTERS)

function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let runningCount = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (runningCount >= MAX_CONCURRENT_HASHES) {
      if (queue.length >= MAX_QUEUED_HASHES)
        throw unavailable('Too many sign-ins are in progress; try again in a moment.')
      // A waiting hash takes this slot, so `runningCount` does not change.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      runningCount++
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else runningCount--
    }
  }
}

// Common passwords of 12 and more characters, our own selection: keyboard rows, digits in order, doubled words, greetings.
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456123456 123456654321 123456789012 1234567890123 12345678901234 123456789123 1234567890qwe 123456789abc
  123456789qwe 123456789101112 1234567891011 0123456789012 098765432109 987654321098 1234567890987654321
  111111111111 000000000000 121212121212 123123123123 abcabcabcabc abc123abc123 abcd1234abcd a1b2c3d4e5f6
  abcdefghijkl abcdefghijklm abcdefghijklmnop aaaaaaaaaaaa asdfasdfasdf asdfghjkl123 asdfghjklzxc asdfghjkl;'\\
  qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiopas qwertyuiopasdfghjkl qwertyqwerty qwerty123456 qwerty1234567
  qwerty123456789 1qaz2wsx3edc 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qazxsw23edc zaq12wsxcde3 zaq1xsw2cde3 qazwsxedcrfv
  qweasdzxc123 q1w2e3r4t5y6 zxcvbnm12345 zxcvbnm,./asdf
  password1234 password12345 password123456 passwordpassword password123! password1234! password2023 password2024
  password2025 password2026 passw0rd1234 p@ssw0rd1234 p@ssword1234 p@ssw0rd123! mypassword12 mypassword123
  changeme1234 changeme12345 changemenow1 changemeplease letmein12345 letmeinletmein letmeinplease welcome12345
  welcome123456 welcome12345! welcomewelcome adminadmin12 adminadminadmin admin1234567 admin12345678 admin123456789
  administrator administrator1 administrator123 rootrootroot superadmin123 supersecret1 supersecret123
  secretsecret secretpassword defaultpassword temporary123 temporarypassword testtesttest test12345678 testpassword
  iloveyou1234 iloveyou12345 iloveyouiloveyou ilovemyfamily sunshine1234 princess1234 football1234 baseball1234
  basketball12 superman1234 batman123456 dragon123456 monkey123456 charlie12345 michael12345 jennifer1234
  liverpool123 manchesterunited trustno1trustno1 correcthorsebatterystaple hellohellohello helloworld12 helloworld123
  whatever1234 internet1234 computer1234 samsung12345 google123456 facebook1234 linkedin1234 starwars1234
  minecraft123 pokemon12345 kenningkenning kenning12345 kenning123456 knowledgebase knowledge123
  `
    .split(/\s+/)
    .filter(Boolean),
)
