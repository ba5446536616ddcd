// Lines of type: their fonts, by name (PDFium gives no weight), and the room they leave at their ends.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { sameEdge, usualHeight } from '../../page/tolerance.ts'

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

// So many words of a font on a page, of at least so many characters, whose characters have one width within this share,
// show that all of its characters have. In 50 PDFs that is true of 93 to 100 % of the words of typewriter fonts, whatever
// their name, and of 84 % at most of others.
const LEAST_CHARACTERS = 4
const LEAST_WORDS = 20
const ONE_WIDTH = 0.03
const MOSTLY_ONE = 0.92

/** The items in typewriter type, by the name of their font or by its characters, which all have one width. */
export function typewritten(items: readonly TextItem[]): Set<TextItem> {
  const fonts = new Map<string, TextItem[]>()
  for (const item of items) fonts.set(fontOf(item), [...(fonts.get(fontOf(item)) ?? []), item])
  return new Set([...fonts].flatMap(([name, own]) => (TYPEWRITER.test(name) || hasOneWidth(own) ? own : [])))
}

function hasOneWidth(items: readonly TextItem[]): boolean {
  const widths = items
    .flatMap(({ words = [] }) => words)
    .filter(({ text }) => text.length >= LEAST_CHARACTERS && /\p{L}/u.test(text))
    .map(({ text, width }) => width / text.length)
    .sort((a, b) => a - b)
  const usual = widths[widths.length >> 1] ?? 0
  const alike = widths.filter((width) => Math.abs(width - usual) < usual * ONE_WIDTH).length
  return widths.length >= LEAST_WORDS && alike >= widths.length * MOSTLY_ONE
}

export const isItalic = ({ fontName = '' }: TextItem): boolean =>
  /italic|oblique|cmti|[-,_]it\b|bdit/i.test(fontName)

/** The font's name without its subset tag: "ABCDEF+Arial" and "GHIJKL+Arial" are one. */
export const fontOf = ({ fontName = '' }: TextItem): string => fontName.replace(/^[A-Z]{6}\+/, '')

/** The pitch of the two closest lines, at least the usual height. */
export function closestPitch(lines: readonly TypeLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(usualHeight(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}

/** Whether the first word of the next line had room at the end of a line. */
function hasRoom(above: TypeLine, line: TypeLine, right: number): boolean {
  const [word = ''] = line.text.split(' ')
  const letter = (line.bbox[2] - line.bbox[0]) / Math.max(1, line.text.length)
  return above.bbox[2] + (word.length + 1) * letter < right
}

// Additional letters for the next word: letters differ in width.
const SPARE = 3
// The least texts that extend as far: a single one may be an exception.
const LEAST_REACHES = 3
// The most lines of a block: each is compared with all texts of the page.
const MOST_LINES = 200

const reaches = new WeakMap<readonly TextItem[], number>()

/** How far the texts of a page extend to the right. */
function reachOf(items: readonly TextItem[]): number {
  const known = reaches.get(items)
  if (known !== undefined) return known
  const ends = items.map(({ x, width }) => x + width).sort((a, b) => b - a)
  const reach = ends[LEAST_REACHES - 1] ?? 0
  reaches.set(items, reach)
  return reach
}

/**
 * The lines whose first word had much room on the line above, up to the widest line of the block or, if no text is to the
 * right, up to
 * the end of the page's texts. Wrapped text breaks where there is no room.
 */
export function roomyBreaks(lines: readonly TypeLine[], items: readonly TextItem[]): Set<number> {
  if (lines.length > MOST_LINES) return new Set()
  const own = Math.max(...lines.map(({ bbox }) => bbox[2]))
  // Lines that end on one edge are justified to it: an abstract, narrower than the text below.
  const height = usualHeight(lines)
  const isSet = lines.filter(({ bbox }) => sameEdge(bbox[2], own, height)).length >= LEAST_REACHES
  const reach = isSet ? own : Math.max(own, reachOf(items))
  const isRoomy = (above: TypeLine, line: TypeLine): boolean => {
    const letter = (line.bbox[2] - line.bbox[0]) / Math.max(1, line.text.length)
    const ends = (right: number): boolean => hasRoom(above, line, right - SPARE * letter)
    return ends(own) || (ends(reach) && !items.some((item) => standsBeside(item, above, line)))
  }
  return new Set(
    lines.flatMap((line, i) => {
      const above = lines[i - 1]
      return above !== undefined && isRoomy(above, line) ? [i] : []
    }),
  )
}

/** Whether a text is right of both lines, on one of them or between. */
const standsBeside = ({ x, y, height }: TextItem, above: TypeLine, line: TypeLine): boolean =>
  x > above.bbox[2] && x > line.bbox[0] && y < line.bbox[3] && y + height > above.bbox[1]
