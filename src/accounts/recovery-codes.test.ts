import { expect, test } from 'vitest'
import { formatRecoveryCode, isRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

test('ten codes that differ, of 80 bits each', () => {
  const codes = Array.from({ length: 50 }, newRecoveryCodes).flat()
  expect(codes).toHaveLength(500)
  expect(new Set(codes).size).toBe(500)
  expect(codes.every(isRecoveryCode)).toBe(true)
  expect(new Set(codes.join('')).size).toBe(32)
})

test('a code is shown in groups of four', () => {
  expect(formatRecoveryCode('abcdefghijklmnop')).toBe('abcd-efgh-ijkl-mnop')
  expect(isRecoveryCode('abcd-efgh-ijkl-mnop')).toBe(false)
})
