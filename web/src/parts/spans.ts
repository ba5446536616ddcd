// The positions of words or a phrase in a text, to be marked.

import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as spanish } from '@orama/stopwords/spanish'

/** In UTF-16 units. */
export interface Span {
  start: number
  end: number
  /** The hit that the reader has stepped to. */
  current?: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
/** If two words have fewer letters in common, they are not forms of one word: "in" is not "interest". */
const MIN_STEM = 4
const MAX_ENDING_LENGTH = 3
const STOP_WORDS = [english, german, french, spanish].map((list) => new Set(list))

/**
 * The words without the stop words of the language that most of them belong to, because the rest distinguishes passages. A
 * single stop word of a language other than English may be a content word ("war crimes"). If all are stop words, all stay.
 */
export function contentWords(words: readonly string[]): readonly string[] {
  const counts = STOP_WORDS.map(
    (list, i) => words.filter((word) => list.has(word)).length + (i === 0 ? 0.5 : 0),
  )
  const most = Math.max(...counts)
  const list = most > 1 ? STOP_WORDS[counts.indexOf(most)] : undefined
  const rest = words.filter((word) => !list?.has(word))
  return rest.length > 0 ? rest : words
}

/** Whether both are forms of one word: "lease", "leases", "leasing"; but not "least". */
function areForms(a: string, b: string): boolean {
  if (a === b) return true
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [rest, other] = [a.slice(same), b.slice(same)].sort((x, y) => x.length - y.length)
  if (same < MIN_STEM || rest === undefined || other === undefined || other.length > MAX_ENDING_LENGTH)
    return false
  return rest === '' || ((rest === 'e' || rest === 'y') && /^[ei]/.test(other))
}

/** Spans of the words of `query` in `text`, their other forms included. */
export function querySpans(text: string, query: string): Span[] {
  const typed = [...query.toLocaleLowerCase().matchAll(WORD)].map(([word]) => word)
  const words = contentWords(typed).filter((word) => word.length > 1 || /\p{N}/u.test(word))
  if (words.length === 0) return []
  return [...text.matchAll(WORD)].flatMap((match) => {
    const word = match[0].toLocaleLowerCase()
    return words.some((one) => areForms(word, one))
      ? [{ start: match.index, end: match.index + match[0].length }]
      : []
  })
}

const special = /[\\^$.*+?()[\]{}|]/g

/** Where `phrase` occurs in `text`, in any case and with any white space between its words. */
export function phraseSpans(text: string, phrase: string): Span[] {
  const words = phrase.trim().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => word.replace(special, '\\$&')).join('\\s+'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: matchText }) => ({
    start: index,
    end: index + matchText.length,
  }))
}

/** `12-80,95-120`, the form in an address. */
export const spansText = (spans: readonly Span[]): string =>
  spans.map(({ start, end }) => `${start}-${end}`).join(',')

/** Undefined if any part is not a span. */
export function spansOf(text: string | undefined): Span[] | undefined {
  const spans = text?.split(',').flatMap((part) => {
    const [, start, end] = /^(\d+)-(\d+)$/.exec(part) ?? []
    return start && end ? [{ start: Number(start), end: Number(end) }] : []
  })
  return spans?.length ? spans : undefined
}

/**
 * The boxes that contain the spans. A chunk has a box for each of its blocks, and empty lines between their texts. If there are
 * as many boxes as blocks, these are the boxes of the blocks with a span. Otherwise they are all boxes.
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
