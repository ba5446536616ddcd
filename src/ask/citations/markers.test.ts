import { expect, test } from 'vitest'
import { blocksOf, findMarkers } from './markers.ts'

test('a tag within a paragraph is a part of it, and so are the links after it', () => {
  const [first, second] = ['The <b>pump</b> is in [the cellar](https://a.example).', '<div>A block.</div>']
  const markdown = `${first}\n\n${second}\n`
  const blocks = blocksOf(markdown)
  expect(blocks.map(({ type, start, end }) => [type, markdown.slice(start, end)])).toEqual([
    ['paragraph', first],
    ['html', second],
  ])
  expect(blocks[0]?.opaqueSpans.map(({ start, end }) => markdown.slice(start, end))).toEqual([
    '<b>',
    '</b>',
    '[the cellar](https://a.example)',
  ])
})

test('a range has at most 21 numbers, and one that runs backwards is its first number', () => {
  const numbersOf = (text: string) => findMarkers(text).flatMap(({ numbers }) => numbers)
  expect(numbersOf('So it is [2-4].')).toEqual([2, 3, 4])
  expect(numbersOf('So it is [5-3].')).toEqual([5])
  expect(numbersOf('So it is [1-99].')).toHaveLength(21)
})
