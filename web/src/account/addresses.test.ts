import { expect, test } from 'vitest'
import { addressesIn, isLoopback } from './addresses.ts'

test('addresses are found however they are pasted, each once', () => {
  const pasted =
    'Ada Berg <ada@example.org>; ben@example.org,\nBEN@example.org\n"Cy, D." <mailto:cy@mail.example.org>.'
  expect(addressesIn(pasted)).toEqual(['ada@example.org', 'BEN@example.org', 'cy@mail.example.org'])
  expect(addressesIn('nobody at all')).toEqual([])
})

test('a link of this computer is told from one that others can open', () => {
  const loopback = [
    'http://127.0.0.1:8484/invitation',
    'http://localhost:8484/',
    'http://[::1]:8484/',
    'http://a.localhost/',
  ]
  expect(loopback.map(isLoopback)).toEqual([true, true, true, true])
  const others = [
    'https://kenning.example.org/',
    'http://192.168.1.20:8484/',
    'https://localhost.example.org/',
    'https://127.example.org/',
  ]
  expect(others.map(isLoopback)).toEqual([false, false, false, false])
})
