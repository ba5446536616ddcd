// Crops lines with words of low confidence, and ink without words, and recognises them again. A line that is recognised
// separately is often correct.

import type { BBox } from '../../../block.ts'
import { cropDeskewed, cropToPgm, type GreyImage } from '../../rasters/grey-image.ts'
import { findUnreadInk } from '../../rasters/unread-ink.ts'
import type { OcrContext, PageRecognition } from '../context.ts'
import { type LineWord, linesBeforeDeskew, withLines } from '../engine.ts'
import type { Line } from '../recognised.ts'
import { withMissedWords } from './inserted-words.ts'
import {
  isResolved,
  lowConfidenceLines,
  type Reading,
  resolveLine,
  uncertainNumberLines,
} from './low-confidence-words.ts'

// A line takes 0.05 to 0.2 s. A page with more lines of low confidence is poor everywhere.
const MAX_LINES = 30
// Factors of enlargement at which a line is read again, until a reading decides its words. Equal results are right.
const SCALES = [1, 1.5] as const
// In line heights.
const SIDE_PADDING = 1 / 2
const VERTICAL_PADDING = 1 / 3
// In radians. On a page with more skew, a box of ink is not a line, and ruling lines do not match the deskewed words.
export const MAX_SKEW = 0.01

/** The page with its words of low confidence recognised again, and with lines that the first pass missed. */
export async function rereadLines(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
): Promise<PageRecognition> {
  const uncertainLines = lowConfidenceLines(page.lines)
  const numberLines = uncertainNumberLines(page.lines)
  const lines =
    uncertainLines.length > MAX_LINES ? [] : [...uncertainLines, ...numberLines].slice(0, MAX_LINES)
  const readings = await readLines(context, grey, page, lines)
  const resolvedLines = page.lines.map((line) => resolveLine(line, readings.get(line) ?? []))
  const missedWords = await readUnreadInk(context, grey, page)
  return withLines(page, withMissedWords(resolvedLines, missedWords))
}

/** Other readings of each line, at each scale until a reading resolves the line. */
async function readLines(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
  lines: readonly Line[],
): Promise<Map<Line, Reading[][]>> {
  const readings = new Map<Line, Reading[][]>(lines.map((line) => [line, []]))
  for (const scale of SCALES) {
    const unresolvedLines = lines.filter(
      (line) => !(readings.get(line) ?? []).some((reading) => isResolved(line, reading)),
    )
    const boxes = unresolvedLines.map((line) => paddedBox(line, grey))
    const results = await recogniseCrops(context, grey, page, { boxes, scale })
    for (const [i, line] of unresolvedLines.entries()) readings.get(line)?.push(results[i] ?? [])
  }
  return readings
}

async function readUnreadInk(
  context: OcrContext,
  grey: GreyImage,
  page: PageRecognition,
): Promise<LineWord[][]> {
  if (Math.abs(page.skew) > MAX_SKEW) return []
  const lines = linesBeforeDeskew(page).map(({ bbox }) => bbox)
  const boxes = findUnreadInk(grey, lines, page.textHeight)
  return recogniseCrops(context, grey, { ...page, skew: 0 }, { boxes, scale: 1 })
}

/** The words of each box, recognised as a single line at the given scale, with their positions on the page. */
async function recogniseCrops(
  context: OcrContext,
  grey: GreyImage,
  { skew, language }: PageRecognition,
  { boxes, scale }: { boxes: readonly BBox[]; scale: number },
): Promise<LineWord[][]> {
  const images = boxes.map((box) => toPgm(cropDeskewed(grey, box, skew, scale)))
  let doneCount = 0
  const lines = await context.engine.recogniseLines(images, language, () =>
    context.progress(++doneCount / (images.length + 1)),
  )
  return lines.map((words, i) => {
    const [left = 0, top = 0] = boxes[i] ?? []
    return words.map((word) => ({
      ...word,
      left: left + word.left / scale,
      top: top + word.top / scale,
      right: left + word.right / scale,
      bottom: top + word.bottom / scale,
    }))
  })
}

const toPgm = (grey: GreyImage): Buffer =>
  cropToPgm(grey, { left: 0, top: 0, width: grey.width, height: grey.height })

/** The box of a line with padding, but not beyond the page. */
function paddedBox({ bbox: { x0, y0, x1, y1 } }: Pick<Line, 'bbox'>, { width, height }: GreyImage): BBox {
  const [paddingX, paddingY] = [(y1 - y0) * SIDE_PADDING, (y1 - y0) * VERTICAL_PADDING]
  const [left, top] = [Math.max(0, Math.round(x0 - paddingX)), Math.max(0, Math.round(y0 - paddingY))]
  return [left, top, Math.min(width, Math.round(x1 + paddingX)), Math.min(height, Math.round(y1 + paddingY))]
}
