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

test('rows of a table are read as cells, without the pipes of Markdown and the line below the head', () => {
  const row = '| North 1 | 12 m | € 240 |'
  expect(shown(['| Berth | Price |', row], ['| Berth | Price |', row.replace('240', '255')])).toEqual([
    [2, 'North 1 · 12 m · € -240-+255+'],
  ])
  expect(shown([], ['| a \\| b | c |', '|:--|--:|', '| --- | --- |'])).toEqual([[1, '+a | b · c+']])
  // Neither a list of choices nor code is a table.
  expect(shown([], ['yes | no |', 'cat a | wc -l'])).toEqual([
    [1, '+yes | no |+'],
    [2, '+cat a | wc -l+'],
  ])
  expect(shown([], ['| total |\n| sort |'])).toEqual([[1, '+| total |\n| sort |+']])
  // A row in which nothing is known is a row, and the line below a second head is none.
  const table = ['| Berth | Price |', '|-|-|', '| North 1 | 12 |']
  expect(shown(table, [...table, '| - | - |', '| | |'])).toEqual([
    [4, '+- · -+'],
    [5, '+·+'],
  ])
  expect(
    shown([], [...table, '| Crane | Weight |', '| --- | ---: |', '| A | 9 t |'])?.map(([page]) => page),
  ).toEqual([1, 3, 4, 6])
})
