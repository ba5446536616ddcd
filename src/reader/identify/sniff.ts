// Determines the kind of an uploaded file, from its bytes first and its name second. Only a file whose bytes and name
// are both unknown is refused; a mismatch or damage is found by the parser.

import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import iconv from 'iconv-lite'
import { type DocumentKind, isMachineError } from '../block.ts'
import { reasonSentence } from '../reasons.ts'
import { COMPOUND_MAGIC, compoundNames } from '../shared/containers/compound.ts'
import { listZip, readZipEntry } from '../shared/containers/zip.ts'
import { looksLikeText, wideEncodingOf } from '../shared/encodings/encoding.ts'
import { isHtmlPage } from '../shared/html/tags.ts'
import { hasHeicDecoder, isHeic } from '../shared/rasters/heic.ts'
import { kindByName, unsupportedSentence } from './kind-by-name.ts'

export type Sniffed = { kind: DocumentKind } | { unsupported: string }

const SAMPLE_BYTES = 65_536
const HEIC_BRAND_BYTES = 64
// Word also saves RTF under the name of a .doc.
const RTF_MAGIC = Buffer.from('{\\rtf')
// The container into which Outlook packs mails (winmail.dat).
const TNEF_MAGIC = Buffer.from('789f3e22', 'hex')
const imageTypes = new Set(['png', 'apng', 'jpg', 'gif', 'bmp', 'webp', 'tif', 'heic', 'heif'])
// These formats are text, but it is code for printers and not for readers.
const printerFormats = new Set(['ps', 'eps'])
const textKinds: ReadonlySet<DocumentKind> = new Set([
  'csv',
  'markdown',
  'text',
  'html',
  'mhtml',
  'email',
  'mbox',
  'calendar',
  'json',
])

/**
 * The kind of the file at `path`, or a sentence for the user that says why it is not supported. Reads at most 64 KB and a zip
 * directory.
 */
export async function sniff(path: string, filename: string): Promise<Sniffed> {
  const kindOfName = kindByName(filename)
  const file = await open(path, 'r')
  try {
    const kind = (await kindByBytes(file, path, kindOfName)) ?? kindOfName
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
  kindOfName: DocumentKind | undefined,
): Promise<DocumentKind | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  if (head.length === 0) return undefined
  // Adobe's readers accept the mark anywhere in the first 1,024 bytes.
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.subarray(0, 5).equals(RTF_MAGIC)) return 'rtf'
  if (head.subarray(0, 8).equals(COMPOUND_MAGIC)) return compoundKind(await compoundNames(file), kindOfName)
  if (head.subarray(0, 4).equals(TNEF_MAGIC)) return 'msg'
  if (head.subarray(0, 2).equals(Buffer.from('PK'))) return zipKind(path)
  const detected = await fileTypeFromBuffer(head).catch(() => undefined)
  // Text is checked before the detected type. "BM" begins a bitmap, but also a report on BMW. FF FE begins an MP3 frame, but
  // also UTF-16.
  if (looksLikeText(head))
    return detected !== undefined && printerFormats.has(detected.ext) ? undefined : textKind(head, kindOfName)
  return detected !== undefined && imageTypes.has(detected.ext) ? 'image' : undefined
}

/** If the name is unknown, the beginning of the text decides. */
function textKind(head: Buffer, kindOfName: DocumentKind | undefined): DocumentKind | undefined {
  const wideEncoding = wideEncodingOf(head)
  const beginning = (
    wideEncoding === undefined
      ? head.toString('latin1', 0, 8192)
      : iconv.decode(head.subarray(0, 8192), wideEncoding)
  ).replace(/^(?:\xef\xbb\xbf|\ufeff)/, '')
  if (kindOfName !== undefined && !textKinds.has(kindOfName)) return exportedKind(beginning, kindOfName)
  if (kindOfName !== undefined && kindOfName !== 'text') return kindOfName
  if (isHtmlPage(beginning)) return 'html'
  if (kindOfName === undefined && CALENDAR.test(beginning)) return 'calendar'
  if (kindOfName === undefined && MAILBOX.test(beginning)) return 'mbox'
  // A mail pasted into a text file has some header lines; only one from a mail program has a message id.
  const headers = beginning.split(/\r?\n\r?\n/, 1)[0] ?? ''
  return kindOfName === undefined && isMailHeader(headers) ? 'email' : 'text'
}

const CALENDAR = /^BEGIN:VCALENDAR\s/i
const MAILBOX = /^From \S.*\d\d:\d\d.*\r?\n(?:[\w-]+:.*\r?\n|[ \t].*\r?\n)/
const WEB_ARCHIVE = /^(?:[\w-]+:.*\r?\n(?:[ \t].*\r?\n)*)*?content-type:[ \t]*multipart\/related/i
const MARKUP_TABLE = /^\s*<table[\s>]/i
// Workbooks in XML (2003), SYLK and DIF, which the reader of workbooks knows.
const TEXT_WORKBOOK = /^\s*<\?xml|^ID;|^TABLE\r?\n/

/**
 * Text under the name of a binary kind. Programs export pages and delimited text under the names of Excel and Word; anything else
 * is a damaged file of the kind that its name says.
 */
function exportedKind(beginning: string, kindOfName: DocumentKind): DocumentKind | undefined {
  if (isHtmlPage(beginning) || MARKUP_TABLE.test(beginning)) return 'html'
  if (WEB_ARCHIVE.test(beginning)) return 'mhtml'
  return /^xlsx?$/.test(kindOfName) && !TEXT_WORKBOOK.test(beginning) ? 'csv' : undefined
}

function isMailHeader(headers: string): boolean {
  return /^(message-id|mime-version):/im.test(headers) && /^(from|received):/im.test(headers)
}

function compoundKind(
  names: readonly string[],
  kindOfName: DocumentKind | undefined,
): DocumentKind | undefined {
  if (names.includes('worddocument')) return 'doc'
  if (names.includes('workbook') || names.includes('book')) return 'xls'
  if (names.includes('powerpoint document') || names.includes('pp97_dualstorage')) return 'ppt'
  if (names.includes('__properties_version1.0')) return 'msg'
  // A .docx, .pptx or .xlsx with a password; only the name says which.
  if (names.includes('encryptedpackage')) return kindOfName ?? 'docx'
  return undefined
}

async function zipKind(path: string): Promise<DocumentKind | undefined> {
  const entries = await listZip(path).catch((error: unknown) => {
    // A failure of the machine must not make the file look unsupported.
    if (isMachineError(error)) throw error
    return []
  })
  const names = new Set(entries.map((entry) => entry.name.replaceAll('\\', '/').toLowerCase()))
  if (names.has('word/document.xml') || hasNumberedPart(names, 'word/document')) return 'docx'
  if (names.has('ppt/presentation.xml')) return 'pptx'
  if (names.has('xl/workbook.xml') || names.has('xl/workbook.bin')) return 'xlsx'
  if (names.has('meta-inf/container.xml') && [...names].some((name) => name.endsWith('.opf'))) return 'epub'
  const type = (await readZipEntry(path, 'mimetype', 200).catch(() => undefined))?.toString('latin1').trim()
  const [, document = ''] = /^application\/vnd\.oasis\.opendocument\.(\w+)/.exec(type ?? '') ?? []
  return openDocumentKinds[document]
}

const openDocumentKinds: Partial<Record<string, DocumentKind>> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
}

/** Whether a main part exists whose name has a number, as some writers give it: word/document2.xml. */
function hasNumberedPart(names: ReadonlySet<string>, stem: string): boolean {
  return [...names].some((name) => name.startsWith(stem) && /^\d*\.xml$/.test(name.slice(stem.length)))
}
