// Words of English, German, French and Spanish that mean the same, so that a question in one of them finds text in another:
// model/translations.txt.gz, which lab/meaning/translations.ts makes of Wiktionary and WordNet (NOTICE), and the words of business of
// synonyms.ts. Read on the first use.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Language } from './language.ts'
import { stem } from './stem.ts'
import { CONCEPT_LANGUAGES, concepts } from './synonyms.ts'
import { foldWord, withoutAccents } from './words.ts'

/** What a word means in other languages; of a compound what one of its parts means. */
export interface Translation {
  /** How much of the word this is: 1, or half for a part. */
  share: number
  words: ReadonlyMap<Language, readonly string[]>
}

const TRANSLATIONS_PATH = 'model/translations.txt.gz'

// Letters between the parts of a German compound: Heizung-s-störung.
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
const MIN_COMPOUND_LENGTH = 8
const MIN_HEAD_LENGTH = 4
const MIN_FIRST_LENGTH = 3
const PART = 0.5

/** What the word means in the other languages, or what the parts of a German compound mean; none for a word that is not listed. */
export function translationsOf(word: string, from: Language): Translation[] {
  const whole = meaningsOf(word, from)
  if (whole.size > 0) return [{ share: 1, words: whole }]
  if (from !== 'de' || word.length < MIN_COMPOUND_LENGTH) return []
  for (let at = MIN_FIRST_LENGTH; at <= word.length - MIN_HEAD_LENGTH; at++) {
    const head = meaningsOf(word.slice(at), from)
    if (head.size === 0) continue
    const start = word.slice(0, at)
    const firsts = LINKS.filter((link) => start.endsWith(link)).map((link) =>
      meaningsOf(start.slice(0, start.length - link.length), from),
    )
    const first = firsts.find((words) => words.size > 0)
    return [head, first].flatMap((words) => (words ? [{ share: PART, words }] : []))
  }
  return []
}

function meaningsOf(word: string, from: Language): Map<Language, string[]> {
  const own = (indexOf(from)?.get(keyOf(word, from)) ?? []).map((at) => lines()[at] ?? '')
  const meanings = new Map<Language, string[]>()
  for (const [column, to] of CONCEPT_LANGUAGES.entries()) {
    const words = [...new Set(own.flatMap((line) => wordsIn(line, column)))]
    if (to !== from && words.length > 0) meanings.set(to, words)
  }
  return meanings
}

let read: readonly string[] | undefined

/** The words of a concept, in the order of CONCEPT_LANGUAGES: `tree|baum|arbre|árbol`. */
function lines(): readonly string[] {
  read ??= [
    ...concepts.map((concept) => concept.map((words) => words.join(' ')).join('|')),
    ...gunzipSync(readFileSync(pathAbove(TRANSLATIONS_PATH)))
      .toString('utf8')
      .split('\n'),
  ]
  return read
}

const wordsIn = (line: string, column: number): string[] =>
  (line.split('|')[column] ?? '').split(' ').filter(Boolean)

const indexes = new Map<Language, ReadonlyMap<string, readonly number[]>>()

/** The lines that have a stem of the language; made once, which takes a tenth of a second. */
function indexOf(language: Language): ReadonlyMap<string, readonly number[]> | undefined {
  const column = CONCEPT_LANGUAGES.indexOf(language)
  if (column < 0 || indexes.has(language)) return indexes.get(language)
  const index = new Map<string, number[]>()
  for (const [at, line] of lines().entries())
    for (const key of new Set(wordsIn(line, column).map((word) => keyOf(word, language)))) {
      const places = index.get(key)
      if (places) places.push(at)
      else index.set(key, [at])
    }
  indexes.set(language, index)
  return index
}

const keyOf = (word: string, language: Language): string => withoutAccents(stem(foldWord(word), language))

/** The path of a file in the nearest folder above this module, which the sources, the build and the package have. */
function pathAbove(path: string): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, path)
    if (existsSync(file)) return file
    if (folder === dirname(folder)) throw new Error(`${path} is in no folder above ${start}`)
  }
}
