import { Secret, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { newTotpSecret, timeStepOf, totpUri } from './totp.ts'

// RFC 6238, appendix B, for SHA-1: the last six of its eight digits.
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32
const RFC_CODES: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test('the codes of RFC 6238 are accepted in their half minute, the one before and the one after', () => {
  for (const [seconds, code] of RFC_CODES) {
    const step = Math.floor(seconds / 30)
    for (const shift of [-30, 0, 30])
      expect(timeStepOf(RFC_SECRET, code, (seconds + shift) * 1000), code).toBe(step)
    for (const shift of [-60, 60])
      expect(timeStepOf(RFC_SECRET, code, (seconds + shift) * 1000)).toBeUndefined()
  }
})

test('what is not six digits is no code', () => {
  for (const code of ['', '28708', '2870822', '28708a', ' 287082', '２８７０８２'])
    expect(timeStepOf(RFC_SECRET, code, 59_000), code).toBeUndefined()
})

test('the address for the app names service, account and secret, and no algorithm that apps ignore', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  const read = URI.parse(totpUri(secret, 'ada+x@example.org'))
  expect(read).toMatchObject({
    issuer: 'Kenning',
    label: 'ada+x@example.org',
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })
  expect(read.secret.base32).toBe(secret)
})
