// The sealed state of a company sign-in is either read back unchanged or rejected.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openState, sealState } from './company-state.ts'

const key = Buffer.alloc(32, 1)
const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed())
const start = fc.record({ state: text, nonce: text, verifier: text, returnTo: text })

test('is read back unchanged', () => {
  fc.assert(
    fc.property(start, (given) => {
      expect(openState(key, sealState(key, given, 60))).toEqual({ ...given })
    }),
  )
})

test('is rejected with a changed bit, truncated, from another installation, or expired', () => {
  const given = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/' }
  const sealed = Buffer.from(sealState(key, given, 60), 'base64url')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(openState(key, changed.toString('base64url')), `bit ${bit}`).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++)
    expect(openState(key, sealed.subarray(0, length).toString('base64url'))).toBeUndefined()
  expect(openState(Buffer.alloc(32, 2), sealed.toString('base64url'))).toBeUndefined()
  expect(openState(key, sealState(key, given, -1))).toBeUndefined()
  expect(openState(key, 'not sealed at all')).toBeUndefined()
})
