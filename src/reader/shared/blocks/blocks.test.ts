// What all kinds share: clean text, Markdown tables, titles.

import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import type { Block } from '../../block.ts'
import { cleanDocument, cleanText, joinHyphenated } from './clean.ts'
import { withRaised } from './raised.ts'
import { markdownTable, splitMergedCells, tableHtml, tableMarkdown } from './table.ts'
import { chooseTitle } from './title.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const withLoneSurrogates = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
  .map((codes) => String.fromCharCode(...codes))

test('clean text is well formed, free of controls, and stays as it is', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, withLoneSurrogates), (text) => {
      const clean = cleanText(text)
      expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean)
      expect(clean).not.toMatch(/[^\P{Cc}\t\n]/u)
      expect(cleanText(clean)).toBe(clean)
    }),
  )
})

test('letters, digits and signs of ordinary text survive cleaning', () => {
  const text = 'Zürich 1.234,50 € — “né” (188) 日本語 🤠\tend\nline'
  expect(cleanText(text)).toBe(text)
  expect(cleanText('a\u0000b\u00adc\ufb01x\u00a0y\ud800z')).toBe('abcfix y\ufffdz')
})

test('hyphens at line ends are joined between small letters only', () => {
  expect(joinHyphenated('informa-\ntion')).toBe('information')
  expect(joinHyphenated('A-\n12 and Anglo-\nSaxon')).toBe('A-\n12 and Anglo-\nSaxon')
})

test('blocks that hold nothing are dropped', () => {
  const blocks = [
    { kind: 'paragraph' as const, text: ' \u0000 \n' },
    { kind: 'paragraph' as const, text: ' a  \n b ' },
  ]
  expect(cleanDocument({ title: ' \u0000', blocks })).toEqual({
    blocks: [{ kind: 'paragraph', text: 'a\n b' }],
  })
})

test('a Markdown table has as many cells in every line, and every word of its cells', () => {
  const cells = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(
      fc.array(fc.array(cells, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      (rows) => {
        const table = markdownTable(rows)
        if (rows.flat().every((cell) => cell.trim() === '')) {
          expect(table).toBe('')
          return
        }
        const lines = table.split('\n')
        const bars = lines.map((line) => line.replace(/\\[\\|]/g, '').split('|').length)
        expect(new Set(bars).size).toBe(1)
        const words = (text: string): string => text.replace(/[\s\\|-]+/g, '')
        expect(words(table)).toBe(words(rows.flat().join('')))
      },
    ),
  )
})

test('spans are opened up with their text in the first slot', () => {
  const rows = [
    [
      { text: 'a', rowSpan: 2 },
      { text: 'b', colSpan: 2 },
    ],
    [{ text: 'c' }, { text: 'd' }],
  ]
  expect(splitMergedCells(rows)).toEqual([
    ['a', 'b', ''],
    ['', 'c', 'd'],
  ])
  expect(tableHtml(rows)).toBe(
    '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>',
  )
  expect(tableHtml([[{ text: 'a' }]])).toBeUndefined()
})

test('the text of a merged cell is repeated where it names something: no title over all, no figure, no long text', () => {
  const long = 'Every berth of the northern basin is inspected by its keeper each spring and autumn. '
    .repeat(2)
    .trim()
  const rows = [
    [{ text: 'Berths', colSpan: 4 }],
    [{ text: 'Basin' }, { text: 'Depth', colSpan: 2 }, { text: 'Remark' }],
    [{ text: 'North', rowSpan: 2 }, { text: '4' }, { text: '5', rowSpan: 2 }, { text: long, rowSpan: 2 }],
    [{ text: '6' }],
    [{ text: '2025', rowSpan: 2 }, { text: 'x' }, { text: 'y' }, { text: '' }],
    [{ text: 'z' }, { text: '' }, { text: '' }],
  ]
  expect(tableMarkdown(rows).split('\n')).toEqual([
    '| Berths |  |  |  |',
    '| --- | --- | --- | --- |',
    '| Basin | Depth | Depth | Remark |',
    `| North | 4 | 5 | ${long} |`,
    '| North | 6 |  |  |',
    '| 2025 | x | y |  |',
    '| 2025 | z |  |  |',
  ])
})

test('rows and columns that hold nothing but the rest of merged cells are left out, as HTML has none', () => {
  const rows = [
    [
      { text: 'a', rowSpan: 2, colSpan: 2 },
      { text: 'b', rowSpan: 2 },
    ],
    [],
    [{ text: 'c', colSpan: 2 }, { text: 'd' }],
  ]
  expect(tableMarkdown(rows)).toBe('| a | b |\n| --- | --- |\n| c | d |')
})

test('a title is the document’s own unless it is a generic one, else the first heading', () => {
  const blocks = [
    { kind: 'heading' as const, text: 'Section', level: 2 },
    { kind: 'heading' as const, text: 'Annual report', level: 1 },
  ]
  expect(chooseTitle('Lease of Unit 4', blocks)).toBe('Lease of Unit 4')
  for (const generic of [
    'Microsoft Word - lease.doc',
    'Untitled',
    'PptxGenJS Presentation',
    'document1',
    'scan_0001',
    'lease.pdf',
    '(anonymous)',
    '',
    undefined,
  ]) {
    expect(chooseTitle(generic, blocks)).toBe('Annual report')
  }
  expect(chooseTitle('Presentation1', [])).toBeUndefined()
})

test('a title that names a part of any document, or cannot be read, gives way to the next heading', () => {
  const heading = (text: string, level = 1): Block => ({ kind: 'heading', text, level })
  const next = [heading('Table of Contents'), heading('CHAPTER I'), heading('Rates of the harbour', 2)]
  const sections = [
    'Table of Contents',
    'CHAPTER I',
    'FORM 10-Q',
    '1. Introduction',
    'Part One',
    'Annex 3:',
    'Inhaltsverzeichnis',
    'Kapitel 4',
    'Table des matières',
    'Capítulo IV',
  ]
  const unreadable = [
    'Ann\ufffdal rep\ufffdrt',
    '\ue001\ue002\ue003\ue004',
    '☐☐☐ ☐☐ a',
    'C:\\texts\\plan.doc',
  ]
  for (const property of [...sections, ...unreadable])
    expect(chooseTitle(property, next), property).toBe('Rates of the harbour')
  expect(chooseTitle('FORM 10-Q', next.slice(0, 2))).toBeUndefined()
  const titles = [
    'Form and function',
    'Introduction to C',
    'COVID-19',
    'Index funds',
    'Part numbers of the crane',
  ]
  for (const title of titles) expect(chooseTitle(title, next)).toBe(title)
})

test('a title whose bytes were read in the wrong encoding is repaired', () => {
  const western = (text: string, encoding: string): string =>
    iconv.decode(iconv.encode(text, encoding), 'latin1')
  for (const text of ['Bücher für Anfänger', '“Größe” – 5 €', 'Отчёт за год', '年次報告書'])
    for (const read of ['latin1', 'windows-1252']) {
      const garbled = iconv.decode(Buffer.from(text), read)
      if (!garbled.includes('\ufffd')) expect(chooseTitle(garbled, [])).toBe(text)
    }
  expect(chooseTitle(western('Отчёт за год', 'windows-1251'), [])).toBe('Отчёт за год')
  expect(chooseTitle(western('年次報告書', 'shift_jis'), [])).toBe('年次報告書')
  for (const right of [
    'Société Générale',
    'Ärzte ÄÖÜ',
    'Übergröße',
    'Łódź',
    'Ελλάδα',
    'São',
    '“Öl”',
    '東京都',
  ])
    expect(chooseTitle(right, [])).toBe(right)
})

test('quotes, dashes and the euro of Windows-1252 read as Latin-1 come back', () => {
  expect(cleanText('Don\u0092t pay \u0080 500 \u0096 \u0093never\u0094\u0081.')).toBe(
    'Don’t pay € 500 – “never”.',
  )
})

test.each([
  ['10', '3', '³'],
  ['5 × 10', '-6', '⁻⁶'],
  ['120 m', '2', '²'],
  ['E = mc', '2', '²'],
  ['the contract', '1', '[1]'],
  ['to be paid.', '1, 2', '[1, 2]'],
  ['the contract[1]', '2', '[2]'],
  ['[a + b]', '2', '²'],
  ['4', 'th', 'th'],
  ['', '1', '1'],
  ['cited', '[4]', '[4]'],
])('behind "%s" a raised "%s" is "%s"', (before, text, expected) => {
  expect(withRaised(before, text)).toBe(expected)
})
