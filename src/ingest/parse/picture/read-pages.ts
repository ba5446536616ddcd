// Pages that are pictures, read one by one: drawn at a size that suits the recogniser, turned when they lie on their
// side, in the language they turn out to be in.

import { guessLanguage } from '../../../language/guess.ts'
import type { Block } from '../block.ts'
import { inParts } from './again/parts.ts'
import type { Part } from './grid/part.ts'
import { ocrCode, ocrSettings } from './languages.ts'
import { inLatin, isClear, LEVEL_SHARE, type Look, type Sight } from './look.ts'
import { type Angle, stateAngle } from './orientation.ts'
import { openReader, type Recognised } from './recognise.ts'
import { drawSheet, filling, type Picture, pageFillers, type Sheet } from './sheet/sheet.ts'

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
  /** Pages with lines that were read in no language asked for. */
  leftOut: number[]
  /** Not one page with words is worth keeping: what was read is noise. */
  hopeless: boolean
}

// Of each side, in the middle of the page: tells which way is up and what language it is for a third of a reading's time.
const MIDDLE_SHARE = 0.6
// Chinese read as English gives .45 to .49, the poorest scan that a person can read .6.
const HOPELESS_CONFIDENCE = 0.55
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
  const step = (share = 0): void => onShare((done + share) / pages.length)
  const look: Look = {
    reader,
    path,
    angle: 0,
    language: ocrSettings().languages[0] ?? 'eng',
    settled: false,
    step,
  }
  const result: PicturesRead = { found: new Map(), unread: [], doubtful: [], leftOut: [], hopeless: false }
  let worthKeeping = false
  const fillers = 'pictures' in pages ? [] : await pageFillers(path)
  const until = Date.now() + BUDGET_MS
  try {
    for await (const page of 'pictures' in pages ? pages.pictures : pages) {
      if (Date.now() > until) {
        result.unread.push(page.number)
        continue
      }
      // Most that say 0 were not asked.
      if (page.stated) look.angle = page.stated
      const pixels = page.pixels ?? filling(page, fillers)
      const sight = await readPage(look, { ...page, ...(pixels && { pixels }) })
      done++
      // Noise is read as letters too; where not one word is sure there is no text.
      if (sight === undefined || sight.words === 0) continue
      if (!isClear(sight)) result.doubtful.push(page.number)
      if (sight.leftOut) result.leftOut.push(page.number)
      worthKeeping ||= sight.confidence >= HOPELESS_CONFIDENCE
      result.found.set(page.number, placed(sight, page.number))
    }
  } finally {
    await reader.close()
  }
  result.hopeless = result.found.size > 0 && !worthKeeping
  return result
}

const score = ({ confidence, words, level }: Recognised): number => confidence * words * level

/** The page as it reads best; undefined when nothing is on it. */
async function readPage(look: Look, page: Picture): Promise<Sight | undefined> {
  const sheet = await drawSheet(look.path, page)
  if (sheet === undefined) return undefined
  let sight = await likeliest(look, sheet)
  if (!isClear(sight)) sight = await inOtherScripts(look, sheet, sight)
  const language = languageOf(sight)
  if (language !== sight.language) {
    const other = await view({ ...look, angle: sight.angle, language }, sheet)
    if (other.confidence > sight.confidence) sight = other
  }
  if (isClear(sight)) {
    look.angle = sight.angle
    look.language = sight.language
    look.settled = true
  }
  return sight.words === 0 ? sight : inParts(look, sheet, sight)
}

/** Read as the page before was; the first page, or one that reads badly so, as its middle reads best. */
async function likeliest(look: Look, sheet: Sheet): Promise<Sight> {
  const first = look.settled ? await view(look, sheet) : undefined
  if (first !== undefined && isClear(first)) return first
  const guess = await direction(look, sheet, first?.level)
  const language = languageOf(guess)
  let best =
    first ?? (await view({ ...look, angle: isClear(guess) ? guess.angle : look.angle, language }, sheet))
  // A middle without words tells nothing: then all of the page is looked at.
  const others = guess.words > 0 ? [guess.angle] : best.words > 0 ? otherAngles(look.angle, best.level) : []
  for (const angle of others) {
    if (isClear(best) || angle === best.angle) continue
    const other = await view({ ...look, angle, language }, sheet)
    if (score(other) > score(best)) best = other
  }
  return best
}

/** The middle of the page as it reads best; `level` of a reading that was not clear says where to look first. */
async function direction(look: Look, sheet: Sheet, level?: number): Promise<Sight> {
  let best = await view(look, sheet, true)
  for (const angle of otherAngles(look.angle, level ?? best.level)) {
    if (isClear(best)) break
    const other = await view({ ...look, angle }, sheet, true)
    if (score(other) > score(best)) best = other
  }
  return best
}

/** Lines that stand on end were turned by a quarter, others upside down. */
function otherAngles(angle: Angle, level: number): Angle[] {
  const turns: Angle[] = level < LEVEL_SHARE ? [90, 270, 180] : [180, 90, 270]
  return turns.map((turn) => ((angle + turn) % 360) as Angle)
}

/** Latin letters read as such say their language; another script reads as rubbish until its own data is tried. */
async function inOtherScripts(look: Look, sheet: Sheet, latin: Sight): Promise<Sight> {
  let best = latin
  for (const language of ocrSettings().languages.filter((code) => !inLatin.has(code))) {
    const other = await view({ ...look, language }, sheet)
    if (other.confidence > best.confidence) best = other
    if (isClear(best)) break
  }
  return best
}

function languageOf(sight: Sight): string {
  if (sight.words < TELLING_WORDS || !inLatin.has(sight.language)) return sight.language
  const text = sight.blocks.map((block) => block.text).join('\n')
  const code = ocrCode(guessLanguage(text))
  return code !== undefined && ocrSettings().languages.includes(code) ? code : sight.language
}

async function view(look: Look, sheet: Sheet, middle = false): Promise<Sight> {
  const { angle, language } = look
  look.step()
  const png = stateAngle(sheet.png, angle)
  const read = await look.reader.read(png, language, middle ? middleOf(sheet, angle) : undefined)
  return { ...read, angle, language, pixelsPerPoint: sheet.pixelsPerPoint }
}

function middleOf(sheet: Sheet, angle: Angle): Part {
  const [across, down] = angle % 180 === 0 ? [sheet.width, sheet.height] : [sheet.height, sheet.width]
  const [width, height] = [Math.round(across * MIDDLE_SHARE), Math.round(down * MIDDLE_SHARE)]
  return { left: (across - width) >> 1, top: (down - height) >> 1, width, height }
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
