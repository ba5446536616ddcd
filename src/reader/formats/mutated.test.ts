// Damaged files of each Office kind (BAD-25), in this process: each ends with its text or a reason, never with an error
// of ours. Three of four are damaged in the markup inside a sound container, so that the damage reaches the readers;
// the same files in every run.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { damagedInside, withDamage } from '../../../test/support/files/bad.ts'
import { makeDoc } from '../../../test/support/files/doc.ts'
import type { Model } from '../../../test/support/files/model.ts'
import { asEpub, asRtf } from '../../../test/support/files/model-writers.ts'
import {
  makeDocx,
  makeWorkbook,
  noteReference,
  wordParagraph,
  wordTable,
} from '../../../test/support/files/office.ts'
import { asOdt, makeOdp, odfParagraph } from '../../../test/support/files/opendocument.ts'
import { makeOutlookItem } from '../../../test/support/files/outlook.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makePpt } from '../../../test/support/files/ppt.ts'
import { makePptx } from '../../../test/support/files/slides.ts'
import { FULL } from '../../../test/support/full.ts'
import type { DocumentKind } from '../block.ts'

// Two hundred of a kind in the full suite, some 20 s in all; fewer in the gate.
const FILES = FULL ? 200 : 20

// The libraries complain of each file on standard error.
beforeAll(() => {
  for (const channel of ['error', 'warn', 'log'] as const)
    vi.spyOn(console, channel).mockImplementation(() => undefined)
})
afterAll(() => {
  vi.restoreAllMocks()
})

const model: Model = [
  { type: 'heading', text: 'Buoys', level: 1 },
  { type: 'paragraph', text: 'Buoys of the outer channel.' },
  {
    type: 'table',
    rows: [
      ['name', 'depth'],
      ['North', '4'],
    ],
  },
]
const sheets = {
  Buoys: [
    ['name', 'depth'],
    ['North', 4],
  ],
  Dates: [[new Date(0), true]],
}
const table = wordTable([
  ['Motion', ['Votes', 2]],
  ['Budget', '7', '2'],
])
const word = `${wordParagraph('Minutes', 'Heading1')}<w:p><w:r><w:t>The board met.</w:t></w:r>${noteReference('1')}</w:p>${table}`

const kinds: [kind: DocumentKind, bytes: () => Promise<Buffer> | Buffer][] = [
  ['docx', () => makeDocx(word, { notes: { 1: 'By the clock.' } })],
  ['pptx', () => makePptx([{ title: 'Buoys', lines: ['one', 'two'], table: [['a', 'b']], notes: 'n' }])],
  ['xlsx', () => makeWorkbook(sheets)],
  ['odt', () => asOdt(model)],
  ['rtf', () => Buffer.from(asRtf(model))],
  [
    'odp',
    () =>
      makeOdp(
        `<draw:page><draw:frame><draw:text-box>${odfParagraph('Buoys')}</draw:text-box></draw:frame></draw:page>`,
      ),
  ],
  ['ods', () => makeWorkbook(sheets, 'ods')],
  ['epub', () => asEpub(model)],
  ['xls', () => makeWorkbook(sheets, 'biff8')],
  [
    'ppt',
    () =>
      makePpt([
        {
          shapes: [
            { box: [0, 0, 900, 100], outline: 0 },
            { box: [0, 0, 900, 300], table: [{ box: [0, 0, 9, 9], text: { kind: 4, text: 'North' } }] },
          ],
          outline: [{ kind: 0, text: 'Buoys', looks: [{ level: 1, isItem: true }] }],
          notes: 'Speak slowly.',
        },
      ]),
  ],
  [
    'msg',
    () =>
      makeOutlookItem({
        subject: 'Buoys',
        body: 'Of the outer channel.',
        attachments: [{ name: 'a.txt', content: Buffer.from('North') }],
      }),
  ],
  ['doc', () => makeDoc([{ text: 'Buoys of the outer channel' }])],
]

test.each(kinds)('BAD-25: %s', async (kind, make) => {
  const bytes = await make()
  const zipped = bytes.subarray(0, 2).toString() === 'PK'
  const ends: Record<string, number> = {}
  for (let seed = 0; seed < FILES; seed++) {
    const file = zipped && seed % 4 !== 3 ? await damagedInside(bytes, seed) : withDamage(bytes, seed)
    const end = await parseBytes(kind, file).then(
      ({ blocks }) => (blocks.every(({ text }) => text.isWellFormed()) ? 'read' : 'ill formed'),
      (error: { reason?: string }) => error.reason ?? `seed ${seed}: ${String(error)}`,
    )
    ends[end] = (ends[end] ?? 0) + 1
  }
  expect(Object.keys(ends).filter((end) => !known.has(end))).toEqual([])
})

const known = new Set([
  'read',
  'damaged',
  'no_text',
  'encrypted',
  'empty',
  'too_large_unpacked',
  'unsupported',
])
