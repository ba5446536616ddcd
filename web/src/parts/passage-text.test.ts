import { expect, test } from 'vitest'
import { passageWithSource } from './passage-text.ts'

test('a passage is quoted with its title, page and address', () => {
  const place = { title: 'Lease', page: 2, url: 'https://example.org/w/1/d/2?page=2' }
  expect(passageWithSource('12. Ending\n\nSix months.\n', place)).toBe(
    '> 12. Ending\n>\n> Six months.\n\n— Lease, page 2\nhttps://example.org/w/1/d/2?page=2',
  )
  expect(passageWithSource('Six months.', { title: 'Lease', page: null, url: null })).toBe(
    '> Six months.\n\n— Lease',
  )
})
