// A query or question, split into words once. All rooms derive its terms and its language from these words.

import { analyseWords, type Term } from './analyse.ts'
import { likeliestLanguages } from './guess.ts'
import { LANGUAGES, type Language } from './language.ts'
import { type Word, type WordedText, words } from './words.ts'

export interface AnalysedText extends WordedText {
  readonly words: readonly Word[]
  /** The terms of the text, as `analyse` returns them. */
  terms(language: Language, queryLanguage?: Language): readonly Term[]
  /** The stems of its content words, with repeats, as `contentTerms` gives them. */
  contentTerms(language: Language): readonly string[]
  /** The terms of one of its words. */
  termsOf(word: Word, language: Language, queryLanguage?: Language): readonly Term[]
  /**
   * The likeliest of the given languages, which are those of the searched texts, the most frequent first
   * (`likeliestLanguages`).
   */
  languagesAmong(languages: readonly Language[]): readonly Language[]
  /** The likeliest of the given languages. It is the first one unless another is likelier. */
  languageAmong(languages: readonly Language[]): Language
  /** A text made from this one, such as a clause of it, or the text without quotation marks. Each is analysed once. */
  part(text: string): AnalysedText
}

/** A text that has been analysed is returned as it is. */
export const analysedText = (text: string | AnalysedText): AnalysedText =>
  typeof text === 'string' ? analysed(text, new Map()) : text

/** @param parts all texts that are made from the same one, by their content */
function analysed(text: string, parts: Map<string, AnalysedText>): AnalysedText {
  const worded = { text, words: [...words(text)] }
  const once = cacheOfValues()
  const terms = (language: Language, queryLanguage = language): readonly Term[] =>
    once(`terms ${language} ${queryLanguage}`, () => analyseWords(worded, language, queryLanguage))
  const languagesAmong = (languages: readonly Language[]): readonly Language[] =>
    once(`languages ${languages.join()}`, () => likeliestLanguages(worded, languages))
  const analysedWhole: AnalysedText = {
    ...worded,
    terms,
    contentTerms: (language) =>
      once(`content ${language}`, () =>
        terms(language).flatMap(({ term, kind }) => (kind === 'word' ? [term] : [])),
      ),
    termsOf: ({ raw }, language, queryLanguage = language) =>
      once(`word ${language} ${queryLanguage} ${raw}`, () =>
        analyseWords({ text: raw, words: [{ raw, start: 0, end: raw.length }] }, language, queryLanguage),
      ),
    languagesAmong,
    languageAmong: (languages) => {
      const [main = LANGUAGES[0]] = languages
      const likely = languagesAmong(languages)
      return likely.includes(main) ? main : (likely[0] ?? main)
    },
    part: (other) => parts.get(other) ?? analysed(other, parts),
  }
  parts.set(text, analysedWhole)
  return analysedWhole
}

/** Calculates each value once. */
function cacheOfValues(): <Value>(key: string, calculate: () => Value) => Value {
  const values = new Map<string, unknown>()
  return <Value>(key: string, calculate: () => Value): Value => {
    if (!values.has(key)) values.set(key, calculate())
    return values.get(key) as Value
  }
}
