// A query or question that is split into words only once. Its terms and its language are derived from these words.

import { analyseWords, type Term } from './analyse.ts'
import { languageOfContentWords } from './content-language.ts'
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
  /** The likeliest of the given languages (`likeliestLanguages`): those of the searched texts, the most frequent first. */
  languagesAmong(languages: readonly Language[]): readonly Language[]
  /** The likeliest of the given languages. It is the first one unless another is likelier. */
  languageAmong(languages: readonly Language[]): Language
  /** A text made from this one, such as a clause of it, or the text without quotation marks. Each is analysed once. */
  part(text: string): AnalysedText
}

/** Analyses a text. A text that has been analysed is returned as it is. */
export const analysedText = (text: string | AnalysedText): AnalysedText =>
  typeof text === 'string' ? makeAnalysedText(text, new Map()) : text

/** @param parts all texts that are made from the same one, by their content */
function makeAnalysedText(text: string, parts: Map<string, AnalysedText>): AnalysedText {
  const worded = { text, words: [...words(text)] }
  const cached = cacheOfValues()
  const terms = (language: Language, queryLanguage = language): readonly Term[] =>
    cached(`terms ${language} ${queryLanguage}`, () => analyseWords(worded, language, queryLanguage))
  const languagesAmong = (languages: readonly Language[]): readonly Language[] =>
    cached(`languages ${languages.join()}`, () => likeliestLanguages(worded, languages))
  const result: AnalysedText = {
    ...worded,
    terms,
    contentTerms: (language) =>
      cached(`content ${language}`, () =>
        terms(language).flatMap(({ term, kind }) => (kind === 'word' ? [term] : [])),
      ),
    termsOf: ({ raw }, language, queryLanguage = language) =>
      cached(`word ${language} ${queryLanguage} ${raw}`, () =>
        analyseWords({ text: raw, words: [{ raw, start: 0, end: raw.length }] }, language, queryLanguage),
      ),
    languagesAmong,
    languageAmong: (languages) => {
      const [main = LANGUAGES[0]] = languages
      const [first, ...others] = languagesAmong(languages)
      if (first === undefined)
        return (
          cached(`content words ${languages.join()}`, () => languageOfContentWords(worded, languages)) ?? main
        )
      return others.includes(main) ? main : first
    },
    part: (partText) => parts.get(partText) ?? makeAnalysedText(partText, parts),
  }
  parts.set(text, result)
  return result
}

/** A function that calculates the value of a key once and then returns it from a cache. */
function cacheOfValues(): <Value>(key: string, calculate: () => Value) => Value {
  const values = new Map<string, unknown>()
  return <Value>(key: string, calculate: () => Value): Value => {
    if (!values.has(key)) values.set(key, calculate())
    return values.get(key) as Value
  }
}
