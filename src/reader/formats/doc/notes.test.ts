// Notes of old Word files: comments with their authors, headers and footers once.

import { expect, test } from 'vitest'
import { tableIndexes, type WordBinary } from './binary.ts'
import { docBlocks } from './doc.ts'

const numbers = (...all: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * all.length)
  for (const [i, value] of all.entries()) bytes.writeUInt32LE(value, 4 * i)
  return bytes
}

function documentOf(
  stories: Partial<Record<keyof WordBinary['stories'], string>>,
  found: Record<number, Buffer>,
): WordBinary {
  const {
    body = '',
    footnotes = '',
    headers = '',
    macros = '',
    comments = '',
    endnotes = '',
    boxes = '',
  } = stories
  const all = { body, footnotes, headers, macros, comments, endnotes, boxes }
  const lengths = Object.entries(all).map(([name, { length }]) => [name, length])
  return {
    text: Object.values(all).join(''),
    stories: Object.fromEntries(lengths) as WordBinary['stories'],
    paragraphAt: () => ({ style: 0, inTable: false, rowEnd: false, depth: 0 }),
    isRaised: () => false,
    styleOf: () => ({ level: 0 }),
    labelOf: () => '-',
    table: (at) => found[at] ?? Buffer.alloc(0),
  }
}

test('headers and footers of all sections are said once, without the numbers of pages', () => {
  const texts = [
    ...['', '', '', '', '', ''],
    ...[
      'Tidewick Ltd\tPage \u0013 PAGE \u00141\u0015\r',
      'Tidewick Ltd\r',
      '',
      'VAT GB 123\r',
      'Tidewick Ltd\r',
      '',
    ],
  ]
  const starts = texts.map((_, i) => texts.slice(0, i).join('').length)
  const headers = texts.join('')
  const document = documentOf(
    { body: 'Dear Sir\r', headers: `${headers}\r` },
    { [tableIndexes.headers]: numbers(...starts, headers.length, headers.length + 1) },
  )
  expect(docBlocks(document)).toEqual([
    { kind: 'note', text: 'Tidewick Ltd' },
    { kind: 'paragraph', text: 'Dear Sir' },
    { kind: 'note', text: 'VAT GB 123' },
  ])
})

test('a remark is a note with its author behind its paragraph', () => {
  const body = 'The fee\u0005 is due.\rEnd\r'
  const comments = '\u0005By when?\r'
  const mark = Buffer.alloc(30)
  mark.writeUInt16LE(1, 20)
  const name = (text: string): Buffer => Buffer.from(`${String.fromCharCode(text.length)}${text}`, 'utf16le')
  const document = documentOf(
    { body, comments },
    {
      [tableIndexes.commentMarks]: Buffer.concat([numbers(7, body.length), mark]),
      [tableIndexes.comments]: numbers(0, comments.length, comments.length),
      [tableIndexes.commentAuthors]: Buffer.concat([name('Bo Dahl'), name('Ann Lee')]),
    },
  )
  expect(docBlocks(document)).toEqual([
    { kind: 'paragraph', text: 'The fee is due.' },
    { kind: 'note', text: 'Comment by Ann Lee: By when?' },
    { kind: 'paragraph', text: 'End' },
  ])
})
