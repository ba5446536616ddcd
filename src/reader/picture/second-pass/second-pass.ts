// The second pass over a page: what the first one recognised poorly is cropped and recognised by itself, that is lines of low
// confidence, unknown words, ruled tables, and lines in another script.

import type { BBox, Block } from '../../block.ts'
import { findSeparators } from '../layout/separators.ts'
import { isReliable, latinLanguages, type OcrContext, type PageRecognition } from '../ocr/context.ts'
import { ocrSettings } from '../ocr/languages.ts'
import { cropToPgm, type GreyImage, type Rect, rotateUpright } from '../raster/grey-image.ts'
import { findRulingLines, type RulingLines } from '../raster/ruling-lines.ts'
import { measureStrokes, type StrokeWidths } from '../raster/stroke-width.ts'
import { MAX_CELLS } from '../tables/ruled-grid.ts'
import { cellByCell, fromWords, recogniseRuledTables } from '../tables/ruled-tables.ts'
import { MAX_SKEW, rereadLines } from './reread-lines.ts'
import { rereadUnknownWords } from './unknown-words.ts'
import { MIN_LINE_CONFIDENCE, type UnrecognisedRegion, unrecognisedRegions } from './unrecognised-lines.ts'

interface Region {
  bbox: BBox
  blocks: Block[]
}

/** `image` is the page as rendered, undefined when it cannot be decoded. */
export async function runSecondPass(
  context: OcrContext,
  image: GreyImage | undefined,
  first: PageRecognition,
): Promise<PageRecognition> {
  if (image === undefined) return first
  const grey = rotateUpright(image, first.angle)
  const lines = findRulingLines(grey)
  const isGood = isReliable(first)
  const { readsCrops } = context.engine
  const reread =
    isGood && readsCrops
      ? await rereadUnknownWords(context, grey, await rereadLines(context, grey, first))
      : first
  const page = withGraphics(grey, lines, reread)
  const tables = await ruledTables(context, grey, lines, page)
  const outside = page.lines.filter(({ bbox }) => !tables.some((table) => overlaps(bbox, table.bbox)))
  const others =
    readsCrops && isReliable(page) ? await otherScripts(context, grey, unrecognisedRegions(outside)) : []
  const regions = [...tables, ...others]
  if (regions.length === 0) return page
  const { blocks } = page.outside(regions.map(({ bbox }) => bbox))
  for (const region of regions) {
    const next = blocks.findIndex(({ bbox }) => bbox !== undefined && isBelow(bbox, region.bbox))
    blocks.splice(next === -1 ? blocks.length : next, 0, ...region.blocks)
  }
  return { ...page, blocks, linesLeftOut: others.some((region) => region.blocks.length === 0) }
}

/** Lays out the page by what separates its words, and by stroke widths, which show bold headings. */
function withGraphics(grey: GreyImage, lines: RulingLines, page: PageRecognition): PageRecognition {
  const isStraight = Math.abs(page.skew) <= MAX_SKEW
  const separators =
    isStraight && lines.vertical.length > 0 ? findSeparators(grey, lines) : { rules: [], gutters: [] }
  const strokes: StrokeWidths = isReliable(page) ? measureStrokes(grey, page.ocrBlocks, page.skew) : new Map()
  return { ...page, ...page.withBlocks(page.ocrBlocks, { ...separators, strokes }) }
}

// The cells of a table have at least what the first pass found in it; less is a drawing.
const MIN_KEPT_SHARE = 0.9

async function ruledTables(
  context: OcrContext,
  grey: GreyImage,
  lines: RulingLines,
  page: PageRecognition,
): Promise<Region[]> {
  // A table of 300 cells takes as long as a page of text; each cell reported extends the deadline (reader/child.ts).
  let cells = 0
  const onCell = (): void => context.progress(++cells / (MAX_CELLS + 1))
  const read = context.engine.readsCrops
    ? cellByCell(grey, context.engine, page.language, onCell)
    : fromWords(page.ocrBlocks)
  const tables = await recogniseRuledTables(grey, lines, read)
  return tables
    .filter(({ bbox, letters }) => letters >= MIN_KEPT_SHARE * page.outside([bbox]).lettersInside)
    .map(({ bbox, block }) => ({ bbox, blocks: [block] }))
}

/** Regions in the script that recognises them best; without blocks where none does. */
async function otherScripts(
  context: OcrContext,
  grey: GreyImage,
  unrecognised: readonly UnrecognisedRegion[],
): Promise<Region[]> {
  if (unrecognised.length === 0) return []
  const regions = unrecognised.map((region): Region & UnrecognisedRegion => ({ ...region, blocks: [] }))
  const images = regions.map(({ bbox }) => cropToPgm(grey, rectWithin(bbox, grey)))
  const best = regions.map(() => MIN_LINE_CONFIDENCE)
  for (const language of ocrSettings().languages.filter((code) => !latinLanguages.has(code))) {
    let done = 0
    const texts = await context.engine.recogniseBlocks(images, language, () =>
      context.progress(++done / (images.length + 1)),
    )
    for (const [i, { text, confidence }] of texts.entries()) {
      const region = regions[i]
      if (region === undefined || confidence <= (best[i] ?? 1)) continue
      best[i] = confidence
      const rounded = Math.round(confidence * 100) / 100
      region.blocks = [{ kind: 'paragraph', text, bbox: region.bbox, confidence: rounded }]
    }
  }
  return regions.filter(({ isNoise, blocks }) => isNoise || blocks.length > 0)
}

function rectWithin([left, top, right, bottom]: BBox, { width, height }: GreyImage): Rect {
  const from = { left: Math.floor(left), top: Math.floor(top) }
  return {
    ...from,
    width: Math.min(width, Math.ceil(right)) - from.left,
    height: Math.min(height, Math.ceil(bottom)) - from.top,
  }
}

const overlaps = (a: BBox, b: BBox): boolean => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]

/** Whether a block is below a region, in its column. */
const isBelow = (block: BBox, region: BBox): boolean =>
  (block[1] + block[3]) / 2 > region[3] && block[0] < region[2] && block[2] > region[0]
