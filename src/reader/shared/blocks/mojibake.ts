// Repairs text that was decoded in the wrong encoding, mostly as Western when no encoding was stated: "BÃ¼cher", "Ïðèâåò".

import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { decodeLikeliest } from '../encodings/encoding.ts'

// PDFDocEncoding from 128 on ([ISO 32000-1] D.2).
const PDF_DOC_ENCODING = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'
const FIRST_NON_ASCII_BYTE = 0x80
// In Western text few characters are outside ASCII. In text of another script that was decoded as Western nearly all are, or
// every second one if a letter has two bytes.
const MIN_NON_ASCII_SHARE = 1 / 3

/** The text in its right encoding if its bytes are UTF-8 or clearly another script. Otherwise unchanged. */
export function repairMojibake(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  for (const bytes of [bytesOf(text, westernByte), bytesOf(text, pdfByte)]) {
    if (bytes === undefined) continue
    if (isUtf8(bytes)) return bytes.toString('utf8')
    // Headings with a typographic apostrophe are frequent, and the guess below takes 4 ms.
    if (!isMostlyNonAscii(text)) continue
    const decoded = decodeLikeliest(bytes)
    if (isOtherScript(decoded)) return decoded
  }
  return text
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const isMostlyNonAscii = (text: string): boolean =>
  count(text, /[\u0080-\uffff]/g) >= text.length * MIN_NON_ASCII_SHARE

/** Whether the text has only characters of the usual kinds and more than half of its letters are not Latin. */
const isOtherScript = (text: string): boolean =>
  !/[\ufffd\p{Cc}\p{Co}]/u.test(text) &&
  count(text, /[^\P{L}\p{Script=Latin}]/gu) * 2 > count(text, /\p{L}/gu)

/** The bytes that were decoded to this text, one per character; undefined if a character cannot come from one byte. */
function bytesOf(text: string, byteOf: (letter: string) => number | undefined): Buffer | undefined {
  const bytes: number[] = []
  for (const letter of text) {
    const byte = letter <= '\u00ff' ? letter.charCodeAt(0) : byteOf(letter)
    if (byte === undefined) return undefined
    bytes.push(byte)
  }
  return Buffer.from(bytes)
}

/** The bytes that were decoded as Windows-1252 or Latin-1 to this text. */
export const westernBytes = (text: string): Buffer | undefined => bytesOf(text, westernByte)

function westernByte(letter: string): number | undefined {
  const [byte = 0] = iconv.encode(letter, 'windows-1252')
  return iconv.decode(Buffer.from([byte]), 'windows-1252') === letter ? byte : undefined
}

function pdfByte(letter: string): number | undefined {
  const index = PDF_DOC_ENCODING.indexOf(letter)
  return index < 0 ? undefined : FIRST_NON_ASCII_BYTE + index
}
