// Finds the positions of words or of a phrase in a text, so that they can be marked.

import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as spanish } from '@orama/stopwords/spanish'

/** In UTF-16 units. */
export interface Span {
  start: number
  end: number
  /** Whether this is the hit that the reader went to. */
  current?: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
/** Forms of one word begin with at least this many equal letters: "in" is no form of "interest". */
const MIN_STEM = 4
const MAX_ENDING_LENGTH = 3
const STOP_WORDS = [english, german, french, spanish].map((list) => new Set(list))

/**
 * The words without stop words, which are in nearly every passage. The language is the one in whose list of stop words most of
 * the words are; a single stop word of a language other than English is not enough, since it may be a content word ("war crimes"). If all words
 * are stop words, all are returned.
 */
function contentWords(words: readonly string[]): readonly string[] {
  const counts = STOP_WORDS.map(
    (list, i) => words.filter((word) => list.has(word)).length + (i === 0 ? 0.5 : 0),
  )
  const maxCount = Math.max(...counts)
  const list = maxCount > 1 ? STOP_WORDS[counts.indexOf(maxCount)] : undefined
  const remainingWords = words.filter((word) => !list?.has(word))
  return remainingWords.length > 0 ? remainingWords : words
}

/** Whether both are forms of one word: "lease", "leases", "leasing"; but not "least". */
function areForms(a: string, b: string): boolean {
  if (a === b) return true
  let commonLength = 0
  while (commonLength < a.length && a[commonLength] === b[commonLength]) commonLength++
  const [longerRest, shorterRest] = [a.slice(commonLength), b.slice(commonLength)].sort(
    (x, y) => x.length - y.length,
  )
  if (
    commonLength < MIN_STEM ||
    longerRest === undefined ||
    shorterRest === undefined ||
    shorterRest.length > MAX_ENDING_LENGTH
  )
    return false
  return longerRest === '' || ((longerRest === 'e' || longerRest === 'y') && /^[ei]/.test(shorterRest))
}

/** Spans of the words of `query` in `text`, their other forms included. */
export function querySpans(text: string, query: string): Span[] {
  const queryWords = [...query.toLocaleLowerCase().matchAll(WORD)].map(([word]) => word)
  const words = contentWords(queryWords).filter((word) => word.length > 1 || /\p{N}/u.test(word))
  if (words.length === 0) return []
  return [...text.matchAll(WORD)].flatMap((match) => {
    const word = match[0].toLocaleLowerCase()
    return words.some((one) => areForms(word, one))
      ? [{ start: match.index, end: match.index + match[0].length }]
      : []
  })
}

const SPECIAL_CHARACTERS = /[\\^$.*+?()[\]{}|]/g

/** Where `phrase` occurs in `text`, in any case and with any white space between its words. */
export function phraseSpans(text: string, phrase: string): Span[] {
  const words = phrase.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(
    words.map((word) => word.replace(SPECIAL_CHARACTERS, '\\$&')).join('\\s+'),
    'giu',
  )
  return [...text.matchAll(pattern)].map(({ index, 0: matchText }) => ({
    start: index,
    end: index + matchText.length,
  }))
}

/** The spans as they are written in an address: `12-80,95-120`. */
export const spansText = (spans: readonly Span[]): string =>
  spans.map(({ start, end }) => `${start}-${end}`).join(',')

/** Reads the spans from an address. Parts that are no span are ignored; undefined if there are no spans. */
export function spansOf(text: string | undefined): Span[] | undefined {
  const spans = text?.split(',').flatMap((part) => {
    const [, start, end] = /^(\d+)-(\d+)$/.exec(part) ?? []
    return start && end ? [{ start: Number(start), end: Number(end) }] : []
  })
  return spans?.length ? spans : undefined
}

/**
 * The boxes that contain the spans. In the text of a chunk, an empty line separates its blocks. If there are as many boxes as
 * blocks, the boxes of the blocks with a span are returned, otherwise all boxes.
 */
export function boxesWith<Box>(
  text: string,
  boxes: readonly Box[],
  spans: readonly Span[] | undefined,
): readonly Box[] {
  if (!spans?.length) return boxes
  const blocks = text.split('\n\n')
  if (blocks.length !== boxes.length) return boxes
  let start = 0
  const isMarked = blocks.map((block) => {
    const [from, to] = [start, start + block.length]
    start = to + 2
    return spans.some((span) => span.start < to && span.end > from)
  })
  const matchingBoxes = boxes.filter((_, i) => isMarked[i])
  return matchingBoxes.length > 0 ? matchingBoxes : boxes
}
