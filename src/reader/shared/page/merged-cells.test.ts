import { expect, test } from 'vitest'
import { mergedCells } from './merged-cells.ts'

const none = (): boolean => false

test('a closed grid has a cell a slot, an open one a single cell', () => {
  expect(mergedCells(2, 2, { right: none, below: none })).toEqual([
    { row: 0, column: 0, rows: 1, columns: 1 },
    { row: 0, column: 1, rows: 1, columns: 1 },
    { row: 1, column: 0, rows: 1, columns: 1 },
    { row: 1, column: 1, rows: 1, columns: 1 },
  ])
  expect(mergedCells(2, 3, { right: () => true, below: () => true })).toEqual([
    { row: 0, column: 0, rows: 2, columns: 3 },
  ])
})

test('a cell may span columns or rows', () => {
  const cells = mergedCells(2, 3, {
    right: (row, column) => row === 0 && column === 1,
    below: (_, column) => column === 0,
  })
  expect(cells).toEqual([
    { row: 0, column: 0, rows: 2, columns: 1 },
    { row: 0, column: 1, rows: 1, columns: 2 },
    { row: 1, column: 1, rows: 1, columns: 1 },
    { row: 1, column: 2, rows: 1, columns: 1 },
  ])
})

test('regions that are no rectangles are no cells', () => {
  const corner = { right: (row: number) => row === 0, below: (_: number, column: number) => column === 0 }
  expect(mergedCells(2, 2, corner)).toBeUndefined()
})
