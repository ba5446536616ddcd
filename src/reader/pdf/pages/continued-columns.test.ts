// Two columns of which the left one goes on on the next page.

import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { joinContinuedColumns } from './continued-columns.ts'

const block = (text: string, bbox: BBox, kind: Block['kind'] = 'paragraph', page = 1): Block => ({
  kind,
  text,
  bbox,
  page,
})
const page = (number: number, ...blocks: Block[]) => ({ number, height: 800, blocks })
const left = block('- First', [90, 600, 280, 720], 'list')
const right = block('Of the other one.', [310, 100, 520, 400])
const read = (...pages: ReturnType<typeof page>[]): string[] => {
  joinContinuedColumns(pages)
  return pages.map(({ blocks }) => blocks.map(({ text }) => text).join(' | '))
}

test('a list of the left column goes on before a right column that had room left', () => {
  const rest = block('- Second', [90, 80, 270, 200], 'list', 2)
  const title = block('Next', [90, 220, 270, 232], 'heading', 2)
  expect(read(page(1, left, right), page(2, rest, title))).toEqual([
    '- First | - Second | Of the other one.',
    'Next',
  ])
})

test('columns that are read one after the other stay so', () => {
  const full = block('Of the other one, as far down.', [310, 100, 520, 720])
  const rest = block('- Second', [90, 80, 270, 200], 'list', 2)
  expect(read(page(1, left, full), page(2, rest))[1]).toBe('- Second')
  expect(read(page(1, left, right), page(2, block('Anew.', [90, 80, 270, 200])))[1]).toBe('Anew.')
  expect(read(page(1, left, right), page(2, block('- Wide', [90, 80, 500, 200], 'list')))[1]).toBe('- Wide')
})
