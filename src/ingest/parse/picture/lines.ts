// Recognised lines to blocks: prose joined over its line ends, rows of aligned cells as a table.

import type { Line, Paragraph, Word } from 'tesseract.js'
import type { BBox, Block } from '../block.ts'
import { joinBroken } from '../blocks/clean.ts'
import { markdownTable } from '../blocks/table.ts'

// Below this a word is a smudge, a line of a drawing or another script.
const LEAST_WORD_CONFIDENCE = 30
// Between two cells there is more room than this many line heights; between words of a line about a third of one.
const CELL_GAP = 1.3
const LEAST_TABLE_ROWS = 3
// A line that ends this close to the paragraph's right edge was wrapped there.
const WRAPPED_SHARE = 0.8

// What dust and rules are read as.
const speck = /^[:;.,|'`~_\\]+$/

interface Cell {
  text: string
  left: number
  right: number
}

interface Row {
  cells: Cell[]
  words: Word[]
  paragraph: Paragraph
}

/** The paragraphs in Tesseract's order as blocks, boxes in pixels; a run of rows with matching cells is one table. */
export function lineBlocks(paragraphs: readonly Paragraph[]): Block[] {
  const rows = paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => toRow(line, paragraph)))
  const blocks: Block[] = []
  for (let at = 0; at < rows.length; ) {
    const end = tableEnd(rows, at)
    if (end - at >= LEAST_TABLE_ROWS) {
      blocks.push(tableBlock(rows.slice(at, end)))
      at = end
      continue
    }
    const paragraph = rows[at]?.paragraph
    let next = at + 1
    while (rows[next]?.paragraph === paragraph && tableEnd(rows, next) - next < LEAST_TABLE_ROWS) next++
    blocks.push(proseBlock(rows.slice(at, next)))
    at = next
  }
  return blocks.filter((block) => /[\p{L}\p{N}]/u.test(block.text))
}

function toRow(line: Line, paragraph: Paragraph): Row[] {
  const words = line.words.filter(
    (word) => word.confidence >= LEAST_WORD_CONFIDENCE && !speck.test(word.text),
  )
  if (words.length === 0) return []
  const heights = words.map((word) => word.bbox.y1 - word.bbox.y0).sort((a, b) => a - b)
  const gap = CELL_GAP * (heights[heights.length >> 1] ?? 1)
  const cells: Cell[] = []
  for (const { text, bbox } of words) {
    const last = cells.at(-1)
    if (last !== undefined && bbox.x0 - last.right <= gap) {
      last.text += ` ${text}`
      last.right = bbox.x1
    } else cells.push({ text, left: bbox.x0, right: bbox.x1 })
  }
  return [{ cells, words, paragraph }]
}

/** Where a table that starts with this row ends: rows of two cells or more that fit the first one's columns. */
function tableEnd(rows: readonly Row[], start: number): number {
  const first = rows[start]
  if (first === undefined || first.cells.length < 2) return start
  let end = start + 1
  for (let row = rows[end]; row !== undefined; row = rows[end]) {
    if (row.cells.length < 2 || columnsOf(row.cells, first.cells) === undefined) break
    end++
  }
  return end
}

/** The column of each cell, or undefined when two cells share one or a cell stands in none. */
function columnsOf(cells: readonly Cell[], header: readonly Cell[]): number[] | undefined {
  const columns = cells.map((cell) =>
    header.findIndex((column) => Math.min(cell.right, column.right) > Math.max(cell.left, column.left)),
  )
  const distinct = new Set(columns).size === columns.length
  return distinct && !columns.includes(-1) ? columns : undefined
}

function tableBlock(rows: readonly Row[]): Block {
  const header = rows[0]?.cells ?? []
  const grid = rows.map(({ cells }) => {
    const texts = header.map(() => '')
    columnsOf(cells, header)?.forEach((column, i) => {
      texts[column] = cells[i]?.text ?? ''
    })
    return texts
  })
  return { kind: 'table', text: markdownTable(grid), ...placeAndTrust(rows) }
}

function proseBlock(rows: readonly Row[]): Block {
  const right = Math.max(...rows.map((row) => row.cells.at(-1)?.right ?? 0))
  const left = Math.min(...rows.map((row) => row.cells[0]?.left ?? 0))
  let text = ''
  rows.forEach((row, i) => {
    const line = row.words.map((word) => word.text).join(' ')
    const before = rows[i - 1]
    if (before === undefined) {
      text = line
      return
    }
    const wrapped = ((before.cells.at(-1)?.right ?? 0) - left) / Math.max(1, right - left) >= WRAPPED_SHARE
    const broken = /\p{Ll}[-\u2010]$/u.test(text)
    text += `${wrapped && !broken && !/^([-•*]|\d+[.)])\s/.test(line) ? ' ' : '\n'}${line}`
  })
  return { kind: 'paragraph', text: joinBroken(text), ...placeAndTrust(rows) }
}

function placeAndTrust(rows: readonly Row[]): { bbox: BBox; confidence: number } {
  const words = rows.flatMap((row) => row.words)
  const length = words.reduce((sum, word) => sum + word.text.length, 0)
  const weighted = words.reduce((sum, word) => sum + word.text.length * word.confidence, 0)
  const bbox: BBox = [Infinity, Infinity, 0, 0]
  for (const { bbox: box } of words) {
    bbox[0] = Math.min(bbox[0], box.x0)
    bbox[1] = Math.min(bbox[1], box.y0)
    bbox[2] = Math.max(bbox[2], box.x1)
    bbox[3] = Math.max(bbox[3], box.y1)
  }
  return { bbox, confidence: Math.round(weighted / Math.max(1, length)) / 100 }
}
