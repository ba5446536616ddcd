import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/support/full.ts'
import { nameOf, uploadPath } from './names.ts'

describe('uploadPath', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['Contracts/Lease 2024.docx', 'Contracts/Lease 2024.docx'],
    ['Contracts\\Lease.docx', 'Contracts/Lease.docx'],
    ['./a//b.txt', 'a/b.txt'],
    ['a\u0000b.txt', 'ab.txt'],
    ['%2e%2e/x.txt', '%2e%2e/x.txt'],
  ])('%j is %j', (given, path) => {
    expect(uploadPath(given)).toBe(path)
  })

  test.each([
    '',
    ' ',
    '.',
    '..',
    '../x',
    'a/../../x',
    '/etc/passwd',
    'C:\\x',
    'c:x',
    '\\\\server\\x',
    'x'.repeat(501),
  ])('%j is refused', (given) => {
    expect(uploadPath(given)).toBeUndefined()
  })

  test('never leaves the folder', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', 'C:', '\0', 'ü')), (parts) => {
        const path = uploadPath(parts.join(''))
        if (path === undefined) return
        expect(path.startsWith('/')).toBe(false)
        expect(path.split('/')).not.toContain('..')
        expect(uploadPath(path)).toBe(path)
      }),
      { numRuns: runs(1000) },
    )
  })
})

test.each([
  ['Contracts/Lease.v2.pdf', 'Lease.v2'],
  ['.env', '.env'],
  ['README', 'README'],
])('the name of %s is %s', (path, name) => {
  expect(nameOf(path)).toBe(name)
})
