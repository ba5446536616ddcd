// The second pass over a page. Parts that the first pass recognised poorly are cropped and recognised separately: lines of low
// confidence, ink without words, cells between ruling lines, and lines in another script. Then the page is laid out.

import type { BBox, Block } from '../../../block.ts'
import { cropToPgm, type GreyImage, type Rect, rotateUpright } from '../../rasters/grey-image.ts'
import { findRulingLines, type RulingLines } from '../../rasters/ruling-lines.ts'
import { isReliable, latinLanguages, type OcrContext, type PageRecognition } from '../context.ts'
import { boxBeforeDeskew, linesBeforeDeskew, meanConfidence, withLines } from '../engine.ts'
import { ocrSettings } from '../languages.ts'
import { layOut } from '../layout/page-of-words.ts'
import { type Line, wordsOf } from '../recognised.ts'
import { measureStrokes } from '../stroke-width.ts'
import { isInRect, toLines, withoutWords } from './crops.ts'
import { MAX_SKEW, rereadLines } from './reread-lines.ts'
import { rereadCells } from './ruled-cells.ts'
import { MIN_LINE_CONFIDENCE, type UnrecognisedRegion, unrecognisedRegions } from './unrecognised-lines.ts'

export interface LaidOutPage extends PageRecognition {
  /** The blocks in reading order. Their boxes are in pixels of the page before deskewing. */
  blocks: Block[]
  /** Whether some lines were left out, because no configured language recognises them. */
  hasOmittedLines?: boolean
}

/** Recognises parts of a page again and lays it out. `image` is the rendered page, undefined if it cannot be decoded. */
export async function runSecondPass(
  context: OcrContext,
  image: GreyImage | undefined,
  first: PageRecognition,
): Promise<LaidOutPage> {
  if (image === undefined) return withBlocks(first, await layOut(first.lines, first.size))
  const grey = rotateUpright(image, first.angle)
  const isStraight = Math.abs(first.skew) <= MAX_SKEW
  const lines = isStraight ? findRulingLines(grey) : { horizontal: [], vertical: [] }
  const result = context.engine.readsCrops ? await rereadParts(context, grey, first, lines) : { page: first }
  const { page, hasOmittedLines = false }: RereadPage = result
  const strokes = isReliable(page) ? measureStrokes(grey, page.lines, page.skew) : new Map()
  const blocks = await layOut(page.lines, page.size, { lines, strokes })
  return { ...withBlocks(page, blocks), hasOmittedLines }
}

const withBlocks = (page: PageRecognition, blocks: readonly Block[]): LaidOutPage => ({
  ...page,
  blocks: blocks.map((block) => (block.bbox ? { ...block, bbox: boxBeforeDeskew(block.bbox, page) } : block)),
})

interface RereadPage {
  page: PageRecognition
  hasOmittedLines?: boolean
}

async function rereadParts(
  context: OcrContext,
  grey: GreyImage,
  first: PageRecognition,
  rules: RulingLines,
): Promise<RereadPage> {
  const pageWithLines = isReliable(first) ? await rereadLines(context, grey, first) : first
  const { page, cells } = await rereadCells(context, grey, rules, pageWithLines)
  if (!isReliable(page)) return { page }
  const otherLines = page.lines.filter(
    ({ words }) => !words.some((word) => cells.some((cell) => isInRect(word, cell))),
  )
  return readOtherScripts(
    context,
    grey,
    page,
    unrecognisedRegions(linesBeforeDeskew({ ...page, lines: otherLines })),
  )
}

/** The page with its unrecognised regions in the script that recognises them best. Noise that no script recognises is removed. */
async function readOtherScripts(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
  unrecognisedParts: readonly UnrecognisedRegion[],
): Promise<RereadPage> {
  if (unrecognisedParts.length === 0) return { page }
  const regions = unrecognisedParts.map(({ bbox, isNoise }) => ({
    rect: rectWithin(bbox, grey),
    isNoise,
    confidence: MIN_LINE_CONFIDENCE,
    lines: [] as Line[],
  }))
  const images = regions.map(({ rect }) => cropToPgm(grey, rect))
  for (const language of ocrSettings().languages.filter((code) => !latinLanguages.has(code))) {
    let doneCount = 0
    const results = await context.engine.recogniseBlocks(images, language, () =>
      context.progress(++doneCount / (images.length + 1)),
    )
    for (const [i, region] of regions.entries()) {
      const lines = toLines(results[i] ?? [], region.rect)
      const confidence = meanConfidence(wordsOf(lines))
      if (confidence > region.confidence) Object.assign(region, { lines, confidence })
    }
  }
  const replacedRegions = regions.filter(({ isNoise, lines }) => isNoise || lines.length > 0)
  const otherLines = withoutWords(
    page.lines,
    replacedRegions.map(({ rect }) => rect),
  )
  const lines = [...otherLines, ...replacedRegions.flatMap((region) => region.lines)]
  return {
    page: withLines(page, lines),
    hasOmittedLines: replacedRegions.some((region) => region.lines.length === 0),
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
