// Decodes text in any encoding. The byte order mark decides first, then whether the bytes are valid UTF-8 or UTF-16.
// Otherwise the text is decoded in the code page or East Asian encoding in which it most resembles a language.

import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'
import { UnreadableFile } from '../../block.ts'
import { decodeMixed, mixedEncoding, type TextEncoding } from './mixed.ts'

const SAMPLE_BYTES = 65_536
const PIECE_BYTES = 1 << 20
// Shorter samples are not cut inside a character.
const MIN_CUT_BYTES = 4096

const byteOrderMarks: readonly [string, string][] = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

// The control characters of texts: tab, line feed, form feed, carriage return, and escape (in copies of a terminal).
const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27])

/** Whether the beginning of a file is text in some encoding; binary formats contain NULs and control characters. */
export function looksLikeText(head: Buffer): boolean {
  if (encodingOfMark(head) !== undefined || wideEncoding(head) !== undefined) return true
  let controls = 0
  for (const byte of head) {
    if (byte === 0) return false
    if (byte < 32 && !TEXT_CONTROLS.has(byte)) controls++
  }
  return controls <= head.length / 100
}

/** The encoding of bytes that contain the whole text. */
function encodingOf(bytes: Buffer): TextEncoding {
  const head = bytes.subarray(0, SAMPLE_BYTES)
  const unicode = encodingOfMark(head) ?? wideEncoding(head) ?? (isWholeUtf8(bytes) ? 'utf-8' : undefined)
  return unicode === undefined ? mixedEncoding(bytes, false) : { name: unicode }
}

/** The text of bytes in the likeliest encoding, whether it is text or not. */
export function decodeLikeliest(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  return encoding.other === undefined
    ? iconv.decode(bytes, encoding.name, { stripBOM: true })
    : decodeMixed(bytes, encoding)
}

/** The name of the encoding if the bytes are UTF-16 or UTF-32. */
export function wideEncodingOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, SAMPLE_BYTES)
  const mark = encodingOfMark(head)
  return mark === undefined ? wideEncoding(head) : mark === 'utf-8' ? undefined : mark
}

/** Whether the bytes are recognisable as Unicode. */
export function isUnicode(bytes: Buffer): boolean {
  const head = bytes.subarray(0, SAMPLE_BYTES)
  return encodingOfMark(head) !== undefined || wideEncoding(head) !== undefined || isWholeUtf8(bytes)
}

/** The text of `bytes` without a byte order mark. Throws UnreadableFile for binary data. */
export function decodeText(bytes: Buffer): string {
  const text = decodeLikeliest(bytes)
  if (isGarbage(text)) throw new UnreadableFile('damaged', 'the file is binary, not text')
  return text
}

/** Whether a text has more than a few characters that nobody types. A program file read as text would put noise into the graph. */
function isGarbage(text: string): boolean {
  const head = text.slice(0, SAMPLE_BYTES)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const controlCount = head.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0
  // Of 100 random bytes, 11 are such characters. A short text with a few of them, copied from a terminal, is still text
  // (BAD-30).
  return controlCount > Math.max(6, head.length / 50)
}

function encodingOfMark(head: Buffer): string | undefined {
  const start = head.subarray(0, 4).toString('hex')
  return byteOrderMarks.find(([mark]) => start.startsWith(mark))?.[1]
}

/** UTF-16 or UTF-32 without a mark: in Western text every second byte (or three of four) is a NUL. */
function wideEncoding(head: Buffer): string | undefined {
  const length = head.length - (head.length % 4)
  if (length < 4) return undefined
  const zeroCounts = [0, 0, 0, 0]
  for (let i = 0; i < length; i++) if (head[i] === 0) zeroCounts[i % 4] = (zeroCounts[i % 4] ?? 0) + 1
  // Whether the first, second, third and fourth of each four bytes are mostly NUL.
  const [a, b, c, d] = zeroCounts.map((count) => count / (length / 4) > 0.7)
  if (b && c && d && !a) return 'utf-32le'
  if (a && b && c && !d) return 'utf-32be'
  if (b && d && !a && !c) return 'utf-16le'
  if (a && c && !b && !d) return 'utf-16be'
  const [first = 0, second = 0, third = 0, fourth = 0] = zeroCounts
  const [evenZeros, oddZeros] = [first + third, second + fourth]
  // In other scripts only spaces, digits and line ends have zero bytes.
  if (evenZeros === 0 && oddZeros > 0 && isPlausible(head, 'utf-16le')) return 'utf-16le'
  if (oddZeros === 0 && evenZeros > 0 && isPlausible(head, 'utf-16be')) return 'utf-16be'
  return undefined
}

/** Whether the text makes sense in this encoding and not as single bytes. */
function isPlausible(head: Buffer, encoding: string): boolean {
  const controls = head.reduce(
    (count, byte) => count + (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 ? 1 : 0),
    0,
  )
  if (isWholeUtf8(head) && controls <= head.length / 20) return false
  const text = iconv.decode(head.subarray(0, head.length - (head.length % 2)), encoding)
  const unusualCount = text.match(/[^\P{C}\t\n\r\p{Cf}]/gu)?.length ?? 0
  return unusualCount <= text.length / 100
}

/** Valid UTF-8; a long sample may end inside a character, with at most three of its bytes. */
function isWholeUtf8(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true
  if (bytes.length < MIN_CUT_BYTES) return false
  return [1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))
}

/** The encoding of a file of any size. Reads the file up to the first piece that is not valid UTF-8. */
export async function fileEncoding(path: string): Promise<TextEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  let hasNonAscii = false
  for await (const part of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    const piece = part as Buffer
    if (isFirst) {
      const encoding = encodingOf(piece)
      const isPlainUtf8 =
        encoding.name === 'utf-8' && encoding.other === undefined && encodingOfMark(piece) === undefined
      if (!isPlainUtf8) return encoding
    }
    isFirst = false
    try {
      decoder.decode(piece, { stream: true })
    } catch {
      return mixedEncoding(piece, hasNonAscii)
    }
    hasNonAscii ||= !isAscii(piece)
  }
  return { name: 'utf-8' }
}
