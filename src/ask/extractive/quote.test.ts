import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toString as plainText } from 'mdast-util-to-string'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { findMarkers } from '../citations/markers.ts'
import { columnsWithoutRows, tableRows } from '../markdown-table.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { escapeMarkdown, quoteOf } from './quote.ts'

it('quotes an item of a list without its bullet', () => {
  const passage = {
    chunk_id: 'c',
    document_id: 'd',
    document_title: 'Rules',
    document_path: 'a.md',
    chunk_no: 0,
    type: 'text',
    text: '- A boat is lent for a day.',
    heading: '',
    page: null,
    language: 'en',
    score: 1,
  } as const
  const [evidence] = evidenceIn([{ passage, relevance: 1, rank: 0 }])
  expect(quoteOf({ evidence: evidence as Evidence }, [])).toBe('“A boat is lent for a day.”')
})

describe('escapeMarkdown', () => {
  it('does not escape more than necessary', () => {
    for (const text of ['snake_case', '< 5 kg', 'R&D at 3 % (net)', "six months' notice", 'a ~ b', '1 | 2']) {
      expect(escapeMarkdown(text)).toBe(text)
    }
  })

  it('lets no marker, link, image or tag of a document through', () => {
    const hostile =
      'As said in [1] and 【2】, ![x](https://evil.example/p.png) [click](javascript:1) <img src=x> [99][1]'
    const shown = `“${escapeMarkdown(hostile)}”`
    expect(findMarkers(shown)).toEqual([])
    expect(shown).not.toMatch(/\[\d+\]|【/)
    expect(nodeTypes(shown)).toEqual(new Set(['root', 'paragraph', 'text', 'inlineCode']))
    expect(plainText(fromMarkdown(shown))).toBe(`“${hostile}”`)
  })

  it('keeps addresses from becoming links, as GFM would make them', () => {
    const text = 'Write to ask@a.example, see https://a.example/b?c=1, www.a.example and http://localhost/x.'
    const shown = escapeMarkdown(text)
    expect(shown).toBe(
      'Write to `ask@a.example`, see `https://a.example/b?c=1`, `www.a.example` and `http://localhost/x`.',
    )
    expect(nodeTypes(shown)).toEqual(new Set(['root', 'paragraph', 'text', 'inlineCode']))
  })

  it('shows exactly the text, for any text, and nothing but text', () => {
    const part = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '1',
      '12',
      '`',
      '*',
      '_',
      '~',
      '\\',
      '<',
      '>',
      '&',
      '&amp;',
      '&#91;',
      '!',
      'a',
      'ß',
      ' ',
      '【',
      '】',
      '#',
      '|',
      'http://x.y',
      'https://x',
      '://',
      'www.a.b',
      'a@b.c',
      '@',
      '.',
      '<b>',
      '<!-- ',
    )
    const anything = fc
      .array(fc.oneof(part, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(anything, (text) => {
        const shown = `“${escapeMarkdown(text)}” — end`
        expect(findMarkers(shown)).toEqual([])
        expect([...nodeTypes(shown)].filter((type) => !SHOWN.has(type))).toEqual([])
        const visible = text.replace(
          /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g,
          '',
        )
        expect(squeeze(plainText(fromMarkdown(shown)))).toBe(
          squeeze(`“${visible.trim()}” — end`.replaceAll('\0', '\ufffd')),
        )
      }),
      { numRuns: runs(1500) },
    )
  })
})

const GFM = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

const SHOWN = new Set(['root', 'paragraph', 'text', 'inlineCode'])

const squeeze = (text: string): string => text.replace(/\s+/g, ' ')

function nodeTypes(markdown: string): Set<string> {
  const types = new Set<string>()
  const visit = (node: { type: string; children?: unknown[] }): void => {
    types.add(node.type)
    for (const child of node.children ?? []) visit(child as typeof node)
  }
  visit(fromMarkdown(markdown, GFM) as Parameters<typeof visit>[0])
  return types
}

describe('tableRows', () => {
  it('gives rows with their column names and blanks them out of the rest', () => {
    const text =
      'Prices of 2026\n\n| Part | Price |\n| --- | --- |\n| MF-204 | €14.50 |\n| MF-310 |  |\n\nAll prices without VAT.'
    const { rows, textWithoutTables: rest } = tableRows(text)
    expect(rows.map((row) => row.cells)).toEqual([
      [
        { header: 'Part', text: 'MF-204' },
        { header: 'Price', text: '€14.50' },
      ],
      [{ header: 'Part', text: 'MF-310' }],
    ])
    expect(rest).toHaveLength(text.length)
    expect(rest.replace(/\s+/g, ' ')).toBe('Prices of 2026 All prices without VAT.')
  })

  it('keeps escaped pipes and backslashes in their cell', () => {
    const { rows } = tableRows('| A | B |\n| --- | --- |\n| x \\| y | c:\\\\ |')
    expect(rows[0]?.cells.map((cell) => cell.text)).toEqual(['x | y', 'c:\\'])
  })

  it('finds column names under a title row, and knows a table that has none', () => {
    const titled =
      '| | Table 1. Versions |  |\n| --- | --- | --- |\n| Version | Range | Accuracy |\n| T/5 | 0 to 5 m | 2 mm |'
    expect(tableRows(titled).rows.map((row) => row.cells)).toEqual([
      [
        { header: 'Version', text: 'T/5' },
        { header: 'Range', text: '0 to 5 m' },
        { header: 'Accuracy', text: '2 mm' },
      ],
    ])
    const bare = '| T/5 | 0 to 5 m | 2 mm |\n| --- | --- | --- |\n| T/10 | 0 to 10 m | 4 mm |'
    expect(tableRows(bare).rows.map((row) => row.cells[0])).toEqual([
      { header: '', text: 'T/5' },
      { header: '', text: 'T/10' },
    ])
    expect(tableRows('| Item | 2024 | 2025 |\n| --- | --- | --- |\n| Sales | 1 | 2 |').rows).toHaveLength(1)
  })

  it('reads a table of names and descriptions without taking the first row for column names', () => {
    const minutes =
      '| Present | Ingrid Solheim (chair), Tomas Okafor, Maeve Donnelly |\n| --- | --- |\n| Secretary | Hannah Birch |'
    expect(tableRows(minutes).rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['Present', 'Ingrid Solheim (chair), Tomas Okafor, Maeve Donnelly'],
      ['Secretary', 'Hannah Birch'],
    ])
    expect(tableRows('| Weight | 1.4 kg |\n| --- | --- |\n| Length | 285 mm |').rows).toHaveLength(2)
    expect(tableRows('| £ thousand | 2025 |\n| --- | --- |\n| Revenue | 1,284 |').rows).toHaveLength(1)
  })

  it('uses the column names of a header that was split from its rows', () => {
    const head = '|  | Table 1. Versions |  |\n| --- | --- | --- |\n| Version | Range | Accuracy |'
    expect(columnsWithoutRows(head)).toEqual(['Version', 'Range', 'Accuracy'])
    expect(columnsWithoutRows('| A | B |\n| --- | --- |\n| x | y |\n| z | w |')).toEqual([])
    const bare = '| T/5 | 0 to 5 m | 2 mm |\n| --- | --- | --- |'
    expect(tableRows(bare, columnsWithoutRows(head)).rows[0]?.cells[2]).toEqual({
      header: 'Accuracy',
      text: '2 mm',
    })
    expect(tableRows('| A | B |\n| --- | --- |\n| x | y |', ['C', 'D']).rows[0]?.cells[0]?.header).toBe('A')
  })
})
