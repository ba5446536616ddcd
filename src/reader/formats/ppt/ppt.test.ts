// Old PowerPoint files: the version saved last, slide by slide.

import { CFB } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { makeCompound } from '../../../../test/support/files/office.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePpt, type PptItem, type PptShape, type PptSlide } from '../../../../test/support/files/ppt.ts'
import type { Block } from '../../block.ts'

const title = (text: string): PptShape => ({
  box: [100, 100, 4000, 300],
  text: { kind: 0, text, narrow: true },
})
const said = (blocks: readonly Block[]): string[] =>
  blocks.map(({ kind, level, text, page }) => `${page} ${kind}${level ?? ''}: ${text}`)
const read = async (slides: readonly PptSlide[], stale?: PptSlide): Promise<string[]> =>
  said((await parseBytes('ppt', makePpt(slides, stale))).blocks)

test('titles, items as deep as they are, texts by place, speaker notes', async () => {
  const document = await parseBytes(
    'ppt',
    makePpt([
      {
        shapes: [
          { box: [3000, 600, 1000, 900], text: { kind: 4, text: 'On the right – über' } },
          {
            box: [100, 600, 2000, 900],
            text: {
              kind: 1,
              text: 'North\rof the pier\rSouth\rAs of May',
              looks: [
                { level: 0 },
                { level: 1, isItem: true },
                { level: 0, isItem: true },
                { level: 0, isItem: false },
              ],
            },
          },
          title('Buoys'),
          { box: [100, 4000, 500, 100], text: { kind: 4, text: '3 May' }, placeholder: 7 },
          { box: [100, 2000, 500, 100], text: { kind: 4, text: 'Line one\vline two *', numberAt: 18 } },
        ],
        notes: 'Speak slowly.\rThen stop.',
      },
      { shapes: [title('Lights')], hidden: true },
    ]),
  )
  expect([document.title, document.pages]).toEqual(['Buoys', 2])
  expect(said(document.blocks)).toEqual([
    '1 heading1: Buoys',
    '1 list: - North\n  - of the pier\n- South',
    '1 paragraph: As of May',
    '1 paragraph: On the right – über',
    '1 paragraph: Line one\nline two',
    '1 note: Speak slowly.\nThen stop.',
  ])
  expect(document.hidden).toEqual([{ page: 2, text: 'Lights' }])
})

test('texts of the outline stand where a shape shows them, the others at the end', async () => {
  const outline = ['Harbour', 'the left', 'nobody shows this'].map((text, i) => ({
    kind: i === 0 ? 6 : 4,
    text,
  }))
  expect(
    await read([
      {
        outline,
        shapes: [
          { box: [100, 900, 900, 100], outline: 1 },
          { box: [100, 100, 900, 100], outline: 0 },
        ],
      },
    ]),
  ).toEqual(['1 heading1: Harbour', '1 paragraph: the left', '1 paragraph: nobody shows this'])
})

test('a group of cells is a table with its spans; a remark is a note with its author', async () => {
  const cell = (x: number, y: number, text: string, width = 500): PptShape => ({
    box: [x, y, width, 200],
    text: { kind: 4, text },
  })
  const rule: PptShape = { box: [0, 200, 1500, 0] }
  const slide: PptSlide = {
    shapes: [
      {
        box: [0, 0, 1500, 400],
        table: [
          cell(0, 0, 'Berth'),
          cell(500, 0, 'Depth', 1000),
          cell(0, 200, 'North'),
          cell(500, 202, '4 m'),
          cell(1000, 200, '5 m'),
          rule,
        ],
      },
    ],
    comment: { author: 'Ann Lee', text: 'Still so?' },
  }
  const { blocks } = await parseBytes('ppt', makePpt([slide]))
  expect(blocks[0]).toMatchObject({
    text: '| Berth | Depth | Depth |\n| --- | --- | --- |\n| North | 4 m | 5 m |',
    html: expect.stringContaining('<td colspan="2">Depth</td>'),
  })
  expect(said(blocks)[1]).toBe('1 note: Comment by Ann Lee: Still so?')
})

test('an older state of a slide is not read', async () => {
  expect(await read([{ shapes: [title('New')] }], { shapes: [title('Old')] })).toEqual(['1 heading1: New'])
})

test('under a password, without slides, cut off or a bomb it says so', async () => {
  const reason = async (bytes: Buffer): Promise<string> =>
    parseBytes('ppt', bytes).then(
      () => 'read',
      (error: { reason: string }) => error.reason,
    )
  const slides = [{ shapes: [title('New')] }]
  expect(await reason(makePpt(slides, undefined, true))).toBe('encrypted')
  expect(await reason(makePpt([]))).toBe('damaged')
  expect(await reason(makePpt(slides).subarray(0, 1200))).toBe('damaged')
})

test('groups within groups without end are left out', async () => {
  let table: PptItem = title('Deep')
  for (let depth = 0; depth < 300; depth++) table = { table: [table], box: [0, 0, 10, 10] }
  expect(await read([{ shapes: [table, title('Shown')] }])).toEqual(['1 heading1: Shown'])
})

test('a file for PowerPoint 95 and 97 has what is for 97 in a folder', async () => {
  const container = CFB.read(makePpt([{ shapes: [title('Buoys')] }]), { type: 'buffer' })
  const streams = ['Current User', 'PowerPoint Document'].map((name): [string, Buffer] => [
    `PP97_DUALSTORAGE/${name}`,
    Buffer.from(CFB.find(container, `/${name}`)?.content as Uint8Array),
  ])
  const { blocks } = await parseBytes('ppt', makeCompound(Object.fromEntries(streams)))
  expect(said(blocks)).toEqual(['1 heading1: Buoys'])
})
