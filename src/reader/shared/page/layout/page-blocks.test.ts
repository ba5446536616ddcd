// The repairs on a page, on places made here: order, left out lines, cut paragraphs.

import type { LayoutBlock, TextItem } from '@llamaindex/liteparse'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BBox, Block } from '../../../block.ts'
import type { PlacedBlock } from './boxes.ts'
import { gatherFigures } from './figures.ts'
import { missingBlocks, missingItems } from './missing-text.ts'
import { inReadingOrder, pageBlocks, unmark } from './page-blocks.ts'
import { joinCutParagraphs } from './paragraphs.ts'

const joinCut = (blocks: PlacedBlock[]): PlacedBlock[] => joinCutParagraphs(blocks, 10)

const item = (text: string, x: number, y: number, width = text.length * 5): TextItem => ({
  text,
  x,
  y,
  width,
  height: 10,
})
const block = (text: string, bbox: BBox): PlacedBlock => ({ kind: 'paragraph', text, bbox, page: 1 })

function isAbove(a: BBox | undefined, b: BBox | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const narrow = Math.min(a[2] - a[0], b[2] - b[0])
  return a[3] <= b[1] && Math.min(a[2], b[2]) - Math.max(a[0], b[0]) >= narrow / 2
}

test('reading order keeps every block and puts no block before one above it in its column', () => {
  const box = fc.tuple(
    fc.nat(400),
    fc.nat(700),
    fc.integer({ min: 20, max: 200 }),
    fc.integer({ min: 5, max: 80 }),
  )
  fc.assert(
    fc.property(fc.array(box, { maxLength: 25 }), (boxes) => {
      const blocks = boxes.map(([x, y, width, height], i) => block(String(i), [x, y, x + width, y + height]))
      const ordered = inReadingOrder(blocks)
      expect(ordered.map((each) => each.text).sort()).toEqual(blocks.map((each) => each.text).sort())
      ordered.forEach((later, i) => {
        for (const earlier of ordered.slice(0, i)) {
          expect(isAbove(later.bbox, earlier.bbox)).toBe(false)
        }
      })
    }),
  )
})

test('a centred heading the parser put last comes back to the top; columns stay apart', () => {
  const order = inReadingOrder([
    block('left', [50, 100, 290, 700]),
    block('right', [320, 100, 560, 700]),
    block('title', [200, 40, 400, 60]),
  ])
  expect(order.map((each) => each.text)).toEqual(['title', 'left', 'right'])
})

test('lines the layout left out come back, even when their words stand elsewhere', () => {
  const items = [
    item('net revenues of 991 million', 50, 100),
    item('net revenues of 175 million', 50, 300),
    item('foreign currency, net', 50, 500),
  ]
  const pieces = [
    { text: 'net revenues of 175 million', bbox: [50, 300, 400, 310] as BBox },
    { text: 'a note on foreign currency, net of tax', bbox: [50, 700, 400, 710] as BBox },
  ]
  const missing = missingItems(items, pieces)
  expect([...missing].map((each) => each.text)).toEqual([
    'net revenues of 991 million',
    'foreign currency, net',
  ])
  expect(missingBlocks([...missing], 3).map(({ text, page }) => [text, page])).toEqual([
    ['net revenues of 991 million', 3],
    ['foreign currency, net', 3],
  ])
})

test('a paragraph cut in mid-sentence is joined, two paragraphs are not', () => {
  const joined = joinCut([
    block('held by the people of', [50, 100, 500, 110]),
    block('the town.', [50, 112, 200, 122]),
    block('another one begins', [50, 124, 500, 134]),
    block('far below', [50, 400, 500, 410]),
  ])
  expect(joined.map((each) => each.text)).toEqual([
    'held by the people of the town.',
    'another one begins',
    'far below',
  ])
})

test('a cut at a hyphen: a broken word is whole, a figure or a capital stands behind its hyphen', () => {
  const joined = (above: string, below: string): string[] =>
    joinCut([
      block(`the report that the people of the town ${above}`, [50, 100, 500, 110]),
      block(`${below} was read by the people of the other town`, [50, 112, 490, 122]),
    ]).map(({ text }) => text.replace(/^.* town | was .*$/g, ''))
  expect(joined('on Form 10-', 'Q')).toEqual(['on Form 10-Q'])
  expect(joined('without rea-', 'soning')).toEqual(['without reasoning'])
})

test('marks of emphasis go, stars of the text stay', () => {
  expect(unmark('**Net sales** of *Adobe* were 5\\_3', false)).toBe('Net sales of Adobe were 5_3')
  expect(unmark('grew **3.9%**\\* by *volume*', true)).toBe('grew 3.9%* by volume')
})

test('a caption takes the words of its picture with it; the text around stays', () => {
  const blocks = [
    block('The curves of the gauges are drawn here from the readings of a year.', [50, 100, 500, 130]),
    block('Height (m)', [40, 220, 60, 300]),
    block('2 4 6 8', [80, 320, 300, 330]),
    block('Fig. 4. Readings of the northern gauge.', [80, 350, 400, 362]),
    block('Figure 4 shows that the tide was low.', [50, 400, 500, 412]),
  ]
  const read = gatherFigures(blocks)
  expect(read.map(({ kind, text }) => [kind, text])).toEqual([
    ['paragraph', blocks[0]?.text],
    ['figure', 'Fig. 4. Readings of the northern gauge.\nHeight (m) 2 4 6 8'],
    ['paragraph', blocks[4]?.text],
  ])
  expect(read[1]?.bbox).toEqual([40, 220, 400, 362])
})

test('whatever stands on a page, gathering figures loses no word', () => {
  const text = fc.constantFrom(
    'Fig. 1. Tides',
    'Abb. 2: Pegel',
    '12',
    'Height (m)',
    'A text of more words than a label',
  )
  const box = fc.tuple(
    fc.nat(400),
    fc.nat(700),
    fc.integer({ min: 5, max: 200 }),
    fc.integer({ min: 5, max: 80 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(text, box), { maxLength: 20 }), (given) => {
      const blocks = given.map(([words, [x, y, w, h]], i) => block(`${words} ${i}`, [x, y, x + w, y + h]))
      const words = (all: readonly Block[]): string[] => all.flatMap((one) => one.text.split(/\s+/)).sort()
      expect(words(gatherFigures(blocks))).toEqual(words(blocks))
    }),
  )
})

test('a line that begins with a figure and hangs under its clause goes on with it, a clause of its own does not', () => {
  const clause = block(
    '1.3 The state at the start of the term is recorded in the schedule of',
    [80, 383, 515, 391],
  )
  const join = (text: string, box: BBox): string[] =>
    joinCut([clause, block(text, box)]).map((each) => each.text)
  expect(join('10 January 2019.', [111, 397, 195, 407])).toEqual([`${clause.text} 10 January 2019.`])
  expect(join('1.4 The Tenant keeps it.', [111, 397, 195, 407])).toHaveLength(2)
  expect(join('10 January 2019.', [80, 397, 195, 407])).toHaveLength(2)
  expect(join('10 January 2019.', [111, 405, 195, 415])).toHaveLength(2)
})

test('an entry goes on under its text, where the line above had no room; a question with its boxes is over', () => {
  const entry = block('4.1 Indenture of the harbour and of its keepers, with Form of', [19, 100, 565, 110])
  const second = block('0.650% Notes of the harbour, due in a year that nobody knows', [71, 111, 588, 121])
  expect(joinCut([entry, second])).toHaveLength(1)
  const named = block(
    '2.1 Agreement between the harbour and the Keepers of the North, Inc.',
    [19, 100, 565, 110],
  )
  const note = block('(incorporated by the keepers).', [71, 111, 300, 121])
  expect(joinCut([named, note])).toHaveLength(1)
  const question = block(
    'Indicate whether the keepers read it in the last month. Yes ☒ No',
    [50, 100, 500, 110],
  )
  const next = block('Indicate whether the keepers read it in the month before that', [50, 113, 500, 123])
  expect(joinCut([question, next])).toHaveLength(2)
})

test('lines that stand on end are read upwards or downwards, a paragraph each', () => {
  const onEnd = (text: string, x: number, y: number, rotation: number): TextItem => ({
    ...item(text, x, y, 20),
    height: text.length * 10,
    rotation,
  })
  const items = [
    onEnd('2021', 17, 213, 270),
    onEnd('Jun', 17, 258, 270),
    onEnd('21', 17, 293, 270),
    onEnd('arXiv:2103', 17, 318, 270),
    onEnd('below', 560, 260, 90),
    onEnd('Seen', 560, 215, 90),
    item('A line of the page.', 72, 300),
  ]
  expect(missingBlocks(items, 1).map(({ text }) => text)).toEqual([
    'A line of the page.',
    'arXiv:2103 21 Jun 2021',
    'Seen below',
  ])
})

test('a paragraph goes on behind the sign of a relation, and in a script of wide letters', () => {
  const formula = block(
    'of the members of one set the union of all covers R, cover(R) =',
    [50, 100, 400, 110],
  )
  const rest = block('{f : there is one r in R and r covers f, whatever else it is}', [50, 111, 380, 121])
  expect(joinCut([formula, rest]).map(({ text }) => text)).toEqual([`${formula.text} ${rest.text}`])
  const korean = block('무이자할부, 다이어트할부, 삼성카드 할인이 적용된 일시불 및', [289, 361, 499, 373])
  const next = block('할부 이용금액, 기프트/선불카드(포인트, 사이버머니 등', [289, 374, 479, 384])
  expect(joinCut([korean, next])).toHaveLength(1)
})

test('text that was run together with a table’s stands where the layout pass had both', () => {
  const sheet = { pageNum: 1, width: 612, height: 792, text: '', markdown: '' }
  const placed = (text: string, x: number, y: number): TextItem => {
    const words = text.split(' ').map((word, i) => {
      const before = text.split(' ').slice(0, i).join(' ').length
      return { text: word, x: x + before * 5 + (i > 0 ? 5 : 0), y, width: word.length * 5, height: 10 }
    })
    return { ...item(text, x, y), words }
  }
  const cells = ['Fruit', 'Pieces', 'Plums', '12', 'Pears', '340'].map((text, i) =>
    placed(text, 300 + (i % 2) * 120, 100 + Math.floor(i / 2) * 14),
  )
  const note = placed('All of them are sold by weight on the pier, from morning to night', 300, 156)
  const below = placed('The harbour is open from morning to night', 40, 300)
  const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
  const blocks: LayoutBlock[] = [
    { kind: 'table', bbox: rect(300, 100, 140, 24), header: [], rows: [] },
    { kind: 'paragraph', text: `Pears 340 ${note.text}`, bbox: rect(300, 128, 330, 40) },
    { kind: 'paragraph', text: below.text, bbox: rect(40, 300, 205, 10) },
  ]
  const read = pageBlocks({ ...sheet, textItems: [...cells, note, below], blocks })
  expect(read.map(({ text }) => text).slice(1)).toEqual([note.text, below.text])
})
