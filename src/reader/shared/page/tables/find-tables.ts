// The tables of a page: those framed by ruling lines, and those that the layout pass or our own rules suspect. They are read
// from the words.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import { BLANK_ROW_PITCH, heightOf, ROW_PITCH, sameFigureEdge } from '../tolerance.ts'
import { type Column, findColumns, isNumericLine, isProse, showsColumns } from './columns.ts'
import { type Frame, frames } from './frames.ts'
import type { FoundTable } from './grid.ts'
import { latticeTable } from './lattice.ts'
import { isFigure, type Line, pageWords, textLines, type Word } from './lines.ts'
import { namedColumns, namedRows } from './named-columns.ts'
import { pageRules, type Rules } from './rules.ts'
import { joinSeeds, overlap, ruledRows, withSides } from './seeds.ts'
import { linesIn, streamTables } from './stream.ts'

interface PageContent {
  words: Word[]
  lines: readonly Line[]
  rules: Rules
  frames: Frame[]
}

// In line heights: the maximum distance of the next row below a seed. Then the maximum distance of a line above a line that
// names all columns, which can only name groups of columns.
const MAX_PITCH_BELOW = 2.2
const MAX_PITCH_ABOVE_NAMES = 1.7

/** The tables of a page. `layoutSeeds` are the boxes in which the layout pass saw a table. */
export function findTables(page: ParsedPage, layoutSeeds: readonly BBox[]): FoundTable[] {
  const words = pageWords(page.textItems)
  const rules = pageRules(page.vectorGraphics)
  const content: PageContent = { words, lines: textLines(words), rules, frames: frames(rules) }
  const seeds = layoutSeeds.flatMap((seed) => cutAtBlank(seed, content))
  const tables: FoundTable[] = []
  for (const frame of content.frames) {
    const table = latticeTable(frame, words)
    if (table !== undefined && !tables.some(({ bbox }) => overlap(bbox, table.bbox) > 0.5)) tables.push(table)
  }
  const ruledSeeds = ruledRows(rules.horizontal, content.lines)
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

function linesWithout(words: readonly Word[], tables: readonly FoundTable[]): readonly Line[] {
  const usedWords = new Set(tables.flatMap((table) => table.words))
  return textLines(words.filter((word) => !usedWords.has(word)))
}

// No table has more blank space inside.
const MAX_BLANK_POINTS = 90

// Points: the maximum distance between the first or last rule of a table and its texts.
const MAX_RULE_TO_TEXT = 12

/** Splits a seed at blank space, where a picture is, into the table above it and the one below. */
function cutAtBlank(seed: BBox, { lines, rules }: PageContent): BBox[] {
  const parts: Line[][] = []
  let bottom = Number.NEGATIVE_INFINITY
  for (const line of linesIn(lines, seed)) {
    const top = line.bbox[1]
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

function seededTables(
  seed: BBox,
  content: PageContent,
  seeds: readonly BBox[],
  namedSeeds: readonly BBox[],
): FoundTable[] {
  const frame = content.frames
    .map(({ bbox }) => bbox)
    .find(
      (bbox) =>
        overlap(bbox, seed) > 0.6 &&
        overlap(seed, bbox) > 0.35 &&
        bbox[3] - bbox[1] > (seed[3] - seed[1]) * 0.7,
    )
  // If the frame is only around the figures, the labels are next to it.
  if (frame !== undefined && withSides(frame, content.lines) === frame)
    return streamTables(linesIn(content.lines, frame), content.rules.horizontal)
  const otherSeeds = seeds.filter((other) => other !== seed)
  const isHeaded = namedSeeds.some((box) => overlap(box, seed) > 0.5)
  return streamTables(growSeed(seed, content.lines, otherSeeds, isHeaded), content.rules.horizontal)
}

/** The lines of the box, and the lines close above and below it, as long as the gutters of the box stay free of text. */
function growSeed(box: BBox, lines: readonly Line[], otherSeeds: readonly BBox[], isHeaded: boolean): Line[] {
  const all = linesIn(lines, [box[0] - 2, 0, box[2] + 2, 100_000])
  const middle = ({ bbox }: Line): number => (bbox[1] + bbox[3]) / 2
  const isIn = (line: Line, [, top, , bottom]: BBox): boolean => middle(line) > top && middle(line) < bottom
  const isInOtherSeed = (line: Line): boolean => otherSeeds.some((other) => isIn(line, other))
  // The last rows of a table may be another seed. If their figures continue this table, they belong to it.
  const continuesFigures = (line: Line, last: number): boolean =>
    otherSeeds.some(
      (other) =>
        isIn(line, other) &&
        all.filter((each) => isIn(each, other)).length <= MAX_SEED_LINES &&
        (continuesAfterBlank(all, start, last) || all.slice(0, last + 1).some((each) => isIn(each, other))),
    )
  const isNear = (above: Line | undefined, below: Line | undefined, maxPitch: number): boolean =>
    above !== undefined &&
    below !== undefined &&
    below.bbox[3] - above.bbox[3] < (below.bbox[3] - below.bbox[1]) * maxPitch
  const first = all.findIndex((line) => middle(line) >= box[1])
  const last = all.findLastIndex((line) => middle(line) <= box[3])
  if (first < 0 || last < first) return []
  const columns = findColumns(all.slice(first, last + 1))
  let [start, end] = [first, last]
  for (
    let above = all[start - 1];
    above !== undefined &&
    (isNear(above, all[start], isHeaded ? MAX_PITCH_ABOVE_NAMES : ROW_PITCH) ||
      (isNear(above, all[start], BLANK_ROW_PITCH) && namesColumns(above, columns))) &&
    !(isHeaded && isProse(above, columns)) &&
    !isInOtherSeed(above);
    above = all[start - 1]
  )
    start--
  for (
    let below = all[end + 1];
    below !== undefined &&
    (isNear(all[end], below, MAX_PITCH_BELOW) || continuesAfterBlank(all, start, end)) &&
    (!isInOtherSeed(below) || continuesFigures(below, end));
    below = all[end + 1]
  )
    end++
  const width = columns.length
  const namesLine = start + all.slice(start, first).findLastIndex((line) => namesColumns(line, columns))
  const ranges = [
    [start, end],
    [start, last],
    ...(namesLine < start
      ? []
      : [
          [namesLine, end],
          [namesLine, last],
        ]),
    [first, end],
    [first, last],
  ]
  const [from = first, to = last] =
    ranges.find(([a, b]) => findColumns(all.slice(a, (b ?? 0) + 1)).length >= width) ?? []
  return all.slice(from, to + 1)
}

const MAX_SEED_LINES = 3

/** Whether a line above a blank row names the columns. Figures alone are the right part of a row whose label is further left. */
const namesColumns = (line: Line, columns: readonly Column[]): boolean =>
  !isFigure(line.segments[0]?.text ?? '') && showsColumns(line, columns)

/** Whether figures continue after a blank row, with the right edges of the last ones above. A label may be between them. */
function continuesAfterBlank(lines: readonly Line[], start: number, end: number): boolean {
  const last = lines.slice(start, end + 1).findLast(isNumericLine)
  const row = lines.slice(end + 1, end + 3).find(isNumericLine)
  if (last === undefined || row === undefined) return false
  const first = lines.indexOf(row)
  const [label, second] = lines[end + 1]?.segments ?? []
  if (first > end + 1 && (label === undefined || second !== undefined)) return false
  const steps = lines.slice(end, first + 1)
  const isNear = steps.slice(1).every(({ bbox }, i) => {
    const gap = bbox[3] - (steps[i]?.bbox[3] ?? 0)
    return gap < (bbox[3] - bbox[1]) * BLANK_ROW_PITCH
  })
  const edges = last.segments.filter(({ text }) => isFigure(text)).map(({ bbox }) => bbox[2])
  const figures = row.segments.filter(({ text }) => isFigure(text))
  return (
    isNear &&
    edges.length > 1 &&
    figures.length === edges.length &&
    figures.every(({ bbox }, i) => sameFigureEdge(bbox[2], edges[i] ?? 0, heightOf(bbox)))
  )
}

/** The page's items without the words of the tables. An item that is only partly in a table keeps its other words. */
export function itemsOutside(
  items: readonly TextItem[],
  tables: readonly Pick<FoundTable, 'words'>[],
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
    // Most items are in a table with all of their words.
    if (itemWords.size === all.length) return []
    const places = new Set([...itemWords].map(placeKey))
    const remainingWords = all.filter((word) => !places.has(placeKey(word)))
    if (remainingWords.length === 0) return []
    const [x, y, right, bottom] = remainingWords.map(({ bbox }) => bbox).reduce((a, b) => union(a, b))
    const text = remainingWords.map((word) => word.text).join(' ')
    return [{ ...item, text, x, y, width: right - x, height: bottom - y, words: [] }]
  })
}

const placeKey = ({ text, bbox }: Word): string => `${text} ${bbox[0]} ${bbox[1]}`
