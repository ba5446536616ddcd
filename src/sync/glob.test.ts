// What patterns mean, and that none takes longer than its length and the path's.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selector } from './collect.ts'
import { globMatcher, problemOf, splitGlob } from './glob.ts'

test.each([
  ['*.md', ['a.md', '.md'], ['a.txt', 'b/a.md']],
  ['**/*.md', ['a.md', 'b/c/a.md'], ['a.mdx', 'a.md/b']],
  ['docs/**', ['docs', 'docs/a', 'docs/a/b'], ['docsa', 'a/docs']],
  ['docs/**/a.md', ['docs/a.md', 'docs/b/c/a.md'], ['docs/ba.md', 'a.md']],
  ['a?c', ['abc', 'aéc'], ['ac', 'a/c']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '/x']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['[]a]', [']', 'a'], ['b']],
  ['*.{md,t?t}', ['a.md', 'a.txt'], ['a.pdf']],
  ['{docs,src/{a,b}}/**', ['docs/x', 'src/a/x', 'src/b'], ['src/c/x']],
  ['Report (1).pdf', ['Report (1).pdf'], ['Report 1.pdf']],
  ['a\\*b', ['a*b'], ['axb']],
  ['{a', ['{a'], ['a']],
  ['{a}', ['{a}'], ['a']],
  ['[a', ['[a'], ['a']],
  ['a**b', ['ab', 'axb'], ['a/b']],
])('%s', (pattern, inside, outside) => {
  const isMatch = globMatcher(pattern)
  expect([...inside, ...outside].filter(isMatch)).toEqual(inside)
})

test('what is not supported is refused with a sentence, by itself and in a list', () => {
  for (const pattern of ['+(*)+(*)b', '!(a)', '@(a|b)', 'x?(a)', '!a', '{1..9}', '[[:alpha:]]'])
    expect(() => globMatcher(pattern), pattern).toThrow(`The pattern ${pattern} cannot be used`)
  expect(() => selector({ exclude: ['+(*)+(*)b'] })).toThrow('"+(" is not supported')
  expect(problemOf('*\\(1).md')).toBeUndefined()
  expect(problemOf('[!a](1)')).toBeUndefined()
})

// A matcher that tries again takes longer than the age of the universe for each of these.
test('a pattern of any kind takes no longer than its length times that of the path', () => {
  const path = 'a'.repeat(4000)
  const steps = 'a/'.repeat(2000)
  expect(globMatcher(`${'*a'.repeat(90)}b`)(path)).toBe(false)
  expect(globMatcher(`${'**/a/'.repeat(40)}b`)(steps)).toBe(false)
  expect(globMatcher(`${'{a,a*}'.repeat(33)}b`)(path)).toBe(false)
  expect(globMatcher('{'.repeat(200))('a')).toBe(false)
  expect(globMatcher(`${'{a,'.repeat(66)}b${'}'.repeat(66)}`)('b')).toBe(true)
})

test('any text at all can be a pattern, or is refused with a sentence', () => {
  const text = fc.string({ maxLength: 30, unit: fc.constantFrom(...'ab/*?[]{},!^-\\.(') })
  fc.assert(
    fc.property(text, text, (pattern, path) => {
      if (problemOf(pattern) === undefined) expect(typeof globMatcher(pattern)(path)).toBe('boolean')
      // What has no special meaning, or is escaped, is only itself.
      const escaped = path.replace(/[^/]/g, '\\$&')
      expect(globMatcher(escaped)(path)).toBe(true)
      expect(globMatcher(escaped)(`${path}x`)).toBe(false)
    }),
  )
})

test('a place is split before its first step with a pattern', () => {
  expect(splitGlob('docs/a/*.md')).toEqual({ base: 'docs/a', glob: '*.md' })
  expect(splitGlob('/srv/*/x')).toEqual({ base: '/srv', glob: '*/x' })
  expect(splitGlob('/*')).toEqual({ base: '/', glob: '*' })
  expect(splitGlob('*.md')).toEqual({ base: '', glob: '*.md' })
  expect(splitGlob('docs/a.md')).toEqual({ base: 'docs/a.md', glob: undefined })
})
