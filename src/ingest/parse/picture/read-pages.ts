// Pages that are pictures, read one by one: drawn at a size that suits the recogniser, turned when they lie on their side.

import type { LiteParseConfig } from '@llamaindex/liteparse'
import type { Block } from '../block.ts'
import type { Angle } from './orientation.ts'
import { openReader, type Reader, type Recognised } from './recognise.ts'

export interface Picture {
  number: number
  /** Points; 0 when unknown. */
  width: number
  height: number
}

export interface PicturesRead {
  found: Map<number, Block[]>
  /** Pages left when the time was up. */
  unread: number[]
}

// Pixels along the longer side: 250 dpi on a letter page. 300 dpi costs a third more time and read the same words.
const LONG_SIDE_PIXELS = 2800
const MOST_DPI = 600
const MOST_PAGES = 1_000_000
// Upright text of any quality stays above this; lying on its side it falls to .3 to .5.
const DOUBTFUL_CONFIDENCE = 0.65
// The pool's hard cap is 10 minutes: better the pages read so far and a word about the rest than nothing.
const BUDGET_MS = 8.5 * 60_000

/** Reads the given pages of the file at `path` (its extension tells the kind); boxes come back in points. */
export async function readPictures(
  path: string,
  pages: readonly Picture[],
  onShare: (share: number) => void,
  likely: Angle = 0,
): Promise<PicturesRead> {
  const reader = await openReader()
  const result: PicturesRead = { found: new Map(), unread: [] }
  const until = Date.now() + BUDGET_MS
  let lastAngle = likely
  try {
    for (const [i, page] of pages.entries()) {
      onShare(i / pages.length)
      if (Date.now() > until) {
        result.unread.push(page.number)
        continue
      }
      const { blocks, angle } = await readUpright(reader, path, page, lastAngle)
      lastAngle = angle
      result.found.set(
        page.number,
        blocks.map((block) => ({ ...block, page: page.number })),
      )
    }
  } finally {
    await reader.close()
  }
  return result
}

/** Tries the other three directions when the first reads badly and keeps the best; scans of one batch lie alike. */
async function readUpright(
  reader: Reader,
  path: string,
  page: Picture,
  likely: Angle,
): Promise<{ blocks: Block[]; angle: Angle }> {
  let best: { read: Recognised; angle: Angle; pixelsPerPoint: number } | undefined
  const others: Angle[] = [0, 90, 270, 180]
  for (const angle of [likely, ...others.filter((other) => other !== likely)]) {
    const drawn = await draw(path, page, angle)
    if (drawn === undefined) break
    const read = await reader.read(drawn.png)
    if (best === undefined || score(read) > score(best.read))
      best = { read, angle, pixelsPerPoint: drawn.pixelsPerPoint }
    if (read.confidence >= DOUBTFUL_CONFIDENCE && read.words > 0) break
  }
  if (best === undefined) return { blocks: [], angle: 0 }
  const { read, angle, pixelsPerPoint } = best
  return { blocks: angle === 0 ? inPoints(read.blocks, pixelsPerPoint) : withoutBoxes(read.blocks), angle }
}

function score(read: Recognised): number {
  return read.confidence * read.words
}

async function draw(
  path: string,
  page: Picture,
  angle: Angle,
): Promise<{ png: Buffer; pixelsPerPoint: number } | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  // A page that could not be read has no size; a letter page's is near enough.
  const longSide = Math.max(page.width, page.height) || 792
  const dpi = Math.round(Math.min(MOST_DPI, (LONG_SIDE_PIXELS / longSide) * 72))
  const config: Partial<LiteParseConfig> = { dpi, quiet: true, ocrEnabled: false, maxPages: MOST_PAGES }
  if (angle !== 0) config.pageOrientationCorrections = [{ page: page.number, angle }]
  const [shot] = await new LiteParse(config).screenshot(path, [page.number])
  if (shot === undefined || shot.isSolidFill) return undefined
  return { png: shot.imageBuffer, pixelsPerPoint: dpi / 72 }
}

function inPoints(blocks: readonly Block[], pixelsPerPoint: number): Block[] {
  const point = (pixels: number): number => Math.round((pixels / pixelsPerPoint) * 100) / 100
  return blocks.map((block) => {
    if (block.bbox === undefined) return block
    const [left, top, right, bottom] = block.bbox
    return { ...block, bbox: [point(left), point(top), point(right), point(bottom)] }
  })
}

/** Boxes of a turned page would mark the wrong places of the original. */
function withoutBoxes(blocks: readonly Block[]): Block[] {
  return blocks.map(({ bbox: _, ...block }) => block)
}
