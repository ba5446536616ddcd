import { expect, test } from 'vitest'
import { randomId } from './random-id.ts'

test('each id is 32 hexadecimal digits, and none comes twice', () => {
  const ids = Array.from({ length: 100 }, randomId)
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(100)
})
