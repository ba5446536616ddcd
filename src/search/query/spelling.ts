// Which words of a workspace a word that stands in none of its chunks was meant to be. Pure; candidates come from
// term_stat, which holds stems: a typo in the stem is one edit away from it, a typo in the ending is left of it.

import { editDistance } from '../../graph/names.ts'
import type { Language } from '../../language/language.ts'
import { stem, stopWordsOf } from '../../language/stem.ts'
import { fold, withoutAccents } from '../../language/words.ts'

export interface KnownWord {
  word: string
  df: number
}

export interface Correction {
  /** A term of the workspace. */
  term: string
  /** The unstemmed form of it that was nearest, where that is another term. */
  exact?: string
  /** What it counts beside the words that were typed right. */
  weight: number
}

// Words of 4 letters or more, of letters alone: codes and numbers are meant as they are.
const CORRECTABLE = /^[\p{L}\p{M}]{4,40}$/u
// Two edits from 8 letters on.
const TWO_EDITS_FROM = 8
// The two likeliest count .8 and .5 (reference/language.md 1: typos .458, corrected .521, without typos .524).
const WEIGHTS = [0.8, 0.5]

export const isCorrectable = (raw: string): boolean => CORRECTABLE.test(raw) && !isCode(raw)

/** Capitals inside a short word (mRNA, IBM) spell a code or an acronym. */
const isCode = (raw: string): boolean => raw.length < 6 && /\p{Lu}/u.test(raw.slice(1))

// A typo keeps the stemmer from cutting the ending off, so the beginning is kept short: it must lie before the typo.
const START = 2

/** How a word may begin and end in the index: one edit, or a swap of neighbours, leaves one of both as it is. */
export function ends(raw: string, language: Language): { start: string; end: string } {
  const stemmed = stemOf(raw, language)
  const half = Math.max(1, Math.floor((stemmed.length - 1) / 2))
  return { start: stemmed.slice(0, Math.min(START, half)), end: stemmed.slice(-half) }
}

const bareOf = (raw: string): string => withoutAccents(fold(raw))
const stemOf = (raw: string, language: Language): string =>
  language === 'en' ? stem(bareOf(raw), language) : withoutAccents(stem(fold(raw), language))

/**
 * At most two, likeliest first: fewest edits, then the same first letter, then the most frequent, then by letters. None
 * for what is one edit from a stop word, which is by far likelier ("havm", "whimh").
 */
export function correct(raw: string, language: Language, known: readonly KnownWord[]): Correction[] {
  const typed = bareOf(raw)
  if (isNearStopWord(typed, language)) return []
  const stemmed = stemOf(raw, language)
  const most = typed.length >= TWO_EDITS_FROM ? 2 : 1
  const near = families(known, language)
    .map((family) => ({ ...family, ...nearest(family.words, (word) => edits(typed, stemmed, word, most)) }))
    .filter((candidate) => candidate.edits <= most)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        Number(b.word[0] === typed[0]) - Number(a.word[0] === typed[0]) ||
        b.df - a.df ||
        (a.word < b.word ? -1 : 1),
    )
  const fewest = near[0]?.edits
  return near
    .filter((candidate) => candidate.edits === fewest)
    .slice(0, WEIGHTS.length)
    .map(({ word, form }, rank) => ({
      term: word,
      ...(form !== word && { exact: form }),
      weight: WEIGHTS[rank] ?? 0,
    }))
}

/**
 * The words by their stem: names are indexed unstemmed too, and that form is rare beside the stem ("publshers" is nearest
 * to the Publisher of a few chunks, and means what publish stands for in all).
 */
function families(known: readonly KnownWord[], language: Language): (KnownWord & { words: string[] })[] {
  const frequency = new Map(known.map(({ word, df }) => [word, df]))
  const found = new Map<string, string[]>()
  for (const { word } of known) {
    if (!CORRECTABLE.test(word)) continue
    const root = stemOf(word, language)
    const term = frequency.has(root) ? root : word
    found.set(term, [...(found.get(term) ?? []), word])
  }
  return [...found].map(([word, words]) => ({ word, words, df: frequency.get(word) ?? 0 }))
}

function nearest(
  words: readonly string[],
  distance: (word: string) => number,
): { form: string; edits: number } {
  return words
    .map((form) => ({ form, edits: distance(form) }))
    .reduce((best, other) => (other.edits < best.edits ? other : best))
}

const SHORTEST_STOP_WORD = 4

const isNearStopWord = (typed: string, language: Language): boolean =>
  [...stopWordsOf(language)].some(
    (word) =>
      word.length >= SHORTEST_STOP_WORD &&
      word[0] === typed[0] &&
      editDistance(typed, withoutAccents(word), 1) <= 1,
  )

// What English stemming cuts off, so that an ending with a typo in it is told from another word.
const ENDINGS =
  's es ed d ing er ers or ors ly y ies ion ions ation ations al ally ment ments ness ity ive ous able ible e ence ance ent ant ical ized izing ization ic ful'.split(
    ' ',
  )

/**
 * Edits between what was typed and a stem: of stem and stem, or, where a typo kept the ending from being cut off, of the
 * typed word and the stem with an ending.
 */
function edits(typed: string, stemmed: string, word: string, most: number): number {
  // As it was typed, it is a word of another language here, or a stem.
  if (typed === word) return 0
  const own = editDistance(stemmed, word, most)
  if (own <= 1 || typed.length <= word.length) return own
  if (editDistance(typed.slice(0, word.length), word, most) > most) return own
  const ended = ENDINGS.filter((ending) => Math.abs(word.length + ending.length - typed.length) <= most).map(
    (ending) => editDistance(typed, word + ending, most),
  )
  return Math.min(own, ...ended)
}
