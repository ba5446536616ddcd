import { expect, test } from 'vitest'
import { boxesWith, querySpans, spansOf, spansText } from './spans.ts'

const marked = (text: string, query: string): string[] =>
  querySpans(text, query).map(({ start, end }) => text.slice(start, end))

test('words that mean something are marked, in their other forms too', () => {
  const text =
    'The tenant may say so: all leases, at least those with notice periods, of companies in 6 months.'
  expect(marked(text, 'What does the lease of the company say about its notice period of 6 months?')).toEqual(
    ['say', 'leases', 'notice', 'periods', 'companies', '6', 'months'],
  )
  expect(marked(text, 'What is the notice?')).toEqual(['notice'])
  expect(marked('Die Frist für die Kündigung', 'die Frist für die Kündigung')).toEqual(['Frist', 'Kündigung'])
})

test('a stop word of another language may be meant; of stop words alone all are marked', () => {
  expect(marked('The war and its crimes', 'war crimes')).toEqual(['war', 'crimes'])
  expect(marked('To be or not', 'to be or not')).toEqual(['To', 'be', 'or', 'not'])
})

test('spans in an address', () => {
  expect(
    spansOf(
      spansText([
        { start: 3, end: 9 },
        { start: 20, end: 31 },
      ]),
    ),
  ).toEqual([
    { start: 3, end: 9 },
    { start: 20, end: 31 },
  ])
  expect(spansOf('12-')).toBeUndefined()
})

test('of a chunk with a box for each block, the boxes of those that hold what is cited', () => {
  const text = '12. Ending\n\n12.1 Six months of notice.\n\n12.2 By recorded delivery.'
  const at = (words: string) => [{ start: text.indexOf(words), end: text.indexOf(words) + words.length }]
  expect(boxesWith(text, ['a', 'b', 'c'], at('Six months'))).toEqual(['b'])
  expect(boxesWith(text, ['a', 'b', 'c'], at('notice.\n\n12.2'))).toEqual(['b', 'c'])
  expect(boxesWith(text, ['a', 'b'], at('Six months'))).toEqual(['a', 'b'])
  expect(boxesWith(text, ['a', 'b', 'c'], undefined)).toEqual(['a', 'b', 'c'])
})
