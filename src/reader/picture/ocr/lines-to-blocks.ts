// Lines of a page in any order as blocks in reading order, for engines that give lines alone: the page is cut along its widest
// gaps, across and down in turn (recursive X-Y cut, Nagy and Seth 1984).

import type { Bbox, Line, OcrBlock } from './recognised.ts'

// In line heights. Columns are at least this far apart; words of a line at most one.
const COLUMN_GAP = 1
// Lines of a paragraph are closer than this; more than one line apart begins another block.
const PARAGRAPH_GAP = 0.75

export function blocksOfLines(lines: readonly Line[]): OcrBlock[] {
  const filled = lines.filter(({ words }) => words.length > 0)
  const heights = filled.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b)
  const height = heights[heights.length >> 1] ?? 0
  return regionsOf(filled, height).map((region) => blockOf(region, height))
}

/** Groups of lines in reading order, each one column wide. */
function regionsOf(lines: readonly Line[], height: number): Line[][] {
  const columns = split(
    lines,
    ({ x0 }) => x0,
    ({ x1 }) => x1,
    COLUMN_GAP * height,
  )
  if (columns.length > 1) return columns.flatMap((column) => regionsOf(column, height))
  // Bands are joined again where a cut across them found no columns: a column stays one region.
  const bands = split(
    lines,
    ({ y0 }) => y0,
    ({ y1 }) => y1,
    0,
  )
  const isColumned = bands.map(
    (band) =>
      split(
        band,
        ({ x0 }) => x0,
        ({ x1 }) => x1,
        COLUMN_GAP * height,
      ).length > 1,
  )
  if (!isColumned.includes(true)) return lines.length > 0 ? [inOrder(lines)] : []
  const parts: Line[][] = []
  for (const [i, band] of bands.entries()) {
    const last = parts.at(-1)
    if (last && isColumned[i] === isColumned[i - 1]) last.push(...band)
    else parts.push([...band])
  }
  return parts.length > 1 ? parts.flatMap((part) => regionsOf(part, height)) : [inOrder(lines)]
}

/** The lines in groups with more than `gap` between the end of one and the begin of the next, in order. */
function split(
  lines: readonly Line[],
  begin: (box: Bbox) => number,
  end: (box: Bbox) => number,
  gap: number,
): Line[][] {
  const groups: Line[][] = []
  let reached = Number.NEGATIVE_INFINITY
  for (const line of [...lines].sort((a, b) => begin(a.bbox) - begin(b.bbox))) {
    const last = groups.at(-1)
    if (last && begin(line.bbox) <= reached + gap) last.push(line)
    else groups.push([line])
    reached = Math.max(reached, end(line.bbox))
  }
  return groups
}

/** From top to bottom; lines beside each other from left to right. */
function inOrder(lines: readonly Line[]): Line[] {
  const middle = ({ bbox }: Line): number => (bbox.y0 + bbox.y1) / 2
  const sorted = [...lines].sort((a, b) => a.bbox.y0 - b.bbox.y0)
  const rows: Line[][] = []
  for (const line of sorted) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && middle(line) < first.bbox.y1 && middle(first) > line.bbox.y0) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.bbox.x0 - b.bbox.x0))
}

function blockOf(lines: readonly Line[], height: number): OcrBlock {
  const paragraphs: Line[][] = []
  let bottom = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const last = paragraphs.at(-1)
    if (last && line.bbox.y0 - bottom <= PARAGRAPH_GAP * height) last.push(line)
    else paragraphs.push([line])
    bottom = Math.max(bottom, line.bbox.y1)
  }
  return {
    bbox: around(lines),
    paragraphs: paragraphs.map((some) => ({ lines: some, bbox: around(some) })),
  }
}

const around = (lines: readonly Line[]): Bbox => ({
  x0: Math.min(...lines.map(({ bbox }) => bbox.x0)),
  y0: Math.min(...lines.map(({ bbox }) => bbox.y0)),
  x1: Math.max(...lines.map(({ bbox }) => bbox.x1)),
  y1: Math.max(...lines.map(({ bbox }) => bbox.y1)),
})
