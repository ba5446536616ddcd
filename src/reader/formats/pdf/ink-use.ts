// Decides whether a PDF may draw text that nobody sees: in the invisible mode, in white or without opacity. This is read from
// its objects, which takes a millisecond a page. Only the pages of files with such text are drawn to look for it.

import { constants, inflateSync } from 'node:zlib'
import { eachOperation } from './operations.ts'

export interface InkUse {
  /** Some text is drawn in the invisible mode. */
  invisible: boolean
  /** Some text is drawn in white or nearly white, or something is transparent. */
  faint: boolean
}

const MAX_UNPACKED_BYTES = 32 * 2 ** 20
const MAX_TOTAL_UNPACKED_BYTES = 500 * 2 ** 20
const MAX_DICTIONARY_BYTES = 8192
const PICTURE = /\/Subtype\s*\/Image\b/
// Filters whose data can be read here, and filters that only pictures use.
const READABLE_FILTER = /^(?:ASCII85Decode|A85|ASCIIHexDecode|AHx|FlateDecode|Fl)$/
const PICTURE_FILTER = /^(?:DCTDecode|DCT|JPXDecode|CCITTFaxDecode|CCF|JBIG2Decode)$/
const PREDICTOR = /\/Predictor\s*(?!1\b)\d/

const UNKNOWN: Readonly<InkUse> = { invisible: true, faint: true }

/** How the text of a file is drawn. If content cannot be read, both properties are true, so that the pages are checked. */
export function inkUse(bytes: Buffer): InkUse {
  if (bytes.includes('/Encrypt')) return UNKNOWN
  const result: InkUse = { invisible: false, faint: isTransparent(bytes) }
  let unpackedBytes = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    if (!isAfterDictionary(bytes, at)) continue
    const dictionary = lastDictionary(bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY_BYTES), at))
    if (dictionary === undefined) return UNKNOWN
    if (PICTURE.test(dictionary)) continue
    const from = at + 6 + (bytes[at + 6] === 0x0d ? 2 : 1)
    const end = bytes.indexOf('endstream', from)
    if (end === -1) return UNKNOWN
    const content = decodeStream(bytes.subarray(from, end), dictionary)
    if (content === undefined) return UNKNOWN
    unpackedBytes += content.length
    if (unpackedBytes > MAX_TOTAL_UNPACKED_BYTES) return UNKNOWN
    result.faint ||= isTransparent(content)
    addInkUses(content, result)
    if (result.invisible && result.faint) break
    at = end
  }
  return result
}

const MAX_OPACITY = 0.05
const OPACITY = /^\/(?:ca|CA)(?=[\s\0()<>[\]/%])/
const OPACITY_VALUE = /^...(?:[\s\0]|%[^\r\n]*[\r\n])*([+-]?[\d.]+)(?!\s+\d+\s+R)/
const MAX_OPACITY_LENGTH = 64
// The names /ca and /CA with a letter written as its hexadecimal code.
const ESCAPED_OPACITY = ['/c#61', '/#63', '/C#41', '/#43']

/** Whether something is or may be drawn without opacity. */
function isTransparent(objects: Buffer): boolean {
  if (ESCAPED_OPACITY.some((name) => objects.includes(name))) return true
  for (const name of ['/ca', '/CA'])
    for (let at = objects.indexOf(name); at !== -1; at = objects.indexOf(name, at + 3)) {
      const text = objects.toString('latin1', at, at + MAX_OPACITY_LENGTH)
      if (!OPACITY.test(text)) continue
      const value = OPACITY_VALUE.exec(text)?.[1]
      // /CA without a number is the caption of a button.
      const mayBeTransparent =
        value === undefined ? name === '/ca' : !(Number.parseFloat(value) > MAX_OPACITY)
      if (mayBeTransparent) return true
    }
  return false
}

const SPACES = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) SPACES[byte] = 1
const isSpace = (byte = 1): boolean => SPACES[byte] === 1
const isLineEnd = (byte = 0): boolean => byte === 10 || byte === 13
const GREATER = 0x3e

/**
 * Whether only spaces and comments are between a dictionary and a stream. No byte is read for more than one stream, so that a
 * file that repeats the word "stream" is read in linear time.
 */
function isAfterDictionary(bytes: Buffer, stream: number): boolean {
  let position = stream
  for (;;) {
    const spacesEnd = position
    while (position > 0 && isSpace(bytes[position - 1])) position--
    if (bytes[position - 1] === GREATER && bytes[position - 2] === GREATER) return true
    // A comment ends with its line.
    if (!bytes.subarray(position, spacesEnd).some(isLineEnd)) return false
    let lineStart = position
    while (lineStart > 0 && !isLineEnd(bytes[lineStart - 1])) lineStart--
    const line = bytes.toString('latin1', lineStart, position)
    if (/>>[\s\0]*%/.test(line)) return true
    if (!/^[\s\0]*%/.test(line)) return false
    position = lineStart
  }
}

/** The dictionary at the end of the text. Undefined if the text does not contain its beginning. */
function lastDictionary(text: string): string | undefined {
  const objectStart = Math.max(...[' obj', '\nobj', '\robj', '\tobj'].map((word) => text.lastIndexOf(word)))
  return objectStart === -1 ? undefined : text.slice(objectStart)
}

/** The content of a stream. Empty for a picture, undefined if it cannot be read. */
function decodeStream(stream: Buffer, dictionary: string): Buffer | undefined {
  let content = stream
  const filters = filtersOf(dictionary)
  if (filters === undefined || (PREDICTOR.test(dictionary) && !/\/Type\s*\/XRef\b/.test(dictionary)))
    return undefined
  for (const name of filters) {
    if (PICTURE_FILTER.test(name)) return Buffer.alloc(0)
    if (!READABLE_FILTER.test(name)) return undefined
    const decodedContent = decodeFilter(content, name)
    if (decodedContent === undefined) return undefined
    content = decodedContent
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

function decodeFilter(stream: Buffer, filter: string): Buffer | undefined {
  if (/^A(?:SCII85Decode|85)$/.test(filter)) return fromAscii85(stream)
  if (/^A(?:SCIIHexDecode|Hx)$/.test(filter))
    return Buffer.from(stream.toString('latin1').replace(/[^0-9a-f]/gi, ''), 'hex')
  try {
    // A stream that is cut off is read as far as possible.
    return inflateSync(stream, { maxOutputLength: MAX_UNPACKED_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

const FIRST_ASCII85_DIGIT = 0x21
const ASCII85_ZEROS = 0x7a
const ASCII85_END = 0x7e

function fromAscii85(text: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.ceil(text.length * 4))
  let [length, value, digits] = [0, 0, 0]
  const write = (count: number): void => {
    for (let i = 0; i < count; i++) bytes[length++] = Math.floor(value / 256 ** (3 - i)) & 0xff
    value = 0
    digits = 0
  }
  for (const byte of text) {
    if (byte === ASCII85_END) break
    if (byte === ASCII85_ZEROS && digits === 0) write(4)
    else if (byte >= FIRST_ASCII85_DIGIT && byte < FIRST_ASCII85_DIGIT + 85) {
      value = value * 85 + byte - FIRST_ASCII85_DIGIT
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
  /** The number of components of a colour. Undefined in a colour space whose white is unknown. */
  components: number | undefined
  isFaint: boolean
}

interface Ink {
  fill: Colour
  stroke: Colour
  /** The text rendering modes that may be in use, one bit each. */
  modes: number
}

// The state at the start of a content stream. Its colour space is unknown, because the previous stream may have set it.
const INITIAL_INK: Ink = {
  fill: { components: undefined, isFaint: false },
  stroke: { components: undefined, isFaint: false },
  modes: 1,
}
const COMPONENT_COUNTS: Readonly<Record<string, number>> = {
  g: 1,
  rg: 3,
  k: 4,
  '/DeviceGray': 1,
  '/DeviceRGB': 3,
  '/DeviceCMYK': 4,
}
const [INVISIBLE, CLIPPING] = [3, 7]
const INVISIBLE_MODE_BITS = (1 << INVISIBLE) | (1 << CLIPPING)
const FILLED_MODE_BITS = 0b01010101
const STROKED_MODE_BITS = 0b01100110
const SHOWING_OPERATOR = /^(?:Tj|TJ|'|"|Do)$/
const INK_OPERATOR = /^(?:g|rg|k|scn?|cs|G|RG|K|SCN?|CS|Tr)$/
const ANY_INK_OPERATOR = /(?<![^\s\0()<>[\]{}%])(?:g|rg|k|scn?|cs|G|RG|K|SCN?|CS|Tr)(?![^\s\0()<>[\]{}/%])/
// Real pages save their state only a few times before they restore it.
const MAX_SAVED_STATES = 10_000

/**
 * Adds how a content stream draws text. The state at its end also counts, because the page's next stream may use it.
 */
function addInkUses(content: Buffer, inkUses: InkUse): void {
  let ink = INITIAL_INK
  let savedInks: Ink[] = []
  let [isFirst, wasCertain] = [true, true]
  eachOperation(content, ({ name, operands, isCertain, end }) => {
    if (wasCertain && !isCertain) {
      ink = savedInks.reduce(combineInks, ink)
      savedInks = []
      wasCertain = false
    }
    if (SHOWING_OPERATOR.test(name)) addDrawnInk(ink, name, inkUses)
    else if (name === 'q' && isCertain) savedInks.push(ink)
    else if (name === 'Q' && isCertain) ink = savedInks.pop() ?? ink
    else if (INK_OPERATOR.test(name)) {
      const newInk = inkAfter(ink, name, operands(), isFirst)
      ink = isCertain ? newInk : combineInks(ink, newInk)
    }
    isFirst = false
    const isUnreadable =
      savedInks.length > MAX_SAVED_STATES ||
      (name === 'BI' && ANY_INK_OPERATOR.test(withoutPicture(content.toString('latin1', end))))
    if (isUnreadable) Object.assign(inkUses, UNKNOWN)
    return name === 'BI' || (inkUses.faint && inkUses.invisible)
  })
  for (const state of [...savedInks, ink]) addDrawnInk(state, 'Do', inkUses)
}

/**
 * The text after "BI" without what may be the data of the inline picture. The data are everything from "ID" to the first "EI",
 * because their real end depends on the filters.
 */
function withoutPicture(text: string): string {
  const data = /(?<![^\s\0>\])])ID(?=[\s\0])/.exec(text)
  if (data === null) return text
  const end = text.indexOf('EI', data.index)
  return text.slice(0, data.index) + (end === -1 ? '' : text.slice(end))
}

function addDrawnInk({ fill, stroke, modes }: Ink, operator: string, inkUses: InkUse): void {
  // "Do" draws an object by its name, and the object may contain text in any mode.
  const isNamed = operator === 'Do'
  inkUses.invisible ||= (modes & INVISIBLE_MODE_BITS) !== 0
  inkUses.faint ||=
    (fill.isFaint && (isNamed || (modes & FILLED_MODE_BITS) !== 0)) ||
    (stroke.isFaint && (isNamed || (modes & STROKED_MODE_BITS) !== 0))
}

/** The state after an operator. @param isFirst whether it is the stream's first, whose operands may be in the previous stream */
function inkAfter(ink: Ink, name: string, operands: readonly string[], isFirst: boolean): Ink {
  const mayHaveOperandsBefore = isFirst && operands.length === 0
  if (name === 'Tr') {
    const mode = mayHaveOperandsBefore ? INVISIBLE : Math.trunc(numberOf(operands.at(-1) ?? ''))
    // PDF programs ignore other modes.
    return mode >= 0 && mode <= CLIPPING ? { ...ink, modes: 1 << mode } : ink
  }
  const lowerCaseName = name.toLowerCase()
  const kind = name === lowerCaseName ? 'fill' : 'stroke'
  const colour = mayHaveOperandsBefore
    ? { components: undefined, isFaint: true }
    : colourAfter(ink[kind], lowerCaseName, operands)
  return { ...ink, [kind]: colour }
}

function colourAfter(colour: Colour, name: string, operands: readonly string[]): Colour {
  if (name === 'cs') {
    const components = COMPONENT_COUNTS[operands.at(-1) ?? '']
    return { components, isFaint: components === undefined }
  }
  const usesColourSpace = name.startsWith('sc')
  const components = usesColourSpace ? colour.components : COMPONENT_COUNTS[name]
  if (components === undefined) return { components, isFaint: true }
  const values = operands.slice(-components).map(numberOf)
  const hasFittingOperands =
    operands.length === components && operands.every((operand) => /^[\d.+-]/.test(operand))
  // Some programs ignore an operator with wrong operands, others do not.
  return {
    components,
    isFaint: isWhite(values) || (!hasFittingOperands && (usesColourSpace || colour.isFaint)),
  }
}

/** The value of an operand. Like PDF programs, this ignores additional signs, and reads as 0 what is not a number. */
function numberOf(operand: string): number {
  const value = Number.parseFloat(operand.replace(/^[+-]+/, '')) || 0
  return operand.startsWith('-') ? -value : value
}

/** The state if it is unknown which of two states applies. */
const combineInks = (a: Ink, b: Ink): Ink => ({
  fill: eitherColour(a.fill, b.fill),
  stroke: eitherColour(a.stroke, b.stroke),
  modes: a.modes | b.modes,
})

const eitherColour = (a: Colour, b: Colour): Colour => ({
  components: a.components === b.components ? a.components : undefined,
  isFaint: a.isFaint || b.isFaint,
})

const MIN_WHITE = 0.9

/** Whether a grey value, three primary colours or four inks may be white. */
const isWhite = (values: readonly number[]): boolean =>
  values.length === 4
    ? values.every((value) => value <= 1 - MIN_WHITE)
    : values.every((value) => value >= MIN_WHITE)
