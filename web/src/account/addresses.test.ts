import { expect, test } from 'vitest'
import { addressesIn } from './addresses.ts'

test('addresses are found however they are pasted, each once', () => {
  const pasted =
    'Ada Berg <ada@example.org>; ben@example.org,\nBEN@example.org\n"Cy, D." <mailto:cy@mail.example.org>.'
  expect(addressesIn(pasted)).toEqual(['ada@example.org', 'BEN@example.org', 'cy@mail.example.org'])
  expect(addressesIn('nobody at all')).toEqual([])
})
