// Passages in other languages than the question's that say what it asks, for a question that its own words do not answer: searched
// for by its names and by what its other words mean there (language/translations.ts). They are quoted as near and never stated as the
// answer, since a word of a dictionary may be another than the one that is meant (docs/decisions/0052-nearest-passages.md).

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { CONCEPT_LANGUAGES } from '../../language/synonyms.ts'
import { translationsOf } from '../../language/translations.ts'
import { fold } from '../../language/words.ts'
import type { Tools } from '../tools/tools.ts'
import type { NearPassage } from './compose.ts'
import { type Evidence, evidenceIn, type FoundPassage } from './evidence.ts'
import type { Keyword, TextTerms } from './keywords.ts'
import { isCode, type Question, wordsOfNames } from './question.ts'
import { unitAround } from './unit.ts'

/** A word of the question, or a part of one, as it may stand in other languages. */
interface TranslatedWord {
  weight: number
  /** A name, code or number, which is the same in all of them. */
  isName: boolean
  words: readonly string[]
  terms: ReadonlyMap<Language, readonly string[]>
}

const LIMIT = 12
const MAX_QUERY_LENGTH = 1900
const MAX_PASSAGES = 2
// The share of the question's weight that a unit, with what is above it, has to have. With a half, of 120 questions of XQuAD each
// asked of paragraphs in another language, half of them not there, de of en .68 cite the right one (.40 before), en of de .58 (.50),
// en of es .63 (.48); questions on the others are refused at .90 to .95 (.95 to 1).
const MIN_SHARE = 0.5
// What stands above a unit is said of it too, but less surely.
const ABOVE = 0.7
// A longer word of a text may be a compound with the word or a derivation of it: Wasserspielplatz.
const ALIKE = 0.7
const MIN_ALIKE = 5
const RELEVANCE = 0.2

/** @param least the share of the question that the best passage in its own language has */
export async function translatedPassages(
  tools: Pick<Tools, 'search' | 'termStatistics'>,
  { language, writtenNames }: Pick<Question, 'language' | 'writtenNames'>,
  { keywords, least }: { keywords: readonly Keyword[]; least: number },
): Promise<NearPassage[] | undefined> {
  const names = wordsOfNames(writtenNames)
  const isName = ({ word }: Keyword): boolean => names.has(fold(word)) || isCode(word) || /^\d/.test(word)
  const words = keywords.flatMap((keyword) =>
    isName(keyword) ? [asWritten(keyword, true)] : translated(keyword, language),
  )
  const query = await queryOf(tools, words)
  if (query === '') return undefined
  const passages = await tools.search(query, LIMIT)
  const best = passages[0]?.score || 1
  const found = passages
    .map((passage, rank): FoundPassage => ({ passage, relevance: passage.score / best, rank }))
    .filter(({ passage }) => passage.language !== language)
  const pieces = evidenceIn(found).filter(({ list, isLetterhead }) => !list && !isLetterhead)
  const ranked = pieces
    .map((evidence) => ({ evidence, share: shareOf(evidence, words) }))
    .filter(({ share }) => share >= MIN_SHARE && share > least)
    .sort((a, b) => worthOf(b) - worthOf(a))
  const near = [...new Map(ranked.toReversed().map(({ evidence }) => [evidence.found, evidence])).values()]
  const nearest = near.reverse().slice(0, MAX_PASSAGES)
  return nearest.length > 0 ? nearest.map((evidence) => nearPassage(evidence, pieces)) : undefined
}

const worthOf = ({ evidence, share }: { evidence: Evidence; share: number }): number =>
  share + RELEVANCE * evidence.found.relevance

function asWritten({ word, weight }: Keyword, isName: boolean): TranslatedWord {
  return { weight, isName, words: isName ? [word] : [], terms: termsIn(() => [word]) }
}

const termsIn = (wordsOf: (language: Language) => readonly string[]): TranslatedWord['terms'] =>
  new Map(CONCEPT_LANGUAGES.map((to) => [to, wordsOf(to).flatMap((word) => contentTerms(word, to))] as const))

/** The word's meanings, or those of its parts; a word without any may stand in other languages as it is written. */
function translated(keyword: Keyword, from: Language): TranslatedWord[] {
  const meanings = translationsOf(keyword.word, from)
  if (meanings.length === 0) return [asWritten(keyword, false)]
  const told = meanings.map(
    ({ share, words }): TranslatedWord => ({
      weight: share * keyword.weight,
      isName: false,
      words: [...words.values()].flat(),
      terms: termsIn((to) => [keyword.word, ...(words.get(to) ?? [])]),
    }),
  )
  const rest = keyword.weight - told.reduce((sum, { weight }) => sum + weight, 0)
  return rest > 0 ? [...told, { ...asWritten(keyword, false), weight: rest }] : told
}

/** The names, and of the meanings those that the workspace has; empty where it has none of these. */
async function queryOf(
  tools: Pick<Tools, 'termStatistics'>,
  words: readonly TranslatedWord[],
): Promise<string> {
  const meanings = words.filter(({ isName }) => !isName).flatMap((word) => word.words)
  if (meanings.length === 0) return ''
  const { terms } = await tools.termStatistics(meanings.join(' '))
  const known = new Set(terms.filter(({ df }) => df > 0).map(({ term }) => term))
  const isKnown = (word: string): boolean =>
    CONCEPT_LANGUAGES.some((to) => contentTerms(word, to).some((term) => known.has(term)))
  const knownMeanings = meanings.filter(isKnown)
  if (knownMeanings.length === 0) return ''
  const names = words.filter(({ isName }) => isName).flatMap((word) => word.words)
  return [...new Set([...names, ...knownMeanings])].join(' ').slice(0, MAX_QUERY_LENGTH)
}

/** The weighted share of the words that a unit has, with the heading and title above it; names may stand anywhere in its passage. */
function shareOf({ own, headers, around, whole }: Evidence, words: readonly TranslatedWord[]): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  const above = ({ isName }: TranslatedWord): TextTerms => (isName ? whole : around)
  const shares = words.map(
    (word) =>
      word.weight *
      Math.max(matching(own, word), matching(headers, word), ABOVE * matching(above(word), word)),
  )
  return shares.reduce((sum, share) => sum + share, 0) / all
}

/** 1 for a word, less for one that begins or ends with it. */
function matching(text: TextTerms, word: TranslatedWord): number {
  const terms = word.terms.get(text.language) ?? []
  if (terms.some((term) => text.terms.has(term))) return 1
  const long = terms.filter((term) => term.length >= MIN_ALIKE)
  const isAlike = (other: string): boolean =>
    long.some((term) => other.startsWith(term) || other.endsWith(term))
  return text.sequence.some(isAlike) ? ALIKE : 0
}

/** A row; a sentence with its neighbours. */
function nearPassage(evidence: Evidence, pieces: readonly Evidence[]): NearPassage {
  const { found, cells } = evidence
  if (cells) return { found, units: [evidence] }
  const sentences = pieces.filter((piece) => piece.found === found && !piece.cells)
  const { from, to } = unitAround(sentences, sentences.indexOf(evidence))
  return { found, units: sentences.slice(from, to) }
}
