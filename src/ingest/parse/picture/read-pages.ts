// Pages that are pictures, read one by one: drawn at a size that suits the recogniser, turned when they lie on their
// side, in the language they turn out to be in.

import type { LiteParseConfig } from '@llamaindex/liteparse'
import { guessLanguage } from '../../../language/guess.ts'
import type { Block } from '../block.ts'
import { ocrCode, ocrSettings } from './languages.ts'
import type { Angle } from './orientation.ts'
import { openReader, type Reader, type Recognised } from './recognise.ts'

export interface Picture {
  number: number
  /** Points; 0 when unknown. */
  width: number
  height: number
  /** What the file calls the page; its number without it. */
  drawnAs?: number
  /** How the camera was held. */
  stated?: Angle
}

/** Pictures that are made ready one by one. */
export interface PictureSeries {
  length: number
  pictures: AsyncIterable<Picture>
}

export interface PicturesRead {
  found: Map<number, Block[]>
  /** Pages left when the time was up. */
  unread: number[]
  /** Pages whose words are mostly guesses: a poor scan, handwriting, a script not asked for. */
  doubtful: number[]
  /** Not one page with words is worth keeping: what was read is noise. */
  hopeless: boolean
}

/** Where and how to look; what was found out about one page is the first guess for the next. */
interface Look {
  reader: Reader
  path: string
  angle: Angle
  language: string
  /** Tells that the work goes on: a page on its side is looked at six times. */
  step: () => void
}

interface Sight extends Recognised {
  angle: Angle
  language: string
  pixelsPerPoint: number
}

// Pixels along the longer side: 200 dpi on a letter page; small print is read again at 300.
const LONG_SIDE_PIXELS = 2200
const SMALL_PRINT_LONG_SIDE_PIXELS = 3300
const SMALL_PRINT_PIXELS = 14
// Enough to tell which way is up.
const PROBE_LONG_SIDE_PIXELS = 1100
const MOST_DPI = 600
const MOST_PAGES = 1_000_000
// Upright text of any quality stays above this; lying on its side it falls to .3 to .5.
const DOUBTFUL_CONFIDENCE = 0.65
// Chinese read as English gives .45 to .49, the poorest scan that a person can read .6.
const HOPELESS_CONFIDENCE = 0.55
// A table drawn upside down and turned by 90° read with .90, its columns one after the other.
const LEVEL_SHARE = 0.5
// Fewer words do not tell a language.
const TELLING_WORDS = 20
// The pool's hard cap is 10 minutes: better the pages read so far and a word about the rest than nothing.
const BUDGET_MS = 8.5 * 60_000

/** Reads the given pages of the file at `path` (its extension tells the kind); boxes come back in points. */
export async function readPictures(
  path: string,
  pages: readonly Picture[] | PictureSeries,
  onShare: (share: number) => void,
): Promise<PicturesRead> {
  const reader = openReader()
  let done = 0
  const step = (): void => onShare(done / pages.length)
  const look: Look = { reader, path, angle: 0, language: ocrSettings().languages[0] ?? 'eng', step }
  const result: PicturesRead = { found: new Map(), unread: [], doubtful: [], hopeless: false }
  let worthKeeping = false
  const until = Date.now() + BUDGET_MS
  try {
    for await (const page of 'pictures' in pages ? pages.pictures : pages) {
      if (Date.now() > until) {
        result.unread.push(page.number)
        continue
      }
      look.angle = page.stated ?? look.angle
      const sight = await readPage(look, page)
      done++
      // Noise is read as letters too; where not one word is sure there is no text.
      if (sight === undefined || sight.words === 0) continue
      if (!isClear(sight)) result.doubtful.push(page.number)
      worthKeeping ||= sight.confidence >= HOPELESS_CONFIDENCE
      result.found.set(page.number, placed(sight, page.number))
    }
  } finally {
    await reader.close()
  }
  result.hopeless = result.found.size > 0 && !worthKeeping
  return result
}

const isClear = ({ confidence, words, level }: Recognised): boolean =>
  confidence >= DOUBTFUL_CONFIDENCE && words > 0 && level >= LEVEL_SHARE

const score = ({ confidence, words, level }: Recognised): number => confidence * words * level

/** The page as it reads best; undefined when nothing is on it. */
async function readPage(look: Look, page: Picture): Promise<Sight | undefined> {
  let sight = await view(look, page, LONG_SIDE_PIXELS)
  if (sight === undefined) return undefined
  if (!isClear(sight)) sight = await turned(look, page, sight)
  if (!isClear(sight)) sight = await inOtherScripts(look, page, sight)
  const language = languageOf(sight)
  if (language !== sight.language) {
    const other = await view({ ...look, angle: sight.angle, language }, page, LONG_SIDE_PIXELS)
    if (other !== undefined && other.confidence > sight.confidence) sight = other
  }
  if (sight.words > 0 && sight.height < SMALL_PRINT_PIXELS) {
    const closer = await view({ ...look, ...sight }, page, SMALL_PRINT_LONG_SIDE_PIXELS)
    if (closer !== undefined && closer.confidence > sight.confidence) sight = closer
  }
  if (isClear(sight)) {
    look.angle = sight.angle
    look.language = sight.language
  }
  return sight
}

/** Looks at a quarter of the pixels in the other three directions, and at all of them where that reads better. */
async function turned(look: Look, page: Picture, upright: Sight): Promise<Sight> {
  const angles: Angle[] = [0, 90, 270, 180]
  let best = await view(look, page, PROBE_LONG_SIDE_PIXELS)
  for (const angle of angles.filter((each) => each !== look.angle)) {
    const probe = await view({ ...look, angle }, page, PROBE_LONG_SIDE_PIXELS)
    if (probe !== undefined && (best === undefined || score(probe) > score(best))) best = probe
  }
  if (best === undefined || best.angle === upright.angle) return upright
  const whole = await view({ ...look, angle: best.angle }, page, LONG_SIDE_PIXELS)
  return whole !== undefined && score(whole) > score(upright) ? whole : upright
}

/** Latin letters read as such say their language; another script reads as rubbish until its own data is tried. */
async function inOtherScripts(look: Look, page: Picture, latin: Sight): Promise<Sight> {
  let best = latin
  for (const language of ocrSettings().languages.filter((code) => !inLatin.has(code))) {
    const other = await view({ ...look, language }, page, LONG_SIDE_PIXELS)
    if (other !== undefined && other.confidence > best.confidence) best = other
    if (isClear(best)) break
  }
  return best
}

// Told apart by their stop words.
const inLatin: ReadonlySet<string> = new Set('eng deu fra spa ita por nld swe dan nor fin'.split(' '))

function languageOf(sight: Sight): string {
  if (sight.words < TELLING_WORDS || !inLatin.has(sight.language)) return sight.language
  const text = sight.blocks.map((block) => block.text).join('\n')
  const code = ocrCode(guessLanguage(text))
  return code !== undefined && ocrSettings().languages.includes(code) ? code : sight.language
}

async function view(look: Look, page: Picture, longSide: number): Promise<Sight | undefined> {
  const { angle, language } = look
  look.step()
  const drawn = await draw(look.path, page, angle, longSide)
  if (drawn === undefined) return undefined
  return { ...(await look.reader.read(drawn.png, language)), angle, language, pixelsPerPoint: drawn.dpi / 72 }
}

async function draw(
  path: string,
  page: Picture,
  angle: Angle,
  longSidePixels: number,
): Promise<{ png: Buffer; dpi: number } | undefined> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  // A page that could not be read has no size; a letter page's is near enough.
  const longSide = Math.max(page.width, page.height) || 792
  const dpi = Math.round(Math.min(MOST_DPI, (longSidePixels / longSide) * 72))
  const config: Partial<LiteParseConfig> = { dpi, quiet: true, ocrEnabled: false, maxPages: MOST_PAGES }
  const number = page.drawnAs ?? page.number
  if (angle !== 0) config.pageOrientationCorrections = [{ page: number, angle }]
  const [shot] = await new LiteParse(config).screenshot(path, [number])
  if (shot === undefined || shot.isSolidFill) return undefined
  return { png: shot.imageBuffer, dpi }
}

/** The blocks with their page, boxes in points; boxes of a turned page would mark the wrong places of the original. */
function placed({ blocks, angle, pixelsPerPoint }: Sight, page: number): Block[] {
  const point = (pixels: number): number => Math.round((pixels / pixelsPerPoint) * 100) / 100
  return blocks.map(({ bbox, ...block }) => {
    if (bbox === undefined || angle !== 0) return { ...block, page }
    const [left, top, right, bottom] = bbox
    return { ...block, page, bbox: [point(left), point(top), point(right), point(bottom)] }
  })
}
