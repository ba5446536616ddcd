// Which language a text is in, by the share of its words that are stop words of each (reference/language.md 1).

import { isWord } from './dictionary/dictionary.ts'
import { LANGUAGES, type Language } from './language.ts'
import { stopWordsOf } from './stem.ts'
import { fold, words } from './words.ts'

// 2,000 words settle it; a text with fewer than 8 % stop words of any language is a list or something else.
const SAMPLE_WORDS = 2000
const LEAST_SHARE = 0.08

/**
 * The likeliest language, or `fallback` when too few words speak for any: English by default, since stemming a list
 * of names as English harms nothing and queries are analysed in every language that the workspace's chunks have.
 */
export const guessLanguage = (text: string, fallback: Language = 'en'): Language =>
  likeliestLanguages(text)[0] ?? fallback

/**
 * The likeliest language, and those that as much speaks for ("de la" is French and Spanish); none when too few words do.
 * Rare-first: a stop word shared by several languages counts a share for each.
 * @param main of a query: the language of most texts it is asked of, whose words say nothing for others. War, door and sea
 * are stop words of German, Dutch and Spanish: "war crimes" was a German query, and asked for crimes alone.
 */
export function likeliestLanguages(text: string, main?: Language): Language[] {
  const votes = new Map<Language, number>()
  let seen = 0
  for (const { raw } of words(text)) {
    if (seen++ >= SAMPLE_WORDS) break
    const word = fold(raw)
    const holders = holdersOf(word)
    if (main !== undefined && isOwnWord(word, main, holders)) continue
    for (const language of holders) votes.set(language, (votes.get(language) ?? 0) + 1 / holders.length)
  }
  const most = Math.max(0, ...votes.values())
  if (most === 0 || most / seen < LEAST_SHARE) return []
  return [...votes].filter(([, share]) => share === most).map(([language]) => language)
}

/** The language of a query, of those that texts are in, most first: the first where nothing speaks more for another. */
export function queryLanguage(query: string, languages: readonly Language[]): Language {
  const [main = LANGUAGES[0]] = languages
  const likely = likeliestLanguages(query, main)
  return likely.includes(main) ? main : (likely[0] ?? main)
}

const own = new Map<string, boolean>()

/** Whether a stop word of others is a word of this language; remembered, since they are few. */
function isOwnWord(word: string, main: Language, holders: readonly Language[]): boolean {
  if (holders.length === 0 || holders.includes(main)) return false
  const key = `${main} ${word}`
  const known = own.get(key) ?? isWord(word, [main])
  own.set(key, known)
  return known
}

const holders = new Map<string, Language[]>()
for (const language of LANGUAGES) {
  for (const word of stopWordsOf(language)) holders.set(word, [...(holders.get(word) ?? []), language])
}
const LONGEST = Math.max(...[...holders.keys()].map(({ length }) => length))
const NOBODY: Language[] = []
const holdersOf = (word: string): Language[] =>
  (word.length > LONGEST ? undefined : holders.get(word)) ?? NOBODY
