// A cursor gives its encoded position back, and nothing else is accepted.

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

const key = randomBytes(32)
const refused = (binding: string[], cursor: string, usedKey = key): void => {
  try {
    decodeCursor(usedKey, binding, cursor)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(422)
    expect(error.extras.detail?.[0]?.loc).toEqual(['query', 'cursor'])
    return
  }
  throw new Error(`accepted ${cursor}`)
}

test('a position comes back under its binding', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.jsonValue(), (binding, position) => {
      const plain = JSON.parse(JSON.stringify(position)) as unknown
      expect(decodeCursor(key, binding, encodeCursor(key, binding, position))).toEqual(plain)
    }),
  )
})

test('another binding or another key is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (made, used) => {
      fc.pre(JSON.stringify(made) !== JSON.stringify(used))
      refused(used, encodeCursor(key, made, { id: 1 }))
    }),
  )
  refused(['a'], encodeCursor(randomBytes(32), ['a'], 1))
})

test('every flipped bit, truncation, addition and foreign text is refused', () => {
  const cursor = encodeCursor(key, ['documents', 'w', 'user:1'], { key: 'naïve', id: 'x' })
  for (let at = 0; at < cursor.length; at++) {
    refused(['documents', 'w', 'user:1'], cursor.slice(0, at))
    for (let bit = 0; bit < 7; bit++) {
      const changed = String.fromCharCode(cursor.charCodeAt(at) ^ (1 << bit))
      refused(['documents', 'w', 'user:1'], cursor.slice(0, at) + changed + cursor.slice(at + 1))
    }
  }
  for (const odd of ['', ' ', `${cursor}=`, `${cursor} `, `${cursor}A`, 'null', '[]', '🦊']) {
    refused(['documents', 'w', 'user:1'], odd)
  }
})
