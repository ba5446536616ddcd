// BAD-24 for Markdown: text for which its parser would need quadratic time is read as plain text, all other is not.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownBlocks } from './markdown.ts'
import { isTooComplex } from './markdown-complexity.ts'

const knots: Record<string, string> = {
  'quotes in each other': `${'> '.repeat(5000)}deep`,
  'quotes without blanks': `${'>'.repeat(5000)}deep`,
  'lists in each other': `${'- '.repeat(5000)}deep`,
  'numbers in each other': `${'1. '.repeat(1000)}deep`,
  'a list that goes in and in': Array.from({ length: 800 }, (_, i) => `${'  '.repeat(i)}- deep`).join('\n'),
  'emphasis that never closes': `${'*_'.repeat(20_000)}deep`,
  'links in links': `${'[a]('.repeat(20_000)}deep`,
  'over many lines': `${'*_a\n'.repeat(20_000)}deep`,
}

describe('knots', () => {
  test.each(Object.entries(knots))('%s: kept as text', (_, text) => {
    expect(isTooComplex(text)).toBe(true)
    expect(markdownBlocks(text).at(-1)?.text).toContain('deep')
  })

  test('what people write is no knot', () => {
    const links = Array.from({ length: 5000 }, (_, i) => `- [entry ${i}](https://example.org/${i})`).join(
      '\n',
    )
    const rows = Array.from({ length: 5000 }, (_, i) => `| [a_${i}](b) | *c* |`).join('\n')
    const definitions = Array.from({ length: 5000 }, (_, i) => `[${i}.0.0]: https://example.org/${i}`)
    const nested = Array.from({ length: 12 }, (_, i) => `${'    '.repeat(i)}- level ${i}`).join('\n')
    const paragraph = `${'A *word* with [a link](b). '.repeat(300)}\n\n`.repeat(20)
    for (const text of [links, `| x | y |\n|-|-|\n${rows}`, definitions.join('\n'), nested, paragraph])
      expect(isTooComplex(text)).toBe(false)
    expect(markdownBlocks(nested)).toMatchObject([{ kind: 'list' }])
  })

  test('no word of a text is lost, too complex or not', () => {
    const mark = fc.constantFrom('> ', '- ', '1. ', '*', '_', '[', '](', '\n', '\n\n', '  ')
    const words = fc.array(fc.tuple(fc.array(mark, { maxLength: 80 }), fc.nat(999)), { maxLength: 60 })
    fc.assert(
      fc.property(words, (given) => {
        const text = given.map(([marks, no]) => `${marks.join('')}word${no}`).join(' ')
        const read = markdownBlocks(text)
          .map((block) => block.text)
          .join(' ')
        for (const [marks, no] of given) if (!marks.includes('](')) expect(read).toContain(`word${no}`)
      }),
      { numRuns: 60 },
    )
  })
})
