// The cost of trying a password. Tests of the app use a lower one (test/support/app.ts).

import { expect, test } from 'vitest'
import { openPasswords } from './password-hash.ts'

const passwords = openPasswords()

test('a hash is Argon2id with 19 MiB and two passes, salted', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => passwords.hash('four words and a pear')))
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(other).not.toBe(one)
  expect(await passwords.verify(one, 'four words and a pear')).toBe(true)
  expect(await passwords.verify(one, 'four words and a plum')).toBe(false)
  expect(await passwords.verify(undefined, 'four words and a pear')).toBe(false)
})

test('the same characters match however the keyboard composes them', async () => {
  expect(
    await passwords.verify(await passwords.hash('caf\u00e9 with a view'), 'cafe\u0301 with a view'),
  ).toBe(true)
})
