import { expect, test } from 'vitest'
import { forCitus, rowsBeside } from './citus.sql.ts'

test('chunks are counted by the shard once `kenning distribute` has made its functions, and as elsewhere before', () => {
  const { text } = rowsBeside('chunk', '00000000-0000-4000-8000-000000000000')
  expect(forCitus(text)).toContain("shard_of('chunk'::text, ")
  expect(forCitus(text, false)).toBe(text)
})
