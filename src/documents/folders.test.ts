import { expect, test } from 'vitest'
import { normaliseFolder } from './folders.ts'

test('a folder is written without a slash at its ends; the root is empty', () => {
  expect(['/Reports/2023/', 'Reports\\2023', '/', ''].map(normaliseFolder)).toEqual([
    'Reports/2023',
    'Reports/2023',
    '',
    '',
  ])
})
