// The fonts of lines, and the distances of lines. In a PDF a font is bold or italic by its name, because PDFium gives no weight;
// text recognition gives a weight.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { usualHeight } from '../tolerance.ts'

/** A line of a block. It is `bold` if all of its items begin in a bold font. */
export interface StyledLine {
  text: string
  bbox: BBox
  bold: boolean
  /** The name of the font of its longest word. */
  font: string
}

// Matches "Arial-BoldMT", "CMBX10", "Calibri,Bold", "HelveticaNeue-Medi", "TimesNewRomanPS-BdIt".
const BOLD = /bold|black|heavy|demi|medi(?![a-z])|cmbx|sfbx|[-,_]bd/i
const MONOSPACED_FONT = /courier|mono|consol|menlo|typewriter|cmtt|sftt|lucidasans-?type|inconsolata/i

export const isBold = ({ fontName = '', fontWeight = 0 }: TextItem): boolean =>
  fontWeight >= 600 || BOLD.test(fontName)

// A font whose name does not tell is monospaced if nearly all of its words have the same average width per character. Words with
// fewer characters than this are not measured.
const MIN_WORD_CHARACTERS = 4
// With fewer words of the font, a page does not show whether it is monospaced.
const MIN_WORDS = 20
const MAX_WIDTH_DIFFERENCE = 0.03
// In 50 PDFs 93 to 100 % of the words in monospaced fonts have the same width per character, and at most 84 % of those in other
// fonts.
const MIN_ONE_WIDTH_SHARE = 0.92

/** The items in a monospaced font, recognised by the font's name or by the equal width of its characters. */
export function findMonospacedItems(items: readonly TextItem[]): Set<TextItem> {
  const fonts = new Map<string, TextItem[]>()
  for (const item of items) fonts.set(fontOf(item), [...(fonts.get(fontOf(item)) ?? []), item])
  return new Set(
    [...fonts].flatMap(([name, fontItems]) =>
      MONOSPACED_FONT.test(name) || hasOneWidth(fontItems) ? fontItems : [],
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

/** The name of the font without its subset tag, since "ABCDEF+Arial" and "GHIJKL+Arial" are the same font. */
export const fontOf = ({ fontName = '' }: TextItem): string => fontName.replace(/^[A-Z]{6}\+/, '')

/** The distance of the two closest lines, but at least the usual line height. */
export function closestPitch(lines: readonly StyledLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(usualHeight(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}
