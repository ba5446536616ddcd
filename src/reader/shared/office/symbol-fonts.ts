// The fonts Symbol, Wingdings and Webdings. Their characters are signs, which files store as letters or as characters of
// Unicode's private use area.

import dingbats from 'dingbat-to-unicode'

const SYMBOL_FONT = /^(?:Wingdings(?: [23])?|Webdings|Symbol)$/i

/** The text as the signs that it shows in a symbol font; unchanged for any other font. */
export const inFont = (text: string, font: string): string =>
  SYMBOL_FONT.test(font)
    ? [...text]
        .map((character) =>
          character === ' ' ? character : symbol(font, (character.codePointAt(0) ?? 0).toString(16)),
        )
        .join('')
    : text

// The checkboxes of these fonts, as the characters that are used for other form fields.
const boxes: Readonly<Record<string, string>> = {
  '🞎': '☐',
  '🞏': '☐',
  '🗆': '☐',
  '□': '☐',
  '🗹': '☑',
  '🗷': '☒',
  '🗵': '☒',
  '🗶': '✗',
}

/** A character of a symbol font, by its hexadecimal code, as the Unicode character that looks like it. */
export function symbol(font: string, code: string): string {
  const point = Number.parseInt(code, 16)
  if (!(point > 0 && point <= 0x10ffff)) return ''
  // Symbol fonts use the private use area from F000 on. Any other character above FF, such as "α", is already Unicode.
  if (point > 0xff && !isPrivate(point)) return String.fromCodePoint(point)
  const match = dingbats.codePoint(font, point) ?? dingbats.codePoint(font, point & 0xff)
  if (match !== undefined) return boxes[match.string] ?? match.string
  return isPrivate(point) ? '' : String.fromCodePoint(point)
}

const isPrivate = (point: number): boolean => point >= 0xe000 && point <= 0xf8ff
