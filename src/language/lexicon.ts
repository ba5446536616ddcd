// Words with the same meaning in English, German, French and Spanish: translations, and synonyms in the same language. With
// them, a question finds texts in other words or in another of these languages. The file model/lexicon.txt.gz is trained from
// sentences with their translations (lab/lexicon/train.ts, docs/decisions/0054-lexicon.md). Names of countries come from Intl.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { packageFile } from '../package-file.ts'
import { contentTerms } from './analyse.ts'
import { quantitiesOf } from './quantities.ts'
import { foldAccents, type WordedText, worded, words } from './words.ts'

const LEXICON_PATH = 'model/lexicon.txt.gz'

export const LEXICON_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type LexiconLanguage = (typeof LEXICON_LANGUAGES)[number]

/** A word of the lexicon, and its language. */
export interface LexiconWord {
  language: LexiconLanguage
  word: string
}

// Sorted lines "de hund<tab>en dog": the language and stem of a word, then words by their language, the likeliest first.
let lexiconText: string | undefined
const lexiconLines = (): string => {
  lexiconText ??= `\n${gunzipSync(readFileSync(packageFile(LEXICON_PATH))).toString('utf8')}`
  return lexiconText
}

/** The rest of the line that begins with this key, found by binary search. */
function lineOf(key: string): string | undefined {
  const text = lexiconLines()
  let [low, high] = [0, text.length - 1]
  while (low < high) {
    const start = text.lastIndexOf('\n', (low + high) >>> 1) + 1
    const end = text.indexOf('\n', start)
    const tab = text.indexOf('\t', start)
    const word = text.slice(start, tab)
    if (word === key) return text.slice(tab + 1, end)
    if (word < key) low = end
    else high = start - 1
  }
  return undefined
}

const isLexiconLanguage = (language: string): language is LexiconLanguage =>
  LEXICON_LANGUAGES.some((code) => code === language)

function entryOf(stem: string, language: LexiconLanguage): LexiconWord[] {
  const fields = lineOf(`${language} ${stem}`)?.split('\t') ?? []
  return fields.flatMap((field) => {
    const [fieldLanguage = '', ...words] = field.split(' ')
    return isLexiconLanguage(fieldLanguage) ? words.map((word) => ({ language: fieldLanguage, word })) : []
  })
}

/** The words with the same meaning as a word of this language. Empty if the lexicon has no such word in this language. */
function synonymsIn(word: string, language: LexiconLanguage): LexiconWord[] {
  const [stem, ...others] = contentTerms(word, language)
  return stem === undefined || others.length > 0 ? [] : entryOf(stem, language)
}

/** Whether the lexicon has the word in this language. It has words of four languages. */
export const isInLexicon = (word: string, language: string): boolean =>
  isLexiconLanguage(language) && synonymsIn(word, language).length > 0

// In the lexicon one language of each pair is English. So a word of another language is translated into a third one through
// its likeliest English words.
const MAX_ENGLISH_WORDS = 2
const MAX_WORDS_THROUGH_ENGLISH = 2

function withOtherLanguages(synonyms: readonly LexiconWord[], language: LexiconLanguage): LexiconWord[] {
  if (language === 'en') return [...synonyms]
  const english = synonyms.filter((synonym) => synonym.language === 'en').slice(0, MAX_ENGLISH_WORDS)
  const wordsThroughEnglish = english.flatMap(({ word }) =>
    LEXICON_LANGUAGES.filter((other) => other !== language && other !== 'en').flatMap((other) =>
      synonymsIn(word, 'en')
        .filter((synonym) => synonym.language === other)
        .slice(0, MAX_WORDS_THROUGH_ENGLISH),
    ),
  )
  return [...synonyms, ...wordsThroughEnglish]
}

const countries = new Map<string, LexiconWord[]>()

/** Adds the names of some 240 countries and regions. Names of more than two words are left out. */
function addCountries(): void {
  const names = LEXICON_LANGUAGES.map((language) => ({
    language,
    regionNames: new Intl.DisplayNames([language], { type: 'region' }),
  }))
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
  for (const code of letters.flatMap((a) => letters.map((b) => a + b))) {
    const countryNames = names.map(({ language, regionNames: displayNames }) => ({
      language,
      word: displayNames.of(code) ?? code,
    }))
    if (countryNames[0]?.word === code) continue
    const shortNames = countryNames.filter(({ word }) => [...words(word)].length <= 2)
    for (const { word } of shortNames)
      countries.set(
        foldAccents(word),
        shortNames.filter((other) => other.word !== word),
      )
  }
}

/**
 * Words that mean the same as this one, the likeliest first. None if the lexicon does not have the word. @param language the
 * language of the text that contains the word; if the lexicon has no such word in this language, the others are tried
 */
export function synonymsOf(word: string, language?: string): LexiconWord[] {
  if (countries.size === 0) addCountries()
  const country = countries.get(foldAccents(word))
  if (country) return country
  if (/\s/.test(word)) return []
  const lexiconLanguage = language !== undefined && isLexiconLanguage(language) ? language : undefined
  const ownSynonyms = lexiconLanguage ? synonymsIn(word, lexiconLanguage) : []
  if (lexiconLanguage && ownSynonyms.length > 0) return withOtherLanguages(ownSynonyms, lexiconLanguage)
  return LEXICON_LANGUAGES.filter((other) => other !== lexiconLanguage).flatMap((other) =>
    withOtherLanguages(synonymsIn(word, other), other),
  )
}

/**
 * The synonyms of each word of a text, of pairs of adjacent words ("Reino Unido"), and the names of the quantities that
 * adjectives compare ("heavier" and "weight").
 */
export function synonymsInText(text: string | WordedText, language?: string): Map<string, LexiconWord[]> {
  const textWords = [...worded(text).words].map(({ raw }) => raw)
  const synonymsByWord = new Map<string, LexiconWord[]>()
  for (const [i, raw] of textWords.entries()) {
    const next = textWords[i + 1]
    const pair = next === undefined ? [] : synonymsOf(`${raw} ${next}`, language)
    synonymsByWord.set(raw, [
      ...(synonymsByWord.get(raw) ?? []),
      // "No longer" compares nothing.
      ...(/^(?:no|any|nicht)$/i.test(textWords[i - 1] ?? '') ? [] : quantitiesOf(raw, language)),
      ...synonymsOf(raw, language),
      ...pair,
    ])
    if (next !== undefined && pair.length)
      synonymsByWord.set(next, [...(synonymsByWord.get(next) ?? []), ...pair])
  }
  return synonymsByWord
}
