// OpenDocument sheets (.ods): encryption, times; everything else is tested with the other workbooks (sheets.test.ts).

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makeZip } from '../../../../test/support/files/zip.ts'

const sheet = (cells: string): string =>
  `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="a"><table:table-row>${cells}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`

/** What the last block of a workbook of one row says. */
async function read(cells: string, parts: Record<string, string> = {}): Promise<string | undefined> {
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
  const { blocks } = await parseBytes(
    'ods',
    await makeZip({ mimetype, ...parts, 'content.xml': sheet(cells) }),
  )
  return blocks.at(-1)?.text
}

test.each([
  ['Basic/Standard/Module1.xml', false],
  ['content.xml', true],
  ['encrypted-package', true],
])('%s under a password', async (locked, isLocked) => {
  const entry = (name: string): string =>
    `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"${name === locked ? '><manifest:encryption-data/></manifest:file-entry>' : '/>'}`
  const names = ['/', 'content.xml', 'Basic/Standard/Module1.xml', 'encrypted-package']
  const manifest = `<manifest:manifest>${names.map(entry).join('\n')}</manifest:manifest>`
  const text = read('<table:table-cell><text:p>Gauge</text:p></table:table-cell>', {
    'META-INF/manifest.xml': manifest,
  })
  if (isLocked) await expect(text).rejects.toMatchObject({ reason: 'encrypted' })
  else expect(await text).toBe('Gauge')
})

test('a formula without a stored result is shown', async () => {
  expect(await read('<table:table-cell table:formula="of:=SUM([.B2:.B4])*[$Rates.C1]"/>')).toBe(
    '=SUM(B2:B4)*$Rates.C1',
  )
})

test.each([
  ['2026-11-21T13:05:00', '21.11.2026 13.05', '2026-11-21T13:05'],
  ['2026-11-21T13:05:30', '11/21/26 1:05 PM', '2026-11-21T13:05:30'],
  ['2026-05-13T13:05:00', '13.05.2026', '2026-05-13'],
])('%s shown as %s', async (value, shown, text) => {
  const cell = `<table:table-cell office:value-type="date" office:date-value="${value}"><text:p>${shown}</text:p></table:table-cell>`
  expect(await read(cell)).toBe(text)
})
