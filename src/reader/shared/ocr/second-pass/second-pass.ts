// The second pass over a page. Parts that the first pass recognised poorly are cropped and recognised separately: lines of low
// confidence, ink without words, cells between ruling lines, and lines in another script. Then the page is laid out.

import type { BBox, Block } from '../../../block.ts'
import { cropToPgm, type GreyImage, type Rect, rotateUpright } from '../../rasters/grey-image.ts'
import { findRulingLines, type RulingLines } from '../../rasters/ruling-lines.ts'
import { isReliable, latinLanguages, type OcrContext, type PageRecognition } from '../context.ts'
import { meanConfidence, placedLines, placeOf, withLines } from '../engine.ts'
import { ocrSettings } from '../languages.ts'
import { layOut } from '../layout/page-of-words.ts'
import { type Line, wordsOf } from '../recognised.ts'
import { measureStrokes } from '../stroke-width.ts'
import { isIn, toLines, withoutWords } from './crops.ts'
import { MAX_SKEW, rereadLines } from './reread-lines.ts'
import { rereadCells } from './ruled-cells.ts'
import { MIN_LINE_CONFIDENCE, type UnrecognisedRegion, unrecognisedRegions } from './unrecognised-lines.ts'

export interface LaidOutPage extends PageRecognition {
  /** The blocks in reading order. Their boxes are in pixels of the page as it was passed in. */
  blocks: Block[]
  /** Whether some lines were left out, because no configured language recognises them. */
  linesLeftOut?: boolean
}

/** `image` is the page as rendered, undefined when it cannot be decoded. */
export async function runSecondPass(
  context: OcrContext,
  image: GreyImage | undefined,
  first: PageRecognition,
): Promise<LaidOutPage> {
  if (image === undefined) return laidOut(first, await layOut(first.lines, first.size))
  const grey = rotateUpright(image, first.angle)
  const isStraight = Math.abs(first.skew) <= MAX_SKEW
  const lines = isStraight ? findRulingLines(grey) : { horizontal: [], vertical: [] }
  const read = context.engine.readsCrops ? await reread(context, grey, first, lines) : { page: first }
  const { page, linesLeftOut = false } = read
  const strokes = isReliable(page) ? measureStrokes(grey, page.lines, page.skew) : new Map()
  const blocks = await layOut(page.lines, page.size, { lines, strokes })
  return { ...laidOut(page, blocks), linesLeftOut }
}

const laidOut = (page: PageRecognition, blocks: readonly Block[]): LaidOutPage => ({
  ...page,
  blocks: blocks.map((block) => (block.bbox ? { ...block, bbox: placeOf(block.bbox, page) } : block)),
})

interface Reread {
  page: PageRecognition
  linesLeftOut?: boolean
}

async function reread(
  context: OcrContext,
  grey: GreyImage,
  first: PageRecognition,
  rules: RulingLines,
): Promise<Reread> {
  const pageWithLines = isReliable(first) ? await rereadLines(context, grey, first) : first
  const { page, cells } = await rereadCells(context, grey, rules, pageWithLines)
  if (!isReliable(page)) return { page }
  const otherLines = page.lines.filter(
    ({ words }) => !words.some((word) => cells.some((cell) => isIn(word, cell))),
  )
  return readOtherScripts(
    context,
    grey,
    page,
    unrecognisedRegions(placedLines({ ...page, lines: otherLines })),
  )
}

/** The page with its unrecognised regions in the script that recognises them best. If none does, they are noise and left out. */
async function readOtherScripts(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
  unrecognised: readonly UnrecognisedRegion[],
): Promise<Reread> {
  if (unrecognised.length === 0) return { page }
  const regions = unrecognised.map(({ bbox, isNoise }) => ({
    rect: rectWithin(bbox, grey),
    isNoise,
    confidence: MIN_LINE_CONFIDENCE,
    lines: [] as Line[],
  }))
  const images = regions.map(({ rect }) => cropToPgm(grey, rect))
  for (const language of ocrSettings().languages.filter((code) => !latinLanguages.has(code))) {
    let done = 0
    const read = await context.engine.recogniseBlocks(images, language, () =>
      context.progress(++done / (images.length + 1)),
    )
    for (const [i, region] of regions.entries()) {
      const lines = toLines(read[i] ?? [], region.rect)
      const confidence = meanConfidence(wordsOf(lines))
      if (confidence > region.confidence) Object.assign(region, { lines, confidence })
    }
  }
  const finishedRegions = regions.filter(({ isNoise, lines }) => isNoise || lines.length > 0)
  const others = withoutWords(
    page.lines,
    finishedRegions.map(({ rect }) => rect),
  )
  const lines = [...others, ...finishedRegions.flatMap((region) => region.lines)]
  return {
    page: withLines(page, lines),
    linesLeftOut: finishedRegions.some((region) => region.lines.length === 0),
  }
}

function rectWithin([left, top, right, bottom]: BBox, { width, height }: GreyImage): Rect {
  const from = { left: Math.floor(left), top: Math.floor(top) }
  return {
    ...from,
    width: Math.min(width, Math.ceil(right)) - from.left,
    height: Math.min(height, Math.ceil(bottom)) - from.top,
  }
}
