// Recovery codes, for somebody who has lost the authenticator app. Each has 80 random bits, so a plain SHA-256 cannot be reversed by
// trying all codes.

import { randomBytes } from 'node:crypto'

export const RECOVERY_CODE_COUNT = 10
const CHARACTERS = 16
// Base32: without 0, 1, 8 and 9, which look like letters. 32 divides 256, so each character is equally likely.
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CODE = new RegExp(`^[a-z2-7]{${CHARACTERS}}$`)

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode)

const newRecoveryCode = (): string =>
  [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** As it is shown: `abcd-efgh-ijkl-mnop`. */
export const formatRecoveryCode = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code

export const isRecoveryCode = (code: string): boolean => CODE.test(code)
