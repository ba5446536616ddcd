// Where the words of a picture are placed, and which of them.

import { expect, test } from 'vitest'
import type { BBox, Block } from '../../reader/reader.ts'
import { placeWords, type RecognisedPicture } from './place-words.ts'

const text = (words: string, page?: number, bbox?: BBox): Block => ({
  kind: 'paragraph',
  text: words,
  ...(page === undefined ? {} : { page }),
  ...(bbox === undefined ? {} : { bbox }),
})
const picture = (words: string, more: Partial<RecognisedPicture> = {}): RecognisedPicture => ({
  name: 'a.png',
  hash: words,
  words: words.split('\n').map((line) => ({ kind: 'paragraph', text: line, confidence: 0.9 })),
  ...more,
})

test('in a file with places: at the place, or in the description', () => {
  const blocks = [text('Before.'), { kind: 'figure' as const, text: 'The panel' }, text('Behind.')]
  const pictures = [
    { name: 'a.png', at: 1 },
    { name: 'b.png', at: 2, captioned: true },
    { name: 'small.png', at: 3 },
  ]
  const read = [picture('Alarm Foxglove'), picture('Valve K7', { name: 'b.png' })]
  expect(placeWords({ blocks, pictures }, read).blocks).toEqual([
    blocks[0],
    { kind: 'figure', text: 'Alarm Foxglove', confidence: 0.9, aside: true },
    { kind: 'figure', text: 'The panel\nValve K7', confidence: 0.9 },
    blocks[2],
  ])
  expect(blocks[1]?.text).toBe('The panel')
})

test('in a PDF: in the caption below it, or else after the text above it in its column', () => {
  const caption: Block = { kind: 'figure', text: 'Fig. 1. Alarms', page: 2, bbox: [50, 410, 290, 422] }
  const blocks = [
    text('Left above.', 2, [50, 100, 290, 180]),
    caption,
    text('Right above.', 2, [320, 100, 560, 180]),
    text('Right below.', 2, [320, 500, 560, 580]),
    text('Next page.', 3, [50, 100, 290, 180]),
  ]
  const left = picture('Alarm Foxglove', { page: 2, bbox: [50, 200, 290, 400] })
  const right = picture('Valve K7 closes', { page: 2, bbox: [320, 200, 560, 400] })
  const { blocks: placed } = placeWords({ blocks, pictures: 'unplaced' }, [left, right])
  expect(placed.map((block) => block.text)).toEqual([
    'Left above.',
    'Fig. 1. Alarms\nAlarm Foxglove',
    'Right above.',
    'Valve K7 closes',
    'Right below.',
    'Next page.',
  ])
  expect(placed[3]).toMatchObject({ aside: true, page: 2, bbox: right.bbox })
})

test('a short heading at the edge comes before the picture in the middle', () => {
  const stamp = picture('Seen Foxglove', { page: 1, bbox: [200, 220, 400, 300] })
  const long = text('A long line above.', 1, [50, 100, 560, 180])
  const approval = text('Approval:', 1, [50, 200, 100, 212])
  const below = text('Signed.', 1, [50, 320, 560, 340])
  const beside = text('Beside it.', 1, [50, 230, 180, 250])
  const placed = (...blocks: Block[]): string[] =>
    placeWords({ blocks, pictures: 'unplaced' }, [stamp]).blocks.map((block) => block.text)
  expect(placed(long, approval)).toEqual([long.text, 'Approval:', 'Seen Foxglove'])
  expect(placed(long, approval, below)).toEqual([long.text, 'Approval:', 'Seen Foxglove', 'Signed.'])
  expect(placed(long, approval, beside)).toEqual([long.text, 'Seen Foxglove', 'Approval:', 'Beside it.'])
})

test('a page with nothing but pictures; a page without blocks', () => {
  const blocks = [text('First.', 1), text('Third.', 3)]
  const read = [picture('On page two', { page: 2 }), picture('On page nine', { page: 9 })]
  const { blocks: placed } = placeWords({ blocks, pictures: 'unplaced' }, read)
  expect(placed.map((block) => block.text)).toEqual(['First.', 'On page two', 'Third.', 'On page nine'])
})

test('a repeated picture is read once, and adds nothing that the text beside it says', () => {
  const blocks = [text('The valve K7 closes above 42 bar.', 1), text('Another slide.', 2)]
  const words = 'Valve K7 closes above 42 bar\nAlarm Foxglove'
  const pictures = [
    { name: 'a.png', at: 1, page: 1 },
    { name: 'a.png', at: 2, page: 2 },
  ]
  const { blocks: placed } = placeWords({ blocks, pictures }, [picture(words)])
  expect(placed.map((block) => block.text)).toEqual([blocks[0]?.text, 'Alarm Foxglove', 'Another slide.'])
  expect(placeWords({ blocks, pictures }, [picture('K7 closes above 42 bar')]).blocks).toEqual(blocks)
  expect(placeWords({ blocks }, [picture(words)]).blocks).toEqual(blocks)
})
