// What the browser keeps of a company sign-in: it comes back as it was, or not at all.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStart, sealStart } from './company-state.ts'

const key = Buffer.alloc(32, 1)
const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed())
const start = fc.record({ state: text, nonce: text, verifier: text, returnTo: text })

test('comes back as it was', () => {
  fc.assert(
    fc.property(start, (given) => {
      expect(openStart(key, sealStart(key, given, 60))).toEqual({ ...given })
    }),
  )
})

test('is nothing with any bit changed, cut, of another installation, or too old', () => {
  const given = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/' }
  const sealed = Buffer.from(sealStart(key, given, 60), 'base64url')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(openStart(key, changed.toString('base64url')), `bit ${bit}`).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++)
    expect(openStart(key, sealed.subarray(0, length).toString('base64url'))).toBeUndefined()
  expect(openStart(Buffer.alloc(32, 2), sealed.toString('base64url'))).toBeUndefined()
  expect(openStart(key, sealStart(key, given, -1))).toBeUndefined()
  expect(openStart(key, 'not sealed at all')).toBeUndefined()
})
