// Word files before Word 97, written byte by byte: headings, tables, code pages, pieces, passwords.

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makeWord95, type Word95Paragraph } from '../../../../../test/support/files/word-95.ts'

const read = async (...[paragraphs, options]: Parameters<typeof makeWord95>): Promise<string[]> =>
  (await parseBytes('doc', makeWord95(paragraphs, options))).blocks.map(
    ({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`,
  )

test('headings by style, a table with paragraphs in a cell and an empty one, results of fields, notes', async () => {
  const paragraphs: Word95Paragraph[] = [
    { text: 'Agreement', style: 1 },
    { text: 'Parties', style: 10 },
    { text: 'See \u0013 REF x \u0014clause 4\u0015, caf\u00e9.' },
    { text: 'Berth', mark: 'cell' },
    { text: 'Fee', mark: 'cell' },
    { text: '', mark: 'row' },
    { text: '12', mark: 'in' },
    { text: 'north', mark: 'cell' },
    { text: '', mark: 'cell' },
    { text: '', mark: 'row' },
    { text: 'End.' },
    { text: '\u0002 By the chart.' },
  ]
  expect(await read(paragraphs, { footnotes: 1 })).toEqual([
    'heading1: Agreement',
    'heading2: Parties',
    'paragraph: See clause 4, café.',
    'table: | Berth | Fee |\n| --- | --- |\n| 12 north |  |',
    'paragraph: End.',
    'note: By the chart.',
  ])
})

test('a Russian file is read in its code page', async () => {
  const text = 'Стоянка у причала оплачивается за месяц вперёд, не позднее пятого числа.'
  expect(await read([{ text: iconv.encode(text, 'windows-1251') }])).toEqual([`paragraph: ${text}`])
})

test('an East Asian version has a signature of its own', async () => {
  const file = makeWord95([{ text: 'By post and fax.' }])
  const head = file.indexOf(Buffer.from([0xdc, 0xa5, 0x68, 0x00]))
  file.writeUInt16LE(0xa699, head)
  const { blocks } = await parseBytes('doc', file)
  expect(blocks.map(({ text }) => text)).toEqual(['By post and fax.'])
})

test('a quickly saved file is put together from its pieces', async () => {
  expect(await read([{ text: 'second half' }, { text: 'first half.' }], { pieces: true })).toEqual([
    'paragraph: first half.',
    'paragraph: second half',
  ])
})

test('under a password, cut off or with lengths that lie it ends with its reason', async () => {
  const reason = (bytes: Buffer): Promise<string> =>
    parseBytes('doc', bytes).then(
      () => 'read',
      (error: { reason: string }) => error.reason,
    )
  const paragraphs = [{ text: 'All there is.' }]
  expect(await reason(makeWord95(paragraphs, { locked: true }))).toBe('encrypted')
  expect(await reason(makeWord95(paragraphs).subarray(0, 1000))).toBe('damaged')
  const lying = makeWord95(paragraphs)
  const head = lying.indexOf(Buffer.from([0xdc, 0xa5, 0x68, 0x00]))
  lying.writeUInt32LE(0x7fffffff, head + 0x34)
  expect(await reason(lying)).toBe('read')
})
