// What a person is told about documents that a scope got or lost.

import { expect, test } from 'vitest'
import { changeText } from './scope-change.ts'

const result = (part: Partial<Parameters<typeof changeText>[3]>) => ({
  created: false,
  added: [],
  removed: [],
  unknown: [],
  in_folders: [],
  ...part,
})

test('every selected document is accounted for', () => {
  expect(changeText('add', 'Leases', 2, result({ added: ['a', 'b'] }))).toBe('2 documents added to “Leases”.')
  expect(changeText('add', 'Leases', 4, result({ added: ['a'], unknown: ['d'] }))).toBe(
    '1 document added to “Leases”. 2 documents already in “Leases”. 1 document not found any more.',
  )
  expect(changeText('add', 'Leases', 1, result({}))).toBe('1 document already in “Leases”.')
  expect(changeText('remove', 'Leases', 3, result({ removed: ['a'], in_folders: ['b'] }))).toBe(
    '1 document removed from “Leases”. 1 document still in “Leases”, by a folder of the scope.',
  )
  expect(changeText('remove', 'Leases', 1, result({}))).toBe('None of them was in “Leases”.')
})
