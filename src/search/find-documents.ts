// Finds a document by what a person remembers of it: words of its title, path and headings, in any order, incomplete or
// mistyped. For the console's search box. (The filter `q` of document lists matches only parts of titles, as specified.)

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { DocumentMatch, DocumentMatches } from '../contract/resources.ts'
import { termHash } from '../index/weights.ts'
import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import { allowedEdits, editDistance } from '../language/edit-distance.ts'
import { stem } from '../language/stem.ts'
import { fold, foldAccents, foldWord } from '../language/words.ts'
import type { Db } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { selectHeadings, selectTitlesLike, type TitleRow } from './find-documents.sql.ts'
import { type WeightedQuery, weighQuery } from './query/query.ts'

// The maximum number of words that are searched. More words do not help to find a title.
const MAX_WORDS = 8
// Shorter words are ignored, because too many words begin with the same single letter.
const MIN_LETTERS = 2
// The maximum number of words of one field that are compared. Only paths of deep folders and of headings have more.
const MAX_FIELD_WORDS = 40

/**
 * The documents that match best, best first: those that have every word. If there are none, those that have most of the words.
 * @throws ApiError 404
 */
export async function findDocuments(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  { q, limit }: { q: string; limit: number },
): Promise<DocumentMatches> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const query = wordsOf(q).slice(0, MAX_WORDS)
  const longWords = query.filter((word) => word.length >= MIN_LETTERS)
  const words = longWords.length > 0 ? longWords : query
  if (words.length === 0) return { data: [] }
  // Titles and paths keep their accents.
  const accentedWords = wordsIn(fold(q))
  const parts = words.map((word) => [
    ...partsOf(word),
    ...accentedWords.filter((form) => form !== word && foldAccents(form) === word),
  ])
  const titles = await selectTitlesLike(deps.db, workspaceId, parts)
  const rows = [...titles, ...(await headingsLike(deps.db, workspaceId, analysedText(q)))]
  return { data: rankDocuments(words, rows).slice(0, limit) }
}

/** Documents with a heading that probably has those words of the query that the workspace has. */
async function headingsLike(db: Db, workspaceId: string, query: AnalysedText): Promise<TitleRow[]> {
  const weightedQuery = await weighQuery(db, workspaceId, query, { isCorrecting: false })
  if (!weightedQuery) return []
  const termsByLanguage = weightedQuery.languages.map((language) =>
    knownTermsOf(query, weightedQuery, language),
  )
  return selectHeadings(
    db,
    workspaceId,
    termsByLanguage.filter((terms) => terms.length > 0),
  )
}

function knownTermsOf(
  query: AnalysedText,
  { terms }: WeightedQuery,
  language: WeightedQuery['languages'][number],
): number[] {
  const df = new Map(terms.map((term) => [term.term, term.df]))
  const knownTerms = query.contentTerms(language).filter((term) => (df.get(term) ?? 0) > 0)
  return [...new Set(knownTerms.map(termHash))]
}

/** The words of a name in the form in which they are compared: letters and digits, without accents and case. */
const wordsOf = (text: string): string[] => wordsIn(foldAccents(text))

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** The halves of a word. An edit changes only one of them. */
function partsOf(word: string): string[] {
  const letters = [...word]
  if (allowedEdits(word) === 0) return [word]
  const middle = Math.ceil(letters.length / 2)
  return [letters.slice(0, middle).join(''), letters.slice(middle).join('')]
}

// The fields with their weights. A title describes a document best. Documents of one folder share most of their path, and a heading
// describes only a part.
const FIELDS = [
  ['title', 1],
  ['path', 0.85],
  ['heading', 0.7],
] as const

/** Returns each document once, by its best row. Pure. */
export function rankDocuments(words: readonly string[], rows: readonly TitleRow[]): DocumentMatch[] {
  const bestRows = new Map<string, Scored>()
  const likenesses = likenessFunctions(words)
  for (const row of rows) {
    const scored = { row, ...scoreOf(likenesses, row) }
    const previous = bestRows.get(row.id)
    if (scored.matched > 0 && (!previous || compare(scored, previous) < 0)) bestRows.set(row.id, scored)
  }
  const maxMatched = Math.max(0, ...[...bestRows.values()].map(({ matched }) => matched))
  return [...bestRows.values()]
    .filter(({ matched }) => matched === maxMatched)
    .sort(compare)
    .map(({ row: { id, title, path, heading }, isByHeading }) => ({
      id,
      title,
      path,
      heading: isByHeading ? heading : null,
    }))
}

interface Scored {
  row: TitleRow
  /** How many of the words the document has. */
  matched: number
  score: number
  isByHeading: boolean
}

const compare = (a: Scored, b: Scored): number =>
  b.matched - a.matched ||
  b.score - a.score ||
  a.row.title.length - b.row.title.length ||
  (a.row.id < b.row.id ? -1 : 1)

function scoreOf(likenesses: readonly Likeness[], row: TitleRow): Omit<Scored, 'row'> {
  const fields = FIELDS.map(([field, weight]) => ({ field, weight, words: fieldWords(row[field] ?? '') }))
  let matched = 0
  let score = 0
  let isByHeading = false
  for (const likenessTo of likenesses) {
    const scores = fields.map(({ field, weight, words: fieldWordList }) => ({
      field,
      score: weight * Math.max(0, ...fieldWordList.map(likenessTo)),
    }))
    const bestField = scores.reduce((best, fieldScore) => (fieldScore.score > best.score ? fieldScore : best))
    if (bestField.score === 0) continue
    matched++
    score += bestField.score
    isByHeading ||= bestField.field === 'heading'
  }
  return { matched, score, isByHeading }
}

/** The last words of a field, because the file's name and the innermost heading are the most informative ones of a path. */
const fieldWords = (text: string): string[] => wordsOf(text).slice(-MAX_FIELD_WORDS)

type Likeness = (word: string) => number

/** One function for each typed word. Results are cached, because most words occur in many titles and paths. */
function likenessFunctions(words: readonly string[]): Likeness[] {
  const stemOf = memoised(englishStem)
  return words.map((typedWord) => memoised((word) => likenessOf(typedWord, word, stemOf)))
}

function memoised<T>(compute: (word: string) => T): (word: string) => T {
  const memory = new Map<string, T>()
  return (word) => {
    const cached = memory.get(word)
    if (cached !== undefined) return cached
    const value = compute(word)
    memory.set(word, value)
    return value
  }
}

const englishStem = (word: string): string => stem(foldWord(word), 'en')

/** How similar a typed word is to a word of a title or path: 1 if equal, less for a prefix, an inflected form, a typo or a part. */
export function likenessOf(typedWord: string, word: string, stemOf = englishStem): number {
  if (typedWord === word) return 1
  if (word.startsWith(typedWord)) return 0.9
  if (stemOf(typedWord) === stemOf(word)) return 0.85
  const edits = allowedEdits(typedWord)
  if (edits > 0 && editDistance(typedWord, word, edits) <= edits) return 0.6
  const prefix = [...word].slice(0, [...typedWord].length).join('')
  if (edits > 0 && editDistance(typedWord, prefix, 1) <= 1) return 0.5
  return typedWord.length > 2 && word.includes(typedWord) ? 0.4 : 0
}
