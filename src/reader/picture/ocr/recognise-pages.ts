// Pages that are pictures, read one by one: drawn at a size that suits the recogniser, turned when they lie on their
// side, in the language they turn out to be in.

import { guessLanguage } from '../../../language/guess.ts'
import {
  type Block,
  type PageGuess,
  type RecognisedPage,
  type ScanRound,
  UnreadableFile,
  unreadPage,
} from '../../block.ts'
import { roundLength } from '../../limits.ts'
import type { Round, RoundJournal } from '../../scratch.ts'
import { type Angle, stateAngle } from '../formats/exif-orientation.ts'
import { greyOf } from '../raster/grey-image.ts'
import type { Part } from '../raster/rect.ts'
import { isUneven } from '../raster/uneven-background.ts'
import { withLinesOf } from '../second-pass/inserted-words.ts'
import { LEVEL } from '../second-pass/lines.ts'
import { inParts } from '../second-pass/regions.ts'
import { inLatin, isClear, LEVEL_SHARE, type Look, type Sight } from './context.ts'
import { openReader, type Recognised } from './engine.ts'
import { installCommand, languageName, ocrCode, ocrSettings, trainedData } from './languages.ts'
import { drawSheet, type Picture, type PictureSeries, type Sheet } from './render-page.ts'

export interface PicturesRead {
  found: Map<number, Block[]>
  /** Pages left when the time was up, or there were too many. */
  unread: number[]
  /** As many were read as a document may have. */
  full: boolean
  /** Pages that could not be drawn, though others could. */
  damaged: number[]
  /** Pages whose words are mostly guesses: a poor scan, handwriting, a script not asked for. */
  doubtful: number[]
  /** Pages with lines that were read in no language asked for. */
  leftOut: number[]
  /** Pages in a language that is not set up, read in another one. */
  foreign: { number: number; language: string }[]
  /** Pages that show nothing to be read. */
  empty: number[]
  /** Pages that show something in which no word was found. */
  wordless: number[]
  /** Not one page with words is worth keeping: what was read is noise. */
  hopeless: boolean
  /** Not one page could be read: what the file fails with where nothing else is in it. */
  lost?: Error
  /** What another round goes on from; absent where none is needed or wanted. */
  unfinished?: ScanRound
}

// Of each side, in the middle of the page: tells which way is up and what language it is for a third of a reading's time.
const MIDDLE_SHARE = 0.6
// Chinese read as English gives .45 to .49, the poorest scan that a person can read .6.
const HOPELESS_CONFIDENCE = 0.55
// Fewer words do not tell a language.
const TELLING_WORDS = 20
// The pool's hard cap is 10 minutes: better the pages read so far and a word about the rest than nothing.
const BUDGET_MS = 8.5 * 60_000
// Each may have taken the time and memory of a file; a poisoned file is tried as often.
const MOST_FATAL = 3
/** Of a document: three hours or so of one processor. */
export const MOST_RECOGNISED = 2000

/**
 * Reads the given pages of the file at `path` (its extension tells the kind); boxes come back in points. With a round it
 * goes on behind those before, and ends unfinished when the time is up; any rounds give what one long one would.
 */
export async function readPictures(
  path: string,
  series: PictureSeries,
  onShare: (share: number) => void,
  round?: Round,
): Promise<PicturesRead> {
  const { numbers } = series
  const { pages: known, guess }: ScanRound = round?.before ?? { pages: [] }
  const read = [...known]
  const step = (share = 0): void => onShare((read.length + share) / numbers.length)
  const language = ocrSettings().languages[0] ?? 'eng'
  const look: Look = { reader: openReader(), path, angle: 0, language, settled: false, ...guess, step }
  const until = Date.now() + (round ? roundLength(round.ms, numbers.length) : BUDGET_MS)
  const isFull = (): boolean => shown(read) >= MOST_RECOGNISED
  const isOver = (): boolean => isFull() || (Date.now() > until && shown(read) > shown(known))
  const isPoisoned = read.filter(isFatal).length >= MOST_FATAL
  const done = new Set(read.map(({ number }) => number))
  const unread: number[] = []
  try {
    for (const number of numbers.filter((one) => !done.has(one))) {
      if (isPoisoned) read.push(unreadPage(number, 'undrawn'))
      else if (isOver()) unread.push(number)
      else {
        read.push(await readNoted(look, series, number, round?.journal))
        // Pages that show nothing to be read are not stepped through.
        step()
      }
    }
  } finally {
    await look.reader.close()
  }
  const isOpen = round && unread.length > 0 && !isFull()
  const unfinished = { pages: read, guess: guessOf(look) }
  const lost = read.length === numbers.length ? whyLost(read) : undefined
  return { ...summed(read), unread, full: isFull(), ...(lost && { lost }), ...(isOpen && { unfinished }) }
}

const shown = (read: readonly RecognisedPage[]): number => read.filter(({ empty }) => !empty).length

const isFatal = ({ damaged = 'undrawn' }: RecognisedPage): boolean => damaged !== 'undrawn'

function whyLost(read: readonly RecognisedPage[]): Error | undefined {
  if (read.length === 0 || !read.every(({ damaged }) => damaged)) return undefined
  const why = read.find(isFatal)?.damaged ?? 'undrawn'
  return why === 'undrawn' ? new Error('no page can be drawn') : new UnreadableFile(why)
}

const guessOf = ({ angle, language, settled }: Look): PageGuess => ({ angle, language, settled })

async function readNoted(
  look: Look,
  series: PictureSeries,
  number: number,
  journal: RoundJournal = () => undefined,
): Promise<RecognisedPage> {
  journal(number)
  const page = await readNext(look, series, number)
  journal(page)
  return page
}

/** Throws where it is the only page: then it says why the file cannot be read. */
async function readNext(
  look: Look,
  { numbers, open }: PictureSeries,
  number: number,
): Promise<RecognisedPage> {
  let page: Picture | undefined
  let sheet: Sheet | undefined
  try {
    page = await open(number)
    sheet = page && (await drawSheet(look.path, page))
  } catch (error) {
    if (numbers.length === 1 || !isDamage(error)) throw error
    return unreadPage(number, 'undrawn')
  }
  if (sheet === undefined) return { ...unreadPage(number), empty: true }
  // Most that say 0 were not asked.
  if (page?.stated) look.angle = page.stated
  const sight = await readPage(look, sheet)
  // Noise is read as letters too; where not one word is sure there is no text.
  if (sight.words === 0) return unreadPage(number)
  const { confidence, leftOut = false } = sight
  const foreign = missingLanguage(sight)
  const clear = isClear(sight)
  return { number, blocks: placed(sight, number), confidence, clear, leftOut, ...(foreign && { foreign }) }
}

/** The page's own; a full disk or a missing library (their codes begin so) is not. */
function isDamage(error: unknown): boolean {
  if (error instanceof UnreadableFile) return error.reason === 'damaged'
  return !/^E[A-Z]/.test(String((error as NodeJS.ErrnoException | undefined)?.code))
}

function summed(read: readonly RecognisedPage[]): Omit<PicturesRead, 'unread' | 'full'> {
  const written = read.filter(({ confidence }) => confidence > 0)
  const numbers = (pages: readonly RecognisedPage[]): number[] => pages.map(({ number }) => number)
  return {
    found: new Map(written.map(({ number, blocks }) => [number, blocks])),
    damaged: numbers(read.filter(({ damaged }) => damaged)),
    doubtful: numbers(written.filter(({ clear }) => !clear)),
    leftOut: numbers(written.filter(({ leftOut }) => leftOut)),
    foreign: written.flatMap(({ number, foreign: language }) => (language ? [{ number, language }] : [])),
    empty: numbers(read.filter(({ empty }) => empty)),
    wordless: numbers(
      read.filter(({ confidence, damaged, empty }) => confidence === 0 && !damaged && !empty),
    ),
    hopeless: written.length > 0 && written.every(({ confidence }) => confidence < HOPELESS_CONFIDENCE),
  }
}

/** What a person should know of pages that were left or whose words are mostly guesses. */
export function warningsOf({ unread, full, damaged, doubtful, leftOut, foreign }: PicturesRead): string[] {
  const why = full ? `of a document ${MOST_RECOGNISED} scanned pages are` : 'it took too long'
  return [
    ...told(unread, (pages) => `The text of ${pages} was not read: ${why}.`),
    ...told(damaged, (pages) => `The text of ${pages} was not read: damaged.`),
    ...told(doubtful, (pages) => `The text of ${pages} was hard to recognise and may be wrong.`),
    ...told(
      leftOut,
      (pages) =>
        `Lines of ${pages} were left out: they are drawn, or in a language that the administrator has not ` +
        'named in KENNING_OCR_LANGUAGES.',
    ),
    ...[...new Set(foreign.map(({ language }) => language))].flatMap((code) =>
      told(
        foreign.filter(({ language }) => language === code).map(({ number }) => number),
        (pages) =>
          `The text of ${pages} is in ${languageName(code)} but was read as another language: ${setUp(code)}`,
      ),
    ),
  ]
}

const setUp = (code: string): string =>
  trainedData(code, ocrSettings().folder)
    ? `the administrator can add ${code} to KENNING_OCR_LANGUAGES.`
    : `the administrator can set it up with "${installCommand([code])}".`

/** A warning about some pages; none without any. */
export function told(pages: readonly number[], warning: (pages: string) => string): string[] {
  if (pages.length === 0) return []
  return [warning(pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages from page ${pages[0]} on`)]
}

const score = ({ confidence, words, level }: Recognised): number => confidence * words * level

/** The page as it reads best. */
async function readPage(look: Look, sheet: Sheet): Promise<Sight> {
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
  const grey = greyOf(sheet.png)
  if (grey && isUneven(grey)) sight = await onUnevenGround(look, sheet, sight)
  return sight.words === 0 ? sight : inParts(look, grey, sight)
}

/** With the lines that are read where each place is held against the shades around it; all of that where there are no others. */
async function onUnevenGround(look: Look, sheet: Sheet, sight: Sight): Promise<Sight> {
  look.step()
  const read = await look.reader.readUneven(stateAngle(sheet.png, sight.angle), sight.language)
  if (!isClear(sight)) return score(read) > score(sight) ? { ...sight, ...read } : sight
  const alike = Math.abs(read.turned - sight.turned) <= LEVEL
  return alike ? { ...sight, ...sight.amended(withLinesOf(sight.found, read.found)) } : sight
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
  const code = ocrCode(guessLanguage(textOf(sight)))
  return code !== undefined && ocrSettings().languages.includes(code) ? code : sight.language
}

/** The language of a page that was read in another one, because its own is not set up. */
function missingLanguage(sight: Sight): string | undefined {
  if (sight.words < TELLING_WORDS || !isClear(sight) || !inLatin.has(sight.language)) return undefined
  const code = ocrCode(guessLanguage(textOf(sight), 'xx'))
  return code === undefined || ocrSettings().languages.includes(code) ? undefined : code
}

const textOf = (sight: Sight): string => sight.blocks.map((block) => block.text).join('\n')

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
