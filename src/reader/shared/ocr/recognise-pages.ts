// Recognises scanned pages one by one. Each page is rendered at a suitable resolution, rotated upright, and recognised in the
// language of its text.

import { guessLanguage, readsAsLanguage } from '../../../language/guess.ts'
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
import { plainWords } from '../page/layout/words.ts'
import { type Angle, withExifAngle } from '../rasters/exif-orientation.ts'
import type { Rect } from '../rasters/grey-image.ts'
import { decodeGrey } from '../rasters/grey-image.ts'
import { hasUnevenBackground } from '../rasters/uneven-background.ts'
import {
  isReliable,
  latinLanguages,
  MIN_HORIZONTAL_SHARE,
  type OcrContext,
  type PageRecognition,
} from './context.ts'
import { openOcrEngine, type Recognition, textOf, withLines } from './engine.ts'
import { installCommand, languageName, ocrCode, ocrSettings, trainedData } from './languages.ts'
import { type PageSeries, type PageSource, type RenderedPage, renderPage } from './render-page.ts'
import { withMissingLines } from './second-pass/inserted-words.ts'
import { MAX_SKEW } from './second-pass/reread-lines.ts'
import { type LaidOutPage, runSecondPass } from './second-pass/second-pass.ts'

interface RecognisedPages {
  /** The blocks of the pages with text, by page number. */
  blocksByPage: Map<number, Block[]>
  /** The pages that were not read, because the time was up or the page limit was reached. */
  unread: number[]
  /** Whether the page limit of a document was reached. */
  full: boolean
  /** Pages that could not be rendered, although others could. */
  damaged: number[]
  /** Pages of low confidence, such as a poor scan, handwriting, or a script that is not configured. */
  doubtful: number[]
  /** Pages with lines that no configured language recognises. */
  leftOut: number[]
  /** Pages in a language that is not configured, recognised as another one. */
  unconfigured: { number: number; language: string }[]
  /** Pages without anything to recognise. */
  empty: number[]
  /** Pages that are not empty, but on which no word was recognised. */
  wordless: number[]
  /** Whether the text of all pages is noise. */
  isOnlyNoise: boolean
  /** The error if no page could be read. The caller throws it if the file has no other text. */
  lostError?: Error
  /** The state with which the next round continues. Undefined if no further round is needed or requested. */
  unfinished?: ScanRound
}

// The size of the page's centre, as a share of each side. Recognising the centre shows rotation and language in a third of the
// time of a full pass.
const CENTRE_SHARE = 0.6
// The confidence of noise is lower. Chinese recognised as English has .45 to .49, the poorest scan that a person can read .6.
const MIN_CONFIDENCE = 0.55
// Fewer words do not identify a language.
const MIN_LANGUAGE_WORDS = 20
// The pool ends a parser process after 10 minutes. This limit is shorter, so that the pages read so far are returned with a
// warning.
const MAX_TIME_MS = 8.5 * 60_000
// A fatal page ends the process that reads it. After this many the scan is not read further, because each may take the time and
// memory of a whole file.
const MAX_FATAL_PAGES = 3
/** The maximum number of recognised pages of a document, which take one processor about three hours. */
export const MAX_RECOGNISED_PAGES = 2000

/**
 * Recognises pages of the file at `path`, whose extension shows its kind. Boxes are in points. With a round, it continues where
 * the previous round stopped, and stops when the time of the round is up. Several rounds give the same result as a long one.
 */
export async function recognisePages(
  path: string,
  series: PageSeries,
  onShare: (share: number) => void,
  round?: Round,
): Promise<RecognisedPages> {
  const { numbers } = series
  if (ocrSettings().languages.length === 0) return { ...summarise([]), unread: [...numbers], full: false }
  const { pages: recognisedPages, pageGuess }: ScanRound = round?.earlierRounds ?? { pages: [] }
  const pagesSoFar = [...recognisedPages]
  const progress = (share = 0): void => onShare((pagesSoFar.length + share) / numbers.length)
  const language = ocrSettings().languages[0] ?? 'eng'
  const engine = openOcrEngine()
  const context: OcrContext = { engine, path, angle: 0, language, isSettled: false, ...pageGuess, progress }
  const deadline = Date.now() + (round ? roundLength(round.ms, numbers.length) : MAX_TIME_MS)
  const isFull = (): boolean => countNonEmpty(pagesSoFar) >= MAX_RECOGNISED_PAGES
  const mustStop = (): boolean =>
    isFull() || (Date.now() > deadline && countNonEmpty(pagesSoFar) > countNonEmpty(recognisedPages))
  const hasTooManyFatalPages = pagesSoFar.filter(isFatal).length >= MAX_FATAL_PAGES
  const doneNumbers = new Set(pagesSoFar.map(({ number }) => number))
  const unread: number[] = []
  try {
    for (const number of numbers.filter((candidate) => !doneNumbers.has(candidate))) {
      if (hasTooManyFatalPages) pagesSoFar.push(unreadPage(number, 'undrawn'))
      else if (mustStop()) unread.push(number)
      else {
        pagesSoFar.push(await readJournalled(context, series, number, round?.journal))
        // An empty page reports no progress of its own.
        progress()
      }
    }
  } finally {
    await engine.close()
  }
  const isUnfinished = round && unread.length > 0 && !isFull()
  const unfinished = { pages: pagesSoFar, pageGuess: guessOf(context) }
  const error = pagesSoFar.length === numbers.length ? lostError(pagesSoFar) : undefined
  return {
    ...summarise(pagesSoFar),
    unread,
    full: isFull(),
    ...(error && { lostError: error }),
    ...(isUnfinished && { unfinished }),
  }
}

const countNonEmpty = (pages: readonly RecognisedPage[]): number =>
  pages.filter((page) => !page.hasNothingToRecognise).length

/** Whether reading the page ended the process. A page that only could not be drawn is not fatal. */
const isFatal = ({ damaged = 'undrawn' }: RecognisedPage): boolean => damaged !== 'undrawn'

/** The error to report if none of the pages could be read. */
function lostError(pages: readonly RecognisedPage[]): Error | undefined {
  if (pages.length === 0 || !pages.every(({ damaged }) => damaged)) return undefined
  const reason = pages.find(isFatal)?.damaged ?? 'undrawn'
  return reason === 'undrawn' ? new Error('no page can be rendered') : new UnreadableFile(reason)
}

const guessOf = ({ angle, language, isSettled }: OcrContext): PageGuess => ({
  angle,
  language,
  isSettled,
})

/** Reads a page. Its number goes to the journal before it is read, so that a page that ends the process can be identified. */
async function readJournalled(
  context: OcrContext,
  series: PageSeries,
  number: number,
  journal: RoundJournal = () => undefined,
): Promise<RecognisedPage> {
  journal(number)
  const page = await readPage(context, series, number)
  journal(page)
  return page
}

/** @throws the rendering error of the only page of a document, because then the whole file cannot be read */
async function readPage(
  context: OcrContext,
  { numbers, open }: PageSeries,
  number: number,
): Promise<RecognisedPage> {
  let source: PageSource | undefined
  let rendered: RenderedPage | undefined
  try {
    source = await open(number)
    rendered = source && (await renderPage(context.path, source))
  } catch (error) {
    if (numbers.length === 1 || !isPageDamage(error)) throw error
    return unreadPage(number, 'undrawn')
  }
  if (rendered === undefined) return { ...unreadPage(number), hasNothingToRecognise: true }
  // An EXIF angle of 0 mostly means that no angle is stated. Then the angle of the previous page is the better guess.
  if (source?.exifAngle) context.angle = source.exifAngle
  const page = await recognisePage(context, rendered)
  // Noise is recognised as letters too, but never with confidence.
  if (page.confidentWords === 0) return unreadPage(number)
  const { confidence, hasOmittedLines = false } = page
  const language = unconfiguredLanguage(page)
  const blocks = pageBlocksInPoints(page, number)
  return {
    number,
    blocks,
    confidence,
    isReliable: isReliable(page),
    leftOut: hasOmittedLines,
    ...(language && { unconfiguredLanguage: language }),
  }
}

/** Whether the page causes the error. A full disk or a missing library gives an error whose code begins with E. */
function isPageDamage(error: unknown): boolean {
  if (error instanceof UnreadableFile) return error.reason === 'damaged'
  return !/^E[A-Z]/.test(String((error as NodeJS.ErrnoException | undefined)?.code))
}

function summarise(pages: readonly RecognisedPage[]): Omit<RecognisedPages, 'unread' | 'full'> {
  const withText = pages.filter(({ confidence }) => confidence > 0)
  const numbersOf = (pages: readonly RecognisedPage[]): number[] => pages.map(({ number }) => number)
  const isWordless = ({ confidence, damaged, hasNothingToRecognise }: RecognisedPage): boolean =>
    confidence === 0 && !damaged && !hasNothingToRecognise
  return {
    blocksByPage: new Map(withText.map(({ number, blocks }) => [number, blocks])),
    damaged: numbersOf(pages.filter(({ damaged }) => damaged)),
    doubtful: numbersOf(withText.filter((page) => !page.isReliable)),
    leftOut: numbersOf(withText.filter(({ leftOut }) => leftOut)),
    unconfigured: withText.flatMap(({ number, unconfiguredLanguage: language }) =>
      language ? [{ number, language }] : [],
    ),
    empty: numbersOf(pages.filter((page) => page.hasNothingToRecognise)),
    wordless: numbersOf(pages.filter(isWordless)),
    isOnlyNoise: withText.length > 0 && withText.every(isNoise),
  }
}

/** Whether the text of a page is noise. Even a poor scan, of which half of the words are right, reads as a language. */
function isNoise({ confidence, blocks }: RecognisedPage): boolean {
  if (confidence >= MIN_CONFIDENCE) return false
  const text = blocks.map((block) => block.text).join('\n')
  return plainWords(text).length < MIN_LANGUAGE_WORDS || !readsAsLanguage(text)
}

/** The warnings for users about pages that were not read, or not reliably. */
export function warningsOf({
  unread,
  full,
  damaged,
  doubtful,
  leftOut,
  unconfigured,
}: RecognisedPages): string[] {
  const reason = full
    ? `at most ${MAX_RECOGNISED_PAGES} scanned pages of a document are recognised`
    : 'it took too long'
  return [
    ...pageWarning(unread, (pages) => `The text of ${pages} was not read: ${reason}.`),
    ...pageWarning(damaged, (pages) => `The text of ${pages} was not read: damaged.`),
    ...pageWarning(doubtful, (pages) => `The text of ${pages} was hard to recognise and may be wrong.`),
    ...pageWarning(
      leftOut,
      (pages) =>
        `Lines of ${pages} were left out: they are drawn, or in a language that the administrator has not ` +
        'named in KENNING_OCR_LANGUAGES.',
    ),
    ...[...new Set(unconfigured.map(({ language }) => language))].flatMap((code) =>
      pageWarning(
        unconfigured.filter(({ language }) => language === code).map(({ number }) => number),
        (pages) =>
          `The text of ${pages} is in ${languageName(code)} but was read as another language: ${setUpHint(code)}`,
      ),
    ),
  ]
}

const setUpHint = (code: string): string =>
  trainedData(code, ocrSettings().folder)
    ? `the administrator can add ${code} to KENNING_OCR_LANGUAGES.`
    : `the administrator can set it up with "${installCommand([code])}".`

/** One warning about all of the pages. Empty if there are no pages. */
export function pageWarning(pages: readonly number[], warning: (pages: string) => string): string[] {
  if (pages.length === 0) return []
  return [warning(pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages from page ${pages[0]} on`)]
}

const scoreOf = ({ confidence, confidentWords, horizontalShare }: Recognition): number =>
  confidence * confidentWords * horizontalShare

async function recognisePage(context: OcrContext, rendered: RenderedPage): Promise<LaidOutPage> {
  let page = await recogniseUpright(context, rendered)
  if (!isReliable(page)) page = await tryOtherScripts(context, rendered, page)
  const language = languageOf(page)
  if (language !== page.language) {
    const other = await recogniseOnce({ ...context, angle: page.angle, language }, rendered)
    if (other.confidence > page.confidence) page = other
  }
  if (isReliable(page)) {
    context.angle = page.angle
    context.language = page.language
    context.isSettled = true
  }
  const grey = decodeGrey(rendered.png)
  if (grey && context.engine.readsCrops && hasUnevenBackground(grey))
    page = await withAdaptivePass(context, rendered, page)
  return page.confidentWords === 0 ? { ...page, blocks: [] } : runSecondPass(context, grey, page)
}

/** Adds the lines that only adaptive binarization finds. An unreliable page is replaced by the adaptive result if it is better. */
async function withAdaptivePass(
  context: OcrContext,
  rendered: RenderedPage,
  page: PageRecognition,
): Promise<PageRecognition> {
  context.progress()
  const png = withExifAngle(rendered.png, page.angle)
  const adaptive = await context.engine.recogniseAdaptive(png, page.language)
  if (!isReliable(page)) return scoreOf(adaptive) > scoreOf(page) ? { ...page, ...adaptive } : page
  const hasSameSkew = Math.abs(adaptive.skew - page.skew) <= MAX_SKEW
  return hasSameSkew ? withLines(page, withMissingLines(page.lines, adaptive.lines)) : page
}

/**
 * Recognises the page with the rotation and language of the previous page. For the first page, or after a poor result, the
 * centre of the page decides these.
 */
async function recogniseUpright(context: OcrContext, rendered: RenderedPage): Promise<PageRecognition> {
  const first = context.isSettled ? await recogniseOnce(context, rendered) : undefined
  if (first !== undefined && isReliable(first)) return first
  const centre = await recogniseCentre(context, rendered, first?.horizontalShare)
  const language = languageOf(centre)
  const angle = isReliable(centre) ? centre.angle : context.angle
  let best = first ?? (await recogniseOnce({ ...context, angle, language }, rendered))
  // A centre without words shows no angle. Then the whole page is tried at each angle.
  const anglesToTry =
    centre.confidentWords > 0
      ? [centre.angle]
      : best.confidentWords > 0
        ? otherAngles(context.angle, best.horizontalShare)
        : []
  for (const angle of anglesToTry) {
    if (isReliable(best) || angle === best.angle) continue
    const other = await recogniseOnce({ ...context, angle, language }, rendered)
    if (scoreOf(other) > scoreOf(best)) best = other
  }
  return best
}

/** The centre of the page at its best angle. The `horizontalShare` of an earlier pass decides which angle is tried first. */
async function recogniseCentre(
  context: OcrContext,
  rendered: RenderedPage,
  horizontalShare?: number,
): Promise<PageRecognition> {
  let best = await recogniseOnce(context, rendered, true)
  for (const angle of otherAngles(context.angle, horizontalShare ?? best.horizontalShare)) {
    if (isReliable(best)) break
    const other = await recogniseOnce({ ...context, angle }, rendered, true)
    if (scoreOf(other) > scoreOf(best)) best = other
  }
  return best
}

/** The other angles, the likeliest first. If lines run up or down, the page is turned by 90°; otherwise it is upside down. */
function otherAngles(angle: Angle, horizontalShare: number): Angle[] {
  const turns: Angle[] = horizontalShare < MIN_HORIZONTAL_SHARE ? [90, 270, 180] : [180, 90, 270]
  return turns.map((turn) => ((angle + turn) % 360) as Angle)
}

/**
 * Tries the configured languages of other scripts. The words of a text in Latin script show its language, but another script
 * gives only noise until one of its languages is tried.
 */
async function tryOtherScripts(
  context: OcrContext,
  rendered: RenderedPage,
  latinPage: PageRecognition,
): Promise<PageRecognition> {
  let best = latinPage
  for (const language of ocrSettings().languages.filter((code) => !latinLanguages.has(code))) {
    const other = await recogniseOnce({ ...context, language }, rendered)
    if (other.confidence > best.confidence) best = other
    if (isReliable(best)) break
  }
  return best
}

/** The language of the page by its words, if it is configured; otherwise the language in which it was recognised. */
function languageOf(page: PageRecognition): string {
  const { confidentWords, language } = page
  if (confidentWords < MIN_LANGUAGE_WORDS || !latinLanguages.has(language)) return language
  const code = ocrCode(guessLanguage(textOf(page)))
  return code !== undefined && ocrSettings().languages.includes(code) ? code : language
}

/** The language of a reliable page if it is not configured, so that the page was recognised in another one. */
function unconfiguredLanguage(page: PageRecognition): string | undefined {
  const isConclusive = page.confidentWords >= MIN_LANGUAGE_WORDS && isReliable(page)
  if (!isConclusive || !latinLanguages.has(page.language)) return undefined
  const code = ocrCode(guessLanguage(textOf(page), 'xx'))
  return code === undefined || ocrSettings().languages.includes(code) ? undefined : code
}

async function recogniseOnce(
  { engine, angle, language, progress }: OcrContext,
  rendered: RenderedPage,
  isCentreOnly = false,
): Promise<PageRecognition> {
  progress()
  const png = withExifAngle(rendered.png, angle)
  const result = await engine.recognise(png, language, isCentreOnly ? centreOf(rendered, angle) : undefined)
  return { ...result, angle, language, pixelsPerPoint: rendered.pixelsPerPoint }
}

function centreOf(rendered: RenderedPage, angle: Angle): Rect {
  const isUpright = angle % 180 === 0
  const [across, down] = isUpright ? [rendered.width, rendered.height] : [rendered.height, rendered.width]
  const [width, height] = [Math.round(across * CENTRE_SHARE), Math.round(down * CENTRE_SHARE)]
  return { left: (across - width) >> 1, top: (down - height) >> 1, width, height }
}

/** The blocks with page number and boxes in points. On a rotated page they have no boxes, which would be at wrong positions. */
function pageBlocksInPoints({ blocks, angle, pixelsPerPoint }: LaidOutPage, number: number): Block[] {
  const toPoints = (pixels: number): number => Math.round((pixels / pixelsPerPoint) * 100) / 100
  return blocks.map(({ bbox, ...block }) => {
    if (bbox === undefined || angle !== 0) return { ...block, page: number }
    const [left, top, right, bottom] = bbox
    return {
      ...block,
      page: number,
      bbox: [toPoints(left), toPoints(top), toPoints(right), toPoints(bottom)],
    }
  })
}
