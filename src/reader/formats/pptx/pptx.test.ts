// Presentations written and read back: slides as pages, text in reading order, bullets from layouts.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { groupXml, makePptx, shapeXml, slideTable } from '../../../../test/support/files/slides.ts'

test('slides as pages, titles as headings, tables with spans, notes', async () => {
  const document = await parseBytes(
    'pptx',
    await makePptx([
      {
        title: 'Annual meeting',
        lines: ['Accounts for 2025', 'Election'],
        notes: 'Start on time.\nQuorum is 13.',
      },
      {
        title: 'Use of the surplus',
        lines: ['Paid in May.'],
        shapes: [
          {
            raw: slideTable([
              ['Purpose', 'Share', null],
              ['Reserve', '40 %', 'x'],
            ]),
            box: [50, 500, 900, 100],
          },
        ],
      },
    ]),
  )
  expect(document).toEqual({
    title: 'Annual meeting',
    pages: 2,
    blocks: [
      { kind: 'heading', text: 'Annual meeting', level: 1, page: 1 },
      { kind: 'paragraph', text: 'Accounts for 2025', page: 1 },
      { kind: 'paragraph', text: 'Election', page: 1 },
      { kind: 'note', text: 'Start on time.\nQuorum is 13.', page: 1 },
      { kind: 'heading', text: 'Use of the surplus', level: 1, page: 2 },
      { kind: 'paragraph', text: 'Paid in May.', page: 2 },
      {
        kind: 'table',
        text: '| Purpose | Share | Share |\n| --- | --- | --- |\n| Reserve | 40 % | x |',
        html: '<table><tr><td>Purpose</td><td colspan="2">Share</td></tr><tr><td>Reserve</td><td>40 %</td><td>x</td></tr></table>',
        page: 2,
      },
    ],
  })
})

test('text stands in the order of its places, not of the file; columns are read one after the other', async () => {
  const shapes = [
    { lines: ['right, below'], box: [500, 400, 400, 100] as const },
    { lines: ['footer line'], box: [50, 700, 850, 40] as const },
    { lines: ['right, above'], box: [500, 150, 400, 100] as const },
    { lines: ['left, tall'], box: [50, 150, 400, 400] as const },
  ].map(({ lines, box }) => ({ lines, box: [...box] as [number, number, number, number] }))
  const group = groupXml(
    [50, 600, 850, 50],
    shapeXml(80, { lines: ['group second'], box: [300, 0, 100, 50] }) +
      shapeXml(81, { lines: ['group first'], box: [0, 0, 100, 50] }),
  )
  const { blocks } = await parseBytes('pptx', await makePptx([{ title: 'Order', shapes }], {}, { 0: group }))
  expect(blocks.map(({ text }) => text)).toEqual([
    'Order',
    'left, tall',
    'right, above',
    'right, below',
    'group first',
    'group second',
    'footer line',
  ])
})

test('placeholders take place and bullets from their layout; numbers, dates and footers are not text', async () => {
  const number = '<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>'
  const shapes = [
    {
      lines: ['Accounts', { text: 'with the auditor', level: 1 }, 'Election'],
      placeholder: 'type="body" idx="1"',
    },
    { lines: ['A subtitle has none'], placeholder: 'type="subTitle" idx="2"' },
    { lines: ['Confidential'], placeholder: 'type="ftr" idx="11"' },
    { lines: ['23 April 2026'], placeholder: 'type="dt" idx="10"' },
    { lines: ['1'], placeholder: 'type="sldNum" idx="12"' },
  ]
  const extra = shapeXml(70, { lines: [], box: [900, 700, 50, 20] }).replace(
    '<a:lstStyle/>',
    `<a:lstStyle/>${number}`,
  )
  const { blocks } = await parseBytes(
    'pptx',
    await makePptx([{ title: 'Bullets', shapes }], {}, { 0: extra }),
  )
  expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', 'Bullets'],
    ['paragraph', 'A subtitle has none'],
    ['list', '- Accounts\n  - with the auditor\n- Election'],
  ])
})

test('charts and pictures speak', async () => {
  const chart =
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:lineChart><c:ser><c:cat><c:strLit><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>17</c:v></c:pt></c:numLit></c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>'
  const picture =
    '<p:pic><p:nvPicPr><p:cNvPr id="60" name="p" descr="The pier"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:spPr/></p:pic>'
  const slides = [
    {
      title: 'Kept back',
      shapes: [{ raw: '<c:chart r:id="c1"/>', box: [50, 200, 100, 100] as [number, number, number, number] }],
      relations: { c1: ['chart', '../charts/chart1.xml'] as [string, string] },
    },
  ]
  const { blocks } = await parseBytes(
    'pptx',
    await makePptx(slides, { 'ppt/charts/chart1.xml': chart }, { 0: picture }),
  )
  expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', 'Kept back'],
    ['table', '|  | Series 1 |\n| --- | --- |\n| Q1 | 17 |'],
    ['figure', 'The pier'],
  ])
})

test('the second reader finds the same words', async () => {
  const { blocks, pages } = await parseBytes(
    'pptx',
    await makePptx([{ title: 'Agenda', lines: ['Election'] }]),
    true,
  )
  expect(pages).toBe(1)
  expect(blocks.map(({ text }) => text)).toEqual(expect.arrayContaining(['Agenda', 'Election']))
})

test('a slide of text boxes alone: the line at its head in by far the largest type is its title', async () => {
  const sized = (text: string, points: number): string =>
    `<a:p><a:r><a:rPr sz="${points * 100}"/><a:t>${text}</a:t></a:r></a:p>`
  const box = (id: number, y: number, inner: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="b"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="900" cy="90"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/>${inner}</p:txBody></p:sp>`
  const read = async (...sizes: [string, number][]): Promise<string[]> => {
    const raw = sizes.map(([text, points], i) => box(i + 2, i * 100, sized(text, points))).join('')
    const bytes = await makePptx([{ title: '' }], {}, { 0: raw })
    return (await parseBytes('pptx', bytes)).blocks.map(({ kind, text }) => `${kind}: ${text}`)
  }
  expect(await read(['Spring', 14], ['Our fleet', 40], ['Two boats', 20])).toEqual([
    'paragraph: Spring',
    'heading: Our fleet',
    'paragraph: Two boats',
  ])
  for (const sizes of [
    [
      ['Our fleet', 20],
      ['Two boats', 18],
    ],
    [
      ['Season', 14],
      ['Grown by', 20],
      ['Half', 60],
    ],
    [
      ['87 %', 60],
      ['more boats', 18],
    ],
    [
      ['We sail.', 40],
      ['Two boats', 18],
    ],
  ] as [string, number][][])
    expect((await read(...sizes)).filter((line) => line.startsWith('heading'))).toEqual([])
})
