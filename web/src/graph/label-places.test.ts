import { expect, test } from 'vitest'
import { type Box, placeFor } from './label-places.ts'

const node = { size: 5, width: 60, height: 14 }

test('a name stands at the right, at the left where another is in the way, or nowhere', () => {
  const taken: Box[] = []
  expect(placeFor({ ...node, x: 100, y: 50 }, taken, 500)?.left).toBe(108)
  expect(placeFor({ ...node, x: 110, y: 55 }, taken, 500)?.right).toBe(102)
  expect(placeFor({ ...node, x: 105, y: 52 }, taken, 500)).toBeUndefined()
  expect(placeFor({ ...node, x: 100, y: 90 }, taken, 500)?.left).toBe(108)
  expect(taken).toHaveLength(3)
})

test('a name that would end outside of the canvas stands at the left, if there is room', () => {
  expect(placeFor({ ...node, x: 450, y: 50 }, [], 500)?.right).toBe(442)
  expect(placeFor({ ...node, width: 480, x: 450, y: 50 }, [], 500)?.left).toBe(458)
})
