// Whether a PDF draws text that nobody may see: in the invisible mode, in white or without opacity. Read from its objects, which costs
// a millisecond a page: only pages of files that do so have to be drawn to see what is visible.

import { constants, inflateSync } from 'node:zlib'

export interface InkUse {
  /** Some text is drawn in the invisible mode. */
  invisible: boolean
  /** Some text is drawn in white or nearly, or something is transparent. */
  faint: boolean
}

const MAX_UNPACKED = 32 * 2 ** 20
const MAX_UNPACKED_OF_ALL = 500 * 2 ** 20
const MAX_DICTIONARY = 8192
const PICTURE = /\/Subtype\s*\/Image\b/
// Filters whose data can be read here, and those that only pictures have.
const READ_FILTER = /^(?:ASCII85Decode|A85|ASCIIHexDecode|AHx|FlateDecode|Fl)$/
const PICTURE_FILTER = /^(?:DCTDecode|DCT|JPXDecode|CCITTFaxDecode|CCF|JBIG2Decode)$/
const PREDICTOR = /\/Predictor\s*(?!1\b)\d/

const UNKNOWN: Readonly<InkUse> = { invisible: true, faint: true }

/** How the text of a file is drawn. Content that cannot be read counts as both, so that its pages are looked at. */
export function inkUse(bytes: Buffer): InkUse {
  if (bytes.includes('/Encrypt')) return UNKNOWN
  const uses: InkUse = { invisible: false, faint: isTransparent(bytes) }
  let unpacked = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const before = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY), at)
    // A comment may stand between a dictionary and its stream.
    if (!/>>\s*(?:%[^\r\n]*[\r\n]\s*)*$/.test(before)) continue
    const dictionary = lastDictionary(before)
    if (dictionary === undefined) return UNKNOWN
    if (PICTURE.test(dictionary)) continue
    const from = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    const end = bytes.indexOf('endstream', from)
    const content = decoded(bytes.subarray(from, end === -1 ? undefined : end), dictionary)
    if (content === undefined) return UNKNOWN
    unpacked += content.length
    if (unpacked > MAX_UNPACKED_OF_ALL) return UNKNOWN
    if (/\/Type\s*\/ObjStm/.test(dictionary)) uses.faint ||= isTransparent(content)
    else addUses(content, uses)
    if (uses.invisible && uses.faint) break
    if (end !== -1) at = end
  }
  return uses
}

const MAX_OPACITY = 0.05

/** Whether something is drawn without opacity. */
function isTransparent(objects: Buffer): boolean {
  for (let at = objects.indexOf('/ca'); at !== -1; at = objects.indexOf('/ca', at + 3)) {
    const [, opacity] = /^\/ca\s*(\d*\.?\d+)/.exec(objects.toString('latin1', at, at + 16)) ?? []
    if (opacity !== undefined && Number(opacity) <= MAX_OPACITY) return true
  }
  return false
}

/** Undefined if it begins earlier. */
function lastDictionary(text: string): string | undefined {
  const begin = Math.max(...[' obj', '\nobj', '\robj', '\tobj'].map((word) => text.lastIndexOf(word)))
  return begin === -1 ? undefined : text.slice(begin)
}

/** The content of a stream, empty for a picture; undefined if it cannot be read. */
function decoded(stream: Buffer, dictionary: string): Buffer | undefined {
  let content = stream
  const filters = filtersOf(dictionary)
  if (filters === undefined || (PREDICTOR.test(dictionary) && !/\/Type\s*\/XRef\b/.test(dictionary)))
    return undefined
  for (const name of filters) {
    if (PICTURE_FILTER.test(name)) return Buffer.alloc(0)
    if (!READ_FILTER.test(name)) return undefined
    const next = undone(content, name)
    if (next === undefined) return undefined
    content = next
  }
  return content
}

/** The names of a stream's filters in order; undefined for those that stand elsewhere in the file. */
function filtersOf(dictionary: string): string[] | undefined {
  const names: string[] = []
  for (const [, list, name] of dictionary.matchAll(
    /\/F(?:ilter)?(?![\w#])\s*(?:\[([^\]]*)\]|\/([\w#]+)|)/g,
  )) {
    if (list === undefined && name === undefined) return undefined
    if (/\d\s+R\b/.test(list ?? '')) return undefined
    names.push(...(name === undefined ? (list ?? '').split(/[\s/]+/).filter(Boolean) : [name]))
  }
  return names
}

function undone(stream: Buffer, filter: string): Buffer | undefined {
  if (/^A(?:SCII85Decode|85)$/.test(filter)) return fromAscii85(stream)
  if (/^A(?:SCIIHexDecode|Hx)$/.test(filter))
    return Buffer.from(stream.toString('latin1').replace(/[^0-9a-f]/gi, ''), 'hex')
  try {
    // A stream that is cut short is read as far as it goes.
    return inflateSync(stream, { maxOutputLength: MAX_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

const FIRST_DIGIT = 0x21
const ZEROS = 0x7a
const TILDE = 0x7e

function fromAscii85(text: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.ceil(text.length * 4))
  let [length, value, digits] = [0, 0, 0]
  const write = (count: number): void => {
    for (let i = 0; i < count; i++) bytes[length++] = Math.floor(value / 256 ** (3 - i)) & 0xff
    value = 0
    digits = 0
  }
  for (const byte of text) {
    if (byte === TILDE) break
    if (byte === ZEROS && digits === 0) write(4)
    else if (byte >= FIRST_DIGIT && byte < FIRST_DIGIT + 85) {
      value = value * 85 + byte - FIRST_DIGIT
      if (++digits === 5) write(4)
    }
  }
  if (digits > 1) {
    const count = digits - 1
    for (let i = digits; i < 5; i++) value = value * 85 + 84
    write(count)
  }
  return bytes.subarray(0, length)
}

const LIKELY = /[37]\s+Tr\b|(?:^|\s)(?:1|1?\.\d+|0?\.9\d*|1\.0*)\s+(?:g|rg|sc|scn)\b|(?:^|\s)0(?:\.0*)?\s+k\b/
const TOKEN =
  /\((?:\\[\s\S]|[^\\()])*\)|<[\da-f\s]*>|\/[^\s/<>[\]()]+|[+-]?(?:\d+\.?\d*|\.\d+)|[a-z]+[*]?|['"]/gi

interface Ink {
  white: boolean
  invisible: boolean
}

/** Adds what the operators of a content stream show. */
function addUses(content: Buffer, uses: InkUse): void {
  if (!['Tj', 'TJ', "'", '"', 'Do'].some((operator) => content.includes(operator))) return
  const text = content.toString('latin1')
  if (!LIKELY.test(text)) return
  let ink: Ink = { white: false, invisible: false }
  const saved: Ink[] = []
  let operands: number[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    const number = Number(token)
    if (!Number.isNaN(number)) {
      operands.push(number)
      continue
    }
    if (token === 'q') saved.push({ ...ink })
    else if (token === 'Q') ink = saved.pop() ?? ink
    else if (token === 'Tr') ink.invisible = operands.at(-1) === 3 || operands.at(-1) === 7
    else if (token === 'cs') ink.white = false
    else if (/^(?:g|rg|k|sc|scn)$/.test(token)) ink.white = isWhite(operands)
    // What is drawn by name may be text, in the ink of the moment.
    else if (/^(?:Tj|TJ|'|"|Do)$/.test(token)) {
      uses.faint ||= ink.white
      uses.invisible ||= ink.invisible
    }
    if (/^[a-z'"]/i.test(token)) operands = []
  }
}

const NEAR_WHITE = 0.9

/** Of a grey, three primaries or four inks. */
const isWhite = (values: readonly number[]): boolean =>
  values.length === 4
    ? values.every((value) => value <= 1 - NEAR_WHITE)
    : (values.length === 1 || values.length === 3) && values.every((value) => value >= NEAR_WHITE)
