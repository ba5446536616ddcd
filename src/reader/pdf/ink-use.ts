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
const MAX_DICTIONARY = 4096
// Streams that cannot contain page content: pictures, fonts, colour profiles, tables of objects' places.
const OTHER =
  /\/Subtype\s*\/(?:Image|XML|Type1C|CIDFontType0C|OpenType)|\/Length[123]\b|\/Type\s*\/(?:XRef|Metadata)|\/FunctionType|\/Alternate\b/
const UNREAD_FILTER = /\/(?:LZWDecode|LZW|RunLengthDecode|RL|Crypt)\b/

/** How the text of a file is drawn. Content that cannot be read counts as both. */
export function inkUse(bytes: Buffer): InkUse {
  if (bytes.includes('/Encrypt')) return { invisible: true, faint: true }
  const uses: InkUse = { invisible: false, faint: isTransparent(bytes) }
  let unpacked = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    if (bytes.toString('latin1', at - 3, at) === 'end') continue
    const dictionary = dictionaryBefore(bytes, at)
    if (dictionary === undefined || OTHER.test(dictionary)) continue
    const isObjects = /\/Type\s*\/ObjStm/.test(dictionary)
    if (UNREAD_FILTER.test(dictionary)) return { invisible: true, faint: true }
    const from = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    const end = bytes.indexOf('endstream', from)
    const content = decoded(bytes.subarray(from, end === -1 ? undefined : end), dictionary)
    unpacked += content.length
    if (unpacked > MAX_UNPACKED_OF_ALL) break
    if (isObjects) uses.faint ||= isTransparent(content)
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

function dictionaryBefore(bytes: Buffer, at: number): string | undefined {
  const before = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY), at)
  if (!/>>\s*$/.test(before)) return undefined
  return before.slice(before.lastIndexOf(' obj') + 1)
}

function decoded(stream: Buffer, dictionary: string): Buffer {
  let content = stream
  for (const [, name] of dictionary.matchAll(/\/(ASCII85Decode|A85|ASCIIHexDecode|AHx|FlateDecode|Fl)\b/g)) {
    if (name === 'ASCII85Decode' || name === 'A85') content = fromAscii85(content)
    else if (name === 'ASCIIHexDecode' || name === 'AHx')
      content = Buffer.from(content.toString('latin1').replace(/[^0-9a-f]/gi, ''), 'hex')
    else content = inflated(content)
  }
  return content
}

function inflated(stream: Buffer): Buffer {
  try {
    // A stream that is cut short is read as far as it goes.
    return inflateSync(stream, { maxOutputLength: MAX_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0)
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
  if (!content.includes('Tj') && !content.includes('TJ') && !content.includes("'")) return
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
    else if (/^(?:Tj|TJ|'|")$/.test(token)) {
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
