// Finds text of a page that nobody sees: text in the colour of its background, transparent text, text in the invisible mode
// without a scan behind it, or text at most a point high. It is removed from the page and stored separately, because readers of
// the document do not see it.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import type { BBox, Block } from '../../block.ts'
import { isCentreInside, rectBox, union } from '../../shared/page/layout/boxes.ts'
import { isSideways, missingBlocks } from '../../shared/page/layout/missing-text.ts'
import { decodeGrey, type GreyImage, type Weights } from '../../shared/rasters/grey-image.ts'
import type { InkUse } from './ink-use.ts'
import type { UprightPage } from './open-pdf.ts'

type Word = NonNullable<TextItem['words']>[number]

export interface VisiblePage {
  page: ParsedPage
  /** The removed text, in paragraphs. */
  hidden: Block[]
}

/** At this resolution a line of 10 points is 10 pixels high, which is enough to see whether there are letters. */
const DPI = 72
// A drawing with this many pixels takes 16 MB. A page of A2 has this many at 72 dpi.
const MAX_PIXELS = 4e6
// On a large page, letters with fewer pixels may be invisible in the drawing although they are dark.
const MIN_WORD_PIXELS = 4
// The limits of hidden text in points. The box of letters that are one point high is a little higher.
const MAX_HIDDEN_HEIGHT = 1.2
const MAX_HIDDEN_WIDTH = 1.2
const MIN_DARK_AREA_HEIGHT = 5
// The maximum of each primary colour of a dark colour, of 255.
const MAX_DARK_SHADE = 96
// Of 255. Readers do not see lighter letters on white unless they look for them.
const MIN_CONTRAST = 16
// The maximum share of a word's pixels that differ from the background if the word is invisible. Visible letters cover at
// least 8 %.
const MAX_INK_SHARE = 0.01
// The outer part of a word's box that is ignored, so that the lines around it do not count.
const INSET_SHARE = 0.2
// If pictures cover this share of the page in total, they are a scan, and invisible text over them is its recognised text.
const MIN_SCAN_SHARE = 0.3

/** The pages without hidden text. `inkUse` describes how the file draws its text. */
export async function withoutHiddenText(
  path: string,
  pages: readonly UprightPage[],
  inkUse: InkUse,
): Promise<VisiblePage[]> {
  const visiblePages: VisiblePage[] = []
  for (const uprightPage of pages)
    visiblePages.push(splitHidden(uprightPage.page, await hiddenWords(path, uprightPage, inkUse)))
  return visiblePages
}

async function hiddenWords(path: string, uprightPage: UprightPage, inkUse: InkUse): Promise<Set<Word>> {
  const { page } = uprightPage
  const hiddenSoFar = new Set(page.textItems.filter(isTiny).flatMap(wordsOf))
  if (!inkUse.invisible && !inkUse.faint && !hasTextOnDark(page)) return hiddenSoFar
  const candidates = await invisibleWords(path, uprightPage, inkUse)
  const scans = inkUse.invisible && candidates.length > 0 ? await scansOn(path, uprightPage) : []
  for (const word of candidates) if (!isCovered(rectBox(word), scans)) hiddenSoFar.add(word)
  return hiddenSoFar
}

/** Whether text is too small to be seen. The width counts too, because a font may state no height for letters that are large. */
function isTiny({ text, width, height, rotation }: TextItem): boolean {
  const [pageWidth, pageHeight] = isSideways(rotation) ? [height, width] : [width, height]
  return pageHeight <= MAX_HIDDEN_HEIGHT && pageWidth <= MAX_HIDDEN_WIDTH * text.length
}

/** Words with letters or digits. An item without separate words is one word. */
function wordsOf(item: TextItem): Word[] {
  const words = item.words ?? []
  return (words.length > 0 ? words : [item]).filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** Whether there is text on a dark background, where letters of the same colour are invisible. */
function hasTextOnDark({ textItems, vectorGraphics }: ParsedPage): boolean {
  const darkAreas = (vectorGraphics?.shapes ?? [])
    .filter(({ fill, fillColor, bbox }) => fill && bbox.height >= MIN_DARK_AREA_HEIGHT && isDark(fillColor))
    .map(({ bbox }) => rectBox(bbox))
  return (
    darkAreas.length > 0 &&
    textItems.some((item) => darkAreas.some((area) => isCentreInside(rectBox(item), area)))
  )
}

/** Whether a colour is dark. liteparse writes colours as "aarrggbb". */
function isDark(colour: string | undefined): boolean {
  const [alpha = 0, ...primaries] = Buffer.from(colour ?? '', 'hex')
  return alpha > 0 && primaries.every((value) => value <= MAX_DARK_SHADE)
}

// The page is compared as a grey image and in each primary colour, because a letter may be as bright as its background.
const COLOUR_WEIGHTS: readonly (Weights | undefined)[] = [undefined, [256, 0, 0], [0, 256, 0], [0, 0, 256]]

/** The words of which nothing is visible on the drawn page, except those whose font may be missing. */
async function invisibleWords(
  path: string,
  { page, rotationOptions }: UprightPage,
  { invisible, faint }: InkUse,
): Promise<Word[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const dpi = drawingDpi(page)
  const drawer = new LiteParse({
    dpi,
    quiet: true,
    ocrEnabled: false,
    maxPages: 1_000_000,
    ...rotationOptions,
  })
  const [drawing] = await drawer.screenshot(path, [page.pageNum]).catch(() => [])
  if (drawing === undefined) return []
  const isLarge = ({ width, height }: Word): boolean =>
    dpi === DPI || (Math.min(width, height) * dpi) / DPI >= MIN_WORD_PIXELS
  const unseenWords = new Set(page.textItems.flatMap(wordsOf).filter(isLarge))
  for (const view of drawing.isSolidFill ? [] : COLOUR_WEIGHTS) {
    if (unseenWords.size === 0) break
    const grey = decodeGrey(drawing.imageBuffer, view)
    if (grey === undefined) return []
    for (const word of unseenWords) if (isVisible(grey, word, page)) unseenWords.delete(word)
  }
  const visibleItems = page.textItems.filter((item) => wordsOf(item).some((word) => !unseenWords.has(word)))
  const drawnFonts = new Set(visibleItems.map(({ fontName }) => fontName))
  // Text may also be missing in the drawing because its font is not in the file or places letters elsewhere. So other text in
  // the same font must be visible, or the file must draw invisible or faint text.
  const isCertain = ({ fontName, text }: TextItem): boolean =>
    drawnFonts.has(fontName) || ((invisible || faint) && /[a-z]/i.test(text))
  return page.textItems
    .filter(isCertain)
    .flatMap((item) => wordsOf(item).filter((word) => unseenWords.has(word)))
}

/** The resolution at which a page is drawn. liteparse requires a whole number. */
export const drawingDpi = ({ width, height }: Pick<ParsedPage, 'width' | 'height'>): number =>
  Math.max(1, Math.floor(DPI * Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)))))

/** Whether enough pixels in the middle of a word's box contrast with its background. Text outside the page has no pixels. */
function isVisible({ width, height, data }: GreyImage, word: Word, page: ParsedPage): boolean {
  const [scaleX, scaleY] = [width / page.width, height / page.height]
  const isUpright = word.width >= word.height
  const [insetX, insetY] = isUpright ? [0, word.height * INSET_SHARE] : [word.width * INSET_SHARE, 0]
  const left = Math.max(0, Math.floor((word.x + insetX) * scaleX))
  const right = Math.min(width, Math.ceil((word.x + word.width - insetX) * scaleX))
  const top = Math.max(0, Math.floor((word.y + insetY) * scaleY))
  const bottom = Math.min(height, Math.ceil((word.y + word.height - insetY) * scaleY))
  const counts = new Uint32Array(256)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const shade = data[y * width + x] ?? 0
      counts[shade] = (counts[shade] ?? 0) + 1
    }
  const background = counts.indexOf(counts.reduce((max, count) => Math.max(max, count), 0))
  let [ink, total] = [0, 0]
  for (const [shade, count] of counts.entries()) {
    total += count
    if (Math.abs(shade - background) >= MIN_CONTRAST) ink += count
  }
  return ink > total * MAX_INK_SHARE
}

/** The positions of the page's pictures, if they are large enough to be a scan. A scan may consist of strips. */
async function scansOn(path: string, { page, rotationOptions }: UprightPage): Promise<BBox[]> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const wholePage: BBox = [0, 0, page.width, page.height]
  const parser = new LiteParse({
    quiet: true,
    ocrEnabled: false,
    imageMode: 'off',
    extractImages: true,
    includeComplexity: true,
    targetPages: String(page.pageNum),
    maxPages: 1_000_000,
    ...rotationOptions,
  })
  const parsedFile = await parser.parse(path).catch(() => undefined)
  // A picture that cannot be read may be anywhere.
  if (parsedFile === undefined || parsedFile.imageErrorCount > 0) return [wholePage]
  const { fullPageImage = false, largestImageCoverage = 0 } = parsedFile.pages[0]?.complexity ?? {}
  // A picture that fills the page is not in `images`.
  if (fullPageImage) return [wholePage]
  const boxes = parsedFile.images.map(({ bbox }) => clipTo(rectBox(bbox), wholePage))
  const areas = boxes.map(([left, top, right, bottom]) => (right - left) * (bottom - top))
  const minArea = page.width * page.height * MIN_SCAN_SHARE
  if (largestImageCoverage >= MIN_SCAN_SHARE && Math.max(0, ...areas) < minArea) return [wholePage]
  return areas.reduce((sum, boxArea) => sum + boxArea, 0) >= minArea ? boxes : []
}

function clipTo(
  [left, top, right, bottom]: BBox,
  [outerLeft, outerTop, outerRight, outerBottom]: BBox,
): BBox {
  const [x, y] = [Math.max(left, outerLeft), Math.max(top, outerTop)]
  return [x, y, Math.max(x, Math.min(right, outerRight)), Math.max(y, Math.min(bottom, outerBottom))]
}

/** Whether each corner and the middle of a box are inside one of the others. */
function isCovered([left, top, right, bottom]: BBox, others: readonly BBox[]): boolean {
  const points: [number, number][] = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
    [(left + right) / 2, (top + bottom) / 2],
  ]
  return points.every(([x, y]) => others.some((other) => isCentreInside([x, y, x, y], other, 1)))
}

/**
 * Removes words from a page, together with the layout blocks that contain them. The other text of these blocks is then read as
 * lost text.
 */
function splitHidden(page: ParsedPage, hidden: ReadonlySet<Word>): VisiblePage {
  if (hidden.size === 0) return { page, hidden: [] }
  const pieces = page.textItems.map((item) => piecesOf(item, hidden))
  const removedWords = pieces.flatMap((piece) => piece.hidden)
  const removedBoxes = removedWords.map((item) => rectBox(item))
  const containsHiddenWord = (bbox: BBox): boolean => removedBoxes.some((box) => isCentreInside(box, bbox, 1))
  return {
    page: {
      ...page,
      textItems: pieces.flatMap((piece) => piece.visible),
      ...(page.blocks && {
        blocks: page.blocks.filter(({ bbox }) => bbox === undefined || !containsHiddenWord(rectBox(bbox))),
      }),
    },
    hidden: missingBlocks(removedWords, page.pageNum).map((block) => ({ ...block, hidden: true })),
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
  // A sign without letters and digits belongs to the word before it.
  let isPreviousHidden = isHidden(words.find((word) => /[\p{L}\p{N}]/u.test(word.text)) ?? item)
  const isRunHidden: boolean[] = []
  for (const word of words) {
    const isWordHidden = /[\p{L}\p{N}]/u.test(word.text) ? isHidden(word) : isPreviousHidden
    if (isWordHidden === isPreviousHidden && runs.length > 0) runs.at(-1)?.push(word)
    else {
      runs.push([word])
      isRunHidden.push(isWordHidden)
    }
    isPreviousHidden = isWordHidden
  }
  const itemsWhere = (state: boolean): TextItem[] =>
    runs.filter((_, i) => isRunHidden[i] === state).map((run) => itemOf(item, run))
  return { visible: itemsWhere(false), hidden: itemsWhere(true) }
}

function itemOf(item: TextItem, words: Word[]): TextItem {
  const [x, y, right, bottom] = words.map((word) => rectBox(word)).reduce(union)
  const text = words.map((word) => word.text).join(' ')
  return { ...item, text, x, y, width: right - x, height: bottom - y, words }
}
