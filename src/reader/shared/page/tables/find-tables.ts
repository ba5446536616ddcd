// Finds the tables of a page: those in a frame of ruling lines, and those that grow from seeds. A seed is a box in which there may
// be a table, as liteparse or our own rules say. The cells are always read from the words.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import { BLANK_ROW_PITCH, heightOf, isSameNumberEdge, ROW_PITCH } from '../tolerance.ts'
import { type Column, findColumns, isNumericLine, isProse, showsColumns } from './columns.ts'
import { type Frame, frames } from './frames.ts'
import type { PageTable } from './grid.ts'
import { latticeTable } from './lattice.ts'
import { isNumeric, type Line, pageWords, textLines, type Word } from './lines.ts'
import { namedColumns, namedRows } from './named-columns.ts'
import { pageRules, type Rules } from './rules.ts'
import { findRuledSeeds, joinSeeds, overlap, widenedToPage } from './seeds.ts'
import { linesIn, streamTables } from './stream.ts'

interface PageContent {
  words: Word[]
  lines: readonly Line[]
  rules: Rules
  frames: Frame[]
}

// In line heights: the maximum distance of the next row below a seed.
const MAX_PITCH_BELOW = 2.2
// In line heights: the maximum distance of a line above the names of all columns, which can only be names of groups of columns.
const MAX_PITCH_ABOVE_NAMES = 1.7

/** The tables of a page. `layoutSeeds` are the boxes in which liteparse saw a table. */
export function findTables(page: ParsedPage, layoutSeeds: readonly BBox[]): PageTable[] {
  const words = pageWords(page.textItems)
  const rules = pageRules(page.vectorGraphics)
  const content: PageContent = { words, lines: textLines(words), rules, frames: frames(rules) }
  const seeds = layoutSeeds.flatMap((seed) => cutAtBlank(seed, content))
  const tables: PageTable[] = []
  for (const frame of content.frames) {
    const table = latticeTable(frame, words)
    if (table !== undefined && !tables.some(({ bbox }) => overlap(bbox, table.bbox) > 0.5)) tables.push(table)
  }
  const ruledSeeds = findRuledSeeds(rules.horizontal, content.lines)
  const newRuledSeeds = ruledSeeds.filter((seed) => !seeds.some((other) => overlap(other, seed) > 0.2))
  const namedSeeds = namedColumns(content.lines)
  const otherSeeds = [...namedRows(content.lines), ...namedSeeds]
  const seedBoxes = joinSeeds([...seeds, ...newRuledSeeds, ...otherSeeds], content.lines)
  let remainingContent = content
  let removedTables = 0
  for (const seed of seedBoxes) {
    if (tables.some(({ bbox }) => overlap(seed, bbox) > 0.5)) continue
    if (tables.length > removedTables) remainingContent = { ...content, lines: linesWithout(words, tables) }
    removedTables = tables.length
    tables.push(...seededTables(seed, remainingContent, seedBoxes, namedSeeds))
  }
  return tables
}

function linesWithout(words: readonly Word[], tables: readonly PageTable[]): readonly Line[] {
  const usedWords = new Set(tables.flatMap((table) => table.words))
  return textLines(words.filter((word) => !usedWords.has(word)))
}

// No table has more blank space inside.
const MAX_BLANK_POINTS = 90

// In points: the maximum distance between the first or last rule of a table and its texts.
const MAX_RULE_TO_TEXT = 12

/** Splits a seed at a blank space, such as that of a picture, into the tables above and below it. */
function cutAtBlank(seed: BBox, { lines, rules }: PageContent): BBox[] {
  const parts: Line[][] = []
  let bottom = Number.NEGATIVE_INFINITY
  for (const line of linesIn(lines, seed)) {
    const top = line.bbox[1]
    // A blank space with a rule in it is not a gap between tables.
    const isRuled = rules.horizontal.some(
      ({ at }) => at > bottom + MAX_RULE_TO_TEXT && at < top - MAX_RULE_TO_TEXT,
    )
    if (top - bottom > MAX_BLANK_POINTS && !(isRuled && parts.length > 0)) parts.push([])
    parts.at(-1)?.push(line)
    bottom = line.bbox[3]
  }
  if (parts.length < 2) return [seed]
  const tables = parts.filter((part) => part.filter(({ segments }) => segments.length > 1).length > 1)
  return tables.map((part) => part.map(({ bbox }) => bbox).reduce(union))
}

/** The tables in a seed: in the frame around it, if there is one, or in the seed and the lines close to it. */
function seededTables(
  seed: BBox,
  content: PageContent,
  seeds: readonly BBox[],
  namedSeeds: readonly BBox[],
): PageTable[] {
  const hasSimilarSize = (bbox: BBox): boolean =>
    overlap(bbox, seed) > 0.6 && overlap(seed, bbox) > 0.35 && bbox[3] - bbox[1] > (seed[3] - seed[1]) * 0.7
  const frame = content.frames.map(({ bbox }) => bbox).find(hasSimilarSize)
  // If labels are next to the frame, it is only around the numbers and not around the table.
  if (frame !== undefined && widenedToPage(frame, content.lines) === frame)
    return streamTables(linesIn(content.lines, frame), content.rules.horizontal)
  const otherSeeds = seeds.filter((other) => other !== seed)
  const isHeaded = namedSeeds.some((box) => overlap(box, seed) > 0.5)
  return streamTables(growSeed(seed, content.lines, otherSeeds, isHeaded), content.rules.horizontal)
}

/** The lines in a seed, and those close above and below it with which the table has as many columns as in the seed alone. */
function growSeed(box: BBox, lines: readonly Line[], otherSeeds: readonly BBox[], isHeaded: boolean): Line[] {
  const nearLines = linesIn(lines, [box[0] - 2, 0, box[2] + 2, 100_000])
  const middle = ({ bbox }: Line): number => (bbox[1] + bbox[3]) / 2
  const isIn = (line: Line, [, top, , bottom]: BBox): boolean => middle(line) > top && middle(line) < bottom
  const isInOtherSeed = (line: Line): boolean => otherSeeds.some((other) => isIn(line, other))
  // The last rows of a table may be another seed. They belong to this table if their numbers continue it.
  const continuesNumbers = (line: Line, last: number): boolean =>
    otherSeeds.some(
      (other) =>
        isIn(line, other) &&
        nearLines.filter((each) => isIn(each, other)).length <= MAX_SEED_LINES &&
        (continuesAfterBlank(nearLines, start, last) ||
          nearLines.slice(0, last + 1).some((each) => isIn(each, other))),
    )
  const isNear = (above: Line | undefined, below: Line | undefined, maxPitch: number): boolean =>
    above !== undefined &&
    below !== undefined &&
    below.bbox[3] - above.bbox[3] < (below.bbox[3] - below.bbox[1]) * maxPitch
  const first = nearLines.findIndex((line) => middle(line) >= box[1])
  const last = nearLines.findLastIndex((line) => middle(line) <= box[3])
  if (first < 0 || last < first) return []
  const columns = findColumns(nearLines.slice(first, last + 1))
  let [start, end] = [first, last]
  const mayBeginWith = (above: Line): boolean => {
    const isClose = isNear(above, nearLines[start], isHeaded ? MAX_PITCH_ABOVE_NAMES : ROW_PITCH)
    const hasNames = isNear(above, nearLines[start], BLANK_ROW_PITCH) && hasColumnNames(above, columns)
    return (isClose || hasNames) && !(isHeaded && isProse(above, columns)) && !isInOtherSeed(above)
  }
  const mayEndWith = (below: Line): boolean => {
    const continuesRows =
      isNear(nearLines[end], below, MAX_PITCH_BELOW) || continuesAfterBlank(nearLines, start, end)
    return continuesRows && (!isInOtherSeed(below) || continuesNumbers(below, end))
  }
  for (
    let above = nearLines[start - 1];
    above !== undefined && mayBeginWith(above);
    above = nearLines[start - 1]
  )
    start--
  for (let below = nearLines[end + 1]; below !== undefined && mayEndWith(below); below = nearLines[end + 1])
    end++
  const width = columns.length
  const lineOfNames =
    start + nearLines.slice(start, first).findLastIndex((line) => hasColumnNames(line, columns))
  // The larger ranges first, and at last the seed alone.
  const ranges = [
    [start, end],
    [start, last],
    ...(lineOfNames < start
      ? []
      : [
          [lineOfNames, end],
          [lineOfNames, last],
        ]),
    [first, end],
    [first, last],
  ]
  const [from = first, to = last] =
    ranges.find(([a, b]) => findColumns(nearLines.slice(a, (b ?? 0) + 1)).length >= width) ?? []
  return nearLines.slice(from, to + 1)
}

// A seed with more lines is a table of its own.
const MAX_SEED_LINES = 3

/** Whether a line above a blank row has the names of the columns. If it begins with a number, its label may be further left. */
const hasColumnNames = (line: Line, columns: readonly Column[]): boolean =>
  !isNumeric(line.segments[0]?.text ?? '') && showsColumns(line, columns)

/**
 * Whether the next row with numbers, after a blank row or a label, has the right edges of the last row with numbers among the
 * lines from `start` to `end`.
 */
function continuesAfterBlank(lines: readonly Line[], start: number, end: number): boolean {
  const last = lines.slice(start, end + 1).findLast(isNumericLine)
  const row = lines.slice(end + 1, end + 3).find(isNumericLine)
  if (last === undefined || row === undefined) return false
  const first = lines.indexOf(row)
  const [label, second] = lines[end + 1]?.segments ?? []
  if (first > end + 1 && (label === undefined || second !== undefined)) return false
  const linesBetween = lines.slice(end, first + 1)
  const isNear = linesBetween.slice(1).every(({ bbox }, i) => {
    const pitch = bbox[3] - (linesBetween[i]?.bbox[3] ?? 0)
    return pitch < (bbox[3] - bbox[1]) * BLANK_ROW_PITCH
  })
  const edges = last.segments.filter(({ text }) => isNumeric(text)).map(({ bbox }) => bbox[2])
  const numbers = row.segments.filter(({ text }) => isNumeric(text))
  return (
    isNear &&
    edges.length > 1 &&
    numbers.length === edges.length &&
    numbers.every(({ bbox }, i) => isSameNumberEdge(bbox[2], edges[i] ?? 0, heightOf(bbox)))
  )
}

/** The page's items without the words of the tables. An item that is only partly in a table keeps its other words. */
export function itemsOutside(
  items: readonly TextItem[],
  tables: readonly Pick<PageTable, 'words'>[],
): TextItem[] {
  const usedWords = new Map<TextItem, Set<Word>>()
  for (const { words } of tables)
    for (const word of words) {
      const itemWords = usedWords.get(word.item)
      if (itemWords === undefined) usedWords.set(word.item, new Set([word]))
      else itemWords.add(word)
    }
  return items.flatMap((item) => {
    const itemWords = usedWords.get(item)
    if (itemWords === undefined) return [item]
    const all = pageWords([item])
    // Most items have either all of their words in a table or none.
    if (itemWords.size === all.length) return []
    const usedKeys = new Set([...itemWords].map(wordKey))
    const remainingWords = all.filter((word) => !usedKeys.has(wordKey(word)))
    if (remainingWords.length === 0) return []
    const [x, y, right, bottom] = remainingWords.map(({ bbox }) => bbox).reduce((a, b) => union(a, b))
    const text = remainingWords.map((word) => word.text).join(' ')
    return [{ ...item, text, x, y, width: right - x, height: bottom - y, words: [] }]
  })
}

const wordKey = ({ text, bbox }: Word): string => `${text} ${bbox[0]} ${bbox[1]}`
