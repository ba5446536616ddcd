// The fonts Symbol, Wingdings and Webdings. Their letters are signs, which files store as letters or in the private area.

import dingbats from 'dingbat-to-unicode'

const SYMBOL_FONT = /^(?:Wingdings(?: [23])?|Webdings|Symbol)$/i

/** Text set in a symbol font as the signs that it shows; of any other font as it is. */
export const inFont = (text: string, font: string): string =>
  SYMBOL_FONT.test(font)
    ? [...text]
        .map((character) =>
          character === ' ' ? character : symbol(font, (character.codePointAt(0) ?? 0).toString(16)),
        )
        .join('')
    : text

// The signs that other forms use for checkboxes.
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
  // Symbol fonts use the private area from F000 on. A character that is already Unicode ("α") only has the font's name.
  if (point > 0xff && !isPrivate(point)) return String.fromCodePoint(point)
  const scalar = dingbats.codePoint(font, point) ?? dingbats.codePoint(font, point & 0xff)
  if (scalar !== undefined) return boxes[scalar.string] ?? scalar.string
  return isPrivate(point) ? '' : String.fromCodePoint(point)
}

const isPrivate = (point: number): boolean => point >= 0xe000 && point <= 0xf8ff
