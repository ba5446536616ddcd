// Lines of type: how they stand, and what an item's font says: weight and width of its letters, by the name it goes by (PDFium hands over no weight).

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'

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

export const isTypewriter = ({ fontName = '' }: TextItem): boolean => TYPEWRITER.test(fontName)

export const isItalic = ({ fontName = '' }: TextItem): boolean =>
  /italic|oblique|cmti|[-,_]it\b|bdit/i.test(fontName)

/** The font's name without the tag of its subset: "ABCDEF+Arial" and "GHIJKL+Arial" are one. */
export const fontOf = ({ fontName = '' }: TextItem): string => fontName.replace(/^[A-Z]{6}\+/, '')

/** The height of most lines. */
export const heightOf = (lines: readonly TypeLine[]): number => {
  const heights = lines.map(({ bbox }) => bbox[3] - bbox[1]).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}

/** Baseline to baseline of the two closest lines; never less than what letters need. */
export function closestPitch(lines: readonly TypeLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(heightOf(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}

/** Whether the first word of the next line had room behind a line. */
export function hasRoom(above: TypeLine, line: TypeLine, right: number): boolean {
  const [word = ''] = line.text.split(' ')
  const letter = (line.bbox[2] - line.bbox[0]) / Math.max(1, line.text.length)
  return above.bbox[2] + (word.length + 1) * letter < right
}
