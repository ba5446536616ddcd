// Says what an uploaded file is, from its bytes first and its name second.
// 422 is only for a file of which neither is an accepted kind; a mismatch or damage is the parser's to find.

import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { type DocumentKind, isMachines } from './block.ts'
import { COMPOUND_MAGIC, compoundNames } from './identify/compound.ts'
import { kindByName, unsupportedSentence } from './identify/kind-by-name.ts'
import { listZip, readZipEntry } from './identify/zip.ts'
import { hasHeicDecoder, isHeic } from './picture/formats/heic.ts'
import { reasonSentence } from './reasons.ts'
import { looksLikeText } from './text/encoding.ts'
import { isHtmlPage } from './text/html/tags.ts'

export type Sniffed = { kind: DocumentKind } | { unsupported: string }

const SAMPLE_BYTES = 65_536
const HEIC_BRAND_BYTES = 64
// Word saves RTF under the name of a .doc as readily.
const RTF_MAGIC = Buffer.from('{\\rtf')
const imageTypes = new Set(['png', 'apng', 'jpg', 'gif', 'bmp', 'webp', 'tif', 'heic', 'heif'])
// Made of characters, but not for reading.
const markup = new Set(['ps', 'eps'])
const textKinds: ReadonlySet<DocumentKind> = new Set(['csv', 'markdown', 'text', 'html', 'email', 'json'])

/** The kind of the file at `path`; `unsupported` is a sentence for the person who sent it. Reads at most 64 KB and a directory. */
export async function sniff(path: string, filename: string): Promise<Sniffed> {
  const named = kindByName(filename)
  const file = await open(path, 'r')
  try {
    const kind = (await kindByBytes(file, path, named)) ?? named
    if (kind === undefined) return { unsupported: unsupportedSentence }
    const head = Buffer.alloc(HEIC_BRAND_BYTES)
    await file.read(head, 0, head.length, 0)
    return kind === 'image' && isHeic(head) && !hasHeicDecoder()
      ? { unsupported: reasonSentence.no_heic }
      : { kind }
  } finally {
    await file.close()
  }
}

async function kindByBytes(
  file: FileHandle,
  path: string,
  named: DocumentKind | undefined,
): Promise<DocumentKind | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  if (head.length === 0) return undefined
  // The PDF standard's own readers accept the mark anywhere in the first 1,024 bytes.
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.subarray(0, 5).equals(RTF_MAGIC)) return 'rtf'
  if (head.subarray(0, 8).equals(COMPOUND_MAGIC)) return compoundKind(await compoundNames(file), named)
  if (head.subarray(0, 2).equals(Buffer.from('PK'))) return zipKind(path)
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  // Text goes first: "BM" opens a bitmap and a report on BMW, FF FE an MP3 frame and UTF-16.
  if (looksLikeText(head))
    return found !== undefined && markup.has(found.ext) ? undefined : textKind(head, named)
  return found !== undefined && imageTypes.has(found.ext) ? 'image' : undefined
}

/** Text under a name that promises another kind is that kind, damaged; under an unknown name its beginning tells. */
function textKind(head: Buffer, named: DocumentKind | undefined): DocumentKind | undefined {
  if (named !== undefined && !textKinds.has(named)) return undefined
  if (named !== undefined && named !== 'text') return named
  const start = head.toString('latin1', 0, 8192)
  if (isHtmlPage(start.replace(/^\xef\xbb\xbf/, ''))) return 'html'
  // A mail pasted into a text file has a few of these lines; one from a mail program has its number too.
  const headers = start.split(/\r?\n\r?\n/, 1)[0] ?? ''
  return named === undefined && isMailHeader(headers) ? 'email' : 'text'
}

function isMailHeader(headers: string): boolean {
  return /^(message-id|mime-version):/im.test(headers) && /^(from|received):/im.test(headers)
}

function compoundKind(names: readonly string[], named: DocumentKind | undefined): DocumentKind | undefined {
  if (names.includes('WordDocument')) return 'doc'
  if (names.includes('Workbook') || names.includes('Book')) return 'xls'
  if (names.includes('PowerPoint Document')) return 'ppt'
  if (names.includes('__properties_version1.0')) return 'msg'
  // A password turns a .docx, .pptx or .xlsx into this; which of them only the name can tell.
  if (names.includes('EncryptedPackage')) return named ?? 'docx'
  return undefined
}

async function zipKind(path: string): Promise<DocumentKind | undefined> {
  const entries = await listZip(path).catch((error: unknown) => {
    // Nobody is told that a sound file is of no known kind.
    if (isMachines(error)) throw error
    return []
  })
  const names = new Set(entries.map((entry) => entry.name.replaceAll('\\', '/').toLowerCase()))
  if (names.has('word/document.xml') || hasPart(names, 'word/document')) return 'docx'
  if (names.has('ppt/presentation.xml')) return 'pptx'
  if (names.has('xl/workbook.xml') || names.has('xl/workbook.bin')) return 'xlsx'
  if (names.has('meta-inf/container.xml') && [...names].some((name) => name.endsWith('.opf'))) return 'epub'
  const type = (await readZipEntry(path, 'mimetype', 200).catch(() => undefined))?.toString('latin1').trim()
  const [, document = ''] = /^application\/vnd\.oasis\.opendocument\.(\w+)/.exec(type ?? '') ?? []
  return openDocuments[document]
}

const openDocuments: Partial<Record<string, DocumentKind>> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
}

/** Some writers number the main part: word/document2.xml. */
function hasPart(names: ReadonlySet<string>, stem: string): boolean {
  return [...names].some((name) => name.startsWith(stem) && /^\d*\.xml$/.test(name.slice(stem.length)))
}
