// What the whole reading of a page is poor at, read again by itself.

import type { BBox, Block } from '../../block.ts'
import { wallsOf } from '../layout/gutters.ts'
import { inLatin, isClear, type Look, type Sight } from '../ocr/context.ts'
import { ocrSettings } from '../ocr/languages.ts'
import { type Grey, pgmOf, upright } from '../raster/grey-image.ts'
import type { Part } from '../raster/rect.ts'
import { findRules, type Rules } from '../raster/ruling-lines.ts'
import { type Strokes, strokesOf } from '../raster/stroke-width.ts'
import { MOST_CELLS } from '../tables/ruled-grid.ts'
import { readRuledTables } from '../tables/ruled-tables.ts'
import { LEVEL, lookAgain } from './lines.ts'
import { lookCloser } from './unknown-words.ts'
import { UNSURE_CONFIDENCE, type UnsurePart, unsureParts } from './unrecognised-lines.ts'

/** A part of a page and what a reading of its own made of it. */
interface Again {
  bbox: BBox
  blocks: Block[]
}

/** What the whole reading is poor at, read again by itself: ruled tables, lines in another script. */
export async function inParts(look: Look, drawn: Grey | undefined, first: Sight): Promise<Sight> {
  const grey = drawn && upright(drawn, first.angle)
  const rules = grey ? findRules(grey) : { across: [], down: [] }
  const again =
    grey && isClear(first) ? await lookCloser(look, grey, await lookAgain(look, grey, first)) : first
  const sight = grey ? asDrawn(grey, rules, again) : again
  const tables = await ruledTables(look, grey, rules, sight)
  const lines = sight.lines.filter(({ bbox }) => !tables.some((table) => overlaps(bbox, table.bbox)))
  const others = isClear(sight) ? await otherScripts(look, grey, unsureParts(lines)) : []
  const parts = [...tables, ...others]
  if (parts.length === 0) return sight
  const { blocks } = sight.beside(parts.map(({ bbox }) => bbox))
  for (const part of parts) {
    const after = blocks.findIndex(({ bbox }) => bbox !== undefined && isBelow(bbox, part.bbox))
    blocks.splice(after === -1 ? blocks.length : after, 0, ...part.blocks)
  }
  return { ...sight, blocks, leftOut: others.some((part) => part.blocks.length === 0) }
}

/** Words that a rule parts are of two columns, or of two boxes; bold ones may be a heading. */
function asDrawn(grey: Grey, rules: Rules, sight: Sight): Sight {
  const isLevel = Math.abs(sight.turned) <= LEVEL
  const walls = isLevel && rules.down.length > 0 ? wallsOf(grey, rules) : { down: [], gaps: [] }
  const strokes: Strokes = isClear(sight) ? strokesOf(grey, sight.found, sight.turned) : new Map()
  return { ...sight, ...sight.amended(sight.found, { ...walls, strokes }) }
}

// Read by itself a cell keeps what the page's reading found in it; less was a drawing.
const KEPT_SHARE = 0.9

/** The tables that have rules, cell by cell. */
async function ruledTables(look: Look, grey: Grey | undefined, rules: Rules, sight: Sight): Promise<Again[]> {
  if (grey === undefined) return []
  // A table of 300 cells takes as long as a page of text: what moves has its time again (reader/child.ts).
  let cells = 0
  const tables = await readRuledTables(grey, rules, look.reader, sight.language, () =>
    look.step(++cells / (MOST_CELLS + 1)),
  )
  return tables
    .filter(({ bbox, letters }) => letters >= KEPT_SHARE * sight.beside([bbox]).letters)
    .map(({ bbox, block }) => ({ bbox, blocks: [block] }))
}

/** Parts that are no Latin, in the script that reads them best; without blocks where none does. */
async function otherScripts(
  look: Look,
  grey: Grey | undefined,
  parts: readonly UnsurePart[],
): Promise<Again[]> {
  const again = parts.map((part): Again & UnsurePart => ({ ...part, blocks: [] }))
  if (grey === undefined || parts.length === 0) return []
  const pictures = parts.map((part) => pgmOf(grey, within(part.bbox, grey)))
  const best = parts.map(() => UNSURE_CONFIDENCE)
  for (const language of ocrSettings().languages.filter((code) => !inLatin.has(code))) {
    let read = 0
    const texts = await look.reader.readCells(pictures, language, () =>
      look.step(++read / (pictures.length + 1)),
    )
    for (const [i, { text, confidence }] of texts.entries()) {
      const part = again[i]
      if (part === undefined || confidence <= (best[i] ?? 1)) continue
      best[i] = confidence
      part.blocks = [
        { kind: 'paragraph', text, bbox: part.bbox, confidence: Math.round(confidence * 100) / 100 },
      ]
    }
  }
  return again.filter(({ noise, blocks }) => noise || blocks.length > 0)
}

function within([left, top, right, bottom]: BBox, { width, height }: Grey): Part {
  const from = { left: Math.floor(left), top: Math.floor(top) }
  return {
    ...from,
    width: Math.min(width, Math.ceil(right)) - from.left,
    height: Math.min(height, Math.ceil(bottom)) - from.top,
  }
}

const overlaps = (a: BBox, b: BBox): boolean => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]

/** Whether a block stands under a part, in its column. */
const isBelow = (block: BBox, part: BBox): boolean =>
  (block[1] + block[3]) / 2 > part[3] && block[0] < part[2] && block[2] > part[0]
