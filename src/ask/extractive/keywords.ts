// The keywords of a question, and the share of them that a text covers. The weight of a keyword is its idf in the workspace times
// factors for how much the word tells; a word that the workspace does not contain has the highest idf. Coverage helps to decide
// whether the answer is stated, doubted or refused. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { isEveryday, isWord } from '../../language/dictionary.ts'
import { guessLanguage, likeliestLanguages } from '../../language/guess.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { LEXICON_LANGUAGES, type LexiconWord, synonymsInText } from '../../language/lexicon.ts'
import { isNearStopWord } from '../../language/stem.ts'
import { contentWordsIn, piecesOf } from '../../language/unspaced.ts'
import { fold, foldWord, withoutAccents, worded } from '../../language/words.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { fileNameOf, passageText } from '../passage.ts'
import { answerType, isTypeWord } from './answer-type.ts'

/**
 * A content word of the question, with its term in every language, because a workspace may have documents in several.
 */
export interface Keyword {
  /** As written. */
  word: string
  forms: ReadonlyMap<Language, string>
  /**
   * Terms that count like the word: of its synonyms and its correction if the workspace does not contain it, and of joined words
   * (`joinedTerms`). Each with the language of the texts in which it counts, because the German synonym "Biene" of "bee" has the
   * stem of the French "bien".
   */
  synonyms: ReadonlyMap<string, SynonymLanguages>
  /** The idf times factors for everyday words, type words, capitals, topic and others. */
  weight: number
  /** Whether it is an everyday word or names the type of answer, so that a text may easily use another word instead. */
  isGeneric: boolean
  /** Whether any chunk of the workspace contains it or one of its synonyms. */
  isInWorkspace: boolean
  /**
   * Whether a compound of the workspace contains it, as "Ölwechsel" contains "Öl". It is no match, because the compound may be about
   * another thing.
   */
  isInCompound: boolean
  /**
   * Whether the value itself shows it, so that the text need not contain the word: "long" of "how long" is shown by "3 years",
   * "phone" by a phone number.
   */
  isStatedByValue: boolean
  /** Whether it comes from earlier turns, so that a text that answers the question need not contain it. */
  isTopic: boolean
  /** Vietnamese: the pairs of this syllable with its neighbours, because most words have two syllables. */
  syllablePairs: readonly string[]
}

export type SynonymLanguages = ReadonlySet<Language> | 'any'

export interface TermStatistics {
  terms: readonly QueryTerm[]
  /** For a word that no chunk contains and that is probably mistyped: its likeliest correction. */
  corrections?: ReadonlyMap<string, string>
  /** The words, as written, that compounds of the workspace contain. */
  wordsInCompounds?: ReadonlySet<string>
  /**
   * For "data base" in a question when the documents write "database": the terms of "database", under the key "data" and the key
   * "base" (both folded).
   */
  joinedTerms?: ReadonlyMap<string, readonly string[]>
  chunks: number
}

// The factor for everyday words ("happen", "report", "give"), because a text may easily use another word instead.
const GENERIC_WEIGHT = 0.5
// The factor for a word without a capital, which is probably not a name. It is lower for languages other than English, because
// their lists of everyday words are shorter. In scripts without letter case all words have the factor `uncased`, because names are
// not recognised.
const UNCAPITALISED_WEIGHT = { en: 0.7, other: 0.5, uncased: 0.7 }
// If no document contains an everyday word ("happens", "get"), the documents probably use another word for the same thing. The
// factor is fitted on XQuAD, MuSiQue and the everyday questions.
const UNKNOWN_GENERIC_FACTOR = 0.25
// Words that name the type of answer ("cost" in "how much does it cost") need not be in the text that answers.
const TYPE_WORD_WEIGHT = 0.25
// Japanese writes its grammar in hiragana. Terms of hiragana only, as in "駐車場はどこですか", have little meaning.
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const GRAMMAR_WEIGHT = 0.1
const TOPIC_WEIGHT = 0.3
const HOW = /^(?:how|wie)$/iu
// Not "fax" or "mobile", because a number does not show which of a person's numbers it is.
const SHOWN_BY_VALUE =
  /^(?:(?:tele)?phone|telefonnummer|rufnummer|e-?mail|mail|(?:e-?mail-?|mail)adresse|téléphone|t[eé]l|teléfono)$/iu

/** The keywords of a question, each once; those of `topic`, which comes from earlier turns, weigh less. */
export function questionKeywords(
  question: { text: string | AnalysedText; language: Language; topic?: string | AnalysedText },
  statistics: TermStatistics,
): Keyword[] {
  const termsOfWorkspace = new Map(statistics.terms.map((term) => [term.term, term]))
  const readTypo = typoReader(question.language, statistics)
  const highestIdf = Math.log(1 + (statistics.chunks + 0.5) / 0.5)
  const keywords = new Map<string, Keyword>()
  const add = (text: AnalysedText, factor: number): void => {
    const synonymsByWord = synonymsInText(text, question.language)
    const languageClass = question.language === 'en' ? 'en' : 'other'
    const type = answerType(text.text)
    const rawWords = wordsIn(text, question.language)
    for (const [index, raw] of rawWords.entries()) {
      const namesAnswerType = isTypeWord(type, raw)
      const isGeneric = namesAnswerType || isEveryday(raw, question.language)
      // The first word has a capital anyway, so its capital says nothing.
      const isProbablyNoName = index === 0 || !/^[\p{Lu}\p{N}]/u.test(raw)
      const importance =
        (namesAnswerType ? TYPE_WORD_WEIGHT : isGeneric ? GENERIC_WEIGHT : 1) *
        (isProbablyNoName ? UNCAPITALISED_WEIGHT[/^\p{Lo}/u.test(raw) ? 'uncased' : languageClass] : 1)
      const parts = formsOf(raw, question.language)
      for (const forms of parts) {
        const key = [...forms.values()][0] ?? raw
        if (keywords.has(key)) continue
        const knownTerms = (terms: Iterable<string>): QueryTerm[] =>
          [...terms].flatMap((term) => termsOfWorkspace.get(term) ?? []).filter((term) => term.df > 0)
        const exactTerms = knownTerms(forms.values())
        const typo = exactTerms.length ? undefined : readTypo(raw, index)
        // A mistyped "how", "does" or "often" is not a keyword.
        if (typo === 'stop word') continue
        const synonymTerms =
          exactTerms.length || !hasSynonyms(raw, question.language)
            ? new Map<string, SynonymLanguages>()
            : termsOf(synonymsByWord.get(raw) ?? [])
        const languagesByTerm = new Map([
          ...synonymTerms,
          ...[...(typo ? [typo.term] : []), ...(statistics.joinedTerms?.get(fold(raw)) ?? [])].map(
            (term) => [term, 'any'] as const,
          ),
        ])
        const substituteTerms = knownTerms(languagesByTerm.keys())
        const synonyms = new Map(
          substituteTerms.map(({ term }) => [term, languagesByTerm.get(term) ?? 'any'] as const),
        )
        const matchedTerms = exactTerms.length ? exactTerms : substituteTerms
        const idf = matchedTerms.length ? Math.min(...matchedTerms.map((term) => term.idf)) : highestIdf
        keywords.set(key, {
          word: raw,
          forms,
          synonyms,
          // A word of several terms, such as "co-operative", divides its weight among them.
          weight:
            (idf *
              importance *
              factor *
              (matchedTerms.length === 0 && isGeneric ? UNKNOWN_GENERIC_FACTOR : 1) *
              (HIRAGANA_ONLY.test(key) ? GRAMMAR_WEIGHT : 1)) /
            parts.length,
          isGeneric,
          isInWorkspace: matchedTerms.length > 0,
          isInCompound: statistics.wordsInCompounds?.has(raw) ?? false,
          isStatedByValue:
            namesAnswerType && (SHOWN_BY_VALUE.test(raw) || HOW.test(rawWords[index - 1] ?? '')),
          isTopic: factor < 1,
          syllablePairs: [],
        })
      }
    }
  }
  add(analysedText(question.text), 1)
  if (question.topic) add(analysedText(question.topic), TOPIC_WEIGHT)
  const all = [...keywords.values()]
  return question.language === 'vi' ? withSyllablePairs(all) : all
}

/** Returns the term that is meant by a mistyped word. Undefined for a word that may be correct as it is written. */
type TypoReader = (raw: string, index: number) => 'stop word' | { term: string } | undefined

/**
 * Reads mistyped words. A name is not corrected to a similar name: Oakridge is not Oakbridge.
 * @param language of the question
 */
const typoReader =
  (language: Language, { corrections }: TermStatistics): TypoReader =>
  (raw, index) => {
    if (language === 'en' && isWord(raw, ['en'])) return undefined
    const isProbablyNoName = index === 0 || !/^\p{Lu}/u.test(raw)
    const term = corrections?.get(raw)
    const isName = !isProbablyNoName && (language !== 'de' || raw.length < MIN_MISTYPED_NOUN_LENGTH)
    if (term !== undefined && (!isName || (language === 'en' && isCommonStem(term)))) return { term }
    const minLength = MIN_MISTYPED_STOP_WORD_LENGTH[language] ?? Number.POSITIVE_INFINITY
    const isFunctionWord =
      isProbablyNoName && raw.length >= minLength && isNearStopWord(withoutAccents(foldWord(raw)), language)
    return isFunctionWord ? 'stop word' : undefined
  }

// In UTF-16 units. Only English has a dictionary; without one a short word may be another word of the language. Languages without
// an entry have no mistyped stop words: in Vietnamese most syllables are near a stop word.
const MIN_MISTYPED_STOP_WORD_LENGTH: Partial<Record<Language, number>> = { en: 3, de: 6, fr: 6, es: 6 }
// In UTF-16 units. German capitalises nouns as well as names. A short capitalised word, such as "Nord", is probably a name.
const MIN_MISTYPED_NOUN_LENGTH = 6

/** Whether a stem, such as "qualiti" or "packag", belongs to an English dictionary word. */
const isCommonStem = (term: string): boolean =>
  [term, `${term}e`, `${term}ing`, term.replace(/i$/, 'y')].some((word) => isWord(word, ['en']))

const MAX_TOPIC_WORDS = 6

/** The words in the rest of a message, without its question, that weigh most; separated by spaces. */
export function topicOf(context: string, statistics: TermStatistics): string {
  if (!context) return ''
  const text = analysedText(context)
  return questionKeywords({ text, language: guessLanguage(text) }, { ...statistics, corrections: new Map() })
    .filter(({ isInWorkspace, isGeneric, synonyms }) => isInWorkspace && !isGeneric && synonyms.size === 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TOPIC_WORDS)
    .map(({ word }) => word)
    .join(' ')
}

/** Adds the pairs of neighbouring Vietnamese syllables. Names and numbers are whole words and form no pairs. */
function withSyllablePairs(keywords: readonly Keyword[]): Keyword[] {
  const syllableAt = (at: number): string | undefined => {
    const { word, forms } = keywords[at] ?? {}
    return word !== undefined && /^\p{Ll}/u.test(word) ? forms?.get('vi') : undefined
  }
  return keywords.map((keyword, i) => {
    const syllable = syllableAt(i)
    if (syllable === undefined) return keyword
    const [previous, next] = [syllableAt(i - 1), syllableAt(i + 1)]
    const pairs = [previous && `${previous} ${syllable}`, next && `${syllable} ${next}`]
    return { ...keyword, syllablePairs: pairs.flatMap((pair) => pair ?? []) }
  })
}

/** The words of a text as written; for Chinese and Japanese only the content words. */
const wordsIn = ({ words }: AnalysedText, language: Language): string[] =>
  words
    .flatMap(({ raw }) => [...piecesOf(raw)])
    // "a" is an article or a verb in several languages, "A" may be a name.
    .flatMap(({ raw, kind }) =>
      kind === 'word' ? (raw === 'a' ? [] : [raw]) : kind === 'run' ? [...contentWordsIn(raw, language)] : [],
    )

// The English list of everyday words also contains words with a meaning, such as "street", so they may have synonyms. The lists of
// other languages only contain words that form questions, such as "lange" and "gibt".
const hasSynonyms = (raw: string, language: Language): boolean =>
  language === 'en' || !isEveryday(raw, language)

/** The terms of synonyms, each with the languages of the synonyms. */
function termsOf(synonyms: readonly LexiconWord[]): Map<string, SynonymLanguages> {
  const languagesByTerm = new Map<string, Set<Language>>()
  for (const { word, language } of synonyms)
    for (const term of contentTerms(word, language))
      languagesByTerm.set(term, (languagesByTerm.get(term) ?? new Set()).add(language))
  return languagesByTerm
}

/** Synonyms of the content words of a text that the workspace does not contain. */
export function synonymsOfUnknownWords(
  text: AnalysedText,
  statistics: TermStatistics,
  isIncluded: (word: string) => boolean = () => true,
): string[] {
  const language = guessLanguage(text)
  const knownTerms = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  const unknown = text.words.filter(
    ({ raw }) =>
      isIncluded(raw) &&
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
  /** The text as written. */
  text: string
  terms: ReadonlySet<string>
  /** The terms in their order. */
  sequence: readonly string[]
  /** The first `PREFIX_LENGTH` characters of each term that is long enough. */
  prefixes: ReadonlySet<string>
  /** Vietnamese: the pairs of neighbouring terms. */
  syllablePairs: ReadonlySet<string>
}

const PREFIX_LENGTH = 5

export const textTerms = (text: string, language: Language): TextTerms =>
  termsIn(text, contentTerms(text, language), language)

const termsIn = (text: string, sequence: readonly string[], language: Language): TextTerms => ({
  language,
  text,
  // Many people type Vietnamese without its accents.
  terms: new Set(language === 'vi' ? [...sequence, ...sequence.map(withoutAccents)] : sequence),
  sequence,
  prefixes: new Set(
    sequence.filter((term) => term.length >= PREFIX_LENGTH).map((term) => term.slice(0, PREFIX_LENGTH)),
  ),
  syllablePairs: new Set(
    language === 'vi' ? [...pairsOf(sequence), ...pairsOf(sequence.map(withoutAccents))] : [],
  ),
})

const pairsOf = (sequence: readonly string[]): string[] =>
  sequence.slice(1).map((term, i) => `${sequence[i]} ${term}`)

export const noTerms = (language: Language): TextTerms => termsIn('', [], language)

export const combineTerms = (first: TextTerms, second: TextTerms): TextTerms =>
  termsIn(`${first.text}\n${second.text}`, [...first.sequence, ...second.sequence], first.language)

// A match of one syllable without its neighbour counts less, because it is in many Vietnamese words.
const SYLLABLE_MATCH = 0.5
// For a word with the same beginning. It is higher for languages that inflect and compound more than English.
const SAME_PREFIX_MATCH = { en: 0.5, other: 0.7 }

/** How well a text matches a keyword: 1 if it contains the word, less if it contains a word with the same beginning, 0 otherwise. */
export function matchStrength(text: TextTerms, keyword: Keyword): number {
  if (containsKeyword(text, keyword)) {
    const isWord = text.language !== 'vi' || keyword.syllablePairs.length === 0
    return isWord || keyword.syllablePairs.some((pair) => text.syllablePairs.has(pair)) ? 1 : SYLLABLE_MATCH
  }
  const form = keyword.forms.get(text.language) ?? ''
  const hasSamePrefix =
    form.length >= PREFIX_LENGTH && !/\d/.test(form) && text.prefixes.has(form.slice(0, PREFIX_LENGTH))
  return hasSamePrefix ? (text.language === 'en' ? SAME_PREFIX_MATCH.en : SAME_PREFIX_MATCH.other) : 0
}

/** The terms of a passage with its headings, its title and the name of its file. */
export const termsOfPassage = (passage: Passage): TextTerms =>
  textTerms(`${fileNameOf(passage)}\n${passageText(passage)}`, passage.language)

export function containsKeyword(text: TextTerms, keyword: Keyword): boolean {
  const form = keyword.forms.get(text.language)
  if (form !== undefined && text.terms.has(form)) return true
  for (const term of keyword.synonyms.keys())
    if (text.terms.has(term) && isSynonymIn(keyword, term, text)) return true
  return false
}

/**
 * Whether the term is a synonym of the keyword in the text: if it is one in the language of the text, or if the text has no stop word,
 * so that its language is a guess ("Gewicht: 2,1 kg").
 */
export function isSynonymIn(
  { synonyms }: Pick<Keyword, 'synonyms'>,
  term: string,
  { language, text }: Pick<TextTerms, 'language' | 'text'>,
): boolean {
  const languages = synonyms.get(term)
  return (
    languages !== undefined &&
    (languages === 'any' || languages.has(language) || likeliestLanguages(worded(text)).length === 0)
  )
}

/**
 * The weighted share of the keywords that at least one of the texts contains, 0 to 1. It is 1 without keywords, and 0 if all
 * weights are 0.
 */
export function coverage(keywords: readonly Keyword[], texts: readonly TextTerms[]): number {
  const total = keywords.reduce((sum, keyword) => sum + keyword.weight, 0)
  if (total === 0) return keywords.length ? 0 : 1
  return (
    keywords.reduce(
      (sum, keyword) =>
        sum + keyword.weight * Math.max(...texts.map((text) => matchStrength(text, keyword)), 0),
      0,
    ) / total
  )
}
