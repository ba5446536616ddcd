// The keywords of a question and how much of them texts cover. A keyword weighs its idf in the workspace; one that
// the workspace does not contain weighs most. Coverage decides between an answer, a hedge and abstention. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { isEveryday, isWord } from '../../language/dictionary.ts'
import { guessLanguage } from '../../language/guess.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { LEXICON_LANGUAGES, type LexiconWord, synonymsInText } from '../../language/lexicon.ts'
import { isNearStopWord } from '../../language/stem.ts'
import { contentWordsIn, piecesOf } from '../../language/unspaced.ts'
import { foldWord, withoutAccents } from '../../language/words.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { fileNameOf, passageText } from '../passage.ts'
import { answerType, namesType } from './answer-type.ts'

/**
 * A content word of the question, with its term in every language, because a workspace may have documents in several.
 */
export interface Keyword {
  /** As written. */
  word: string
  forms: ReadonlyMap<Language, string>
  /** Terms of synonyms in any language, for a word that the workspace does not contain. */
  synonyms: ReadonlySet<string>
  /** idf times importance. */
  weight: number
  /** It is an everyday word or names the type of answer, so a text may easily use another word instead. */
  isGeneric: boolean
  /** Whether any chunk of the workspace contains it or one of its synonyms. */
  isKnown: boolean
  /** Whether a compound of the workspace contains it, as "Ölwechsel" contains "Öl". The compound may be about something else, so it does not match. */
  isInCompound: boolean
  /** It comes from earlier turns, so a text that answers the question need not contain it. */
  isTopic: boolean
  /** Vietnamese: the pairs of this syllable with its neighbours, because most words have two syllables. */
  pairs: readonly string[]
}

export interface TermStatistics {
  terms: readonly QueryTerm[]
  /** For a word that no chunk contains and that is probably mistyped: its likeliest correction. */
  corrections?: ReadonlyMap<string, string>
  /** The terms that are compounds of words of the question. */
  compounds?: ReadonlySet<string>
  chunks: number
}

// Texts easily use another word instead of an everyday English word ("happen", "report", "give"), and so they do for a word that is
// not written as a name. Both weigh less.
const GENERIC_WEIGHT = 0.5
// The weight of a word without a capital. Lists of everyday words are shorter in other languages than English, so there such a word
// weighs less. In scripts without case names cannot be recognised, so all words have the weight `uncased`.
const UNCAPITALISED_WEIGHT = { en: 0.7, other: 0.5, uncased: 0.7 }
// If no document contains an everyday word ("happens", "get"), the documents probably use another word for the same thing. A quarter
// of its weight is fitted on XQuAD, MuSiQue and the everyday questions.
const UNKNOWN_GENERIC_FACTOR = 0.25
// Words that name the type of answer ("how much does it cost") need not stand beside it.
const TYPE_WORD_WEIGHT = 0.25
// Japanese writes its grammar in hiragana. Terms of hiragana only, as in "駐車場はどこですか", have little meaning.
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const GRAMMAR_WEIGHT = 0.1
const TOPIC_WEIGHT = 0.3

/** The keywords of a question, each once; those of `topic`, which comes from earlier turns, weigh less. */
export function questionKeywords(
  question: { text: string | AnalysedText; language: Language; topic?: string | AnalysedText },
  statistics: TermStatistics,
): Keyword[] {
  const termsOfWorkspace = new Map(statistics.terms.map((term) => [term.term, term]))
  const readTypo = typosIn(question.language, statistics)
  const highestIdf = Math.log(1 + (statistics.chunks + 0.5) / 0.5)
  const keywords = new Map<string, Keyword>()
  const add = (text: AnalysedText, factor: number): void => {
    const synonymsByWord = synonymsInText(text, question.language)
    const languageClass = question.language === 'en' ? 'en' : 'other'
    const type = answerType(text.text)
    for (const [place, raw] of wordsIn(text, question.language).entries()) {
      const namesAnswerType = namesType(type, raw)
      const isGeneric = namesAnswerType || isEveryday(raw, question.language)
      const isUncapitalised = place === 0 || !/^[\p{Lu}\p{N}]/u.test(raw)
      const importance =
        (namesAnswerType ? TYPE_WORD_WEIGHT : isGeneric ? GENERIC_WEIGHT : 1) *
        (isUncapitalised ? UNCAPITALISED_WEIGHT[/^\p{Lo}/u.test(raw) ? 'uncased' : languageClass] : 1)
      const parts = formsOf(raw, question.language)
      for (const forms of parts) {
        const key = [...forms.values()][0] ?? raw
        if (keywords.has(key)) continue
        const knownTerms = (terms: Iterable<string>): QueryTerm[] =>
          [...terms].flatMap((term) => termsOfWorkspace.get(term) ?? []).filter((term) => term.df > 0)
        const exactTerms = knownTerms(forms.values())
        const typo = exactTerms.length ? undefined : readTypo(raw, place)
        // A mistyped "how", "does" or "often" is not a keyword.
        if (typo === 'stop word') continue
        const synonymTerms =
          exactTerms.length || !hasSynonyms(raw, question.language)
            ? []
            : termsOf(synonymsByWord.get(raw) ?? [])
        const sameTerms = knownTerms(typo ? [...synonymTerms, typo.term] : synonymTerms)
        const synonyms = new Set(sameTerms.map(({ term }) => term))
        const matchedTerms = exactTerms.length ? exactTerms : sameTerms
        const idf = matchedTerms.length ? Math.min(...matchedTerms.map((term) => term.idf)) : highestIdf
        keywords.set(key, {
          word: raw,
          forms,
          synonyms,
          // "co-operative" is one word of two terms.
          weight:
            (idf *
              importance *
              factor *
              (matchedTerms.length === 0 && isGeneric ? UNKNOWN_GENERIC_FACTOR : 1) *
              (HIRAGANA_ONLY.test(key) ? GRAMMAR_WEIGHT : 1)) /
            parts.length,
          isGeneric,
          isKnown: matchedTerms.length > 0,
          isInCompound: exactTerms.length === 0 && isInCompound(key, statistics),
          isTopic: factor < 1,
          pairs: [],
        })
      }
    }
  }
  add(analysedText(question.text), 1)
  if (question.topic) add(analysedText(question.topic), TOPIC_WEIGHT)
  const all = [...keywords.values()]
  return question.language === 'vi' ? withPairs(all) : all
}

/** Whether a compound of the workspace begins or ends with the word: "Ölwechsel" for "Öl". */
const isInCompound = (term: string, { compounds = new Set() }: TermStatistics): boolean =>
  [...compounds].some((compound) => compound.startsWith(term) || compound.endsWith(term))

/** What a mistyped word stands for. Undefined for a word that may be correct as it is written. */
type TypoReading = (raw: string, place: number) => 'stop word' | { term: string } | undefined

/**
 * Reads mistyped words. A name is not corrected to a similar name: Oakridge is not Oakbridge.
 * @param language of the question
 */
const typosIn =
  (language: Language, { corrections }: TermStatistics): TypoReading =>
  (raw, place) => {
    if (language === 'en' && isWord(raw, ['en'])) return undefined
    const isLowerCase = place === 0 || !/^\p{Lu}/u.test(raw)
    const term = corrections?.get(raw)
    const isName = !isLowerCase && (language !== 'de' || raw.length < MIN_NOUN_TYPO)
    if (term !== undefined && (!isName || (language === 'en' && isCommonStem(term)))) return { term }
    const minLength = MIN_STOP_WORD_TYPO[language] ?? Number.POSITIVE_INFINITY
    const isFunctionWord =
      isLowerCase && raw.length >= minLength && isNearStopWord(withoutAccents(foldWord(raw)), language)
    return isFunctionWord ? 'stop word' : undefined
  }

// Without a dictionary a short word may be another word of the language. In Vietnamese most syllables are near a stop word.
const MIN_STOP_WORD_TYPO: Partial<Record<Language, number>> = { en: 3, de: 6, fr: 6, es: 6 }
// In UTF-16 units. German capitalises nouns as well as names. A short capitalised word, such as "Nord", is probably a name.
const MIN_NOUN_TYPO = 6

/** Whether a stem, such as "qualiti" or "packag", belongs to an English dictionary word. */
const isCommonStem = (term: string): boolean =>
  [term, `${term}e`, `${term}ing`, term.replace(/i$/, 'y')].some((word) => isWord(word, ['en']))

const MAX_TOPIC_WORDS = 6

/** The rarest words of the text around the question of a message, if the workspace contains them. Separated by spaces. */
export function topicOf(context: string, statistics: TermStatistics): string {
  if (!context) return ''
  const text = analysedText(context)
  return questionKeywords({ text, language: guessLanguage(text) }, { ...statistics, corrections: new Map() })
    .filter(({ isKnown, isGeneric, synonyms }) => isKnown && !isGeneric && synonyms.size === 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TOPIC_WORDS)
    .map(({ word }) => word)
    .join(' ')
}

/** Adds the pairs of neighbouring Vietnamese syllables. Names and numbers are whole words and form no pairs. */
function withPairs(keywords: readonly Keyword[]): Keyword[] {
  const syllableAt = (at: number): string | undefined => {
    const { word, forms } = keywords[at] ?? {}
    return word !== undefined && /^\p{Ll}/u.test(word) ? forms?.get('vi') : undefined
  }
  return keywords.map((keyword, i) => {
    const syllable = syllableAt(i)
    if (syllable === undefined) return keyword
    const [before, behind] = [syllableAt(i - 1), syllableAt(i + 1)]
    const pairs = [before && `${before} ${syllable}`, behind && `${syllable} ${behind}`]
    return { ...keyword, pairs: pairs.flatMap((pair) => pair ?? []) }
  })
}

/** The words of a text as written; of Chinese and Japanese those that carry meaning. */
const wordsIn = ({ words }: AnalysedText, language: Language): string[] =>
  words
    .flatMap(({ raw }) => [...piecesOf(raw)])
    // "a" is an article or a verb in several languages, "A" may be a name.
    .flatMap(({ raw, kind }) =>
      kind === 'word' ? (raw === 'a' ? [] : [raw]) : kind === 'run' ? [...contentWordsIn(raw, language)] : [],
    )

// The English list of everyday words also contains words with a meaning, such as "street". The lists of other languages contain words
// that only form questions, such as "lange" and "gibt".
const hasSynonyms = (raw: string, language: Language): boolean =>
  language === 'en' || !isEveryday(raw, language)

const termsOf = (synonyms: readonly LexiconWord[]): Set<string> =>
  new Set(synonyms.flatMap(({ word, language }) => contentTerms(word, language)))

/** Synonyms of the content words of a text that the workspace does not contain. */
export function synonymsOfUnknownWords(
  text: AnalysedText,
  statistics: TermStatistics,
  isWanted: (word: string) => boolean = () => true,
): string[] {
  const language = guessLanguage(text)
  const knownTerms = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  const unknown = text.words.filter(
    ({ raw }) =>
      isWanted(raw) &&
      contentTerms(raw, language).length > 0 &&
      hasSynonyms(raw, language) &&
      !LANGUAGES.some((language) => contentTerms(raw, language).some((term) => knownTerms.has(term))),
  )
  const synonymsByWord = synonymsInText(text, language)
  return [...new Set(unknown.flatMap(({ raw }) => synonymsByWord.get(raw)?.map(({ word }) => word) ?? []))]
}

/** The words that some chunk contains. */
export function knownWords(words: readonly string[], statistics: TermStatistics): string[] {
  const knownTerms = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  return words.filter((word) =>
    LEXICON_LANGUAGES.some((language) => contentTerms(word, language).some((term) => knownTerms.has(term))),
  )
}

/** The terms of a word in the question's language, each with its form in the other languages. A code has several terms. */
function formsOf(raw: string, language: Language): ReadonlyMap<Language, string>[] {
  const ownTerms = contentTerms(raw, language)
  const inOtherLanguages = LANGUAGES.map((other) => ({ other, terms: contentTerms(raw, other) }))
  return ownTerms.map((term, i) => {
    const forms = new Map<Language, string>([[language, term]])
    for (const { other, terms } of inOtherLanguages) {
      if (terms.length === ownTerms.length) forms.set(other, terms[i] ?? term)
    }
    return forms
  })
}

/** The terms of a text in one language. */
export interface TextTerms {
  language: Language
  terms: ReadonlySet<string>
  /** The terms in their order. */
  sequence: readonly string[]
  /** The first BEGINNING_LENGTH characters of each term that is long enough. */
  beginnings: ReadonlySet<string>
  /** Vietnamese: the pairs of neighbouring terms. */
  pairs: ReadonlySet<string>
}

const BEGINNING_LENGTH = 5

export const textTerms = (text: string, language: Language): TextTerms =>
  termsIn(contentTerms(text, language), language)

const termsIn = (sequence: readonly string[], language: Language): TextTerms => ({
  language,
  // Many people type Vietnamese without its accents.
  terms: new Set(language === 'vi' ? [...sequence, ...sequence.map(withoutAccents)] : sequence),
  sequence,
  beginnings: new Set(
    sequence.filter((term) => term.length >= BEGINNING_LENGTH).map((term) => term.slice(0, BEGINNING_LENGTH)),
  ),
  pairs: new Set(language === 'vi' ? [...pairsOf(sequence), ...pairsOf(sequence.map(withoutAccents))] : []),
})

const pairsOf = (sequence: readonly string[]): string[] =>
  sequence.slice(1).map((term, i) => `${sequence[i]} ${term}`)

export const NO_TERMS = (language: Language): TextTerms => termsIn([], language)

export const combined = (first: TextTerms, second: TextTerms): TextTerms =>
  termsIn([...first.sequence, ...second.sequence], first.language)

// A match of one syllable without its neighbour counts less, because it is in many Vietnamese words.
const SYLLABLE_MATCH = 0.5
// For a word with the same beginning. Other languages inflect and compound more than English.
const SAME_BEGINNING_MATCH = { en: 0.5, other: 0.7 }

/** How well a text matches a keyword: 1 if it contains the word, less if it contains a word with the same beginning, 0 otherwise. */
export function matching(text: TextTerms, keyword: Keyword): number {
  if (contains(text, keyword)) {
    const isWord = text.language !== 'vi' || keyword.pairs.length === 0
    return isWord || keyword.pairs.some((pair) => text.pairs.has(pair)) ? 1 : SYLLABLE_MATCH
  }
  const form = keyword.forms.get(text.language) ?? ''
  const beginsAlike =
    form.length >= BEGINNING_LENGTH &&
    !/\d/.test(form) &&
    text.beginnings.has(form.slice(0, BEGINNING_LENGTH))
  return beginsAlike ? (text.language === 'en' ? SAME_BEGINNING_MATCH.en : SAME_BEGINNING_MATCH.other) : 0
}

/** The terms of a passage with its headings, its title and the name of its file. */
export const passageTerms = (passage: Passage): TextTerms =>
  textTerms(`${fileNameOf(passage)}\n${passageText(passage)}`, passage.language)

export function contains(text: TextTerms, keyword: Keyword): boolean {
  const form = keyword.forms.get(text.language)
  if (form !== undefined && text.terms.has(form)) return true
  for (const term of keyword.synonyms) if (text.terms.has(term)) return true
  return false
}

/**
 * The weighted share of the keywords that at least one of the texts contains, 0 to 1. It is 1 without keywords, and 0 if no keyword has
 * a weight.
 */
export function coverage(keywords: readonly Keyword[], texts: readonly TextTerms[]): number {
  const total = keywords.reduce((sum, keyword) => sum + keyword.weight, 0)
  if (total === 0) return keywords.length ? 0 : 1
  return (
    keywords.reduce(
      (sum, keyword) => sum + keyword.weight * Math.max(...texts.map((text) => matching(text, keyword)), 0),
      0,
    ) / total
  )
}
