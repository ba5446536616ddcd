// Stemming (Snowball family, github.com/snowballstem) and stop words by language; `xx` passes words unchanged.

import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
// Orama's English cuts one letter too many off -tion and -sion (rejection: rejec, reject: reject), so that neither finds
// the other: MuSiQue nDCG@10 .639, with this one .658.
import { stem as english } from 'porter2'
import { dan, deu, eng, fin, fra, ita, nld, nob, por, rus, spa, swe } from 'stopword'
import type { Language } from './language.ts'

const stemmers: Partial<Record<Language, (word: string) => string>> = {
  da: danish,
  de: german,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ru: russian,
  sv: swedish,
}

// Question words and auxiliaries that the list of the `stopword` package lacks for English.
const ENGLISH_MORE =
  `when why whose whom does doing done don doesn didn isn aren wasn weren hasn haven hadn won
  than so no nor not until during again once few off down further just own too against above below having
  itself themselves ourselves yourself yours theirs ours hers she's us`.split(/\s+/)

const NO_WORDS: ReadonlySet<string> = new Set()

const stopWords: Partial<Record<Language, ReadonlySet<string>>> = {
  da: new Set(dan),
  de: new Set(deu),
  en: new Set([...eng, ...ENGLISH_MORE]),
  es: new Set(spa),
  fi: new Set(fin),
  fr: new Set(fra),
  it: new Set(ita),
  nl: new Set(nld),
  no: new Set(nob),
  pt: new Set(por),
  ru: new Set(rus),
  sv: new Set(swe),
}

/** The stem of a folded word; a word of 3 letters or fewer, or with a digit, is its own stem. */
export function stem(word: string, language: Language): string {
  if (word.length <= 3 || word.length > 40 || /\d/.test(word)) return word
  return stemmers[language]?.(word) ?? word
}

export const isStopWord = (word: string, language: Language): boolean =>
  (stopWords[language] ?? NO_WORDS).has(word)

/** The stop words of each language: what the language guess counts. */
export const stopWordsOf = (language: Language): ReadonlySet<string> => stopWords[language] ?? NO_WORDS
