import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

const text = (...paragraphs: string[]) => ({
  version_id: '',
  is_whole: true,
  paragraphs: paragraphs.map((one, i) => ({ page: i + 1, text: one })),
  hidden: [],
})
const shown = (before: string[], after: string[]) =>
  changesBetween(text(...before), text(...after))?.map(({ page, pieces }) => [
    page,
    pieces
      .map(({ value, added, removed }) => (added ? `+${value}+` : removed ? `-${value}-` : value))
      .join(''),
  ])

test('words that changed are marked in their paragraph; what is new or gone stands alone', () => {
  const before = ['Trains', 'A night may cost up to 120 euros.', 'Meals are free.', 'End']
  const after = ['Trains', 'A night may cost up to 150 euros.', 'End', 'Signed by the board.']
  expect(shown(before, after)).toEqual([
    [2, 'A night may cost up to -120-+150+ euros.'],
    [3, '-Meals are free.-'],
    [4, '+Signed by the board.+'],
  ])
  expect(shown(['Six months of notice.'], ['The yard has two gates.'])).toEqual([
    [1, '-Six months of notice.-+The yard has two gates.+'],
  ])
  expect(shown(['The same  words'], ['The same words'])).toEqual([])
})
