// Decodes text that is not valid UTF-8 as a whole. Tables and logs of several programs may have lines in UTF-8 and lines in
// another encoding. Each line is decoded by itself, and if UTF-8 is the main encoding, each word. So a line in another encoding
// does not damage the letters of other lines.

import { isAscii, isUtf8 } from 'node:buffer'
import { Duplex } from 'node:stream'
import iconv from 'iconv-lite'
import { likeliestPage, nonAsciiSample } from './code-pages.ts'
import { eastAsian, likeliestEastAsian } from './east-asian.ts'

export interface TextEncoding {
  /** The name that iconv-lite uses. */
  name: string
  /** The encoding of words or lines that are not in the main encoding. */
  other?: string
}

// UTF-8 is the main encoding if the text has at least this many valid characters for each invalid byte. Fewer are letters of
// the other encoding that are valid by chance.
const MIN_VALID_PER_INVALID = 1 / 4
// A valid line with at least this many characters beyond ASCII is UTF-8 and not valid by chance. East Asian encodings and
// Thai need more, because in them one pair of bytes in five is valid by chance.
const MIN_CHARACTERS_IN_LINE = 2
const MIN_CHARACTERS_IN_WIDE_LINE = 6
const WIDE_ENCODINGS = new Set([...eastAsian, 'windows-874'])
// This many characters, in UTF-8 or not, are enough to decide. The search for characters in another encoding goes on after any
// number of valid ones.
const MAX_COUNTED_CHARACTERS = 20_000
const LINE_END = 10
const MAX_LINE_BYTES = 1 << 20

/** The encoding of bytes that are not valid UTF-8. `isUtf8Before`: whether UTF-8 with letters beyond ASCII precedes them. */
export function mixedEncoding(bytes: Buffer, isUtf8Before: boolean): TextEncoding {
  const invalidLines: Buffer[] = []
  let [validCount, brokenCount] = [0, 0]
  for (const line of linesOf(bytes)) {
    if (isAscii(line)) continue
    if (isUtf8(line)) validCount += validCount > MAX_COUNTED_CHARACTERS ? 0 : utf8Characters(line)
    else {
      // The sample has the words in the other encoding, and the ASCII words beside them, which show the language.
      const sample = Buffer.alloc(line.length)
      const brokenBefore = brokenCount
      let length = 0
      for (const word of wordsOf(line)) {
        const isBroken = isNotUtf8(word)
        if (isBroken) brokenCount += nonAsciiBytes(word)
        else if (isUtf8(word)) validCount += utf8Characters(word)
        if (isBroken || isAscii(word)) length += word.copy(sample, length)
        if (brokenCount > MAX_COUNTED_CHARACTERS) break
      }
      if (brokenCount > brokenBefore) invalidLines.push(sample.subarray(0, length))
    }
    if (brokenCount > MAX_COUNTED_CHARACTERS) break
  }
  const isUtf8File = isUtf8Before || validCount > brokenCount * MIN_VALID_PER_INVALID
  if (isUtf8File && brokenCount === 0) return { name: 'utf-8' }
  const other = guessEncoding(isUtf8File ? Buffer.concat(invalidLines) : bytes)
  return isUtf8File ? { name: 'utf-8', other } : { name: other, other: 'utf-8' }
}

/** The most likely code page or East Asian encoding. */
function guessEncoding(bytes: Buffer): string {
  const sample = nonAsciiSample(bytes)
  if (sample.length === 0) return 'windows-1252'
  const page = likeliestPage(sample)
  const eastAsian = likeliestEastAsian(sample)
  return eastAsian.likelihood > page.likelihood ? eastAsian.encoding : page.encoding
}

/** The text of bytes that begin and end with a line. */
export function decodeMixed(bytes: Buffer, encoding: TextEncoding): string {
  const { name, other } = encoding
  if (other === undefined) return iconv.decode(bytes, name)
  let text = ''
  // Successive lines with the same encoding are decoded together.
  let [from, to, isMain] = [0, 0, true]
  const decodeLines = (end: number): void => {
    const lines = bytes.subarray(from, end)
    text += isMain
      ? iconv.decode(lines, name)
      : name === 'utf-8'
        ? decodeWords(lines, other)
        : lines.toString()
    from = end
  }
  for (const line of linesOf(bytes)) {
    const isMainLine = isInMainEncoding(line, encoding)
    if (isMainLine !== isMain) decodeLines(to)
    isMain = isMainLine
    to += line.length
  }
  decodeLines(to)
  return text
}

function isInMainEncoding(line: Buffer, { name }: TextEncoding): boolean {
  if (name === 'utf-8') return isUtf8(line)
  if (isAscii(line) || !isUtf8(line)) return true
  return (
    utf8Characters(line) < (WIDE_ENCODINGS.has(name) ? MIN_CHARACTERS_IN_WIDE_LINE : MIN_CHARACTERS_IN_LINE)
  )
}

/** Decodes a stream of bytes line by line. */
export const mixedDecoder = (encoding: TextEncoding): Duplex =>
  encoding.other === undefined
    ? (iconv.decodeStream(encoding.name, { stripBOM: true }) as unknown as Duplex)
    : Duplex.from(async function* (pieces: AsyncIterable<Buffer>) {
        let incompleteLine = Buffer.alloc(0)
        for await (const piece of pieces) {
          const bytes = Buffer.concat([incompleteLine, piece])
          const end = bytes.length > MAX_LINE_BYTES ? bytes.length : bytes.lastIndexOf(LINE_END) + 1
          if (end > 0) yield decodeMixed(bytes.subarray(0, end), encoding)
          incompleteLine = bytes.subarray(end)
        }
        yield decodeMixed(incompleteLine, encoding)
      })

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from)
    const to = end < 0 ? bytes.length : end + 1
    yield bytes.subarray(from, to)
    from = to
  }
}

/** Decodes lines that are partly UTF-8, word by word. In East Asian encodings, where words have no ends, line by line. */
function decodeWords(lines: Buffer, other: string): string {
  const parts = WIDE_ENCODINGS.has(other) ? linesOf(lines) : wordsOf(lines)
  let text = ''
  for (const part of parts) text += isNotUtf8(part) ? iconv.decode(part, other) : part.toString()
  return text
}

/** Words, each with the sign after it. Bytes below 0x30 and from 0x3A to 0x3F are not part of a letter in any encoding. */
function* wordsOf(bytes: Buffer): Generator<Buffer> {
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (!(byte < 0x30 || (byte > 0x39 && byte < 0x40))) continue
    yield bytes.subarray(from, at + 1)
    from = at + 1
  }
  if (from < bytes.length) yield bytes.subarray(from)
}

/** Whether a word or line is not UTF-8: more characters are invalid than valid. A few may only have lost a byte. */
function isNotUtf8(part: Buffer): boolean {
  if (isUtf8(part)) return false
  let validMinusInvalid = 0
  for (const character of part.toString()) {
    if (character === '\ufffd') validMinusInvalid--
    else if (character > '\x7f') validMinusInvalid++
  }
  return validMinusInvalid < 0
}

const nonAsciiBytes = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)

/** The number of characters beyond ASCII in valid UTF-8. */
const utf8Characters = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + (byte >= 0xc0 ? 1 : 0), 0)
