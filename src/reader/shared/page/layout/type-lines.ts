// The fonts of lines, by their names, because PDFium gives no weight; and the distances of lines.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { usualHeight } from '../tolerance.ts'

/** A line of a block; `bold` when all of its items begin in a bold font. */
export interface TypeLine {
  text: string
  bbox: BBox
  bold: boolean
  font: string
}

// "Arial-BoldMT", "CMBX10", "Calibri,Bold", "HelveticaNeue-Medi", "TimesNewRomanPS-BdIt".
const BOLD = /bold|black|heavy|demi|medi(?![a-z])|cmbx|sfbx|[-,_]bd/i
const TYPEWRITER = /courier|mono|consol|menlo|typewriter|cmtt|sftt|lucidasans-?type|inconsolata/i

export const isBold = ({ fontName = '', fontWeight = 0 }: TextItem): boolean =>
  fontWeight >= 600 || BOLD.test(fontName)

// A font is typewriter type if nearly all of its words have characters of the same width. A page needs at least MIN_WORDS
// words of the font, each with at least MIN_WORD_CHARACTERS. The width may differ by MAX_WIDTH_DIFFERENCE. In 50 PDFs 93 to
// 100 % of the words in typewriter fonts have this width, whatever the font's name, and at most 84 % in other fonts.
const MIN_WORD_CHARACTERS = 4
const MIN_WORDS = 20
const MAX_WIDTH_DIFFERENCE = 0.03
const MIN_ONE_WIDTH_SHARE = 0.92

/** The items in typewriter type, recognised by the font's name or by the equal width of its characters. */
export function typewritten(items: readonly TextItem[]): Set<TextItem> {
  const fonts = new Map<string, TextItem[]>()
  for (const item of items) fonts.set(fontOf(item), [...(fonts.get(fontOf(item)) ?? []), item])
  return new Set(
    [...fonts].flatMap(([name, fontItems]) =>
      TYPEWRITER.test(name) || hasOneWidth(fontItems) ? fontItems : [],
    ),
  )
}

function hasOneWidth(items: readonly TextItem[]): boolean {
  const widths = items
    .flatMap(({ words = [] }) => words)
    .filter(({ text }) => text.length >= MIN_WORD_CHARACTERS && /\p{L}/u.test(text))
    .map(({ text, width }) => width / text.length)
    .sort((a, b) => a - b)
  const medianWidth = widths[widths.length >> 1] ?? 0
  const similarCount = widths.filter(
    (width) => Math.abs(width - medianWidth) < medianWidth * MAX_WIDTH_DIFFERENCE,
  ).length
  return widths.length >= MIN_WORDS && similarCount >= widths.length * MIN_ONE_WIDTH_SHARE
}

export const isItalic = ({ fontName = '' }: TextItem): boolean =>
  /italic|oblique|cmti|[-,_]it\b|bdit/i.test(fontName)

/** The font's name without its subset tag: "ABCDEF+Arial" and "GHIJKL+Arial" are one. */
export const fontOf = ({ fontName = '' }: TextItem): string => fontName.replace(/^[A-Z]{6}\+/, '')

/** The distance of the two closest lines, at least the typical line height. */
export function closestPitch(lines: readonly TypeLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(usualHeight(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}
