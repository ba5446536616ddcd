// Spelling correction: for a word that no chunk of a workspace has, finds the words of the workspace that were probably meant.
// The candidates come from the table term_stat, which has stems. They are compared in their possible written forms. Pure.

import { editDistance } from '../../language/edit-distance.ts'
import type { Language } from '../../language/language.ts'
import { isNearStopWord, stem } from '../../language/stem.ts'
import { foldWord, withoutAccents } from '../../language/words.ts'

export interface KnownWord {
  word: string
  df: number
}

/** A term of the workspace that may be the right spelling of the typed word. */
export interface SpellingGuess {
  term: string
  /** The word that is nearest to the typed word. Set only if it is also a term of its own, because names are indexed unstemmed. */
  exact?: string
  df: number
  /** The number of letters that are wrong, missing, added, or swapped with the next one. */
  edits: number
  /** Whether it begins with the same letter as the typed word. */
  beginsAlike: boolean
}

export interface Correction extends SpellingGuess {
  /** The weight of the term in the query. Words typed correctly have 1. */
  weight: number
}

// Words with at least 4 letters, and only letters. Numbers and codes with digits are never corrected.
const CORRECTABLE = /^[\p{L}\p{M}]{4,40}$/u
// Words with at least so many letters may have two edits, shorter words one.
const MIN_TWO_EDITS_LETTERS = 8

export const isCorrectable = (raw: string): boolean => CORRECTABLE.test(raw) && !hasCapitals(raw)

/** Whether the word is an acronym. It is corrected only if the workspace has other words of the query. */
export const isAcronym = (raw: string): boolean => CORRECTABLE.test(raw) && hasCapitals(raw)

/** Capitals inside a short word (mRNA, IBM) mean a code or an acronym. */
const hasCapitals = (raw: string): boolean => raw.length < 6 && /\p{Lu}/u.test(raw.slice(1))

// At most this many first letters must be equal. More would often include the typo.
const MAX_START_LETTERS = 2

/** The beginning and the end of the stem. One edit, or a swap of neighbouring letters, changes only one of them. */
export function startAndEndOf(raw: string, language: Language): { start: string; end: string } {
  const stemmed = stemOf(raw, language)
  const half = Math.max(1, Math.floor((stemmed.length - 1) / 2))
  return { start: stemmed.slice(0, Math.min(MAX_START_LETTERS, half)), end: stemmed.slice(-half) }
}

/** The conditions by which the database selects candidates. Every word that `spellingGuesses` accepts meets them. */
export interface WordBounds {
  /** The word begins with `start` or ends with `end`. */
  start: string
  end: string
  /** The typed word in the form that is compared. */
  typed: string
  /** The letters of the typed word and of its stem. */
  letters: string
  /** The maximum number of edits. */
  edits: number
  /** The length of the typed word or of its stem, whichever is longer, in UTF-16 units. */
  length: number
}

export function boundsOf(raw: string, language: Language): WordBounds {
  const [typedForm, stemmed] = [foldedForm(raw), stemOf(raw, language)]
  return {
    ...startAndEndOf(raw, language),
    typed: typedForm,
    letters: typedForm + stemmed,
    edits: maxEditsOf(typedForm),
    length: Math.max(typedForm.length, stemmed.length),
  }
}

const maxEditsOf = (typedForm: string): number => (typedForm.length >= MIN_TWO_EDITS_LETTERS ? 2 : 1)

const foldedForm = (raw: string): string => withoutAccents(foldWord(raw))
const stemOf = (raw: string, language: Language): string =>
  language === 'en' ? stem(foldedForm(raw), language) : withoutAccents(stem(foldWord(raw), language))

// The maximum number of equally near guesses. The words beside them in the query decide between them.
const MAX_GUESSES = 5

/**
 * The nearest words, all with the same number of edits. Those with the same first letter come first, then the most frequent.
 * Empty if the word is one edit from a stop word, because then the stop word was probably meant ("havm", "whimh").
 */
export function spellingGuesses(
  raw: string,
  language: Language,
  candidates: readonly KnownWord[],
): SpellingGuess[] {
  const typedForm = foldedForm(raw)
  if (isNearStopWord(typedForm, language)) return []
  const maxEdits = maxEditsOf(typedForm)
  const sortedGuesses = [
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
  const fewest = sortedGuesses[0]?.edits
  return sortedGuesses.filter(({ edits }) => edits === fewest).slice(0, MAX_GUESSES)
}

// Minimum lengths of the term and of the ending: "planet" is not an inflected form of "plan".
const MIN_ROOT_LETTERS = 5
const MIN_ENDING_LETTERS = 3

/** Whether a correctly spelt word is the term plus an ending that the stemmer does not remove, so that its chunks are relevant. */
export const isInflectionOf = (raw: string, term: string): boolean =>
  term.length >= MIN_ROOT_LETTERS &&
  raw.length >= term.length + MIN_ENDING_LETTERS &&
  foldedForm(raw).startsWith(term)

// The weights of the likeliest and the second guess. The likeliest one has the weight of a correctly typed word (SURE_WEIGHT) if
// it is the only guess, or the only one that occurs beside its neighbours in the query.
const SURE_WEIGHT = 1
const UNLIKELY_WEIGHT = 0.3
const GUESS_WEIGHTS = [0.8, 0.5]
// The weight of a corrected acronym.
const ACRONYM_WEIGHT = 0.5
// How much more a chunk counts that has the guess beside its neighbour in the query than a chunk that has it anywhere.
const SUPPORT_FACTOR = 2
// The penalty for another first letter. At most one misspelling in twenty has another first letter (Pollock and Zamora 1984).
const OTHER_FIRST_LETTER_PENALTY = Math.log(20)

/**
 * The two likeliest guesses, by a noisy channel model with the term's frequency in the workspace as prior.
 * @param support returns how many chunks have a term beside its neighbours in the query
 */
export function likeliest(
  candidateGuesses: readonly SpellingGuess[],
  support: (term: string) => number = () => 0,
): Correction[] {
  const [first, second] = candidateGuesses
    .map((guess) => ({ guess, support: support(guess.term) }))
    .map((candidate) => ({ ...candidate, score: scoreOf(candidate.guess, candidate.support) }))
    .sort((a, b) => b.score - a.score)
  if (!first) return []
  if (!second) return [{ ...first.guess, weight: SURE_WEIGHT }]
  const weights = first.support > 0 && second.support === 0 ? [SURE_WEIGHT, UNLIKELY_WEIGHT] : GUESS_WEIGHTS
  return [first, second].map(({ guess }, rank) => ({ ...guess, weight: weights[rank] ?? 0 }))
}

/** As `likeliest`, but for an acronym: only the likeliest guess. */
export const likeliestAcronym = (
  candidateGuesses: readonly SpellingGuess[],
  support: (term: string) => number,
): Correction[] =>
  likeliest(candidateGuesses, support)
    .slice(0, 1)
    .map((guess) => ({ ...guess, weight: ACRONYM_WEIGHT }))

const scoreOf = ({ df, beginsAlike }: SpellingGuess, support: number): number =>
  Math.log(1 + df) + SUPPORT_FACTOR * Math.log(1 + support) - (beginsAlike ? 0 : OTHER_FIRST_LETTER_PENALTY)

interface ComparedWord {
  typedWord: string
  stemmed: string
  /** The maximum number of edits. With more it is another word. */
  maxEdits: number
  language: Language
}

/**
 * Returns the best guess for each stem. A name is also indexed unstemmed, and this term is much rarer than its stem: "publshers" is
 * nearest to the name "Publisher" of a few chunks, but the stem "publish" of many chunks was meant.
 */
function groupByStem(typed: ComparedWord, candidates: readonly KnownWord[]): Map<string, SpellingGuess> {
  const frequency = new Map(candidates.map(({ word, df }) => [word, df]))
  const guessByStem = new Map<string, SpellingGuess>()
  const nearWords = candidates.filter(
    ({ word }) => CORRECTABLE.test(word) && isNear(typed, word) && !isOpposite(typed, word),
  )
  for (const { word } of mostFrequent(nearWords)) {
    const root = stemOf(word, typed.language)
    const term = frequency.has(root) ? root : word
    const edits =
      term === word ? editsToStem(typed, word) : editDistance(typed.typedWord, word, typed.maxEdits)
    const previous = guessByStem.get(term)
    // Of two equally near words, one that is not the term itself is preferred.
    const isPreviousBetter =
      previous && (previous.edits < edits || (previous.edits === edits && term === word))
    if (isPreviousBetter) continue
    guessByStem.set(term, {
      term,
      ...(term !== word && { exact: word }),
      df: frequency.get(term) ?? 0,
      edits,
      beginsAlike: word[0] === typed.typedWord[0],
    })
  }
  return guessByStem
}

// English, German and the Romance languages negate a word by a prefix.
const NEGATIONS = ['un', 'in', 'im', 'il', 'ir', 'non', 'dis', 'des', 'de']

/** Whether one word negates the other. "Uninsured" is not a typo of "insured", which means the opposite. */
const isOpposite = ({ typedWord, stemmed }: ComparedWord, word: string): boolean => {
  const isNegated = (negated: string, other: string): boolean =>
    NEGATIONS.some((negation) => negated === negation + other)
  return [typedWord, stemmed].some((form) => isNegated(form, word) || isNegated(word, form))
}

// The maximum number of compared words. Each blocks the event loop for half a millisecond. Only texts that were made to slow down
// the search have more near words.
const MAX_NEAR_WORDS = 500

const mostFrequent = (nearWords: readonly KnownWord[]): readonly KnownWord[] =>
  nearWords.length <= MAX_NEAR_WORDS
    ? nearWords
    : nearWords.toSorted((a, b) => b.df - a.df || (a.word < b.word ? -1 : 1)).slice(0, MAX_NEAR_WORDS)

// Added if only the stems are compared, because the stem of a word with a typo is unreliable.
const STEM_DISTANCE_PENALTY = 0.5

/** The number of edits between the typed word and the nearest written form of a stem. */
function editsToStem({ typedWord, stemmed, maxEdits, language }: ComparedWord, word: string): number {
  const typedEnding = typedWord.startsWith(stemmed) ? typedWord.slice(stemmed.length) : ''
  const lengths = { shortest: typedWord.length - maxEdits, longest: typedWord.length + maxEdits }
  let fewest = editDistance(stemmed, word, maxEdits) + (language === 'en' ? STEM_DISTANCE_PENALTY : 0)
  const typedWithoutDoubled = withoutDoubledLetters(typedWord)
  for (const form of writtenForms(word, language, { ending: typedEnding, ...lengths })) {
    const edits =
      typedWord !== form && typedWithoutDoubled === withoutDoubledLetters(form)
        ? 1
        : editDistance(typedWord, form, maxEdits)
    if (edits < fewest && isOfStem(form, word, language)) fewest = edits
  }
  return fewest
}

/** Each repeated letter once, because doubling the wrong letter ("baterry") is one mistake, not two. */
const withoutDoubledLetters = (word: string): string => word.replace(/(\p{L})\1/gu, '$1')

/** Whether the edit distance between the word of the workspace and some beginning of the typed word is small. */
function isNear({ typedWord, maxEdits }: ComparedWord, word: string): boolean {
  // One more edit is allowed if the stem differs from the word ("carri" from "carry"), or if the wrong letter may be doubled.
  const budget =
    word.endsWith('i') || withoutDoubledLetters(typedWord) !== typedWord ? maxEdits + 1 : maxEdits
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
      const isSwap = i > 1 && j > 1 && word[i - 1] === typedWord[j - 2] && word[i - 2] === typedWord[j - 1]
      if (isSwap) cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > budget + 1) return false
    beforePrevious = previous
    previous = row
  }
  return Math.min(...previous) <= budget
}

// The endings of 95 % of the 58,000 English words of three collections. A stem with an ending is a written form only if the
// stemmer reduces it to the stem.
const ENGLISH_ENDINGS = [
  '',
  ...(
    's e ed d es ing r ic al er ation ion ate ated ers rs ly ive able ions ical ating ous ity ically ates ent ' +
    'ations ally ness iness y ized ied ies ily ying ics ant ization ment ings ence ance ize ism izing als ative ful ator or ' +
    'ional ively ely ities ication icate icated icating ised ingly ement ability ible ibly ously izes ably ators ors ants ' +
    'itis ents ivity ently alization ality ments isation ational fully ements ency ences alize alized icity ise ately ives ' +
    'iveness ionally ising ances ancy ibility atively antly edly ications'
  ).split(' '),
]
// Endings before which the last letter is doubled: cutting, stopped.
const ENDINGS_AFTER_DOUBLED_LETTER = ['ed', 'ing', 'er', 'ers']

/**
 * Possible written forms of this stem between two lengths: in English the stem with each known ending, otherwise the stem itself
 * and with the ending that was typed. The caller checks with `isOfStem` whether near forms really have the stem. That takes 20
 * µs, as long as ten comparisons.
 */
function* writtenForms(
  term: string,
  language: Language,
  { ending, shortest, longest }: { ending: string; shortest: number; longest: number },
): Generator<string> {
  for (const form of language === 'en' ? englishForms(term) : [term, term + ending])
    if (form.length >= shortest && form.length <= longest) yield form
}

/** Whether the form has the term as its stem. Both are without accents. */
const isOfStem = (form: string, term: string, language: Language): boolean =>
  form === term || withoutAccents(stem(form, language)) === term

function* englishForms(term: string): Generator<string> {
  for (const ending of ENGLISH_ENDINGS) yield term + ending
  // The stemmer changes y to i: citi is city and cities, carri is carry and carried.
  if (term.endsWith('i'))
    for (const ending of ['y', 'ys', 'ying', 'ies', 'ied']) yield term.slice(0, -1) + ending
  const lastLetter = term.slice(-1)
  if (/[bdfgklmnprtz]/.test(lastLetter))
    for (const ending of ENDINGS_AFTER_DOUBLED_LETTER) yield term + lastLetter + ending
}
