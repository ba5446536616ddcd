// Splits a chunk into sentences of tokens with their shapes, and counts how a document writes each word.

import { withoutFencedCode } from '../../../language/fenced-code.ts'
import { isFirstName } from '../../../language/gazetteer.ts'
import { sentences } from '../../../language/sentences.ts'
import { fold, isUnspaced, words } from '../../../language/words.ts'

/**
 * How a token is written:
 * - lower: not a name
 * - capital, acronym (ALL CAPS), mixed (iPhone): it may be a name
 * - code: AB-123
 * - other: an address, Chinese or Japanese, mark-up
 */
type Shape = 'lower' | 'capital' | 'acronym' | 'mixed' | 'code' | 'number' | 'other'

export interface Token {
  raw: string
  /** Case-folded, without a possessive ending. */
  lower: string
  shape: Shape
  /** Offsets into the chunk's text. */
  start: number
  end: number
  /**
   * The text between the previous token and this one: '' if there is none, ' ' if it is white space only, otherwise its
   * punctuation.
   */
  gap: string
  isPossessive: boolean
}

export interface TokenSentence {
  chunk_no: number
  /** Offsets into the chunk's text. */
  start: number
  end: number
  tokens: Token[]
  /** Whether it is a heading or a line in Title Case or CAPITALS, where capitals do not mark names. */
  isTitleLine: boolean
}

// A line is code if at least a tenth of its characters are signs that prose does not need.
const SIGNS = /[{}();=<>[\]$\\|`^*%#@&+]/g
const MIN_SIGNS = 3
const MIN_SHARE_OF_SIGNS = 0.1
// Text that contains no name: addresses, paths, flags, calls, names of files, keys and post codes.
const NOT_A_NAME =
  /(?:\b(?:https?|ftp|git|ssh|file):\/\/|\bwww\.)[^\s<>"]+|[\w.+-]+@[\w.-]+|(?<![\w)])(?:~|\.{0,2})\/[\w.-]+[\w./-]*|(?<![\w-])-{1,2}[a-z][\w-]+|\b[\w.]+(?:::|\(\)|->)\w*|\b[\w-]+\.(?:md|rst|txt|ya?ml|json|toml|csv|xml|html?|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|log|conf|cfg|ini|sh|bat|exe|dll|zip|gz|py|java|go|rb|rs|cpp|hpp|tsx?|jsx|css|sql|lock|env)\b|\b(?=[\p{Lu}\d-]*\d)[\p{Lu}\d]{4,}(?:-[\p{Lu}\d]{4,}){2,}\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/gu

const MAY_CONTAIN_NON_NAME =
  /[/@]|::|\(\)|->|\s--?[a-z]|\w\.[a-z]{1,5}\b|[A-Z\d]{4}-[A-Z\d]{4}|\d[A-Z\d]? \d[A-Z]{2}/

/** The text with code replaced by spaces, so that offsets stay the same. */
export function withoutCode(text: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ')
  const prose = withoutFencedCode(text)
  if (!/[{};=<>$]/.test(prose)) return prose
  return prose.replace(/[^\n]+/g, (line) => {
    const signs = line.match(SIGNS)?.length ?? 0
    return signs >= MIN_SIGNS && signs >= line.length * MIN_SHARE_OF_SIGNS ? blank(line) : line
  })
}

/** The sentences of a chunk's text that have at least one word. `text` must already be without code. */
export function tokenize(chunk_no: number, text: string): TokenSentence[] {
  const sentencesWithTokens: TokenSentence[] = []
  for (const { text: sentence, start, end } of sentences(text)) {
    const tokens = tokensOf(sentence, start)
    if (tokens.length)
      sentencesWithTokens.push({ chunk_no, start, end, tokens, isTitleLine: isTitle(sentence, tokens) })
  }
  return sentencesWithTokens
}

function tokensOf(sentence: string, offset: number): Token[] {
  const tokens: Token[] = []
  const nonNames = (MAY_CONTAIN_NON_NAME.test(sentence) ? [...sentence.matchAll(NOT_A_NAME)] : []).map(
    ({ index, 0: all }) => ({ index, to: index + all.length }),
  )
  let end = 0
  for (const word of words(sentence)) {
    while (nonNames[0] && nonNames[0].to <= word.start) nonNames.shift()
    const isInNonName = nonNames[0] !== undefined && nonNames[0].index < word.start + word.raw.length
    for (const piece of pieces(word.raw)) {
      const pieceStart = word.start + piece.offset
      const wordToken = makeToken(piece.raw, offset + pieceStart, gapOf(sentence, end, pieceStart))
      tokens.push(isInNonName ? { ...wordToken, shape: 'other' } : wordToken)
      end = pieceStart + piece.raw.length
    }
  }
  return tokens
}

function gapOf(sentence: string, from: number, to: number): string {
  if (from === to) return ''
  if (to - from === 1 && sentence[from] === ' ') return ' '
  const gap = sentence.slice(from, Math.min(to, from + 40))
  return gap.trim() || ' '
}

const ADDRESS = /@|^www\.|^https?$|[a-z0-9]\.(?:com|org|net|edu|gov|io|de|uk|eu|fr|ch|at|info)(?:[/.]|$)|_/i

/** Splits `Canada-based`, `and/or` and elisions before a name, but not `AB-123/4`, `O'Brien` or `Anglo-Saxon`. */
function* pieces(raw: string): Generator<{ raw: string; offset: number }> {
  if (!/[-/'’+]/.test(raw) || ADDRESS.test(raw) || /\d/.test(raw)) {
    yield { raw, offset: 0 }
    return
  }
  let offset = 0
  for (const part of raw.split(
    /(?<=\/)|(?<=\p{Lu}\p{L}*-)(?=(?:based|led|born|style|like|owned|backed|wide|era|speaking|made|related|only|century|shaped|winning|trained|educated|controlled|occupied|designed|built|type|language|bred|funded|listed|run)$)|(?<=^\p{Ll}{1,4}['’])(?=\p{Lu})/u,
  )) {
    const trimmedPart = part.replace(/[-/+]+$/, '')
    if (trimmedPart) yield { raw: trimmedPart, offset }
    offset += part.length
  }
}

function makeToken(raw: string, start: number, gap: string): Token {
  const isPossessive = /['’]s?$/i.test(raw) && raw.length > 2
  const withoutPossessive = isPossessive ? raw.replace(/['’]s?$/i, '') : raw
  return {
    raw: withoutPossessive,
    lower: fold(withoutPossessive),
    shape: shapeOf(withoutPossessive),
    start,
    end: start + withoutPossessive.length,
    gap,
    isPossessive,
  }
}

const CODE =
  /^(?=[^\d]*\d)(?:\p{Lu}{1,6}[-/.]?\d[\p{Lu}\d]*|\d+[-/]?\p{Lu}[\p{Lu}\d]*)(?:[-/.][\p{Lu}\d]+)*$/u

function shapeOf(raw: string): Shape {
  const firstCodePoint = raw.codePointAt(0) ?? 0
  if (firstCodePoint < 128) {
    if (/^[a-z][a-z'’-]*$/.test(raw)) return 'lower'
    if (/^[A-Z][a-z]+$/.test(raw)) return 'capital'
  }
  if (/^\d[\d.,:/-]*$/.test(raw)) return 'number'
  if (ADDRESS.test(raw) || isUnspaced(raw)) return 'other'
  if (/\d/.test(raw)) return CODE.test(raw) ? 'code' : /^\p{Lu}/u.test(raw) ? 'capital' : 'other'
  // Matches SeriesSet.Next and compression.EncodeBuffer, but not Node.js and not U.S.
  if (/[a-z]\.(?:\p{Lu}\p{L}*\p{Ll}|\p{L}+\p{Lu})/u.test(raw)) return 'other'
  if (/^\p{Lu}[\p{Lu}\p{M}&.'’/-]+$/u.test(raw)) return 'acronym'
  if (/^[\p{Lu}\p{Lt}]/u.test(raw)) return 'capital'
  return /^\p{Ll}{1,2}\p{Lu}\p{L}+$/u.test(raw) ? 'mixed' : 'lower'
}

/** Whether the line is mostly capitalised words without a full stop at the end, or in capitals. */
function isTitle(sentence: string, tokens: readonly Token[]): boolean {
  let longWords = 0
  let capitalisedWords = 0
  let wordsInCapitals = 0
  for (const { raw, shape } of tokens) {
    if (raw.length < 4 || shape === 'number' || shape === 'other') continue
    longWords++
    if (shape !== 'lower') capitalisedWords++
    if (shape === 'acronym') wordsInCapitals++
  }
  if (longWords >= 2 && wordsInCapitals / longWords > 0.7) return true
  if (/^\s*#{1,6}\s/.test(sentence)) return true
  return longWords >= 2 && capitalisedWords / longWords >= 0.8 && !/[.!?;,:]["'”’)]*$/.test(sentence)
}

/**
 * How a document writes each word. A word that the document also writes in lower case is no name at the start of a sentence. The
 * words of one document only are counted, so that its names do not depend on the rest of the workspace.
 */
export interface Casing {
  /** How often the word is written in lower case. */
  lowerCount(word: string): number
  /** How often it is capitalised inside a sentence. */
  capitalisedCount(word: string): number
  /** Whether the two words are adjacent in lower case. */
  isLowerPair(first: string, second: string): boolean
  /** Whether the word follows a first name. */
  isSurname(word: string): boolean
}

export function countCasing(sentences: readonly TokenSentence[]): Casing {
  const lowerCounts = new Map<string, number>()
  const insideCounts = new Map<string, number>()
  const add = (counts: Map<string, number>, word: string): void => {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const lowerPairs = new Set<string>()
  const surnames = new Set<string>()
  for (const { tokens, isTitleLine } of sentences) {
    let isFirst = true
    let previousToken: Token | undefined
    for (const token of tokens) {
      const { lower, shape, gap } = token
      const isAtStart = isFirst || startsClause(gap)
      isFirst = false
      if (shape === 'lower' && previousToken?.shape === 'lower' && gap === ' ')
        lowerPairs.add(`${previousToken.lower} ${lower}`)
      if (
        shape === 'capital' &&
        previousToken?.shape === 'capital' &&
        gap === ' ' &&
        isFirstName(previousToken.lower)
      )
        surnames.add(lower)
      previousToken = token
      if (shape === 'lower') add(lowerCounts, lower)
      else if (
        !isTitleLine &&
        !isAtStart &&
        (shape === 'capital' || shape === 'mixed' || shape === 'acronym')
      )
        add(insideCounts, lower)
    }
  }
  return {
    lowerCount: (word) => lowerCounts.get(word) ?? 0,
    capitalisedCount: (word) => insideCounts.get(word) ?? 0,
    isLowerPair: (first, second) => lowerPairs.has(`${first} ${second}`),
    isSurname: (word) => surnames.has(word),
  }
}

/** Whether a word after this gap may be capitalised only because it starts a clause, a list item or a quotation. */
export const startsClause = (gap: string): boolean =>
  gap.length > 0 && /[:•·*|>#"“„«]$|^[-–—]$|[.!?]/.test(gap)
