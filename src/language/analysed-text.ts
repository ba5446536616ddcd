// A query's text, told apart into words once: its terms and its language are read from these, whoever asks.

import { analyseWords, type Term } from './analyse.ts'
import { likeliestLanguages } from './guess.ts'
import { LANGUAGES, type Language } from './language.ts'
import { type Word, type WordedText, words } from './words.ts'

export interface AnalysedText extends WordedText {
  readonly words: readonly Word[]
  /** As `analyse` gives them. */
  terms(language: Language, queryLanguage?: Language): readonly Term[]
  /** The stems of its content words, with repeats, as `contentTerms` gives them. */
  contentTerms(language: Language): readonly string[]
  /** The terms of one of its words. */
  termsOf(word: Word, language: Language, queryLanguage?: Language): readonly Term[]
  /** The likeliest of the languages of the texts searched, the most frequent first (`likeliestLanguages`). */
  languagesAmong(languages: readonly Language[]): readonly Language[]
  /** The likeliest of them; the first unless another is likelier. */
  languageAmong(languages: readonly Language[]): Language
}

export function analysedText(text: string): AnalysedText {
  const worded = { text, words: [...words(text)] }
  const once = remembering()
  const terms = (language: Language, queryLanguage = language): readonly Term[] =>
    once(`terms ${language} ${queryLanguage}`, () => analyseWords(worded, language, queryLanguage))
  const languagesAmong = (languages: readonly Language[]): readonly Language[] =>
    once(`languages ${languages.join()}`, () => likeliestLanguages(worded, languages))
  return {
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
  }
}

/** Calculates each value once. */
function remembering(): <Value>(key: string, calculate: () => Value) => Value {
  const values = new Map<string, unknown>()
  return <Value>(key: string, calculate: () => Value): Value => {
    if (!values.has(key)) values.set(key, calculate())
    return values.get(key) as Value
  }
}
