import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { withClauseNumbers } from './lists.ts'

const joinNumbers = (blocks: Block[]): Block[] => withClauseNumbers(blocks, 9)

const at = (text: string, bbox: BBox, kind: Block['kind'] = 'paragraph'): Block => ({
  kind,
  text,
  bbox,
  page: 1,
})
const title = at('4. Berths', [80, 114, 144, 123], 'heading')
const first = at('4.1', [80, 135, 95, 142])
const second = at('4.2', [80, 155, 95, 162])
const berths = at('Berths are let by the year.', [111, 134, 300, 145])
const dues = at('Dues are paid in advance.', [111, 154, 290, 165])

test('numbers that stand apart from their clauses come back to them', () => {
  expect(joinNumbers([title, first, second, berths, dues])).toEqual([
    title,
    at('4.1 Berths are let by the year.', [80, 134, 300, 145]),
    at('4.2 Dues are paid in advance.', [80, 154, 290, 165]),
  ])
})

test('figures that do not count on, or have no text or several beside them, stay where they are', () => {
  const seventh = at('4.7', [80, 155, 95, 162])
  const far = at('Dues are paid in advance.', [160, 154, 290, 165])
  const more = at('in advance.', [112, 155, 200, 165])
  for (const blocks of [
    [title, first, berths],
    [title, first, seventh, berths, dues],
    [title, first, second, berths, far],
    [title, first, second, berths, dues, more],
    [title, first, second, berths, at('Dues', [111, 154, 290, 165], 'table')],
  ])
    expect(joinNumbers(blocks)).toEqual(blocks)
})
