// Hanging indents: the layout pass takes every indented line for the first of a paragraph, so that it cuts and mixes the
// entries of
// a bibliography, and separates the second line of a list entry.

import type { TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../block.ts'
import { isClause, isEntry } from '../../page/marks.ts'
import {
  BLOCK_EDGE,
  INDENT,
  isBelow,
  isIndent,
  LINE_GAP,
  PARAGRAPH_GAP,
  sameEdge,
  usualHeight,
} from '../../page/tolerance.ts'
import { centreIn, lineHeight, union } from './boxes.ts'
import { linesOf, piecesOf } from './cut-blocks.ts'
import { withNote } from './lists.ts'
import { closestPitch, hasRoom, type TypeLine } from './type-lines.ts'

// A wider pitch separates entries, not lines of one.
const WIDE_PITCH = 1.2
// Signs of hanging lines needed, and how many times more than signs of indented first lines.
const LEAST_SIGNS = 3
const MOST_AGAINST = 3
// At least one in this many lines hangs.
const MOST_OUT = 4
const BIBLIOGRAPHY =
  /^(?:[\d.]+\s+)?(?:references|bibliography|works cited|références|bibliographie|literatur(?:verzeichnis)?|referencias|bibliografía|riferimenti|bibliografia|referências)$/iu

/** The blocks with each entry of a bibliography as a paragraph, and the lines of a list entry joined. */
export function withHangingLines(blocks: readonly Block[], items: readonly TextItem[]): Block[] {
  const found: Block[] = []
  const height = lineHeight(items)
  for (let i = 0; i < blocks.length; ) {
    const end = runEnd(blocks, i, height)
    found.push(...entriesOf(blocks.slice(i, end), items, found.at(-1)))
    i = end
  }
  return joinToLists(found, items)
}

/** The end of successive paragraphs in one column from `start` on. */
function runEnd(blocks: readonly Block[], start: number, height: number): number {
  const left = blocks[start]?.bbox?.[0] ?? 0
  for (let i = start + 1; i < blocks.length; i++) {
    const [above, below] = [blocks[i - 1], blocks[i]]
    if (above?.kind !== 'paragraph' || below?.kind !== 'paragraph') return i
    if (above.bbox === undefined || below.bbox === undefined) return i
    const isNear = Math.abs(below.bbox[0] - left) <= height * INDENT[1]
    if (!isNear || !isBelow(above.bbox, below.bbox, height, PARAGRAPH_GAP)) return i
  }
  return blocks.length
}

/** The run with one paragraph an entry if its lines hang; otherwise unchanged. */
function entriesOf(
  run: readonly Block[],
  items: readonly TextItem[],
  above: Block | undefined,
): readonly Block[] {
  const [first] = run
  if (first?.bbox === undefined || run.length < 2) return run
  const left = Math.min(...run.map(({ bbox }) => bbox?.[0] ?? Number.POSITIVE_INFINITY))
  const height = lineHeight(items)
  if (!run.some((block) => beginsAt(block, items) > left + height * INDENT[0])) return run
  const lines = run.flatMap((block) => linesOf(block, items))
  const isTitled = above?.kind === 'heading' && BIBLIOGRAPHY.test(above.text)
  if (!hang(lines, left, isTitled)) return run
  const whole: Block = { ...first, text: run.map(({ text }) => text).reduce(joinText), bbox: boxOf(run) }
  const pieces = piecesOf(whole, lines, edgesOf(lines, left))
  return withNote(pieces, lines)
}

/** The lines that begin an entry. A line on the left edge below a full line on that edge continues a plain paragraph. */
function edgesOf(lines: readonly TypeLine[], left: number): number[] {
  const right = rightOf(lines)
  const height = usualHeight(lines)
  return lines.flatMap((line, i) => {
    const above = lines[i - 1]
    if (above === undefined || !sameEdge(line.bbox[0], left, height)) return []
    return !sameEdge(above.bbox[0], left, height) || hasRoom(above, line, right) ? [i] : []
  })
}

const rightOf = (lines: readonly TypeLine[]): number => Math.max(...lines.map(({ bbox }) => bbox[2]))

const boxOf = (run: readonly Block[]): BBox =>
  run.flatMap(({ bbox }) => (bbox === undefined ? [] : [bbox])).reduce((a, b) => union(a, b))

/** The left edge of the block's first line. */
function beginsAt({ bbox }: Block, items: readonly TextItem[]): number {
  return (bbox && items.find((item) => centreIn(item, bbox, BLOCK_EDGE))?.x) ?? 0
}

const joinText = (above: string, below: string): string =>
  /\p{Ll}[-\u2010]$/u.test(above) ? above.slice(0, -1) + below : `${above} ${below}`

/**
 * Whether lines on two edges are entries with hanging lines, not paragraphs with indented first lines: an entry ends with a
 * line that
 * left room for the next word, and the next line begins further left.
 */
function hang(lines: readonly TypeLine[], left: number, isTitled: boolean): boolean {
  const height = usualHeight(lines)
  const isOut = ({ bbox }: TypeLine): boolean => sameEdge(bbox[0], left, height)
  const hanging = lines.filter((line) => !isOut(line)).map(({ bbox }) => bbox[0] - left)
  const least = Math.min(...hanging)
  if (hanging.length * MOST_OUT < lines.length && !isTitled) return false
  if (!isIndent(least, height) || !sameEdge(Math.max(...hanging), least, height)) return false
  const right = rightOf(lines)
  const closest = closestPitch(lines)
  let [signs, against] = [0, 0]
  lines.forEach((line, i) => {
    const above = lines[i - 1]
    if (above === undefined) return
    // Lines with raised marks have a wider pitch: a sign of a paragraph, but not enough for an entry.
    const isWide = !isOut(line) && line.bbox[3] - above.bbox[3] > closest * WIDE_PITCH
    if ((isWide || hasRoom(above, line, right)) === isOut(line)) signs++
    else against++
  })
  return isTitled ? signs > against : signs >= LEAST_SIGNS && signs > against * MOST_AGAINST
}

/** Joins paragraphs that are second lines of the list entry above. */
function joinToLists(blocks: readonly Block[], items: readonly TextItem[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last === undefined || !goesOnHanging(last, block, blocks, items)) joined.push(block)
    else
      joined[joined.length - 1] = {
        ...last,
        text: joinText(last.text, block.text),
        bbox: boxOf([last, block]),
      }
  }
  return joined
}

const isListed = ({ kind, text }: Block): boolean =>
  kind === 'list' || (kind === 'paragraph' && isEntry(text))

function goesOnHanging(
  last: Block,
  next: Block,
  blocks: readonly Block[],
  items: readonly TextItem[],
): boolean {
  const [a, b] = [last.bbox, next.bbox]
  if (a === undefined || b === undefined || next.kind !== 'paragraph') return false
  const height = lineHeight(items)
  if (!isBelow(a, b, height, LINE_GAP)) return false
  if (!isListed(last) || !isIndent(b[0] - a[0], height) || isEntry(next.text) || isClause(next.text))
    return false
  const lines = linesOf(last, items)
  const [above, line] = [lines.at(-1), linesOf(next, items)[0]]
  if (above === undefined || line === undefined) return false
  const edges = lines.slice(1).map(({ bbox }) => bbox[0])
  const column = blocks.flatMap(({ bbox }) => (bbox && bbox[0] < b[2] && bbox[2] > b[0] ? [bbox[2]] : []))
  const isEdge = edges.every((left) => sameEdge(left, a[0], height) || sameEdge(left, b[0], height))
  return isEdge && !hasRoom(above, line, Math.max(...column))
}
