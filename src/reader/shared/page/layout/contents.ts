// Reads a table of contents as a list, with one entry and its page number per line. Liteparse joins its lines, separates the
// numbers from their titles, or treats it as a figure (in half of the filings).

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { type Line, pageWords, textLines, type Word } from '../tables/lines.ts'
import { BLANK_ROW_PITCH, usualHeight } from '../tolerance.ts'
import { type PlacedBlock, union } from './boxes.ts'
import { levelsOf } from './lists.ts'

interface ContentsList {
  block: PlacedBlock
  /** The words of the page that are in the block. */
  words: Word[]
}

const CONTENTS_TITLE =
  /^(?:table of )?contents$|^index$|^inhalt(?:sverzeichnis|sübersicht)?$|^table des matières$|^sommaire$|^índice(?: general)?$|^contenido$|^indice$|^sommario$|^inhoud(?:sopgave)?$|^目[次录錄]$|^목\s*차$|^차\s*례$/iu
const DOT_LEADER = /(?:\.\s?){5,}|…{2,}/u
// Matches "12", "xiv", "A-3" and "N/A".
const PAGE_NUMBER = /^(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-\d{1,3}|N\/A)$/u
// Fewer lines with numbers are not contents but a table or a few references.
const MIN_ENTRIES = 5
// In points. The centres of page numbers in one column may differ by less, as those of "7" and "112" do.
const MAX_NUMBER_DISTANCE = 14
// The minimum share of lines with numbers. The other lines are wrapped titles or names of parts.
const MIN_NUMBERED_SHARE = 0.5
// The minimum share of page numbers that are not smaller than the one before.
const MIN_INCREASING_SHARE = 0.9
// A title that continues on the next line fills at least this share of its line.
const FULL_LINE_SHARE = 0.75
const MAX_LEVEL = 5

/** The table of contents of a page, if the page has the title of one, or dot leaders. */
export function findContents(items: readonly TextItem[], page: number): ContentsList | undefined {
  if (!mayContainContents(items)) return undefined
  const lines = entryLines(textLines(pageWords(items)))
  if (lines === undefined) return undefined
  const words = lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.words))
  const bbox = lines.map((line) => line.bbox).reduce((a, b) => union(a, b))
  return { block: { kind: 'list', text: entries(lines), page, bbox }, words }
}

/** Whether the page has a title of contents or dot leaders, and enough numbers at the ends of items. Runs on every page. */
function mayContainContents(items: readonly TextItem[]): boolean {
  const isTitled = items.some(({ text }) => text.length < 40 && CONTENTS_TITLE.test(text.trim()))
  if (!isTitled && items.filter(({ text }) => DOT_LEADER.test(text)).length < MIN_ENTRIES) return false
  return items.filter(({ text }) => /(?:^|[\s.…])\d{1,4}$/u.test(text)).length >= MIN_ENTRIES
}

/** The page number at the end of a line. */
const pageNumberOf = ({ segments }: Line): string | undefined => {
  const last = segments.at(-1)
  return segments.length > 1 && last !== undefined && PAGE_NUMBER.test(last.text) ? last.text : undefined
}

/** The horizontal centre of the last segment of a line, where an entry has its page number. */
const numberCentre = ({ segments }: Line): number => {
  const [left = 0, , right = 0] = segments.at(-1)?.bbox ?? []
  return (left + right) / 2
}

/** The lines from the first entry to the last. Undefined if there is no table of contents. */
function entryLines(all: readonly Line[]): Line[] | undefined {
  const centres = all.filter((line) => pageNumberOf(line) !== undefined).map(numberCentre)
  const column = centres.sort((a, b) => a - b)[centres.length >> 1]
  if (column === undefined) return undefined
  const isEntry = (line: Line): boolean =>
    pageNumberOf(line) !== undefined && Math.abs(numberCentre(line) - column) < MAX_NUMBER_DISTANCE
  const first = firstEntry(all, all.findIndex(isEntry))
  const lines: Line[] = []
  for (const line of all.slice(first)) {
    const last = lines.at(-1)
    const pitch = last === undefined ? 0 : line.bbox[3] - last.bbox[3]
    if (pitch > (line.bbox[3] - line.bbox[1]) * BLANK_ROW_PITCH) break
    lines.push(line)
  }
  const end = lines.findLastIndex(isEntry) + 1
  const numberedLines = lines.slice(0, end).filter(isEntry)
  const hasEnoughEntries =
    numberedLines.length >= MIN_ENTRIES && numberedLines.length >= end * MIN_NUMBERED_SHARE
  return hasEnoughEntries && haveIncreasingNumbers(numberedLines) ? lines.slice(0, end) : undefined
}

// The maximum number of lines between the title and the first entry, such as "Page" and the name of a part.
const MAX_LINES_BEFORE = 4

/** The index of the line after the title if that is right above the first entry; otherwise of the first entry. */
function firstEntry(lines: readonly Line[], first: number): number {
  const title = lines
    .slice(0, Math.max(0, first))
    .findLastIndex(({ segments }) => CONTENTS_TITLE.test(segments.map(({ text }) => text).join(' ')))
  return title >= 0 && first - title <= MAX_LINES_BEFORE + 1 ? title + 1 : first
}

/** Whether the page numbers of entries mostly increase, and the lines have no other numbers. */
function haveIncreasingNumbers(lines: readonly Line[]): boolean {
  const numbers = lines.map((line) => Number(pageNumberOf(line))).filter((number) => !Number.isNaN(number))
  const increases = numbers.slice(1).filter((number, i) => number >= (numbers[i] ?? 0)).length
  const linesWithoutOtherFigures = lines.filter(({ segments }) =>
    segments.slice(1, -1).every(({ text }) => /\p{L}/u.test(text)),
  )
  return (
    numbers.length >= MIN_ENTRIES &&
    (numbers.at(-1) ?? 0) > (numbers[0] ?? 0) &&
    increases >= (numbers.length - 1) * MIN_INCREASING_SHARE &&
    linesWithoutOtherFigures.length >= lines.length * MIN_INCREASING_SHARE
  )
}

/** The lines as entries of a list with their indents; a title on two lines is one entry. */
function entries(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const right = Math.max(...lines.map(({ bbox }) => bbox[2]))
  const contentsEntries: { text: string; number: string | undefined; box: BBox }[] = []
  for (const line of lines) {
    const number = pageNumberOf(line)
    const title = number === undefined ? line.segments : line.segments.slice(0, -1)
    const text = title.map((segment) => segment.text).join(' ')
    const box = title.map(({ bbox }) => bbox).reduce((a, b) => union(a, b))
    const last = contentsEntries.at(-1)
    const width = last === undefined ? 0 : last.box[2] - last.box[0]
    const isFull = last !== undefined && width > (right - last.box[0]) * FULL_LINE_SHARE
    // The word "Page" above the numbers is not a title that continues.
    const isAboveNumbers =
      last !== undefined && (last.box[0] >= (left + right) / 2 || last.box[2] >= right - 2)
    const mayContinue = isFull && !isAboveNumbers
    if (last !== undefined && mayContinue && (last.number === undefined || number === undefined)) {
      last.text += ` ${text}`
      last.number ??= number
      last.box = [last.box[0], last.box[1], box[2], box[3]]
    } else contentsEntries.push({ text, number, box })
  }
  const indents = levelsOf(
    contentsEntries.map(({ box }) => box[0]),
    usualHeight(lines),
  )
  return contentsEntries
    .map(({ text, number, box }) => {
      const level = Math.min(
        MAX_LEVEL,
        indents.findLastIndex((indent) => indent <= box[0]),
      )
      return `${'  '.repeat(Math.max(0, level))}- ${text}${number === undefined ? '' : ` ${number}`}`
    })
    .join('\n')
}
