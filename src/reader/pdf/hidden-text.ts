// Text of a page that nobody sees: drawn in the colour of what is behind it, transparent, in the invisible mode without a scan
// behind it, or at most a point high. It is taken out of the page and kept apart, since it is no statement of the document.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../block.ts'
import { decodeGrey, type GreyImage } from '../picture/raster/grey-image.ts'
import type { InkUse } from './ink-use.ts'
import { rectBox, standsIn, union } from './layout/boxes.ts'
import { missingBlocks } from './layout/missing-text.ts'
import { liteparseOptions } from './open-pdf.ts'

type Word = NonNullable<TextItem['words']>[number]

export interface VisiblePage {
  page: ParsedPage
  /** What was taken out of it, in paragraphs. */
  hidden: Block[]
}

/** A line of 10 points is 10 pixels high: enough to tell whether there are letters. */
const DPI = 72
// Points, of the box of letters that are one point high.
const MAX_HIDDEN_HEIGHT = 1.2
const MIN_FIELD_HEIGHT = 5
const MAX_DARK = 96
// Of 255: lighter letters on white are not seen by a reader who does not look for them.
const MIN_CONTRAST = 16
// Share of a word's pixels; letters cover 8 % at least.
const MAX_INK = 0.01
// The middle of a word's box, so that the lines around it do not count.
const INSET = 0.2
// A picture of this share of the page is a scan, and invisible text over it is what was recognised on it.
const MIN_SCAN_SHARE = 0.3

/** The pages without hidden text; `uses`: how the file's text is drawn. */
export async function withoutHiddenText(
  path: string,
  pages: readonly ParsedPage[],
  uses: InkUse,
): Promise<VisiblePage[]> {
  const visible: VisiblePage[] = []
  for (const page of pages) visible.push(parted(page, await hiddenWords(path, page, uses)))
  return visible
}

async function hiddenWords(path: string, page: ParsedPage, uses: InkUse): Promise<Set<Word>> {
  const hidden = new Set(page.textItems.filter(isTiny).flatMap(wordsOf))
  if (!uses.invisible && !uses.faint && !hasTextOnDark(page)) return hidden
  const unseen = await unseenWords(path, page, uses)
  if (unseen.length === 0 || (uses.invisible && (await isScan(path, page.pageNum)))) return hidden
  for (const word of unseen) hidden.add(word)
  return hidden
}

const isSideways = (rotation = 0): boolean => Math.abs((Math.abs(rotation) % 180) - 90) < 1

const isTiny = ({ width, height, rotation }: TextItem): boolean =>
  (isSideways(rotation) ? width : height) <= MAX_HIDDEN_HEIGHT

/** Words of letters or digits. An item without words of its own is one. */
function wordsOf(item: TextItem): Word[] {
  const words = item.words ?? []
  return (words.length > 0 ? words : [item]).filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** Whether text stands in a dark field, where letters of its colour are not seen. */
function hasTextOnDark({ textItems, vectorGraphics }: ParsedPage): boolean {
  const fields = (vectorGraphics?.shapes ?? [])
    .filter(({ fill, fillColor, bbox }) => fill && bbox.height >= MIN_FIELD_HEIGHT && isDark(fillColor))
    .map(({ bbox }) => rectBox(bbox))
  return fields.length > 0 && textItems.some((item) => fields.some((field) => standsIn(rectBox(item), field)))
}

/** Of liteparse's "aarrggbb". */
function isDark(colour: string | undefined): boolean {
  const [alpha = 0, ...primaries] = Buffer.from(colour ?? '', 'hex')
  return alpha > 0 && primaries.every((value) => value <= MAX_DARK)
}

/** The words of which nothing is seen on the drawn page, without those whose font may be what is missing. */
async function unseenWords(path: string, page: ParsedPage, { invisible, faint }: InkUse): Promise<Word[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const drawer = new LiteParse({ dpi: DPI, quiet: true, ocrEnabled: false, maxPages: 1_000_000 })
  const [shot] = await drawer.screenshot(path, [page.pageNum]).catch(() => [])
  if (shot === undefined) return []
  const grey = shot.isSolidFill ? undefined : decodeGrey(shot.imageBuffer)
  if (grey === undefined && !shot.isSolidFill) return []
  const looked = page.textItems.map((item) => {
    const words = wordsOf(item)
    return { item, words, unseen: words.filter((word) => grey === undefined || !isSeen(grey, word, page)) }
  })
  const drawnFonts = new Set(
    looked.filter(({ words, unseen }) => unseen.length < words.length).map(({ item }) => item.fontName),
  )
  // A font that is not in the file, or whose letters stand elsewhere than it says, shows nothing either.
  const isCertain = ({ fontName, text }: TextItem): boolean =>
    drawnFonts.has(fontName) || ((invisible || faint) && /[a-z]/i.test(text))
  return looked.flatMap(({ item, unseen }) => (isCertain(item) ? unseen : []))
}

/** Whether something stands out in the middle of a word's box. What lies beyond the page is not seen. */
function isSeen({ width, height, data }: GreyImage, word: Word, page: ParsedPage): boolean {
  const [across, down] = [width / page.width, height / page.height]
  const isUpright = word.width >= word.height
  const [insetX, insetY] = isUpright ? [0, word.height * INSET] : [word.width * INSET, 0]
  const left = Math.max(0, Math.floor((word.x + insetX) * across))
  const right = Math.min(width, Math.ceil((word.x + word.width - insetX) * across))
  const top = Math.max(0, Math.floor((word.y + insetY) * down))
  const bottom = Math.min(height, Math.ceil((word.y + word.height - insetY) * down))
  const counts = new Uint32Array(256)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const shade = data[y * width + x] ?? 0
      counts[shade] = (counts[shade] ?? 0) + 1
    }
  const background = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
  let [ink, all] = [0, 0]
  for (const [shade, count] of counts.entries()) {
    all += count
    if (Math.abs(shade - background) >= MIN_CONTRAST) ink += count
  }
  return ink > all * MAX_INK
}

/** Whether a picture is large enough to be a scan of the page. */
async function isScan(path: string, page: number): Promise<boolean> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const parser = new LiteParse({
    ...liteparseOptions,
    extractBlocks: false,
    includeComplexity: true,
    targetPages: String(page),
  })
  const [looked] = (await parser.parse(path)).pages
  const { fullPageImage = false, largestImageCoverage = 0 } = looked?.complexity ?? {}
  return fullPageImage || largestImageCoverage >= MIN_SCAN_SHARE
}

/** Takes words out of a page, with the layout blocks that contain them: their other text is then read as lost text. */
function parted(page: ParsedPage, hidden: ReadonlySet<Word>): VisiblePage {
  if (hidden.size === 0) return { page, hidden: [] }
  const pieces = page.textItems.map((item) => piecesOf(item, hidden))
  const gone = pieces.flatMap((piece) => piece.hidden)
  const places = gone.map((item) => rectBox(item))
  const isMixed = (bbox: BBox): boolean => places.some((place) => standsIn(place, bbox, 1))
  return {
    page: {
      ...page,
      textItems: pieces.flatMap((piece) => piece.visible),
      ...(page.blocks && {
        blocks: page.blocks.filter(({ bbox }) => bbox === undefined || !isMixed(rectBox(bbox))),
      }),
    },
    hidden: missingBlocks(gone, page.pageNum).map((block) => ({ ...block, hidden: true })),
  }
}

/** An item's visible and hidden parts, each as an item of its own. */
function piecesOf(item: TextItem, hidden: ReadonlySet<Word>): Record<'visible' | 'hidden', TextItem[]> {
  const words = item.words ?? []
  const isHidden = (word: Word): boolean => hidden.has(word)
  if (words.length === 0)
    return isHidden(item) ? { visible: [], hidden: [item] } : { visible: [item], hidden: [] }
  if (!words.some(isHidden)) return { visible: [item], hidden: [] }
  const runs: Word[][] = []
  // A sign alone belongs to the word before it.
  let isInside = isHidden(words.find((word) => /[\p{L}\p{N}]/u.test(word.text)) ?? item)
  const states: boolean[] = []
  for (const word of words) {
    const state = /[\p{L}\p{N}]/u.test(word.text) ? isHidden(word) : isInside
    if (state === isInside && runs.length > 0) runs.at(-1)?.push(word)
    else {
      runs.push([word])
      states.push(state)
    }
    isInside = state
  }
  const part = (state: boolean): TextItem[] =>
    runs.filter((_, i) => states[i] === state).map((run) => itemOf(item, run))
  return { visible: part(false), hidden: part(true) }
}

function itemOf(item: TextItem, words: Word[]): TextItem {
  const [x, y, right, bottom] = words.map((word) => rectBox(word)).reduce(union)
  const text = words.map((word) => word.text).join(' ')
  return { ...item, text, x, y, width: right - x, height: bottom - y, words }
}
