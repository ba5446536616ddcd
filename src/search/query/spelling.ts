// Which words of a workspace a word that stands in none of its chunks was meant to be. Pure; candidates come from
// term_stat, which holds stems, and are compared as they may have been written.

import { editDistance } from '../../graph/names.ts'
import type { Language } from '../../language/language.ts'
import { stem, stopWordsOf } from '../../language/stem.ts'
import { fold, withoutAccents } from '../../language/words.ts'

export interface KnownWord {
  word: string
  df: number
}

/** A word that may have been meant, as a term of the workspace. */
export interface Guess {
  term: string
  /** The unstemmed form of it that was nearest, where that is another term. */
  exact?: string
  df: number
  /** Letters typed wrong, left out, added, or two in the wrong order. */
  edits: number
  /** Whether it begins with the letter that was typed. */
  beginsAlike: boolean
}

export interface Correction extends Guess {
  /** What it counts beside the words that were typed right. */
  weight: number
}

// Words of 4 letters or more, of letters alone: codes with digits and numbers are meant as they are.
const CORRECTABLE = /^[\p{L}\p{M}]{4,40}$/u
// Two edits from 8 letters on.
const TWO_EDITS_FROM = 8

export const isCorrectable = (raw: string): boolean => CORRECTABLE.test(raw) && !hasCapitals(raw)

/** An acronym that may be mistyped, beside words that are not: what is asked for alone is meant as it is. */
export const isAcronym = (raw: string): boolean => CORRECTABLE.test(raw) && hasCapitals(raw)

/** Capitals inside a short word (mRNA, IBM) spell a code or an acronym. */
const hasCapitals = (raw: string): boolean => raw.length < 6 && /\p{Lu}/u.test(raw.slice(1))

// A typo keeps the stemmer from cutting the ending off, so the beginning is kept short: it must lie before the typo.
const START = 2

/** How a word may begin and end in the index: one edit, or a swap of neighbours, leaves one of both as it is. */
export function ends(raw: string, language: Language): { start: string; end: string } {
  const stemmed = stemOf(raw, language)
  const half = Math.max(1, Math.floor((stemmed.length - 1) / 2))
  return { start: stemmed.slice(0, Math.min(START, half)), end: stemmed.slice(-half) }
}

/** What the index can tell of the words that `guesses` takes. */
export interface Bounds {
  /** How a word begins, or else ends. */
  start: string
  end: string
  /** As it is compared. */
  typed: string
  /** Of what was typed and of its stem, which are both compared. */
  letters: string
  /** As many may be wrong. */
  edits: number
  /** UTF-16 units of the longer of both. */
  length: number
}

export function boundsOf(raw: string, language: Language): Bounds {
  const [typed, stemmed] = [bareOf(raw), stemOf(raw, language)]
  return {
    ...ends(raw, language),
    typed,
    letters: typed + stemmed,
    edits: mostEdits(typed),
    length: Math.max(typed.length, stemmed.length),
  }
}

const mostEdits = (typed: string): number => (typed.length >= TWO_EDITS_FROM ? 2 : 1)

const bareOf = (raw: string): string => withoutAccents(fold(raw))
const stemOf = (raw: string, language: Language): string =>
  language === 'en' ? stem(bareOf(raw), language) : withoutAccents(stem(fold(raw), language))

// More than so many equally near are told apart by what stands beside them, the most frequent ones.
const MOST_GUESSES = 5

/**
 * What may have been meant, all of them as near as can be: same first letter before others, then the most frequent, then
 * by letters. None for what is one edit from a stop word, which is by far likelier ("havm", "whimh").
 */
export function guesses(raw: string, language: Language, known: readonly KnownWord[]): Guess[] {
  const typed = bareOf(raw)
  if (isNearStopWord(typed, language)) return []
  const most = mostEdits(typed)
  const near = [...families({ typed, stemmed: stemOf(raw, language), most, language }, known).values()]
    .filter(({ edits }) => edits <= most)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        Number(b.beginsAlike) - Number(a.beginsAlike) ||
        b.df - a.df ||
        (a.term < b.term ? -1 : 1),
    )
  const fewest = near[0]?.edits
  return near.filter(({ edits }) => edits === fewest).slice(0, MOST_GUESSES)
}

// Accuracy is no typing error, but what holds accurate is about it; planet is not about planes.
const ROOT = 5
const ENDING = 3

/** Whether a word, written right, is the term with an ending that the stemmer leaves. */
export const isFamily = (raw: string, term: string): boolean =>
  term.length >= ROOT && raw.length >= term.length + ENDING && bareOf(raw).startsWith(term)

// The likeliest counts .8 and the next .5; as much as a word typed right where it is the only one, or
// the only one that the workspace knows beside its neighbours in the query.
const SURE = 1
const UNLIKELY = 0.3
const WEIGHTS = [0.8, 0.5]
// An acronym for which the workspace has one with a letter more, fewer or other.
const ACRONYM = 0.5
// Chunks that hold a guess beside its neighbour say more than chunks that hold it.
const SUPPORT = 2
// One misspelling in twenty or fewer has another first letter (Pollock and Zamora 1984).
const OTHER_BEGINNING = Math.log(20)

/**
 * At most two of the guesses, likeliest first: a noisy channel whose prior is how often each stands in the workspace.
 * @param support in how many chunks a term stands beside its neighbours in the query
 */
export function likeliest(
  found: readonly Guess[],
  support: (term: string) => number = () => 0,
): Correction[] {
  const [first, second] = found
    .map((guess) => ({ guess, support: support(guess.term) }))
    .map((each) => ({ ...each, score: scoreOf(each.guess, each.support) }))
    .sort((a, b) => b.score - a.score)
  if (!first) return []
  if (!second) return [{ ...first.guess, weight: SURE }]
  const weights = first.support > 0 && second.support === 0 ? [SURE, UNLIKELY] : WEIGHTS
  return [first, second].map(({ guess }, rank) => ({ ...guess, weight: weights[rank] ?? 0 }))
}

/** The likeliest acronym, as `likeliest`. */
export const likeliestAcronym = (found: readonly Guess[], support: (term: string) => number): Correction[] =>
  likeliest(found, support)
    .slice(0, 1)
    .map((guess) => ({ ...guess, weight: ACRONYM }))

const scoreOf = ({ df, beginsAlike }: Guess, support: number): number =>
  Math.log(1 + df) + SUPPORT * Math.log(1 + support) - (beginsAlike ? 0 : OTHER_BEGINNING)

interface Typed {
  typed: string
  stemmed: string
  /** More edits are another word. */
  most: number
  language: Language
}

/**
 * The words by their stem: names are indexed unstemmed too, and that form is rare beside the stem ("publshers" is nearest
 * to the Publisher of a few chunks, and means what publish stands for in all).
 */
function families(asked: Typed, known: readonly KnownWord[]): Map<string, Guess> {
  const frequency = new Map(known.map(({ word, df }) => [word, df]))
  const found = new Map<string, Guess>()
  const near = known.filter(({ word }) => CORRECTABLE.test(word) && isNear(asked, word))
  for (const { word } of mostFrequent(near)) {
    const root = stemOf(word, asked.language)
    const term = frequency.has(root) ? root : word
    const edits = term === word ? editsToStem(asked, word) : editDistance(asked.typed, word, asked.most)
    const before = found.get(term)
    if (before && (before.edits < edits || (before.edits === edits && term === word))) continue
    found.set(term, {
      term,
      ...(term !== word && { exact: word }),
      df: frequency.get(term) ?? 0,
      edits,
      beginsAlike: word[0] === asked.typed[0],
    })
  }
  return found
}

// Half a millisecond each, in which nobody else is served; only a text made for it holds more.
const MOST_NEAR = 500

const mostFrequent = (near: readonly KnownWord[]): readonly KnownWord[] =>
  near.length <= MOST_NEAR
    ? near
    : near.toSorted((a, b) => b.df - a.df || (a.word < b.word ? -1 : 1)).slice(0, MOST_NEAR)

// As near by its stem alone is less: stems are cut from a word with a typo as it comes.
const BY_STEM = 0.5

/** Edits between what was typed and the nearest word of a stem. */
function editsToStem({ typed, stemmed, most, language }: Typed, word: string): number {
  const ending = typed.startsWith(stemmed) ? typed.slice(stemmed.length) : ''
  const lengths = { shortest: typed.length - most, longest: typed.length + most }
  let fewest = editDistance(stemmed, word, most) + (language === 'en' ? BY_STEM : 0)
  const onceTyped = once(typed)
  for (const form of writtenForms(word, language, { ending, ...lengths })) {
    const edits = typed !== form && onceTyped === once(form) ? 1 : editDistance(typed, form, most)
    if (edits < fewest && isOfStem(form, word, language)) fewest = edits
  }
  return fewest
}

/** Every letter once: which of them is the double one is one thing to get wrong ("baterry"). */
const once = (word: string): string => word.replace(/(\p{L})\1/gu, '$1')

/** Whether what was typed begins like the word; of thousands that are looked at few do. */
function isNear({ typed, most }: Typed, word: string): boolean {
  // Carry is written with another letter than its stem carri; a letter may be double in another place.
  const budget = word.endsWith('i') || once(typed) !== typed ? most + 1 : most
  let before: number[] = []
  let previous = Array.from({ length: typed.length + 1 }, (_, j) => j)
  for (let i = 1; i <= word.length; i++) {
    const row = [i]
    for (let j = 1; j <= typed.length; j++) {
      const same = word[i - 1] === typed[j - 1] ? 0 : 1
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && word[i - 1] === typed[j - 2] && word[i - 2] === typed[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > budget + 1) return false
    before = previous
    previous = row
  }
  return Math.min(...previous) <= budget
}

// What English words end with behind their stem: 95 % of the 58,000 words of three collections. With each a word is only
// written as one whose stem it is: "frequenly" is one edit from frequently, and "cariers" none from a form of care.
const ENGLISH = [
  '',
  ...(
    's e ed d es ing r ic al er ation ion ate ated ers rs ly ive able ions ical ating ous ity ically ates ent ' +
    'ations ally ness iness y ized ied ies ily ying ics ant ization ment ings ence ance ize ism izing als ative ful ator or ' +
    'ional ively ely ities ication icate icated icating ised ingly ement ability ible ibly ously izes ably ators ors ants ' +
    'itis ents ivity ently alization ality ments isation ational fully ements ency ences alize alized icity ise ately ives ' +
    'iveness ionally ising ances ancy ibility atively antly edly ications'
  ).split(' '),
]
// Cut, cutting; stop, stopped.
const DOUBLED = ['ed', 'ing', 'er', 'ers']

/**
 * What may be words of this stem, between two lengths, as far as its language's endings are known: itself and with the
 * ending that was typed, in English with all that there are. Whether one is a word of it (`isOfStem`) takes 20 µs, as long
 * as ten comparisons with what was typed: it is asked only of what is near.
 */
function* writtenForms(
  term: string,
  language: Language,
  { ending, shortest, longest }: { ending: string; shortest: number; longest: number },
): Generator<string> {
  for (const form of language === 'en' ? englishForms(term) : [term, term + ending])
    if (form.length >= shortest && form.length <= longest) yield form
}

/** Each is written without accents. */
const isOfStem = (form: string, term: string, language: Language): boolean =>
  form === term || withoutAccents(stem(form, language)) === term

function* englishForms(term: string): Generator<string> {
  for (const ending of ENGLISH) yield term + ending
  // City, cities; carry, carried.
  if (term.endsWith('i'))
    for (const ending of ['y', 'ys', 'ying', 'ies', 'ied']) yield term.slice(0, -1) + ending
  const last = term.slice(-1)
  if (/[bdfgklmnprtz]/.test(last)) for (const ending of DOUBLED) yield term + last + ending
}

const SHORTEST_STOP_WORD = 4

const isNearStopWord = (typed: string, language: Language): boolean =>
  [...stopWordsOf(language)].some(
    (word) =>
      word.length >= SHORTEST_STOP_WORD &&
      word[0] === typed[0] &&
      editDistance(typed, withoutAccents(word), 1) <= 1,
  )
