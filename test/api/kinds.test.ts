// Every accepted kind of file, from upload to search through the real app and real parsers: found by a unique word and by its
// scope. Unsupported names and contents are rejected.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job, SearchResults } from '../../src/contract/resources.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { makeDoc } from '../support/files/doc.ts'
import { asEmail, asEpub, asHtml } from '../support/files/model-writers.ts'
import { makeDocx, makeWorkbook, wordParagraph } from '../support/files/office.ts'
import { makeOdp, makeOdt, odfParagraph } from '../support/files/opendocument.ts'
import { makeOutlookItem } from '../support/files/outlook.ts'
import { makePpt } from '../support/files/ppt.ts'
import { makePptx } from '../support/files/slides.ts'
import { drain, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let pool: ParserPool
let deps: WorkDeps

beforeAll(async () => {
  app = await testApp()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

const sentence = (word: string) => [{ type: 'paragraph' as const, text: `The gauge stands at ${word} pier.` }]
const sheet = (word: string) => ({
  Stations: [
    ['Station', 'Pier'],
    ['North', word],
    ['South', 'none'],
  ],
})

test('each kind is parsed, found and in its scope', async () => {
  const files: Record<string, [kind: string, word: string, bytes: Buffer | string]> = {
    'a.docx': ['docx', 'amberley', await makeDocx(wordParagraph('The gauge stands at amberley pier.'))],
    'b.doc': ['doc', 'bosham', makeDoc([{ text: 'The gauge stands at bosham pier.' }])],
    'c.rtf': ['rtf', 'calshot', '{\\rtf1\\ansi The gauge stands at calshot pier.\\par}'],
    'd.pptx': ['pptx', 'dymchurch', await makePptx([{ title: 'Stations', lines: ['At dymchurch pier.'] }])],
    'e.xlsx': ['xlsx', 'emsworth', makeWorkbook(sheet('emsworth'))],
    'f.xls': ['xls', 'fowey', makeWorkbook(sheet('fowey'), 'biff8')],
    'o.odt': ['odt', 'orford', await makeOdt(odfParagraph('The gauge stands at orford pier.'))],
    'p.odp': [
      'odp',
      'porlock',
      await makeOdp(
        `<draw:page><draw:frame><draw:text-box>${odfParagraph('At porlock pier.')}</draw:text-box></draw:frame></draw:page>`,
      ),
    ],
    'g.ods': ['ods', 'gorran', makeWorkbook(sheet('gorran'), 'ods')],
    'h.csv': ['csv', 'hythe', 'Station;Pier\nNorth;hythe\nSouth;none\n'],
    'i.md': ['markdown', 'instow', '# Stations\n\nAt instow pier.\n'],
    'j.txt': ['text', 'jaywick', 'The gauge stands at jaywick pier.'],
    'k.html': ['html', 'keyhaven', asHtml(sentence('keyhaven'))],
    'l.epub': ['epub', 'lepe', await asEpub(sentence('lepe'))],
    'm.eml': ['email', 'mudeford', asEmail(sentence('mudeford'))],
    'r.ppt': [
      'ppt',
      'ravenglass',
      makePpt([{ shapes: [{ box: [0, 0, 900, 90], text: { kind: 4, text: 'At ravenglass pier.' } }] }]),
    ],
    'q.msg': ['msg', 'quay', makeOutlookItem({ subject: 'Gauge', body: 'It stands at quay pier.' })],
    's.mbox': ['mbox', 'selsey', `From k@x.example Mon Jun  1 10:00:00 2026\n${asEmail(sentence('selsey'))}`],
    't.mht': [
      'mhtml',
      'tollesbury',
      'From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>The gauge stands at tollesbury pier.</p>\r\n--b--\r\n',
    ],
    'u.ics': [
      'calendar',
      'upnor',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:The gauge\r\nLOCATION:upnor pier\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ],
    'n.jsonl': [
      'json',
      'newlyn',
      '{"station": "North", "pier": "newlyn"}\n{"station": "South", "pier": "none"}\n',
    ],
  }
  const person = await app.person()
  const token = await app.token(person)
  const workspaceId = await app.workspace(person)
  const contents = Object.entries(files).map(([name, [, , content]]) => [name, content] as const)
  const read: Job['files'] = []
  for (const part of [contents.slice(0, 12), contents.slice(12)]) {
    const { id } = await upload(deps, person, workspaceId, Object.fromEntries(part))
    await drain(deps)
    read.push(...((await app.send('GET', `/v1/jobs/${id}`, token)).body as Job).files)
  }
  expect(read.map(({ filename, status, error }) => [filename, status, error])).toEqual(
    Object.keys(files).map((name) => [name, 'done', undefined]),
  )
  const documents = new Map(read.map(({ filename, document_id }) => [filename, document_id]))
  for (const [name, [kind, word]] of Object.entries(files)) {
    const { body } = await app.send('POST', `/v1/workspaces/${workspaceId}/search`, token, {
      body: { query: `${word} pier`, scope: `kind:${kind}` },
    })
    const { data } = body as SearchResults
    expect(data[0]?.document_id, name).toBe(documents.get(name))
  }
})

test('unsupported files are rejected with a message', async () => {
  const person = await app.person()
  const workspaceId = await app.workspace(person)
  await expect(
    upload(deps, person, workspaceId, { 'a.exe': '\u007fELF\u0002\u0001\u0001\u0000' }),
  ).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining(
      'Word (.docx, .doc, .rtf), OpenDocument (.odt, .odp, .ods), PowerPoint (.pptx, .ppt), Excel (.xlsx, .xlsb, .xls)',
    ),
  })
})
