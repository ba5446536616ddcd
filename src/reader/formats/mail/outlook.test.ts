// Outlook items read as mails: sender, date, text, attachments.

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { makeWorkbook } from '../../../../test/support/files/office.ts'
import { makeOutlookItem, type OutlookItem } from '../../../../test/support/files/outlook.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import type { ParsedDocument } from '../../block.ts'

const read = (item: OutlookItem): Promise<ParsedDocument> => parseBytes('msg', makeOutlookItem(item))

const letter: OutlookItem = {
  subject: 'Mooring fees',
  from: { name: 'Ann Lee', address: 'ann@harbour.example' },
  recipients: [
    { name: 'Bo Dahl', address: 'bo@yard.example', kind: 1 },
    { name: 'cy@yard.example', address: 'cy@yard.example', kind: 2 },
  ],
  sent: Date.UTC(2026, 2, 4, 9, 30),
  body: 'Dear Bo,\r\n\r\nthe fee for berth 12 is 480 €.\r\n',
}

test('subject, people, date and text', async () => {
  const { title, blocks } = await read(letter)
  expect(title).toBe('Mooring fees')
  expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'heading: Mooring fees',
    'paragraph: From: Ann Lee <ann@harbour.example>\nTo: Bo Dahl <bo@yard.example>\nCc: cy@yard.example\nDate: Wed, 04 Mar 2026 09:30:00 GMT',
    'paragraph: Dear Bo,',
    'paragraph: the fee for berth 12 is 480 €.',
  ])
})

test('the date is that of the headers it came with', async () => {
  const { blocks } = await read({
    ...letter,
    headers: 'Received: from x\r\nDate: Wed, 4 Mar 2026 11:30:00 +0200\r\nTo: y\r\n',
  })
  expect(blocks[1]?.text).toContain('Date: Wed, 4 Mar 2026 11:30:00 +0200')
})

test('an old item is read in its code page', async () => {
  const { title, blocks } = await read({
    ...letter,
    subject: 'Причал',
    body: 'Оплата за март',
    codePage: { number: 1251, encode: (text) => iconv.encode(text, 'windows-1251') },
  })
  expect([title, blocks.at(-1)?.text]).toEqual(['Причал', 'Оплата за март'])
})

test('one that is not in the code page it names is read in the usual one', async () => {
  const { title } = await read({
    subject: 'Gebühr für Liegeplatz',
    codePage: { number: 65_001, encode: (text) => iconv.encode(text, 'windows-1252') },
  })
  expect(title).toBe('Gebühr für Liegeplatz')
})

test('a table in the HTML text is a table; a text in HTML or RTF alone is read', async () => {
  const { body: _, ...bare } = letter
  const html = '<table border="1"><tr><th>Berth</th><th>Fee</th></tr><tr><td>12</td><td>480</td></tr></table>'
  const table = '| Berth | Fee |\n| --- | --- |\n| 12 | 480 |'
  expect((await read({ ...letter, html })).blocks.at(-1)?.text).toBe(table)
  expect((await read({ ...bare, html: '<p>Only here</p>' })).blocks.at(-1)?.text).toBe('Only here')
  const words = Buffer.from('{\\rtf1\\ansi Formatted alone.\\par}')
  const head = Buffer.alloc(16)
  head.writeUInt32LE(words.length + 12, 0)
  head.writeUInt32LE(words.length, 4)
  head.write('MELA', 8, 'latin1')
  const { blocks } = await read({ ...bare, rtf: Buffer.concat([head, words]) })
  expect(blocks.at(-1)?.text).toBe('Formatted alone.')
})

test('what is attached is read: a sheet, and a mail with a file of its own', async () => {
  const inner: OutlookItem = {
    subject: 'Old fees',
    body: 'They were 400.',
    attachments: [{ name: 'list.txt', content: Buffer.from('Berth 12 was taken.') }],
  }
  const { blocks } = await read({
    ...letter,
    attachments: [
      {
        name: 'fees.xlsx',
        content: makeWorkbook({
          Fees: [
            ['Berth', 'Fee'],
            ['12', 480],
          ],
        }),
      },
      { name: 'Old fees', item: inner },
    ],
  })
  const lines = blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`)
  expect(lines.slice(4)).toEqual([
    'heading2: Attachment: fees.xlsx',
    'heading3: Fees',
    'table: | Berth | Fee |\n| --- | --- |\n| 12 | 480 |',
    'heading2: Attachment: Old fees.msg',
    'heading3: Old fees',
    'paragraph: They were 400.',
    'heading4: Attachment: list.txt',
    'paragraph: Berth 12 was taken.',
  ])
})

test('a signature in the text is a picture of it and no attachment', async () => {
  const image = { name: 'logo.png', type: 'image/png', id: 'logo@x', content: Buffer.from('89504e47', 'hex') }
  const { blocks, pictures } = await read({
    ...letter,
    html: '<p>Dear Bo</p><img src="cid:logo@x">',
    attachments: [image],
  })
  expect(blocks.some(({ text }) => text.includes('logo.png'))).toBe(false)
  expect(pictures).toMatchObject([{ name: 'part 1' }])
})

test('one that is cut off is damaged', async () => {
  const bytes = makeOutlookItem({ ...letter, body: 'long '.repeat(4000) })
  await expect(parseBytes('msg', bytes.subarray(0, 1500))).rejects.toMatchObject({ reason: 'damaged' })
})

test('small streams whose sectors follow each other in a circle are damage', async () => {
  const bytes = makeOutlookItem({ ...letter, subject: 'Mooring fees '.repeat(20) })
  const table = (bytes.readUInt32LE(60) + 1) * 512
  const chained = Array.from({ length: 100 }, (_, i) => i).find(
    (i) => bytes.readUInt32LE(table + 4 * i) === i + 1,
  )
  bytes.writeUInt32LE(chained ?? 0, table + 4 * ((chained ?? 0) + 1))
  await expect(parseBytes('msg', bytes)).rejects.toMatchObject({ reason: 'damaged' })
})

test('entries of a folder that are their own neighbours are damage', async () => {
  const bytes = makeOutlookItem(letter)
  const directory = (bytes.readUInt32LE(48) + 1) * 512
  for (const entry of [1, 2, 3]) bytes.writeUInt32LE(entry, directory + 128 * entry + 72)
  await expect(parseBytes('msg', bytes)).rejects.toMatchObject({ reason: 'damaged' })
})
