// Joins the words of a page to lines, and the words of a line to segments, which have no gap wider than a word space. Tables
// without ruling lines are built from these.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox } from '../../../block.ts'
import { union, widen } from '../layout/boxes.ts'

/** Words of a line without a wide gap between them: a cell with one line, or a line of a cell. */
export interface Segment {
  text: string
  bbox: BBox
  words: Word[]
}

export interface Line {
  segments: Segment[]
  bbox: BBox
}

export interface Word {
  text: string
  bbox: BBox
  item: TextItem
}

// In line heights, which are about 1.15 times the font size, because the boxes of letters contain ascent and descent. A word
// space is a quarter of the font size, and up to .6 in justified text. The narrowest gutters are .8.
const MAX_WORD_GAP = 0.62
// In line heights. Two numbers in a monospaced font with one space between them have .57; the space in "100 000" has .25.
const MAX_NUMBERS_GAP = 0.45
// In points: the maximum gap between words that touch.
const MAX_TOUCHING_GAP = 0.3
// In points. A word that begins further left than this before the end of the last one is on the next line of a cell.
const MAX_KERNING = 5
// A word is a letter beside a superscript if it is at least this much taller. Words in another font size are less tall, and a
// word that is even taller covers two lines.
const MIN_LETTER_RATIO = 1.3
const MAX_LETTER_RATIO = 2
// In points: the maximum gap between a currency sign and its amount.
const MAX_CURRENCY_GAP = 150
const DOT_LEADER = /^[.\u2026_·-]{4,}$|^(?:[.\u2026]\s?){3,}$/u
export const CURRENCY = /^[$€£¥]$/u

/** The words of upright items with their positions, without dot leaders. */
export function pageWords(items: readonly TextItem[]): Word[] {
  const words: Word[] = []
  for (const item of items) {
    if (Math.abs(item.rotation ?? 0) > 1) continue
    for (const part of item.words !== undefined && item.words.length > 0 ? item.words : [item]) {
      const text = withoutLeader(part.text)
      if (text !== '')
        words.push({ text, item, bbox: [part.x, part.y, part.x + part.width, part.y + part.height] })
    }
  }
  return words
}

/** The word without a dot leader; empty if it is only a dot leader. */
function withoutLeader(word: string): string {
  if (!/[.\u2026_·-]/.test(word)) return word.trim()
  const text = word.replace(/[.\u2026]{4,}$/u, '').trim()
  return DOT_LEADER.test(text) ? '' : text
}

/** The lines of words, from the top. A superscript or subscript belongs to the line that it overlaps by half of its height. */
export function textLines(words: readonly Word[]): Line[] {
  const rows: Row[] = []
  for (const word of [...words].sort((a, b) => a.bbox[1] + a.bbox[3] - b.bbox[1] - b.bbox[3])) {
    const row = rowOf(rows, word.bbox)
    const top = word.bbox[1]
    const bottom = word.bbox[3]
    if (row === undefined) {
      rows.push({ words: [word], top, bottom })
      continue
    }
    row.words.push(word)
    // A superscript comes first because it is higher. The larger word beside it then gives the height of the line.
    const height = row.bottom - row.top
    if (bottom - top > height * MIN_LETTER_RATIO && bottom - top < height * MAX_LETTER_RATIO) {
      row.top = top
      row.bottom = bottom
    }
  }
  return rows
    .map((row) => toLine(row.words.sort((a, b) => a.bbox[0] - b.bbox[0])))
    .sort((a, b) => a.bbox[3] - b.bbox[3])
}

interface Row {
  words: Word[]
  top: number
  bottom: number
}

/** The lowest of the last three rows that share a line with the box. */
function rowOf(rows: readonly Row[], box: BBox): Row | undefined {
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - 3); i--) {
    const row = rows[i]
    if (row !== undefined && sharesLine(row, box)) return row
  }
  return undefined
}

function sharesLine(row: Row, box: BBox): boolean {
  const overlap = Math.min(row.bottom, box[3]) - Math.max(row.top, box[1])
  return overlap > 0.5 * Math.min(row.bottom - row.top, box[3] - box[1])
}

function toLine(words: readonly Word[]): Line {
  const segments: Segment[] = []
  for (const [i, word] of words.entries()) {
    const last = segments.at(-1)
    if (last !== undefined && continuesSegment(last, word, words[i + 1])) addWord(last, word)
    else segments.push({ text: word.text, bbox: word.bbox, words: [word] })
  }
  const bbox: BBox = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const segment of segments) widen(bbox, segment.bbox)
  return { segments, bbox }
}

function addWord(segment: Segment, word: Word): void {
  segment.text += touches(segment, word) ? word.text : ` ${word.text}`
  // The box of the first word belongs to the word and must not be changed. Further words widen the segment's own box, because a
  // new box for each word would be a tenth of all allocations.
  if (segment.words.length === 1) segment.bbox = union(segment.bbox, word.bbox)
  else widen(segment.bbox, word.bbox)
  segment.words.push(word)
}

/** The segment split between successive words for which `isGap` returns true. */
export function cutSegment(segment: Segment, isGap: (left: Word, right: Word) => boolean): Segment[] {
  const parts: Segment[] = []
  for (const word of segment.words) {
    const last = parts.at(-1)
    const previousWord = last?.words.at(-1)
    if (last === undefined || previousWord === undefined || isGap(previousWord, word))
      parts.push({ text: word.text, bbox: word.bbox, words: [word] })
    else addWord(last, word)
  }
  return parts.length > 1 ? parts : [segment]
}

/** Whether a word touches the last one, because kerning split "3.597" into "3" and ".597". */
function touches(last: Segment, word: Word): boolean {
  const gap = word.bbox[0] - last.bbox[2]
  const isTouching = gap < MAX_TOUCHING_GAP && gap > -MAX_KERNING
  return isTouching && last.words.at(-1)?.item === word.item && !/\p{L}$/u.test(last.text)
}

/**
 * Whether a word continues the segment. A currency sign at the left edge of its column belongs to the number after it. A
 * closing bracket or a per cent sign belongs to the number before it.
 */
function continuesSegment(last: Segment, word: Word, next: Word | undefined): boolean {
  const gap = word.bbox[0] - last.bbox[2]
  const height = Math.max(4, Math.min(last.bbox[3] - last.bbox[1], word.bbox[3] - word.bbox[1]))
  if (CURRENCY.test(last.text)) return isNumeric(word.text) && gap < MAX_CURRENCY_GAP
  // A currency sign after a number begins the next cell, except in the column name "2022 $ million".
  if (CURRENCY.test(word.text) && isNumeric(last.text) && !/^\p{Ll}/u.test(next?.text ?? '')) return false
  if (/^[)%]+$/.test(word.text)) return gap < height
  const share = isNumeric(last.text) && isNumeric(word.text) ? MAX_NUMBERS_GAP : MAX_WORD_GAP
  return gap < height * share
}

// A number with its signs ("$ (1,234.5)%", "12x", "3.5†"), or a dash or word for a missing value ("—", "n/a", "NM", "...").
const NUMERIC =
  /^[(+$€£¥~<>≤≥±\s\u2212-]*\d[\d.,\s:/]*(?:[%)]|pp|bps|x|[a-z*†‡]{1,2}\)?)*\*{0,3}$|^[$€£¥\s]*[—–−-]{1,3}[\s%)]*$|^(?:n\/?[am]\.?|NM|\*|†|‡|\.{2,3})$/u

/** Whether a cell's text is a number, an amount, a percentage, or a mark for a missing value. */
export function isNumeric(text: string): boolean {
  return text.length < 24 && NUMERIC.test(text.trim())
}

// As a multiple of the usual height of a word. A title of 11.5 points above text of 10 has 1.15.
const MIN_TITLE_HEIGHT = 1.12

/** Whether a line is only one text with a larger font, which is the title of the table that follows. */
export const isTitle = ({ segments: [only, second] }: Line, usualHeight: number): boolean =>
  only !== undefined &&
  second === undefined &&
  only.words.some(({ bbox }) => bbox[3] - bbox[1] > usualHeight * MIN_TITLE_HEIGHT)
