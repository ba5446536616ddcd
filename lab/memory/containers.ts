// Office files and books: what unpacks to the most a container may (500 MB, 10,000 parts, 64 MB in one that is read as a
// tree), however small it is as uploaded.

import { filled, type LargeFile, paragraph, sentence, writeZip } from './file.ts'

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const officeTypes = 'application/vnd.openxmlformats-officedocument'
const MEGABYTE = 2 ** 20
// Of a part that is read as a tree, and of all parts together; a little less, for what stands around them.
const TREE_BYTES = 63 * MEGABYTE
const UNPACKED_BYTES = 490 * MEGABYTE

type Part = [string, Iterable<string>]

const types = (overrides: Record<string, string>): Part => [
  '[Content_Types].xml',
  [
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
      overrides,
    )
      .map(([name, type]) => `<Override PartName="${name}" ContentType="${officeTypes}.${type}+xml"/>`)
      .join('')}</Types>`,
  ],
]

const relations = (part: string, targets: [type: string, target: string][]): Part => [
  part,
  [
    `<Relationships xmlns="${packages}/relationships">${targets
      .map(
        ([type, target], i) => `<Relationship Id="r${i + 1}" Type="${relation}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
  ],
]

function writeDocx(path: string): Promise<void> {
  const xmlns = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const body = filled(
    TREE_BYTES,
    (i) => `<w:p><w:r><w:t>${paragraph(i)}</w:t></w:r></w:p>`,
    `<w:document xmlns:w="${xmlns}"><w:body>`,
    '</w:body></w:document>',
  )
  return writeZip(path, [
    types({ '/word/document.xml': 'wordprocessingml.document.main' }),
    relations('_rels/.rels', [['officeDocument', 'word/document.xml']]),
    ['word/document.xml', body],
  ])
}

const SLIDES = 4900

function writePptx(path: string): Promise<void> {
  const xmlns = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relation}"`
  const line = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
  const slide = (no: number): Generator<string> =>
    filled(
      Math.floor((UNPACKED_BYTES - TREE_BYTES) / SLIDES),
      (i) => line(paragraph(no * 1000 + i)),
      `<p:sld ${xmlns}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>`,
      '</p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
    )
  const numbers = Array.from({ length: SLIDES }, (_, i) => i + 1)
  const listed = numbers.map((no) => `<p:sldId id="${255 + no}" r:id="r${no}"/>`).join('')
  return writeZip(path, [
    types({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    relations('_rels/.rels', [['officeDocument', 'ppt/presentation.xml']]),
    relations(
      'ppt/_rels/presentation.xml.rels',
      numbers.map((no) => ['slide', `slides/slide${no}.xml`]),
    ),
    [
      'ppt/presentation.xml',
      [`<p:presentation ${xmlns}><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`],
    ],
    ...numbers.map((no): Part => [`ppt/slides/slide${no}.xml`, slide(no)]),
  ])
}

function* sheetRows(rows: number, columns: number): Generator<string> {
  yield '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
  for (let r = 1; r <= rows; r++) {
    const cells = Array.from(
      { length: columns },
      (_, c) => `<c r="${String.fromCharCode(65 + c)}${r}"><v>${(r * 7919 + c * 104_729) % 999_983}</v></c>`,
    )
    yield `<row r="${r}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function writeXlsx(path: string, rows: number, columns: number): Promise<void> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return writeZip(path, [
    types({
      '/xl/workbook.xml': 'spreadsheetml.sheet.main',
      '/xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    }),
    relations('_rels/.rels', [['officeDocument', 'xl/workbook.xml']]),
    relations('xl/_rels/workbook.xml.rels', [['worksheet', 'worksheets/sheet1.xml']]),
    [
      'xl/workbook.xml',
      [
        `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="Gauges" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ],
    ],
    ['xl/worksheets/sheet1.xml', sheetRows(rows, columns)],
  ])
}

function* odsRows(rows: number, columns: number): Generator<string> {
  const names = ['office', 'table', 'text']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  yield `<?xml version="1.0"?><office:document-content ${names}><office:body><office:spreadsheet><table:table table:name="Gauges">`
  for (let r = 1; r <= rows; r++) {
    const cells = Array.from({ length: columns }, (_, c) => {
      const value = (r * 7919 + c * 104_729) % 999_983
      return `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    })
    yield `<table:table-row>${cells.join('')}</table:table-row>`
  }
  yield '</table:table></office:spreadsheet></office:body></office:document-content>'
}

const writeOds = (path: string, rows: number, columns: number): Promise<void> =>
  writeZip(path, [
    ['mimetype', ['application/vnd.oasis.opendocument.spreadsheet']],
    [
      'META-INF/manifest.xml',
      [
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
      ],
    ],
    ['content.xml', odsRows(rows, columns)],
  ])

/** Chapters of 5 MB. */
function writeEpub(path: string, megabytes: number): Promise<void> {
  const numbers = Array.from({ length: megabytes / 5 }, (_, i) => i)
  const chapter = (no: number): Generator<string> =>
    filled(
      5 * MEGABYTE,
      (i) => `<p>${paragraph(no * 100_000 + i)}</p>`,
      `<html><body><h1>Chapter ${no}: ${sentence(no)}</h1>`,
      '</body></html>',
    )
  const items = numbers.map(
    (no) => `<item id="c${no}" href="c${no}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const spine = numbers.map((no) => `<itemref idref="c${no}"/>`)
  return writeZip(path, [
    ['mimetype', ['application/epub+zip']],
    [
      'META-INF/container.xml',
      [
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      ],
    ],
    [
      'b.opf',
      [
        `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
      ],
    ],
    ...numbers.map((no): Part => [`c${no}.xhtml`, chapter(no)]),
  ])
}

export const containers: readonly LargeFile[] = [
  { name: 'document.docx', says: 'Word, 63 MB of XML', write: writeDocx },
  { name: 'slides.pptx', says: '4,900 slides, 427 MB of XML', write: writePptx },
  {
    name: 'sheet.xlsx',
    says: 'workbook of 100,000 rows × 20 columns',
    write: (path) => writeXlsx(path, 100_000, 20),
  },
  {
    name: 'long.xlsx',
    says: 'workbook of 1,000,000 rows × 5 columns',
    write: (path) => writeXlsx(path, 1_000_000, 5),
  },
  {
    name: 'sheet.ods',
    says: 'OpenDocument sheet of 100,000 rows × 10',
    write: (path) => writeOds(path, 100_000, 10),
  },
  { name: 'book.epub', says: 'EPUB, 490 MB of chapters', write: (path) => writeEpub(path, 490) },
]
