// Spelling correction: finds the words of a workspace that may be meant by a word that occurs in none of its chunks. Pure. The
// candidates come from term_stat, which has stems, and are compared in their possible written forms.

import { editDistance } from '../../language/edit-distance.ts'
import type { Language } from '../../language/language.ts'
import { isNearStopWord, stem } from '../../language/stem.ts'
import { foldWord, withoutAccents } from '../../language/words.ts'

export interface KnownWord {
  word: string
  df: number
}

/** A term of the workspace that may be meant. */
export interface Guess {
  term: string
  /** Its unstemmed form, if that is a different term and was nearest. */
  exact?: string
  df: number
  /** Letters that are wrong, missing, added, or swapped with the next one. */
  edits: number
  /** Whether it begins with the same letter as the typed word. */
  beginsAlike: boolean
}

export interface Correction extends Guess {
  /** Its weight; words typed correctly have 1. */
  weight: number
}

// Words with at least 4 letters, and only letters. Numbers and codes with digits are never corrected.
const CORRECTABLE = /^[\p{L}\p{M}]{4,40}$/u
// Two edits from 8 letters on.
const TWO_EDITS_FROM = 8

export const isCorrectable = (raw: string): boolean => CORRECTABLE.test(raw) && !hasCapitals(raw)

/** An acronym. It may be mistyped if other words of the query are known. Alone it is never corrected. */
export const isAcronym = (raw: string): boolean => CORRECTABLE.test(raw) && hasCapitals(raw)

/** Capitals inside a short word (mRNA, IBM) mean a code or an acronym. */
const hasCapitals = (raw: string): boolean => raw.length < 6 && /\p{Lu}/u.test(raw.slice(1))

// A short prefix, because it must end before the typo. The typo may also keep the stemmer from removing the ending.
const START = 2

/** How a word may begin and end in the index. One edit, or a swap of neighbours, leaves one of the two unchanged. */
export function ends(raw: string, language: Language): { start: string; end: string } {
  const stemmed = stemOf(raw, language)
  const half = Math.max(1, Math.floor((stemmed.length - 1) / 2))
  return { start: stemmed.slice(0, Math.min(START, half)), end: stemmed.slice(-half) }
}

/** Conditions that every word accepted by `guesses` meets, for the database to check. */
export interface Bounds {
  /** How a word begins or ends. */
  start: string
  end: string
  /** The typed word as it is compared. */
  typed: string
  /** The letters of the typed word and of its stem. Both are compared. */
  letters: string
  /** The most edits. */
  edits: number
  /** UTF-16 units of the longer of the two. */
  length: number
}

export function boundsOf(raw: string, language: Language): Bounds {
  const [typedForm, stemmed] = [foldedForm(raw), stemOf(raw, language)]
  return {
    ...ends(raw, language),
    typed: typedForm,
    letters: typedForm + stemmed,
    edits: maxEditsOf(typedForm),
    length: Math.max(typedForm.length, stemmed.length),
  }
}

const maxEditsOf = (typedForm: string): number => (typedForm.length >= TWO_EDITS_FROM ? 2 : 1)

const foldedForm = (raw: string): string => withoutAccents(foldWord(raw))
const stemOf = (raw: string, language: Language): string =>
  language === 'en' ? stem(foldedForm(raw), language) : withoutAccents(stem(foldWord(raw), language))

// Of equally near guesses, the most frequent ones. The words beside them decide.
const MAX_GUESSES = 5

/**
 * The nearest words, all with the same number of edits: first those with the same first letter, then the most frequent, then in
 * alphabetical order. None if the word is one edit from a stop word, because that is far likelier ("havm", "whimh").
 */
export function guesses(raw: string, language: Language, candidates: readonly KnownWord[]): Guess[] {
  const typedForm = foldedForm(raw)
  if (isNearStopWord(typedForm, language)) return []
  const maxEdits = maxEditsOf(typedForm)
  const nearest = [
    ...groupByStem(
      { typedWord: typedForm, stemmed: stemOf(raw, language), maxEdits, language },
      candidates,
    ).values(),
  ]
    .filter(({ edits }) => edits <= maxEdits)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        Number(b.beginsAlike) - Number(a.beginsAlike) ||
        b.df - a.df ||
        (a.term < b.term ? -1 : 1),
    )
  const fewest = nearest[0]?.edits
  return nearest.filter(({ edits }) => edits === fewest).slice(0, MAX_GUESSES)
}

// "Accuracy" is not a typo, and chunks with "accurate" are relevant. But "planet" is not about planes.
const ROOT = 5
const ENDING = 3

/** Whether a correctly spelt word is the term plus an ending that the stemmer does not remove. */
export const isInflectionOf = (raw: string, term: string): boolean =>
  term.length >= ROOT && raw.length >= term.length + ENDING && foldedForm(raw).startsWith(term)

// The likeliest guess has the weight .8 and the next .5. It has the weight of a correctly typed word if it is the only one, or
// the only one that occurs beside its neighbours in the query.
const SURE = 1
const UNLIKELY = 0.3
const WEIGHTS = [0.8, 0.5]
// The weight of a corrected acronym.
const ACRONYM = 0.5
// Chunks with a guess beside its neighbour are stronger evidence than chunks that have it anywhere.
const SUPPORT = 2
// One misspelling in twenty or fewer has another first letter (Pollock and Zamora 1984).
const OTHER_BEGINNING = Math.log(20)

/**
 * At most two of the guesses, likeliest first: a noisy channel model whose prior is the term's frequency in the workspace.
 * @param support how many chunks have a term beside its neighbours in the query
 */
export function likeliest(
  candidateGuesses: readonly Guess[],
  support: (term: string) => number = () => 0,
): Correction[] {
  const [first, second] = candidateGuesses
    .map((guess) => ({ guess, support: support(guess.term) }))
    .map((each) => ({ ...each, score: scoreOf(each.guess, each.support) }))
    .sort((a, b) => b.score - a.score)
  if (!first) return []
  if (!second) return [{ ...first.guess, weight: SURE }]
  const weights = first.support > 0 && second.support === 0 ? [SURE, UNLIKELY] : WEIGHTS
  return [first, second].map(({ guess }, rank) => ({ ...guess, weight: weights[rank] ?? 0 }))
}

/** The same for an acronym: the likeliest one. */
export const likeliestAcronym = (
  candidateGuesses: readonly Guess[],
  support: (term: string) => number,
): Correction[] =>
  likeliest(candidateGuesses, support)
    .slice(0, 1)
    .map((guess) => ({ ...guess, weight: ACRONYM }))

const scoreOf = ({ df, beginsAlike }: Guess, support: number): number =>
  Math.log(1 + df) + SUPPORT * Math.log(1 + support) - (beginsAlike ? 0 : OTHER_BEGINNING)

interface Typed {
  typedWord: string
  stemmed: string
  /** The maximum number of edits. With more it is another word. */
  maxEdits: number
  language: Language
}

/**
 * Groups the words by stem: names are also indexed unstemmed, and that form is rare compared to the stem ("publshers" is nearest
 * to the Publisher of a few chunks, but means the publish of all).
 */
function groupByStem(typed: Typed, candidates: readonly KnownWord[]): Map<string, Guess> {
  const frequency = new Map(candidates.map(({ word, df }) => [word, df]))
  const byFamily = new Map<string, Guess>()
  const nearWords = candidates.filter(
    ({ word }) => CORRECTABLE.test(word) && isNear(typed, word) && !isOpposite(typed, word),
  )
  for (const { word } of mostFrequent(nearWords)) {
    const root = stemOf(word, typed.language)
    const term = frequency.has(root) ? root : word
    const edits =
      term === word ? editsToStem(typed, word) : editDistance(typed.typedWord, word, typed.maxEdits)
    const previous = byFamily.get(term)
    if (previous && (previous.edits < edits || (previous.edits === edits && term === word))) continue
    byFamily.set(term, {
      term,
      ...(term !== word && { exact: word }),
      df: frequency.get(term) ?? 0,
      edits,
      beginsAlike: word[0] === typed.typedWord[0],
    })
  }
  return byFamily
}

// English, German and the Romance languages negate a word by a prefix.
const NEGATIONS = ['un', 'in', 'im', 'il', 'ir', 'non', 'dis', 'des', 'de']

/** Whether one word negates the other. "Uninsured" is not a typo of "insured", which means the opposite. */
const isOpposite = ({ typedWord, stemmed }: Typed, word: string): boolean => {
  const isNegated = (negated: string, other: string): boolean =>
    NEGATIONS.some((negation) => negated === negation + other)
  return [typedWord, stemmed].some((form) => isNegated(form, word) || isNegated(word, form))
}

// Each takes half a millisecond of the event loop. Only a text made for this purpose has more.
const MAX_NEAR = 500

const mostFrequent = (nearWords: readonly KnownWord[]): readonly KnownWord[] =>
  nearWords.length <= MAX_NEAR
    ? nearWords
    : nearWords.toSorted((a, b) => b.df - a.df || (a.word < b.word ? -1 : 1)).slice(0, MAX_NEAR)

// Distance by stem alone counts less, because the stem of a word with a typo is unreliable.
const BY_STEM = 0.5

/** Edits between the typed word and the nearest word of a stem. */
function editsToStem({ typedWord, stemmed, maxEdits, language }: Typed, word: string): number {
  const typedEnding = typedWord.startsWith(stemmed) ? typedWord.slice(stemmed.length) : ''
  const lengths = { shortest: typedWord.length - maxEdits, longest: typedWord.length + maxEdits }
  let fewest = editDistance(stemmed, word, maxEdits) + (language === 'en' ? BY_STEM : 0)
  const onceTyped = once(typedWord)
  for (const form of writtenForms(word, language, { ending: typedEnding, ...lengths })) {
    const edits = typedWord !== form && onceTyped === once(form) ? 1 : editDistance(typedWord, form, maxEdits)
    if (edits < fewest && isOfStem(form, word, language)) fewest = edits
  }
  return fewest
}

/** Each repeated letter once, because doubling the wrong letter ("baterry") is one mistake, not two. */
const once = (word: string): string => word.replace(/(\p{L})\1/gu, '$1')

/** Whether the typed word has a similar beginning to the known one. Few of thousands have. */
function isNear({ typedWord, maxEdits }: Typed, word: string): boolean {
  // "Carry" has another letter than its stem "carri", and the doubled letter may be elsewhere.
  const budget = word.endsWith('i') || once(typedWord) !== typedWord ? maxEdits + 1 : maxEdits
  let beforePrevious: number[] = []
  let previous = Array.from({ length: typedWord.length + 1 }, (_, j) => j)
  for (let i = 1; i <= word.length; i++) {
    const row = [i]
    for (let j = 1; j <= typedWord.length; j++) {
      const substitution = word[i - 1] === typedWord[j - 1] ? 0 : 1
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + substitution,
      )
      if (i > 1 && j > 1 && word[i - 1] === typedWord[j - 2] && word[i - 2] === typedWord[j - 1])
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > budget + 1) return false
    beforePrevious = previous
    previous = row
  }
  return Math.min(...previous) <= budget
}

// Endings that English words have after their stem. They cover 95 % of the 58,000 words of three collections. A form counts
// only if it has the stem: "frequenly" is one edit from "frequently", and "cariers" is near no form of "care".
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
 * Possible words of this stem between two lengths: the stem itself, the stem with the ending that was typed, and in English
 * with all known endings. Checking that a word really has the stem (`isOfStem`) takes 20 µs, as long as ten comparisons with
 * the typed word, so only near ones are checked.
 */
function* writtenForms(
  term: string,
  language: Language,
  { ending, shortest, longest }: { ending: string; shortest: number; longest: number },
): Generator<string> {
  for (const form of language === 'en' ? englishForms(term) : [term, term + ending])
    if (form.length >= shortest && form.length <= longest) yield form
}

/** All without accents. */
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
