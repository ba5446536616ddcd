// Where something that is dragged can be dropped.

import { expect, test } from 'vitest'
import { canDrop } from './drag.ts'

test('a folder can be dropped on any folder but itself, those in it and the one that it is in', () => {
  const targets = ['', 'a', 'a/b', 'a/b/c', 'a/bc', 'd']
  expect(targets.filter((target) => canDrop({ folder: 'a/b' }, target))).toEqual(['', 'a/bc', 'd'])
  expect(targets.filter((target) => canDrop({ folder: 'a' }, target))).toEqual(['d'])
})

test('documents can be dropped on every folder, and what is no part of the list on none', () => {
  expect(['', 'a'].every((target) => canDrop({ documentIds: ['x'] }, target))).toBe(true)
  expect(canDrop(undefined, 'a')).toBe(false)
})
