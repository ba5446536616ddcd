// Recognises the text of one picture inside a document, in the language of the document, and again in the language of the words
// if that is another one. Only text that consists of words is used, because photographs and the bars of charts are recognised as
// letters too, and noise in the index is worse than nothing (docs/decisions/0025).

import { guessLanguage } from '../../../language/guess.ts'
import type { Language } from '../../../language/language.ts'
import type { Block } from '../../block.ts'
import { cleanDocument } from '../blocks/clean.ts'
import { type OcrEngine, openOcrEngine, type Recognition, textOf } from '../ocr/engine.ts'
import { hasLanguage, ocrCode, ocrSettings } from '../ocr/languages.ts'
import { layOut } from '../ocr/layout/page-of-words.ts'
import type { RenderedPicture } from './render-picture.ts'

// Fewer words do not identify a language.
const MIN_LANGUAGE_WORDS = 20

/** The text of a picture as blocks without boxes. Empty if there are no words, or if no configured language has training data. */
export async function recognisePicture(
  picture: RenderedPicture | undefined,
  language: Language,
): Promise<Block[]> {
  const first = [ocrCode(language), ...ocrSettings().languages].find(isAvailable)
  if (first === undefined || picture === undefined) return []
  const engine = openOcrEngine()
  try {
    const { lines, size } = await inBestLanguage(engine, picture, first)
    const blocks = readableBlocks(await layOut(lines, size))
    return cleanDocument({
      blocks: blocks.map(({ bbox: _, level: __, ...block }) => ({ ...block, kind: kindOf(block) })),
    }).blocks
  } finally {
    await engine.close()
  }
}

// Large text in a picture is no heading of the document.
const kindOf = ({ kind }: Pick<Block, 'kind'>): Block['kind'] => (kind === 'heading' ? 'paragraph' : kind)

function isAvailable(code: string | undefined): code is string {
  const settings = ocrSettings()
  return code !== undefined && settings.languages.includes(code) && hasLanguage(code, settings)
}

async function inBestLanguage(
  engine: OcrEngine,
  { png, rect }: RenderedPicture,
  language: string,
): Promise<Recognition> {
  const first = await engine.recognise(png, language, rect)
  const guess = first.confidentWords < MIN_LANGUAGE_WORDS ? undefined : ocrCode(guessLanguage(textOf(first)))
  if (guess === language || !isAvailable(guess)) return first
  const second = await engine.recognise(png, guess, rect)
  return second.confidence > first.confidence ? second : first
}

// The minimum confidence of a block. Prose and labels on an even background have .85 to .96, leaves and faces .1 to .6.
const MIN_CONFIDENCE = 0.7
// The minimum share of a block's tokens that are words, numbers or short names such as "kg".
const MIN_WORDLIKE_SHARE = 0.7
// A picture with fewer words and numbers adds nothing to its caption.
const MIN_TOKENS = 3

/** The blocks that consist of words. None if they have too few words, or only numbers, such as the years along an axis. */
export function readableBlocks(blocks: readonly Block[]): Block[] {
  const textBlocks = blocks.map(withoutTicks).filter(isReadable)
  const tokens = textBlocks.flatMap(({ text }) => tokensOf(text)).filter(isWordlike)
  return tokens.length >= MIN_TOKENS && tokens.some(isWord) ? textBlocks : []
}

/** The block without the ticks of an axis, which are lines with neither a word nor a long number. */
function withoutTicks(block: Block): Block {
  const lines = block.text.split('\n').filter((line) => line.startsWith('|') || isInformative(tokensOf(line)))
  return { ...block, text: lines.join('\n') }
}

const isInformative = (tokens: readonly string[]): boolean =>
  tokens.some((token) => isWord(token) || isLongNumber(token))

function isReadable({ text, confidence = 0 }: Block): boolean {
  if (confidence < MIN_CONFIDENCE) return false
  const tokens = tokensOf(text)
  return isInformative(tokens) && tokens.filter(isWordlike).length >= MIN_WORDLIKE_SHARE * tokens.length
}

const isWordlike = (token: string): boolean => isWord(token) || isNumber(token) || isShortWord(token)

const tokensOf = (text: string): string[] => text.split(/[\s|]+/).filter((token) => /[^-:]/.test(token))

const trimPunctuation = (token: string): string => token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** Whether a token is a word: at least three letters and, in Latin script, a vowel or only capitals. */
function isWord(token: string): boolean {
  const word = trimPunctuation(token)
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(word))
    return word.length > 1
  if (!/^\p{L}[\p{L}\p{M}\p{N}'’._/@:+-]{2,}$/u.test(word)) return false
  if (!/^\p{Script=Latin}/u.test(word)) return true
  return /[aeiouy]/i.test(word.normalize('NFD')) || word === word.toUpperCase()
}

/** Whether a token is a number, also with a unit: "1,200", "(12%)", "5kg". */
const isNumber = (token: string): boolean =>
  /^[^\p{L}\p{N}]*\p{N}[\p{N}.,:/%–-]*\p{L}{0,3}[^\p{L}\p{N}]*$/u.test(token)

// Shorter numbers may be the ticks of an axis.
const isLongNumber = (token: string): boolean => isNumber(token) && /\p{N}{3}|[%$€£]/u.test(token)

// Matches "USA", "kg" and the single letters that are words: a, I, y, à.
const isShortWord = (token: string): boolean =>
  /^(?:\p{Lu}{1,3}|\p{L}{2}|[aeiouyàèé])$/u.test(trimPunctuation(token))
