// A query's compounds and heads of compounds, as the workspace knows them: terms to ask for besides.

import { termHash } from '../../index/weights.ts'
import { likeliestLanguages } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { QueryTerm } from '../passage.ts'
import {
  compounding,
  compoundsOn,
  compoundWords,
  likeliest,
  type Split,
  splitsOf,
  termOf,
} from './compounds.ts'
import { type Spoken, selectEndingWords, selectLanguagesOf } from './query.sql.ts'

// What a compound's parts and a head's compounds count beside the word itself.
const PART = 0.4
const COMPOUND = 0.5

export interface Compounds {
  language: Language | undefined
  words: { word: string; term: string; splits: Split[] }[]
  /** Terms whose frequency decides; they count nothing themselves. */
  terms: ReadonlyMap<string, number>
}

export const NO_COMPOUNDS: Compounds = { language: undefined, words: [], terms: new Map() }

/** Pure: what has to be known of the query's words to tell compounds. */
export function readCompounds(query: string, languages: readonly Language[]): Compounds {
  const language = compounding(languages)
  if (!language) return NO_COMPOUNDS
  const words = compoundWords(query, language).map((word) => ({
    word,
    term: termOf(word, language),
    splits: splitsOf(word, language),
  }))
  const parts = words.flatMap(({ splits }) => splits.flatMap(({ first, head }) => [first, head]))
  return { language, words, terms: new Map(parts.map((term) => [term, 0])) }
}

// More words than these say by their stop words what language they are in, or look for an English text.
const MOST_ALONE = 3
const NEARLY_ALL = 0.8

/**
 * Words of a query without stop words that stand in chunks of a compounding language and hardly in others: "Frist" alone
 * in a workspace that is mainly English is German, and "port" is not. One statement, where such a language is spoken and
 * no more chunks hold the word than are in it.
 */
export async function wordsOfOthers(
  db: Queryable,
  workspaceId: string,
  query: string,
  { spoken, share, df }: { spoken: readonly Spoken[]; share: number; df: (term: string) => number },
): Promise<string[]> {
  const language = compounding(spoken.map((row) => row.language))
  const main = spoken.slice(0, 1).map((row) => row.language)
  if (!language || likeliestLanguages(query, main).length > 0) return []
  const most = (spoken.find((row) => row.language === language)?.chunks ?? 0) / NEARLY_ALL
  const isRare = (word: string): boolean => spoken.every((row) => df(termOf(word, row.language)) <= most)
  const all = compoundWords(query, language)
  const asked = all.length <= MOST_ALONE ? all.filter(isRare) : []
  if (asked.length === 0) return []
  const hashOf = (word: string): number => termHash(termOf(word, language))
  const chunks = spoken.reduce((sum, row) => sum + row.chunks, 0)
  const found = await selectLanguagesOf(db, workspaceId, asked.map(hashOf), { chunks, share })
  const chunksOf = (word: string, isIts: (language: Language) => boolean): number =>
    found
      .filter((row) => row.term === hashOf(word) && isIts(row.language))
      .reduce((sum, { chunks }) => sum + chunks, 0)
  return asked.filter((word) => {
    const seen = chunksOf(word, () => true)
    return seen > 0 && chunksOf(word, (its) => its === language) >= NEARLY_ALL * seen
  })
}

type Known = QueryTerm & { weight: number }

export interface Related {
  /** Terms with their weights; those of weight 0 only bear witness. */
  terms: ReadonlyMap<string, number>
  /** Words that are no typing errors, since the workspace knows their parts or compounds of them. */
  explained: ReadonlySet<string>
  /** Once their frequencies are known: without compounds nobody bears witness to, none rarer than the word it is for. */
  settle<Term extends Known>(found: readonly Term[]): Term[]
}

export const NO_RELATED: Related = {
  terms: new Map(),
  explained: new Set(),
  settle: (found) => [...found],
}

/** One statement more, and only in workspaces of a language that writes compounds as one word. */
export async function relatedCompounds(
  db: Queryable,
  workspaceId: string,
  { language, words }: Compounds,
  weighed: readonly Known[],
): Promise<Related> {
  if (!language || words.length === 0) return NO_RELATED
  const known = new Map(weighed.map((term) => [term.term, term]))
  const df = (term: string): number => known.get(term)?.df ?? 0
  const ending = await selectEndingWords(
    db,
    workspaceId,
    words.map(({ term }) => term),
  )
  const terms = new Map<string, number>()
  const explained = new Set<string>()
  const compounds = new Map<string, { witnesses: string[]; idf: number }>()
  for (const [at, { word, term, splits }] of words.entries()) {
    const split = likeliest(splits, df)
    const found = compoundsOn(
      term,
      ending.filter((row) => row.at === at),
      language,
    )
    if (split || found.length) explained.add(word)
    for (const part of split ? [split.first, split.head] : []) terms.set(part, PART)
    for (const { term: compound, witnesses } of found) {
      terms.set(compound, COMPOUND)
      for (const witness of witnesses) if (!terms.has(witness)) terms.set(witness, 0)
      compounds.set(compound, { witnesses, idf: df(term) ? (known.get(term)?.idf ?? 0) : Infinity })
    }
  }
  return { terms, explained, settle: (more) => settled(more, compounds, df) }
}

function settled<Term extends Known>(
  more: readonly Term[],
  compounds: ReadonlyMap<string, { witnesses: string[]; idf: number }>,
  before: (term: string) => number,
): Term[] {
  const now = new Map(more.map(({ term, df }) => [term, df]))
  const isWord = (term: string): boolean => before(term) > 0 || (now.get(term) ?? 0) > 0
  return more.flatMap((found) => {
    if (found.weight === 0) return []
    const compound = compounds.get(found.term)
    if (!compound) return [found]
    if (compound.witnesses.length && !compound.witnesses.some(isWord)) return []
    return [{ ...found, idf: Math.min(found.idf, compound.idf) }]
  })
}
