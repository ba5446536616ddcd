// Attachments and text that Outlook packs into winmail.dat.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const attribute = (id: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUInt8(id < 0x8000 || id === 0x8004 || id === 0x9003 ? 1 : 2, 0)
  head.writeUInt16LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, data, Buffer.alloc(2)])
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Properties of a string of two bytes a letter or of bytes; the first one is named and not read. */
const properties = (values: Record<number, string | Buffer>): Buffer => {
  const parts = Object.entries(values).map(([id, value]) => {
    const data = typeof value === 'string' ? Buffer.from(`${value}\0`, 'utf16le') : value
    const head = Buffer.from([
      typeof value === 'string' ? 0x1f : 0x02,
      typeof value === 'string' ? 0 : 1,
      0,
      0,
    ])
    head.writeUInt16LE(Number(id), 2)
    return Buffer.concat([
      head,
      number(1),
      number(data.length),
      data,
      Buffer.alloc((4 - (data.length % 4)) % 4),
    ])
  })
  const named = Buffer.concat([
    Buffer.from([3, 0, 1, 0x80]),
    Buffer.alloc(16),
    number(1),
    number(2),
    Buffer.from('a\0\0\0'),
    number(7),
  ])
  return Buffer.concat([number(parts.length + 1), named, ...parts])
}

const file = (name: string, longName: string, text: string): Buffer =>
  Buffer.concat([
    attribute(0x9002, Buffer.alloc(14)),
    attribute(0x8010, Buffer.from(`${name}\0`)),
    attribute(0x800f, Buffer.from(text)),
    ...(longName === '' ? [] : [attribute(0x9005, properties({ 14087: longName }))]),
  ])

const makeTnef = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('789f3e220100', 'hex'), attribute(0x9007, number(1252)), ...attributes])

const mailWith = (body: string, packed: Buffer): string =>
  [
    'From: k@example.org',
    'Subject: Levels',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    body,
    '--b',
    'Content-Type: application/ms-tnef; name="winmail.dat"',
    'Content-Transfer-Encoding: base64',
    '',
    packed.toString('base64').replace(/(.{76})/g, '$1\r\n'),
    '--b--',
    '',
  ].join('\r\n')

const files = [
  file('GAUGES~1.CSV', 'Gauges café.csv', 'Gauge;Level\nNorth;4\n'),
  file('notes.txt', '', 'High at noon.'),
]
const packedMail = makeTnef(
  attribute(0x8004, Buffer.from('Packed\0')),
  attribute(0x9003, properties({ 4096: 'See both.' })),
  ...files,
)

const textsOf = async (bytes: Buffer | string): Promise<string[]> =>
  (await parseBytes('email', bytes)).blocks.map(({ text }) => text)

const attachments = [
  'Attachment: Gauges café.csv',
  '| Gauge | Level |\n| --- | --- |\n| North | 4 |',
  'Attachment: notes.txt',
  'High at noon.',
]

test('the files in winmail.dat are attachments of the mail; its text is read if the mail has none', async () => {
  expect(await textsOf(mailWith('Two files.', packedMail))).toEqual([
    'Levels',
    'From: k@example.org',
    'Two files.',
    ...attachments,
  ])
  expect(await textsOf(mailWith('', packedMail))).toEqual([
    'Levels',
    'From: k@example.org',
    'See both.',
    ...attachments,
  ])
})

test('a winmail.dat that was saved, and a mail inside of one', async () => {
  const outer = makeTnef(
    attribute(0x9002, Buffer.alloc(14)),
    attribute(
      0x9005,
      properties({ 14087: 'Forwarded', 14081: Buffer.concat([Buffer.alloc(16), packedMail]) }),
    ),
  )
  expect(await textsOf(packedMail)).toEqual(['Packed', 'See both.', ...attachments])
  expect((await textsOf(outer)).slice(0, 4)).toEqual([
    'Attachment: Forwarded',
    'Packed',
    'See both.',
    attachments[0],
  ])
})

test('a damaged RTF costs no other text, and no file if its text is not used', async () => {
  const damaged = makeTnef(attribute(0x9003, properties({ 4105: Buffer.from('no RTF') })), ...files)
  expect(await textsOf(mailWith('Two files.', damaged))).toEqual([
    'Levels',
    'From: k@example.org',
    'Two files.',
    ...attachments,
  ])
  const { blocks, warnings } = await parseBytes('email', mailWith('', damaged))
  expect(blocks.map(({ text }) => text)).toEqual(['Levels', 'From: k@example.org', 'Attachment: winmail.dat'])
  expect(warnings).toEqual(['winmail.dat: The attachment could not be read.'])
})

test('cut off anywhere, what stands before is read', async () => {
  for (let length = 7; length < packedMail.length; length += 13) {
    const texts = await textsOf(mailWith('Two files.', packedMail.subarray(0, length)))
    expect(texts.slice(0, 3)).toEqual(['Levels', 'From: k@example.org', 'Two files.'])
  }
  const endless = makeTnef(
    attribute(
      0x9003,
      Buffer.concat([number(0xffffffff), Buffer.from([2, 0x10, 0, 0x20]), number(0xffffffff)]),
    ),
  )
  expect(await textsOf(mailWith('Two files.', endless))).toContain('Two files.')
})
