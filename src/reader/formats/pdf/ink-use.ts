// Whether a PDF draws text that nobody may see: in the invisible mode, in white or without opacity. This is read from its
// objects, which takes a millisecond a page. Only the pages of files that do so have to be drawn.

import { constants, inflateSync } from 'node:zlib'
import { eachOperation } from './operations.ts'

export interface InkUse {
  /** Some text is drawn in the invisible mode. */
  invisible: boolean
  /** Some text is drawn in white or nearly white, or something is transparent. */
  faint: boolean
}

const MAX_UNPACKED = 32 * 2 ** 20
const MAX_UNPACKED_OF_ALL = 500 * 2 ** 20
const MAX_DICTIONARY = 8192
const PICTURE = /\/Subtype\s*\/Image\b/
// Filters whose data can be read here, and filters that only pictures use.
const READ_FILTER = /^(?:ASCII85Decode|A85|ASCIIHexDecode|AHx|FlateDecode|Fl)$/
const PICTURE_FILTER = /^(?:DCTDecode|DCT|JPXDecode|CCITTFaxDecode|CCF|JBIG2Decode)$/
const PREDICTOR = /\/Predictor\s*(?!1\b)\d/

const UNKNOWN: Readonly<InkUse> = { invisible: true, faint: true }

/** How the text of a file is drawn. Content that cannot be read counts as both, so that its pages are checked. */
export function inkUse(bytes: Buffer): InkUse {
  if (bytes.includes('/Encrypt')) return UNKNOWN
  const uses: InkUse = { invisible: false, faint: isTransparent(bytes) }
  let unpacked = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    if (!isBehindDictionary(bytes, at)) continue
    const dictionary = lastDictionary(bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY), at))
    if (dictionary === undefined) return UNKNOWN
    if (PICTURE.test(dictionary)) continue
    const from = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    const end = bytes.indexOf('endstream', from)
    if (end === -1) return UNKNOWN
    const content = decoded(bytes.subarray(from, end), dictionary)
    if (content === undefined) return UNKNOWN
    unpacked += content.length
    if (unpacked > MAX_UNPACKED_OF_ALL) return UNKNOWN
    uses.faint ||= isTransparent(content)
    addUses(content, uses)
    if (uses.invisible && uses.faint) break
    at = end
  }
  return uses
}

const MAX_OPACITY = 0.05
const OPACITY = /^\/(?:ca|CA)(?=[\s\0()<>[\]/%])/
const OPACITY_VALUE = /^...(?:[\s\0]|%[^\r\n]*[\r\n])*([+-]?[\d.]+)(?!\s+\d+\s+R)/
const MAX_OPACITY_LENGTH = 64
// The same names with a letter written as a number.
const ESCAPED_OPACITY = ['/c#61', '/#63', '/C#41', '/#43']

/** Whether something is drawn without opacity, or may be. */
function isTransparent(objects: Buffer): boolean {
  if (ESCAPED_OPACITY.some((name) => objects.includes(name))) return true
  for (const name of ['/ca', '/CA'])
    for (let at = objects.indexOf(name); at !== -1; at = objects.indexOf(name, at + 3)) {
      const text = objects.toString('latin1', at, at + MAX_OPACITY_LENGTH)
      if (!OPACITY.test(text)) continue
      const value = OPACITY_VALUE.exec(text)?.[1]
      // The caption of a button has the same key as the opacity of lines.
      if (value === undefined ? name === '/ca' : !(Number.parseFloat(value) > MAX_OPACITY)) return true
    }
  return false
}

const SPACES = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) SPACES[byte] = 1
const isSpace = (byte = 1): boolean => SPACES[byte] === 1
const isLineEnd = (byte = 0): boolean => byte === 10 || byte === 13
const GREATER = 0x3e

/**
 * Whether a dictionary ends directly before a stream, except for spaces and comments. No byte is read for two streams, so that
 * a file that repeats the word "stream" is read in linear time.
 */
function isBehindDictionary(bytes: Buffer, stream: number): boolean {
  let at = stream
  for (;;) {
    const dataEnd = at
    while (at > 0 && isSpace(bytes[at - 1])) at--
    if (bytes[at - 1] === GREATER && bytes[at - 2] === GREATER) return true
    // A comment ends with its line.
    if (!bytes.subarray(at, dataEnd).some(isLineEnd)) return false
    let nameStart = at
    while (nameStart > 0 && !isLineEnd(bytes[nameStart - 1])) nameStart--
    const line = bytes.toString('latin1', nameStart, at)
    if (/>>[\s\0]*%/.test(line)) return true
    if (!/^[\s\0]*%/.test(line)) return false
    at = nameStart
  }
}

/** Undefined if it begins earlier. */
function lastDictionary(text: string): string | undefined {
  const objectStart = Math.max(...[' obj', '\nobj', '\robj', '\tobj'].map((word) => text.lastIndexOf(word)))
  return objectStart === -1 ? undefined : text.slice(objectStart)
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

/** The names of a stream's filters in order. Undefined if they are in another object. */
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
    // A stream that is cut off is read as far as possible.
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

interface Colour {
  /** The number of components of a colour. Undefined in a colour space in which any value may be white. */
  components: number | undefined
  isFaint: boolean
}

interface Ink {
  fill: Colour
  stroke: Colour
  /** The text rendering modes in use, one bit each. */
  modes: number
}

// A content stream continues with the colour space that the one before has set.
const START: Ink = {
  fill: { components: undefined, isFaint: false },
  stroke: { components: undefined, isFaint: false },
  modes: 1,
}
const COMPONENTS: Readonly<Record<string, number>> = {
  g: 1,
  rg: 3,
  k: 4,
  '/DeviceGray': 1,
  '/DeviceRGB': 3,
  '/DeviceCMYK': 4,
}
const [INVISIBLE, CLIPPING] = [3, 7]
const INVISIBLE_MODES = (1 << INVISIBLE) | (1 << CLIPPING)
const FILLED_MODES = 0b01010101
const STROKED_MODES = 0b01100110
const SHOWS = /^(?:Tj|TJ|'|"|Do)$/
const SETS_INK = /^(?:g|rg|k|scn?|cs|G|RG|K|SCN?|CS|Tr)$/
const SETS_INK_SOMEWHERE = /(?<![^\s\0()<>[\]{}%])(?:g|rg|k|scn?|cs|G|RG|K|SCN?|CS|Tr)(?![^\s\0()<>[\]{}/%])/
// Pages save their state only a few times inside one another.
const MAX_SAVED = 10_000

/** Adds the uses in a content stream. The state at its end counts too, since the page's next stream may use it. */
function addUses(content: Buffer, uses: InkUse): void {
  let ink = START
  let saved: Ink[] = []
  let [isFirst, wasCertain] = [true, true]
  eachOperation(content, ({ name, operands, isCertain, end }) => {
    if (wasCertain && !isCertain) {
      ink = saved.reduce(combined, ink)
      saved = []
      wasCertain = false
    }
    if (SHOWS.test(name)) addShown(ink, name, uses)
    else if (name === 'q' && isCertain) saved.push(ink)
    else if (name === 'Q' && isCertain) ink = saved.pop() ?? ink
    else if (SETS_INK.test(name)) {
      const next = inkAfter(ink, name, operands(), isFirst)
      ink = isCertain ? next : combined(ink, next)
    }
    isFirst = false
    const isUnreadable =
      saved.length > MAX_SAVED ||
      (name === 'BI' && SETS_INK_SOMEWHERE.test(withoutPicture(content.toString('latin1', end))))
    if (isUnreadable) Object.assign(uses, UNKNOWN)
    return name === 'BI' || (uses.faint && uses.invisible)
  })
  for (const state of [...saved, ink]) addShown(state, 'Do', uses)
}

/** The part after "BI" that is certainly not in the picture, whose end depends on its filters. */
function withoutPicture(text: string): string {
  const data = /(?<![^\s\0>\])])ID(?=[\s\0])/.exec(text)
  if (data === null) return text
  const end = text.indexOf('EI', data.index)
  return text.slice(0, data.index) + (end === -1 ? '' : text.slice(end))
}

function addShown({ fill, stroke, modes }: Ink, operator: string, uses: InkUse): void {
  // An object that is drawn by name may contain text in any mode.
  const isNamed = operator === 'Do'
  uses.invisible ||= (modes & INVISIBLE_MODES) !== 0
  uses.faint ||=
    (fill.isFaint && (isNamed || (modes & FILLED_MODES) !== 0)) ||
    (stroke.isFaint && (isNamed || (modes & STROKED_MODES) !== 0))
}

/** `isFirst`: the operands may be in the stream before. */
function inkAfter(ink: Ink, name: string, operands: readonly string[], isFirst: boolean): Ink {
  const isApart = isFirst && operands.length === 0
  if (name === 'Tr') {
    const mode = isApart ? INVISIBLE : Math.trunc(numberOf(operands.at(-1) ?? ''))
    // Other modes are ignored.
    return mode >= 0 && mode <= CLIPPING ? { ...ink, modes: 1 << mode } : ink
  }
  const lower = name.toLowerCase()
  const kind = name === lower ? 'fill' : 'stroke'
  const colour = isApart ? { components: undefined, isFaint: true } : colourAfter(ink[kind], lower, operands)
  return { ...ink, [kind]: colour }
}

function colourAfter(colour: Colour, name: string, operands: readonly string[]): Colour {
  if (name === 'cs') {
    const components = COMPONENTS[operands.at(-1) ?? '']
    return { components, isFaint: components === undefined }
  }
  const isOfSpace = name.startsWith('sc')
  const components = isOfSpace ? colour.components : COMPONENTS[name]
  if (components === undefined) return { components, isFaint: true }
  const values = operands.slice(-components).map(numberOf)
  const isFitting = operands.length === components && operands.every((operand) => /^[\d.+-]/.test(operand))
  // Programs may ignore an operator with wrong operands, or not.
  return { components, isFaint: isWhite(values) || (!isFitting && (isOfSpace || colour.isFaint)) }
}

/** Programs skip further signs, and read as 0 what is not a number. */
function numberOf(operand: string): number {
  const value = Number.parseFloat(operand.replace(/^[+-]+/, '')) || 0
  return operand.startsWith('-') ? -value : value
}

/** Combines both cases: the operator counts, or it does not. */
const combined = (a: Ink, b: Ink): Ink => ({
  fill: eitherColour(a.fill, b.fill),
  stroke: eitherColour(a.stroke, b.stroke),
  modes: a.modes | b.modes,
})

const eitherColour = (a: Colour, b: Colour): Colour => ({
  components: a.components === b.components ? a.components : undefined,
  isFaint: a.isFaint || b.isFaint,
})

const NEAR_WHITE = 0.9

/** Whether a grey value, three primary colours or four inks may be white. */
const isWhite = (values: readonly number[]): boolean =>
  values.length === 4
    ? values.every((value) => value <= 1 - NEAR_WHITE)
    : values.every((value) => value >= NEAR_WHITE)
