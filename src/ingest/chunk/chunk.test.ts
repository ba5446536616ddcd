import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import type { Block, BlockKind } from '../../reader/reader.ts'
import { chunksOf, wordCount } from './chunk.ts'

const DOCUMENT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const chunks = (blocks: Block[]) => [...chunksOf(DOCUMENT, { blocks })]
const long = (words: number): string =>
  Array.from({ length: words }, (_, i) => `word${i}${i % 12 === 11 ? '.' : ''}`).join(' ')

const kinds: BlockKind[] = ['heading', 'paragraph', 'list', 'table', 'figure', 'code', 'note']
const block = fc.record({
  kind: fc.constantFrom(...kinds),
  text: fc.oneof(
    fc.lorem({ maxCount: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constant(long(500)),
  ),
  level: fc.integer({ min: 1, max: 6 }),
  page: fc.integer({ min: 1, max: 4 }),
})

// Code has fences around it.
const letters = (text: string): string => text.replace(/```|\s+/g, '')

describe('chunksOf', () => {
  test('code has fences, also where it is cut, unless it has some of its own', () => {
    const code = (text: string): string[] => chunks([{ kind: 'code', text }]).map((chunk) => chunk.text)
    expect(code('npm ci')).toEqual(['```\nnpm ci\n```'])
    expect(code('```sh\nnpm ci\n```')).toEqual(['```sh\nnpm ci\n```'])
    expect(code('```\nnpm ci')).toEqual(['```\nnpm ci'])
    const cut = code(Array.from({ length: 900 }, (_, i) => `line ${i}`).join('\n'))
    expect(cut.length).toBeGreaterThan(1)
    for (const text of cut) expect(text).toMatch(/^```\n(?:line \d+\n)+```$/)
  })

  test('keeps every letter of every block, in order', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
        const texts = blocks.filter(({ kind }) => kind !== 'table')
        const found = letters(
          chunks(texts)
            .map(({ text }) => text)
            .join(''),
        )
        expect(found).toBe(letters(texts.map(({ text }) => text).join('')))
      }),
      { numRuns: runs(300) },
    )
  })

  test('keeps every cell of every table under its header, in order, and stays within the bound', () => {
    const cell = fc.oneof(
      fc.lorem({ maxCount: 8 }),
      fc.constant('a \\| b'),
      fc.constant(''),
      fc.nat({ max: 30_000 }).map((size) => 'word '.repeat(size / 5).trim()),
      fc.constant('語'.repeat(13_000)),
    )
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
      )
    fc.assert(
      fc.property(table, (rows) => {
        const header = `| ${rows[0]?.map((_, column) => `c${column}`).join(' | ')} |`
        const rule = `|${'-|'.repeat(rows[0]?.length ?? 0)}`
        const text = [header, rule, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
        const found = chunks([{ kind: 'table', text }])
        const read = found.flatMap((chunk) => chunk.text.split('\n').slice(2))
        for (const chunk of found) {
          expect(chunk.text.startsWith(`${header}\n${rule}\n`)).toBe(true)
          expect(chunk.text.length).toBeLessThanOrEqual(12_000)
        }
        const cellText = (lines: string[]): string => letters(lines.join('').replaceAll(/(?<!\\)\|/g, ''))
        expect(cellText(read)).toBe(cellText(text.split('\n').slice(2)))
        // Each part of a row is in its own column.
        const columns = (lines: string[]): string[] =>
          (rows[0] ?? []).map((_, column) =>
            letters(lines.map((line) => line.split(/(?<!\\)\|/)[column + 1] ?? '').join('')),
          )
        expect(columns(read)).toEqual(columns(text.split('\n').slice(2)))
      }),
      { numRuns: 40 },
    )
  })

  test('repeated text stays in the chunk and is not indexed', () => {
    const notice = long(40)
    const found = chunks([
      { kind: 'heading', text: 'One', level: 1 },
      { kind: 'paragraph', text: 'The first thing.' },
      { kind: 'paragraph', text: notice },
      { kind: 'heading', text: 'Two', level: 1 },
      { kind: 'paragraph', text: notice.toUpperCase() },
      { kind: 'paragraph', text: 'The second thing.' },
    ])
    expect(found.map(({ indexed }) => indexed)).toEqual([undefined, 'Two\n\nThe second thing.'])
    expect(found[1]?.text).toBe(`Two\n\n${notice.toUpperCase()}\n\nThe second thing.`)
  })

  test('a repeated chunk is not found twice, a short label is', () => {
    const page = (no: number): Block[] => [
      { kind: 'heading', text: 'Notice', level: 1, page: no },
      { kind: 'paragraph', text: 'This page is left blank for your own remarks, please.', page: no },
    ]
    const label: Block[] = [
      { kind: 'heading', text: 'Annex', level: 1 },
      { kind: 'paragraph', text: 'Signed.' },
    ]
    expect(chunks([...page(1), ...page(2)]).map(({ indexed }) => indexed)).toEqual([undefined, ''])
    expect(chunks([...label, ...label]).map(({ indexed }) => indexed)).toEqual([undefined, undefined])
  })

  test('a short line is indexed three times; a paragraph with another figure is another paragraph', () => {
    const lines = Array.from({ length: 5 }, (_, i): Block[] => [
      { kind: 'heading', text: `Filter ${i}`, level: 2 },
      { kind: 'paragraph', text: 'Replace it every twelve months.' },
    ])
    expect(chunks(lines.flat()).map(({ indexed }) => indexed)).toEqual([
      undefined,
      undefined,
      undefined,
      'Filter 3',
      'Filter 4',
    ])
    const paid = (sum: number): Block[] => [
      { kind: 'paragraph', text: `${long(40)} In all ${sum} euros.`, page: sum },
    ]
    expect(chunks([...paid(5), ...paid(6)]).map(({ indexed }) => indexed)).toEqual([undefined, undefined])
  })

  test('ids are unique within a document and the same the next time', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 20 }), (blocks) => {
        const ids = chunks([...blocks, ...blocks]).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(chunks([...blocks, ...blocks]).map(({ id }) => id)).toEqual(ids)
      }),
      { numRuns: 100 },
    )
  })

  test('an edit keeps the ids of all other chunks', () => {
    const page = (text: string, no: number): Block[] => [
      { kind: 'heading', text: `Part ${no}`, level: 1 },
      { kind: 'paragraph', text },
    ]
    const before = chunks([...page('The lease begins in May.', 1), ...page('Rent is due monthly.', 2)])
    const after = chunks([...page('The lease begins in June.', 1), ...page('Rent is due monthly.', 2)])
    expect(after[0]?.id).not.toBe(before[0]?.id)
    expect(after[1]?.id).toBe(before[1]?.id)
  })

  test('blocks beside the text change no other chunk, and none is lost', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 20 }),
        fc.array(fc.nat(20), { maxLength: 4 }),
        (blocks, places) => {
          const asides = places.map((at, no): [number, Block] => [
            at,
            { kind: 'figure', text: `Picture no ${no} shows`, aside: true, page: blocks[at]?.page ?? 1 },
          ])
          const all = [...blocks, undefined].flatMap((own, no) => [
            ...asides.flatMap(([at, aside]) => (Math.min(at, blocks.length) === no ? [aside] : [])),
            ...(own === undefined ? [] : [own]),
          ])
          const found = chunks(all)
          const isAside = ({ text }: { text: string }): boolean => /^Picture no \d shows$/.test(text)
          expect(found.filter((one) => !isAside(one)).map(({ id }) => id)).toEqual(
            chunks(blocks).map(({ id }) => id),
          )
          expect(found.filter(isAside).map(({ type }) => type)).toEqual(asides.map(() => 'figure'))
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test('comes after the text before it, under the same headings', () => {
    const found = chunks([
      { kind: 'heading', text: 'Lease', level: 1, page: 1 },
      { kind: 'paragraph', text: 'Between A and B.', page: 1 },
      { kind: 'figure', text: 'Plan of the house', aside: true, page: 1 },
      { kind: 'paragraph', text: 'For six years.', page: 1 },
      { kind: 'heading', text: 'Notice', level: 2, page: 1 },
      { kind: 'paragraph', text: 'Six months.', page: 1 },
    ])
    expect(found.map(({ heading, text }) => ({ heading, text }))).toEqual([
      { heading: 'Lease', text: 'Lease\n\nBetween A and B.\n\nFor six years.' },
      { heading: 'Lease', text: 'Plan of the house' },
      { heading: 'Lease > Notice', text: 'Notice\n\nSix months.' },
    ])
  })

  test('never crosses a page or a heading of level 1 or 2, and has its heading path', () => {
    const found = chunks([
      { kind: 'heading', text: 'Lease', level: 1, page: 1 },
      { kind: 'paragraph', text: 'Between A and B.', page: 1 },
      { kind: 'heading', text: 'Notice', level: 2, page: 1 },
      { kind: 'paragraph', text: 'Six months.', page: 1 },
      { kind: 'paragraph', text: 'In writing.', page: 2 },
    ])
    expect(found.map(({ heading, page, text }) => ({ heading, page, text }))).toEqual([
      { heading: 'Lease', page: 1, text: 'Lease\n\nBetween A and B.' },
      { heading: 'Lease > Notice', page: 1, text: 'Notice\n\nSix months.' },
      { heading: 'Lease > Notice', page: 2, text: 'In writing.' },
    ])
  })

  test('has the boxes of its blocks on their pages; every part of a table those of its headings and its own', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `| Part ${i} | ${'x'.repeat(80)} |`)
    const found = chunks([
      { kind: 'heading', text: 'Lease', level: 1, page: 1, bbox: [72, 60, 300, 80] },
      { kind: 'paragraph', text: 'Between A and B.', page: 1, bbox: [72, 90, 540, 100] },
      { kind: 'heading', text: 'Parts', level: 1, page: 2, bbox: [72, 60, 200, 80] },
      {
        kind: 'table',
        text: ['| Part | Note |', '|-|-|', ...rows].join('\n'),
        page: 2,
        bbox: [72, 90, 540, 700],
      },
      { kind: 'paragraph', text: 'From nowhere.' },
    ])
    const parts = [
      { page: 2, bbox: [72, 60, 200, 80] },
      { page: 2, bbox: [72, 90, 540, 700] },
    ]
    expect(found.filter(({ type }) => type === 'table').length).toBeGreaterThan(2)
    expect(found.map(({ boxes }) => boxes)).toEqual([
      [
        { page: 1, bbox: [72, 60, 300, 80] },
        { page: 1, bbox: [72, 90, 540, 100] },
      ],
      ...found.slice(1, -1).map(() => parts),
      [],
    ])
  })

  test('no chunk of text holds more than 400 words', () => {
    const found = chunks([{ kind: 'paragraph', text: long(3000) }])
    expect(found.length).toBeGreaterThan(7)
    for (const { text } of found) expect(wordCount(text)).toBeLessThanOrEqual(400)
  })

  test('a table is one chunk with the heading above it; a large one repeats its header and keeps rows whole', () => {
    const row = (i: number): string => `| Part ${i} | ${i}.50 | ${'x'.repeat(80)} |`
    const table = [
      '| Part | Price | Note |',
      '|-|-|-|',
      ...Array.from({ length: 400 }, (_, i) => row(i)),
    ].join('\n')
    const found = chunks([
      { kind: 'heading', text: 'Prices', level: 2 },
      { kind: 'table', text: table },
    ])
    expect(found.length).toBeGreaterThan(2)
    expect(found[0]?.text.startsWith('Prices\n\n| Part | Price | Note |')).toBe(true)
    for (const { text, type } of found) {
      expect(type).toBe('table')
      expect(text).toContain('| Part | Price | Note |\n|-|-|-|')
      expect(text.length).toBeLessThan(12_500)
    }
    const rows = found.flatMap(({ text }) => text.split('\n').filter((line) => /^\| Part \d/.test(line)))
    expect(rows).toEqual(Array.from({ length: 400 }, (_, i) => row(i)))
  })

  test('a megabyte without a space is cut, not lost and not one chunk', () => {
    const found = chunks([{ kind: 'paragraph', text: '語'.repeat(200_000) }])
    expect(found.map(({ text }) => letters(text)).join('')).toBe('語'.repeat(200_000))
    for (const { text } of found) expect(text.length).toBeLessThanOrEqual(6000)
  })
})

describe('captions', () => {
  const table: Block = { kind: 'table', text: '| Year | Cost |\n| --- | --- |\n| 2024 | 60 |', page: 1 }
  const paragraph = (text: string): Block => ({ kind: 'paragraph', text, page: 1 })

  test("a caption is in its table's chunk, in one paragraph or two; text about a table stays text", () => {
    const before = paragraph('Table 2 lists what was spent.')
    const one = chunks([before, paragraph('Table 2. Costs by year'), table])
    expect(one.map(({ type, text }) => [type, text])).toEqual([
      ['text', before.text],
      ['table', `Table 2. Costs by year\n\n${table.text}`],
    ])
    const two = chunks([before, paragraph('Tabelle 2'), paragraph('Kosten je Jahr'), table])
    expect(two.map(({ type, text }) => [type, text])).toEqual([
      ['text', before.text],
      ['table', `Tabelle 2\n\nKosten je Jahr\n\n${table.text}`],
    ])
    expect(chunks([paragraph('A text before it.'), table]).map(({ type }) => type)).toEqual(['text', 'table'])
  })
})
