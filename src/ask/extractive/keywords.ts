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
import { passageText } from '../passage.ts'
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
  /** A word that a sentence can easily replace by another. */
  isGeneric: boolean
  /** Whether any live chunk contains it. */
  isKnown: boolean
  /** From earlier turns: what is said of it need not name it again. */
  isTopic: boolean
  /** Vietnamese: the pairs that it makes with the syllables beside it, most words being of two. */
  pairs: readonly string[]
}

export interface TermStatistics {
  terms: readonly QueryTerm[]
  /** The likeliest term for a word that no chunk has and that is probably mistyped. */
  corrections?: ReadonlyMap<string, string>
  chunks: number
}

// An everyday English word ("happen", "report", "give") is easily worded otherwise, and so is a word that is not written as a
// name. With these two instead of lists of such words, the share of the question in one passage tells answerable questions
// from others as well or better: AUC .966 to .970 (XQuAD, three languages), .700 to .780 (MuSiQue, half of it loaded), .851 to
// .886 (MultiHop-RAG).
const EVERYDAY = 0.5
// Of other languages no list of everyday words is known, so more of the small ones are such. Letters without case do not tell
// names: all words count so.
const SMALL = { en: 0.7, other: 0.5, uncased: 0.7 }
// An everyday word that no document has ("happens", "get") is likelier to be worded otherwise there than not to be meant. With a
// quarter of its weight XQuAD en answers .931 instead of .911 and refuses .889 as before; de, es, MuSiQue and everyday lose nothing.
const UNKNOWN_EVERYDAY = 0.25
// Words that name the type of answer ("how much does it cost") need not stand beside it.
const TYPE_WORD = 0.25
// Japanese writes its grammar in hiragana: of "駐車場はどこですか" such pairs of characters say nothing.
const GRAMMAR = /^\p{Script=Hiragana}+$/u
const GRAMMAR_WEIGHT = 0.1
const TOPIC_WEIGHT = 0.3

/** The keywords of a question, each once; those of `topic`, which comes from earlier turns, weigh less. */
export function questionKeywords(
  question: { text: string | AnalysedText; language: Language; topic?: string | AnalysedText },
  statistics: TermStatistics,
): Keyword[] {
  const known = new Map(statistics.terms.map((term) => [term.term, term]))
  const readTypo = typosIn(question.language, statistics)
  const most = Math.log(1 + (statistics.chunks + 0.5) / 0.5)
  const keywords = new Map<string, Keyword>()
  const add = (text: AnalysedText, factor: number): void => {
    const synonymsByWord = synonymsInText(text, question.language)
    const small = question.language === 'en' ? 'en' : 'other'
    const type = answerType(text.text)
    for (const [place, raw] of wordsIn(text, question.language).entries()) {
      const isTyping = namesType(type, raw)
      const isGeneric = isTyping || isEveryday(raw, question.language)
      const isSmall = place === 0 || !/^[\p{Lu}\p{N}]/u.test(raw)
      const importance =
        (isTyping ? TYPE_WORD : isGeneric ? EVERYDAY : 1) *
        (isSmall ? SMALL[/^\p{Lo}/u.test(raw) ? 'uncased' : small] : 1)
      const parts = formsOf(raw, question.language)
      for (const forms of parts) {
        const key = [...forms.values()][0] ?? raw
        if (keywords.has(key)) continue
        const knownTerms = (terms: Iterable<string>): QueryTerm[] =>
          [...terms].flatMap((term) => known.get(term) ?? []).filter((term) => term.df > 0)
        const exact = knownTerms(forms.values())
        const typo = exact.length ? undefined : readTypo(raw, place)
        // A mistyped "how", "does" or "often" asks for nothing.
        if (typo === 'stop word') continue
        const others =
          exact.length || !hasSynonyms(raw, question.language) ? [] : termsOf(synonymsByWord.get(raw) ?? [])
        const synonyms = new Set(knownTerms(typo ? [...others, typo.term] : others).map(({ term }) => term))
        const found = exact.length ? exact : knownTerms(synonyms)
        const idf = found.length ? Math.min(...found.map((term) => term.idf)) : most
        keywords.set(key, {
          word: raw,
          forms,
          synonyms,
          // "co-operative" is one word of two terms.
          weight:
            (idf *
              importance *
              factor *
              (found.length === 0 && isGeneric ? UNKNOWN_EVERYDAY : 1) *
              (GRAMMAR.test(key) ? GRAMMAR_WEIGHT : 1)) /
            parts.length,
          isGeneric,
          isKnown: found.length > 0,
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

/** What a mistyped word stands for; undefined for a word that may be meant as it is written. */
type TypoReading = (raw: string, place: number) => 'stop word' | { term: string } | undefined

/**
 * Reads mistyped words. A name is not taken for a name that is written like it: Oakridge is not Oakbridge.
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
    const min = MIN_STOP_WORD_TYPO[language] ?? Number.POSITIVE_INFINITY
    const isFunctionWord =
      isLowerCase && raw.length >= min && isNearStopWord(withoutAccents(foldWord(raw)), language)
    return isFunctionWord ? 'stop word' : undefined
  }

// Without a dictionary a short word may be another word of the language. In Vietnamese most syllables are near a stop word.
const MIN_STOP_WORD_TYPO: Partial<Record<Language, number>> = { en: 3, de: 6, fr: 6, es: 6 }
// German writes nouns like names; a short one is likelier to be a name: Nord.
const MIN_NOUN_TYPO = 6

/** Whether a stem is one of an English dictionary word: qualiti, packag. */
const isCommonStem = (term: string): boolean =>
  [term, `${term}e`, `${term}ing`, term.replace(/i$/, 'y')].some((word) => isWord(word, ['en']))

const MAX_TOPIC_WORDS = 6

/** The rarest words of what a message tells around its question, of those that the workspace has; parted by spaces. */
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

/** Names and numbers are words of their own. */
function withPairs(keywords: readonly Keyword[]): Keyword[] {
  const syllableAt = (at: number): string | undefined => {
    const { word, forms } = keywords[at] ?? {}
    return word !== undefined && /^\p{Ll}/u.test(word) ? forms?.get('vi') : undefined
  }
  return keywords.map((keyword, i) => {
    const own = syllableAt(i)
    if (own === undefined) return keyword
    const [before, behind] = [syllableAt(i - 1), syllableAt(i + 1)]
    const pairs = [before && `${before} ${own}`, behind && `${own} ${behind}`]
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

// Of English the list of everyday words has "street" too; of other languages it has what questions are made of: "lange", "gibt".
const hasSynonyms = (raw: string, language: Language): boolean =>
  language === 'en' || !isEveryday(raw, language)

const termsOf = (others: readonly LexiconWord[]): Set<string> =>
  new Set(others.flatMap(({ word, language }) => contentTerms(word, language)))

/** Synonyms of the words of a text that the workspace does not contain. */
export function synonymsOfUnknownWords(
  text: AnalysedText,
  statistics: TermStatistics,
  isWanted: (word: string) => boolean = () => true,
): string[] {
  const language = guessLanguage(text)
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  const unknown = text.words.filter(
    ({ raw }) =>
      isWanted(raw) &&
      hasSynonyms(raw, language) &&
      !LANGUAGES.some((language) => contentTerms(raw, language).some((term) => known.has(term))),
  )
  const synonymsByWord = synonymsInText(text, language)
  return [...new Set(unknown.flatMap(({ raw }) => synonymsByWord.get(raw)?.map(({ word }) => word) ?? []))]
}

/** The words that some chunk contains. */
export function knownWords(all: readonly string[], statistics: TermStatistics): string[] {
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  return all.filter((word) =>
    LEXICON_LANGUAGES.some((language) => contentTerms(word, language).some((term) => known.has(term))),
  )
}

/** A word's terms in the question's language (a code has several), each with its form in the other languages. */
function formsOf(raw: string, language: Language): ReadonlyMap<Language, string>[] {
  const own = contentTerms(raw, language)
  const others = LANGUAGES.map((other) => ({ other, terms: contentTerms(raw, other) }))
  return own.map((term, i) => {
    const forms = new Map<Language, string>([[language, term]])
    for (const { other, terms } of others) {
      if (terms.length === own.length) forms.set(other, terms[i] ?? term)
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
  /** The beginnings of the longer ones. */
  beginnings: ReadonlySet<string>
  /** Vietnamese: the pairs of neighbouring ones. */
  pairs: ReadonlySet<string>
}

const BEGINNING = 5

export const textTerms = (text: string, language: Language): TextTerms =>
  termsIn(contentTerms(text, language), language)

const termsIn = (sequence: readonly string[], language: Language): TextTerms => ({
  language,
  // People type Vietnamese without its marks.
  terms: new Set(language === 'vi' ? [...sequence, ...sequence.map(withoutAccents)] : sequence),
  sequence,
  beginnings: new Set(
    sequence.filter((term) => term.length >= BEGINNING).map((term) => term.slice(0, BEGINNING)),
  ),
  pairs: new Set(language === 'vi' ? [...pairsOf(sequence), ...pairsOf(sequence.map(withoutAccents))] : []),
})

const pairsOf = (sequence: readonly string[]): string[] =>
  sequence.slice(1).map((term, i) => `${sequence[i]} ${term}`)

export const NO_TERMS = (language: Language): TextTerms => termsIn([], language)

export const combined = (one: TextTerms, other: TextTerms): TextTerms =>
  termsIn([...one.sequence, ...other.sequence], one.language)

// A syllable alone is in many Vietnamese words.
const SYLLABLE = 0.5
// Other languages than English inflect and compound more.
const ALIKE = { en: 0.5, other: 0.7 }

/** 1 for the word, less for another one that begins like it: a compound or a derivation. */
export function matching(text: TextTerms, keyword: Keyword): number {
  if (contains(text, keyword)) {
    const isWord = text.language !== 'vi' || keyword.pairs.length === 0
    return isWord || keyword.pairs.some((pair) => text.pairs.has(pair)) ? 1 : SYLLABLE
  }
  const form = keyword.forms.get(text.language) ?? ''
  const isAlike =
    form.length >= BEGINNING && !/\d/.test(form) && text.beginnings.has(form.slice(0, BEGINNING))
  return isAlike ? (text.language === 'en' ? ALIKE.en : ALIKE.other) : 0
}

export const passageTerms = (passage: Passage): TextTerms => textTerms(passageText(passage), passage.language)

export function contains(text: TextTerms, keyword: Keyword): boolean {
  const form = keyword.forms.get(text.language)
  if (form !== undefined && text.terms.has(form)) return true
  for (const term of keyword.synonyms) if (text.terms.has(term)) return true
  return false
}

/** The weighted share of the keywords that at least one of the texts contains, 0 to 1; 1 without keywords. */
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
