// Lines of type: how they stand, and what an item's font says: weight and width of its letters, by the name it goes by (PDFium hands over no weight).

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../block.ts'
import { isIndent, sameEdge, usualHeight } from '../../page/tolerance.ts'

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

/** Baseline to baseline of the two closest lines; never less than what letters need. */
export function closestPitch(lines: readonly TypeLine[]): number {
  const pitches = lines.slice(1).map(({ bbox }, i) => bbox[3] - (lines[i]?.bbox[3] ?? 0))
  return Math.max(usualHeight(lines), ...(pitches.length === 0 ? [] : [Math.min(...pitches)]))
}

/** Whether the first word of the next line had room behind a line. */
export function hasRoom(above: TypeLine, line: TypeLine, right: number): boolean {
  const [word = ''] = line.text.split(' ')
  const letter = (line.bbox[2] - line.bbox[0]) / Math.max(1, line.text.length)
  return above.bbox[2] + (word.length + 1) * letter < right
}

// Letters that the next word might need beyond its own: those of a line are not all as wide.
const SPARE = 3
// Texts that reach as far: one alone may stand out.
const LEAST_REACHES = 3
// Of a block; each of its lines is held against all texts of the page.
const MOST_LINES = 200

const reaches = new WeakMap<readonly TextItem[], number>()

/** How far the texts of a page reach. */
function reachOf(items: readonly TextItem[]): number {
  const known = reaches.get(items)
  if (known !== undefined) return known
  const ends = items.map(({ x, width }) => x + width).sort((a, b) => b - a)
  const reach = ends[LEAST_REACHES - 1] ?? 0
  reaches.set(items, reach)
  return reach
}

/**
 * Before which lines the page broke with much room for the next word: beside the widest line of the block or, where nothing
 * stands beside the line, as far as the page's texts reach. Set text is broken where there is none.
 */
export function roomyBreaks(lines: readonly TypeLine[], items: readonly TextItem[]): Set<number> {
  if (lines.length > MOST_LINES) return new Set()
  const own = Math.max(...lines.map(({ bbox }) => bbox[2]))
  // Lines that end on one edge are set to that width: an abstract, narrower than the text below it.
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

/** Whether a text stands right of both lines, on one of them or between. */
const standsBeside = ({ x, y, height }: TextItem, above: TypeLine, line: TypeLine): boolean =>
  x > above.bbox[2] && x > line.bbox[0] && y < line.bbox[3] && y + height > above.bbox[1]

// Fewer lines that begin with capitals say nothing.
const LEAST_LINES = 4

/** The breaks among lines on one edge that are short, half of them at least beside their own widest: an address, a signature. */
export function shortEdges(lines: readonly TypeLine[], breaks: readonly number[]): number[] {
  const lefts = lines.map(({ bbox }) => bbox[0])
  if (!sameEdge(Math.max(...lefts), Math.min(...lefts), usualHeight(lines)) || !isRagged(lines, hasRoom))
    return []
  return breaks.filter((i) => {
    const [above, line] = [lines[i - 1]?.text ?? '', lines[i]?.text ?? '']
    return /^["'“„«(]?[\p{Lu}\p{Lo}\p{N}]/u.test(line) && !/[,;-]$|\s\p{Ll}{1,3}$/u.test(above)
  })
}

// So many lines that are set in one below the other stand by themselves.
const LEAST_SET_IN = 2

/**
 * Before which lines of a text the text breaks: lines set in on one edge, each but the last of them with room for the next
 * word in the `block`.
 */
export function setInEdges(lines: readonly TypeLine[], block: readonly TypeLine[]): number[] {
  const left = Math.min(...block.map(({ bbox }) => bbox[0]))
  const right = Math.max(...block.map(({ bbox }) => bbox[2]))
  const ends = lines.length >= LEAST_LINES && lines.every(isCapital) ? isOver : hasRoom
  const edges: number[] = []
  for (let start = 0; start < lines.length; ) {
    const end = setInEnd(lines, start, left, right, ends)
    if (isRagged(lines.slice(start, end), ends)) for (let edge = start; edge <= end; edge++) edges.push(edge)
    start = Math.max(end, start + 1)
  }
  return edges.filter((edge) => edge > 0 && edge < lines.length)
}

// Heights of a line from one to the next.
const LOOSE = 1.3
const isCapital = ({ text }: TypeLine): boolean => /^\p{Lu}/u.test(text)

/** Whether a line ends before the next one, of lines that all begin with a capital: they stand wide apart, or there was room. */
const isOver: typeof hasRoom = (above, line, right) =>
  (line.bbox[3] - above.bbox[3] > (line.bbox[3] - line.bbox[1]) * LOOSE &&
    !/[,;-]$|\s\p{Ll}{1,3}$/u.test(above.text)) ||
  hasRoom(above, line, right)

/** Whether half of the lines end early beside their own widest: a quotation set in fills its width. */
function isRagged(run: readonly TypeLine[], ends: typeof hasRoom): boolean {
  const right = Math.max(...run.map(({ bbox }) => bbox[2]))
  const early = run.slice(1).filter((line, i) => ends(run[i] ?? line, line, right)).length
  return run.length >= LEAST_SET_IN && early * 2 >= run.length - 1
}

/** Behind the lines set in that follow each other from the one at `start` on. */
function setInEnd(
  lines: readonly TypeLine[],
  start: number,
  left: number,
  right: number,
  ends: typeof hasRoom,
): number {
  const edge = lines[start]?.bbox[0] ?? left
  const height = usualHeight(lines)
  if (!isIndent(edge - left, height)) return start
  let end = start + 1
  for (let line = lines[end]; line !== undefined; line = lines[++end]) {
    const above = lines[end - 1]
    if (above === undefined || !sameEdge(line.bbox[0], edge, height) || !ends(above, line, right)) break
  }
  return end
}
