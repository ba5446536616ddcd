// Which language a text is in, by the share of its words that are stop words of each.

import { isWord } from './dictionary.ts'
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
 * The likeliest language, and those that as much speaks for ("de la" is French and Spanish); none when too few words
 * do. Rare-first: a stop word shared by several languages counts a share for each.
 * @param languages of a query: those that the texts it is asked of are in, most first. Words of the first say nothing
 * for others: war, door and sea are stop words of German, Dutch and Spanish, and "war crimes" was a German query that
 * asked for crimes alone. They do for one that is spoken here where the words beside them are in another language,
 * too.
 */
export function likeliestLanguages(text: string, languages: readonly Language[] = []): Language[] {
  const votes = new Map<Language, number>()
  const [main] = languages
  let isForeign: boolean | undefined
  const heard = (word: string, holders: readonly Language[]): readonly Language[] => {
    if (main === undefined || !isOwnWord(word, main, holders)) return holders
    const spoken = holders.filter((language) => languages.includes(language))
    if (spoken.length === 0) return spoken
    isForeign ??= isWrittenOtherwise(text, main)
    return isForeign ? spoken : []
  }
  let seen = 0
  for (const { raw } of words(text)) {
    if (seen++ >= SAMPLE_WORDS) break
    const word = fold(raw)
    const speaking = heard(word, holdersOf(word))
    for (const language of speaking) votes.set(language, (votes.get(language) ?? 0) + 1 / speaking.length)
  }
  const most = Math.max(0, ...votes.values())
  if (most === 0 || most / seen < LEAST_SHARE) return []
  return [...votes].filter(([, share]) => share === most).map(([language]) => language)
}

/** The language of a query, of those that texts are in, most first: the first where nothing speaks more for another. */
export function queryLanguage(query: string, languages: readonly Language[]): Language {
  const [main = LANGUAGES[0]] = languages
  const likely = likeliestLanguages(query, languages)
  return likely.includes(main) ? main : (likely[0] ?? main)
}

// A name is no word of the language, either ("Ukraine war"); two such words, and more than are, are hardly names.
const LEAST_FOREIGN = 2
const MOST_LOOKED_AT = 16

/** Whether most words that are no stop words are none of this language: "contrato con Osterby", "Nenne die Fristen". */
function isWrittenOtherwise(text: string, main: Language): boolean {
  const told = [...words(text)]
    .map(({ raw }) => fold(raw))
    .filter((word) => /^[\p{L}\p{M}]+$/u.test(word) && holdersOf(word).length === 0)
    .slice(0, MOST_LOOKED_AT)
  const foreign = told.filter((word) => !isWord(word, [main])).length
  return foreign >= LEAST_FOREIGN && foreign > told.length - foreign
}

/** Whether a stop word of others is a word of this language. */
const isOwnWord = (word: string, main: Language, holders: readonly Language[]): boolean =>
  holders.length > 0 && !holders.includes(main) && isWord(word, [main])

const holders = new Map<string, Language[]>()
for (const language of LANGUAGES) {
  for (const word of stopWordsOf(language)) holders.set(word, [...(holders.get(word) ?? []), language])
}
const LONGEST = Math.max(...[...holders.keys()].map(({ length }) => length))
const NOBODY: Language[] = []
const holdersOf = (word: string): Language[] =>
  (word.length > LONGEST ? undefined : holders.get(word)) ?? NOBODY
