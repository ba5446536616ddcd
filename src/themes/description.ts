// Describes a group of documents by what stands in them: the terms and names that set it apart, and the sentence nearest to its
// middle. Pure functions.

import { termHash } from '../index/weights.ts'
import { contentTerms, contentWords } from '../language/analyse.ts'
import { LANGUAGES, type Language } from '../language/language.ts'
import { sentences } from '../language/sentences.ts'
import { contentWordsIn } from '../language/unspaced.ts'
import { isUnspaced } from '../language/words.ts'
import type { GroupName, GroupPassage } from './groups.sql.ts'
import { isFunctionWord, knowsNouns, termWith, usesIn, withoutElision } from './nouns.ts'
import type { Centre, DocumentVector, ReadDocument, Vocabulary } from './vectors.ts'

export interface Candidate {
  passage: GroupPassage
  sentence: string
  terms: ReadDocument
  /** The similarity to the middle of the group by words. */
  score: number
}

const MIN_WORDS = 8
const MAX_WORDS = 45
const MAX_CHARACTERS = 300
// Of Japanese and other scripts without spaces.
const MIN_UNSPACED_CHARACTERS = 16

/** Whether the text is a sentence that can be understood alone: no row of a table, heading, list item or address. */
export function isReadable(sentence: string): boolean {
  const words = sentence.split(/\s+/u)
  const hasSpaces = !isUnspaced(sentence)
  if (hasSpaces && (words.length < MIN_WORDS || words.length > MAX_WORDS)) return false
  if (!hasSpaces && sentence.length < MIN_UNSPACED_CHARACTERS) return false
  if (sentence.length > MAX_CHARACTERS) return false
  if (!/^["“„«'(¿¡]?[\p{Lu}\p{Lo}]/u.test(sentence) || !/[.。!]["”“»']?$/u.test(sentence)) return false
  if (/[|\n\t*#<>=@{}[\]]|https?:|\.{3}|…|: ?$/u.test(sentence)) return false
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0
  const capitalised = words.filter((word) => /^\p{Lu}/u.test(word)).length
  return letters > 0.7 * sentence.length && capitalised < 0.6 * words.length
}

/** The sentences of a passage with their similarity to the middle of the group, by words. */
export function candidatesIn(passage: GroupPassage, { places }: Vocabulary, centre: Centre): Candidate[] {
  const language = languageOf(passage)
  return sentences(passage.text).flatMap(({ text }) => {
    if (!isReadable(text)) return []
    const hashes = [...new Set(contentTerms(text, language))].map(termHash)
    if (hashes.length === 0) return []
    const weight = hashes.reduce((sum, hash) => sum + (centre.words[places.get(hash) ?? -1] ?? 0), 0)
    const terms = {
      at: Int32Array.from(hashes),
      values: new Float32Array(hashes.length).fill(1),
      mean: undefined,
    }
    return [{ passage, sentence: text, terms, score: weight / Math.sqrt(hashes.length) }]
  })
}

export const languageOf = ({ language }: GroupPassage): Language =>
  LANGUAGES.find((code) => code === language) ?? 'xx'

// Of the terms of a group, so many are looked at.
const MAX_HEAVY_TERMS = 24
const MIN_LETTERS = 3
// A term of fewer documents of the group does not stand for it: of a small group three in ten, of a large group one in ten.
const MIN_SMALL_GROUP_SHARE = 0.3
const MIN_GROUP_SHARE = 0.1
const MIN_GROUP_DOCUMENTS = 6

// A term that all titles have counts as much as three that none has.
const TITLE_BONUS = 2

/** The share of the documents whose title has the term, by the hash of the term. A title names what a document is about. */
function titleSharesOf(passages: readonly GroupPassage[]): Map<number, number> {
  const titles = new Map(passages.map((passage) => [passage.document_id, passage]))
  const shares = new Map<number, number>()
  for (const passage of titles.values())
    for (const term of new Set(contentTerms(passage.title, languageOf(passage)))) {
      const hash = termHash(term)
      shares.set(hash, (shares.get(hash) ?? 0) + 1 / titles.size)
    }
  return shares
}

/** The content words of a passage. Text without spaces is split by a dictionary. */
function wordsIn(passage: GroupPassage): string[] {
  const language = languageOf(passage)
  return contentWords(passage.text, language).flatMap((word) =>
    isUnspaced(word) ? [...contentWordsIn(word, language)] : [word],
  )
}

/** The share of the documents that have each term of the vocabulary. */
export function termSharesOf(documents: readonly DocumentVector[], termCount: number): Float32Array {
  const shares = new Float32Array(termCount)
  for (const { terms } of documents) for (const place of terms) shares[place] = (shares[place] ?? 0) + 1
  return shares.map((count) => count / documents.length)
}

interface TermRequest {
  groupIndex: number
  /** The share of the documents that have each term, by group. */
  shares: readonly Float32Array[]
  /** How many documents the group has. */
  documents: number
  centre: Centre
  /** The names that are shown beside the terms, and are not repeated. */
  names: readonly string[]
  limit: number
}

/**
 * The terms that tell the group from each other group and from the library, by the share of the documents that have them and their
 * weight there, as the passages write them most often. Words of forms and letters, which several groups have, tell it from none.
 */
export function* termsOf(
  passages: readonly GroupPassage[],
  vocabulary: Vocabulary,
  { groupIndex, shares, documents, centre, names, limit }: TermRequest,
): Generator<void, string[]> {
  const { hashes } = vocabulary
  const others = shares.filter((_, i) => i !== groupIndex)
  const titleShares = titleSharesOf(passages)
  // The shares have single precision, too.
  const minShare = Math.fround(
    Math.max(MIN_GROUP_SHARE, Math.min(MIN_SMALL_GROUP_SHARE, MIN_GROUP_DOCUMENTS / documents)),
  )
  const heaviest = [...(shares[groupIndex] ?? [])]
    .map((share, place) => ({ place, share }))
    .filter(({ share }) => share >= minShare)
    .map(({ place, share }) => {
      const shareElsewhere = Math.max(
        vocabulary.shares[place] ?? 1,
        ...others.map((other) => other[place] ?? 0),
      )
      const titleBonus = TITLE_BONUS * (titleShares.get(hashes[place] ?? 0) ?? 0)
      const score = divergence(share, shareElsewhere) * (centre.words[place] ?? 0) * (1 + titleBonus)
      return { place, score }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MAX_HEAVY_TERMS)
    .map(({ place }) => hashes[place] ?? 0)
  yield
  const uses = yield* usesIn(passages.map((passage) => ({ ...passage, language: languageOf(passage) })))
  const spellings = yield* spellingsIn(passages)
  const hasName = (term: string): boolean =>
    term
      .toLowerCase()
      .split(' ')
      .some((word) => names.some((name) => name.toLowerCase().includes(word)))
  const nounOf = ({ word, language }: Spelling): string | undefined =>
    knowsNouns(language) ? termWith(word, uses) : isFunctionWord(word) ? undefined : word
  const withoutNames = (terms: readonly (string | undefined)[]): string[] =>
    terms.filter((term) => term !== undefined && !hasName(term)) as string[]
  const nouns = withoutNames(
    heaviest.map((hash) =>
      spellings
        .get(hash)
        ?.map(nounOf)
        .find((term) => term !== undefined),
    ),
  )
  // Lists and notes of catchwords have no phrases that tell.
  const terms =
    nouns.length > 0 ? nouns : withoutNames(heaviest.map((hash) => spellings.get(hash)?.[0]?.word))
  return distinctTerms(terms).slice(0, limit)
}

/** A word as passages of one language write it. */
interface Spelling {
  word: string
  count: number
  language: Language
}

/** How the passages write each term, by its hash, the most frequent first. */
function* spellingsIn(passages: readonly GroupPassage[]): Generator<void, Map<number, Spelling[]>> {
  const counts = new Map<string, Spelling>()
  for (const passage of passages) {
    const language = languageOf(passage)
    for (const raw of wordsIn(passage)) {
      const word = language === 'fr' ? withoutElision(raw) : raw
      const key = `${language} ${word}`
      const spelling = counts.get(key) ?? { word, count: 0, language }
      counts.set(key, { ...spelling, count: spelling.count + 1 })
    }
    yield
  }
  const spellings = new Map<number, Spelling[]>()
  for (const spelling of [...counts.values()].sort((a, b) => b.count - a.count)) {
    const { word, language } = spelling
    if (!/^\p{L}[\p{L}\p{M}’'-]+$/u.test(word)) continue
    if (word.length < MIN_LETTERS && !isUnspaced(word)) continue
    const [term] = contentTerms(word, language)
    if (term === undefined) continue
    const hash = termHash(term)
    spellings.set(hash, [...(spellings.get(hash) ?? []), spelling])
    yield
  }
  return spellings
}

/** Without terms of which each word stands in a term before it. */
function distinctTerms(terms: readonly string[]): string[] {
  const distinct: string[] = []
  const knownWords = new Set<string>()
  for (const term of terms) {
    const words = term.toLowerCase().split(' ')
    if (!words.every((word) => knownWords.has(word))) distinct.push(term)
    for (const word of words) knownWords.add(word)
  }
  return distinct
}

/** How well something tells a group from a library, by the share of the documents that have it: pointwise Kullback-Leibler divergence. */
const divergence = (groupShare: number, share: number): number =>
  groupShare * Math.log(groupShare / Math.max(share, Number.EPSILON))

/** The names that tell the group from the rest of the library. A name of one document does not stand for several. */
export function mainNames(
  names: readonly GroupName[],
  {
    read,
    documents,
    weights,
  }: { read: number; documents: number; weights: Readonly<Record<string, number>> },
): GroupName[] {
  const rated = names.map((name) => {
    const share = name.group_documents / read
    const ofAll = Math.max(name.document_count, name.group_documents) / Math.max(documents, read)
    return { name, score: divergence(share, ofAll) * (weights[name.type] ?? 1) }
  })
  return rated
    .filter(({ name, score }) => score > 0 && name.group_documents >= 2)
    .sort(
      (a, b) => b.score - a.score || b.name.mentions - a.name.mentions || (a.name.id < b.name.id ? -1 : 1),
    )
    .map(({ name }) => name)
}

/** At most `limit` of the items at equal distances, from the first one on. */
export function spread<T>(items: readonly T[], limit: number): T[] {
  const distance = Math.max(1, items.length / limit)
  return items.filter((_, i) => Math.floor(i / distance) !== Math.floor((i - 1) / distance))
}
