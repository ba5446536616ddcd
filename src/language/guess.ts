// Guesses the language of a text by the share of its words that are stop words of each language. Chinese, Japanese and Thai are
// recognised by their scripts.

import { isWord } from './dictionary.ts'
import { LANGUAGES, type Language } from './language.ts'
import { stopWordsOf } from './stem.ts'
import { foldWord, type Word, type WordedText, worded } from './words.ts'

// 2,000 words are enough. A text with fewer than 8 % stop words of any language is no running text, but a list for example.
const SAMPLE_WORDS = 2000
const MIN_SHARE = 0.08

/**
 * The likeliest language, or `fallback` if there are too few stop words. The default is English, because stemming a list of
 * names as English does no harm, and queries are analysed in every language of the workspace's chunks.
 */
export function guessLanguage(text: string | WordedText, fallback: Language = 'en'): Language {
  const wordedText = worded(text)
  const [likeliest] = likeliestLanguages(wordedText)
  // Text in another script is not English.
  return likeliest ?? (fallback === 'en' && isForeignScript(wordedText.text) ? 'xx' : fallback)
}

const SAMPLE_LETTERS = 4000

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

function isForeignScript(text: string): boolean {
  const sample = text.slice(0, SAMPLE_LETTERS)
  return 2 * countOf(sample, /\p{Script=Latin}/gu) < countOf(sample, /\p{L}/gu)
}

// Minimum shares of the letters. They are low, because a character of these scripts stands for two or three Latin letters.
const UNSPACED_SHARE = 0.3
const KANA_SHARE = 0.1

/** The language whose script most of the text is in, if it is written without spaces. */
function languageOfScript(text: string): Language | undefined {
  const sample = text.slice(0, SAMPLE_LETTERS)
  if (!UNSPACED.test(sample)) return undefined
  const minCount = UNSPACED_SHARE * countOf(sample, /\p{L}/gu)
  if (countOf(sample, /\p{Script=Thai}/gu) > minCount) return 'th'
  const kana = countOf(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const han = countOf(sample, /\p{Script=Han}/gu)
  if (kana + han <= minCount) return undefined
  return kana > KANA_SHARE * han ? 'ja' : 'zh'
}

/**
 * Whether a query begins with a stop word in Latin letters. "What is 犬?" is an English question with a name in another script.
 */
function beginsInLatinScript(query: string): boolean {
  const [, first] = /^\P{L}*(\p{L}\p{Ll}+)\s+\p{Ll}/u.exec(query) ?? []
  return first !== undefined && stopWordLanguages(foldWord(first)).length > 0
}

const UNSPACED = /[\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * The likeliest languages: several if they are equally likely ("de la" is French and Spanish), none if there are too few stop
 * words. A stop word of several languages counts a share for each.
 * @param languages for a query: the languages of the searched texts, the most frequent first. A stop word of another language
 * does not count if it is also a word of the first one: "war" is a stop word in German, but not in "war crimes". It counts if
 * most other words of the query are not in the first language either.
 */
export function likeliestLanguages(worded: WordedText, languages: readonly Language[] = []): Language[] {
  const { text } = worded
  const scriptLanguage =
    languages.length > 0 && beginsInLatinScript(text) ? undefined : languageOfScript(text)
  // A Japanese query may have no kana.
  if (scriptLanguage === 'zh')
    return [languages.find((language) => language === 'ja' || language === 'zh') ?? 'zh']
  if (scriptLanguage) return [scriptLanguage]
  const votes = new Map<Language, number>()
  const [main] = languages
  let isForeign: boolean | undefined
  const candidateLanguages = (word: string, stopWordOf: readonly Language[]): readonly Language[] => {
    if (main === undefined || !isOwnWord(word, main, stopWordOf)) return stopWordOf
    const allowedLanguages = stopWordOf.filter((language) => languages.includes(language))
    if (allowedLanguages.length === 0) return allowedLanguages
    isForeign ??= isMostlyForeign(worded, main)
    return isForeign ? allowedLanguages : []
  }
  let wordCount = 0
  for (const { raw } of worded.words) {
    if (wordCount++ >= SAMPLE_WORDS) break
    // The B of "building B" is no Irish stop word.
    if (wordCount > 1 && /^(?!I$)\p{Lu}$/u.test(raw)) continue
    const word = foldWord(raw)
    const votedLanguages = candidateLanguages(word, stopWordLanguages(word))
    for (const language of votedLanguages)
      votes.set(language, (votes.get(language) ?? 0) + 1 / votedLanguages.length)
  }
  const maxVotes = Math.max(0, ...votes.values())
  if (maxVotes === 0 || maxVotes / wordCount < MIN_SHARE) return []
  return [...votes].filter(([, share]) => share === maxVotes).map(([language]) => language)
}

// One stop word may be a name or a quotation ("the El Niño of 1998"), and some are shared: des is German and French.
const MIN_MORE_STOP_WORDS = 2

/**
 * The sentences and lines that are in another language than `main`, the language of the text: a notice may say the same in
 * three languages. Such a sentence has more different stop words of the other language than of `main`.
 */
export function* foreignSentences(
  { text, words }: WordedText,
  main: Language,
): Generator<{ text: string; language: Language }> {
  let sentence: Word[] = []
  const foreignPart = (): { text: string; language: Language }[] => {
    const language = foreignLanguage(sentence, main)
    const [first, last] = [sentence[0], sentence.at(-1)]
    return language && first && last ? [{ text: text.slice(first.start, last.end), language }] : []
  }
  for (const word of words) {
    const previous = sentence.at(-1)
    if (previous && /[.!?;|\n]/.test(text.slice(previous.end, word.start))) {
      yield* foreignPart()
      sentence = []
    }
    sentence.push(word)
  }
  yield* foreignPart()
}

function foreignLanguage(sentence: readonly Word[], main: Language): Language | undefined {
  const votes = new Map<Language, number>()
  for (const word of new Set(sentence.map(({ raw }) => foldWord(raw))))
    for (const language of stopWordLanguages(word)) votes.set(language, (votes.get(language) ?? 0) + 1)
  const maxVotes = Math.max(0, ...votes.values())
  if (maxVotes - (votes.get(main) ?? 0) < MIN_MORE_STOP_WORDS) return undefined
  const [likeliest, ...others] = [...votes].filter(([, count]) => count === maxVotes)
  return others.length === 0 ? likeliest?.[0] : undefined
}

/**
 * Whether a text has stop words of a language, even without its most frequent word. That word alone may be one by chance: "the"
 * with each letter shifted by 13 is "gur", which is Irish.
 */
export function readsAsLanguage(text: string): boolean {
  if (likeliestLanguages(worded(text)).length === 0) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const maxCount = Math.max(...counts.values())
  const mostFrequentWord = [...counts].find(([, count]) => count === maxCount)?.[0]
  return likeliestLanguages(worded(words.filter((word) => word !== mostFrequentWord).join(' '))).length > 0
}

// Names are not words of the language either ("Ukraine war"). So at least this many foreign words are needed, and they must be
// a majority.
const MIN_FOREIGN_WORDS = 2
const MAX_COMPARED_WORDS = 16

/** Whether most words that are not stop words do not belong to this language: "contrato con Osterby", "Nenne die Fristen". */
function isMostlyForeign({ words }: WordedText, main: Language): boolean {
  const textWords = [...words]
    .map(({ raw }) => foldWord(raw))
    .filter((word) => /^[\p{L}\p{M}]+$/u.test(word) && stopWordLanguages(word).length === 0)
    .slice(0, MAX_COMPARED_WORDS)
  const foreignCount = textWords.filter((word) => !isWord(word, [main])).length
  return foreignCount >= MIN_FOREIGN_WORDS && foreignCount > textWords.length - foreignCount
}

/** Whether a stop word of other languages is a word of this language. */
const isOwnWord = (word: string, main: Language, stopWordOf: readonly Language[]): boolean =>
  stopWordOf.length > 0 && !stopWordOf.includes(main) && isWord(word, [main])

const languagesOfStopWord = new Map<string, Language[]>()
for (const language of LANGUAGES) {
  for (const word of stopWordsOf(language))
    languagesOfStopWord.set(word, [...(languagesOfStopWord.get(word) ?? []), language])
}
const MAX_STOP_WORD_CHARACTERS = Math.max(...[...languagesOfStopWord.keys()].map(({ length }) => length))
const NO_LANGUAGES: Language[] = []
const stopWordLanguages = (word: string): Language[] =>
  (word.length > MAX_STOP_WORD_CHARACTERS ? undefined : languagesOfStopWord.get(word)) ?? NO_LANGUAGES
