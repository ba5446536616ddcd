// Decides whether the documents answer a question, come close, or do not cover it (abstention). Only words are
// compared: a document on the topic that lacks the fact shows only in that no quote covers enough of the question.
// Pure.

import { fold } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { passageText } from '../passage.ts'
import { type AnswerType, answerType } from './answer-type.ts'
import { availabilityAsked } from './availability.ts'
import type { Verdict } from './compose.ts'
import {
  coverage,
  type Keyword,
  passageTerms,
  questionKeywords,
  type TermStatistics,
  type TextTerms,
  unknownNames,
} from './keywords.ts'
import { isCode, type Question } from './question.ts'
import { containsCode, type ScoredEvidence } from './ranking.ts'

// On MultiHop-RAG, the coverage of the best quote separates answerable questions best (AUC .88). A long question
// shares some words with any text, so for it the weight of what one passage matches counts too (with unknown names
// AUC .94). 711 questions: 88.0 % answered and 81.3 % refused; the best quote alone gave 88.2 and 75.9
// (0019-answers.md).
const SHARE_FLOOR = 0.3
const BEST_FLOOR = 0.205
// Lengths are measured in words as heavy as one that no chunk contains. A question of this length or more is long;
// each such word that the best passage contains adds WORD_WORTH to the coverage of the best quote, and the sum must
// reach LONG_FLOOR.
const LONG = 5
const WORD_WORTH = 0.05
const LONG_FLOOR = 0.353
const CLOSE_BELOW = 0.6
// A quote that answers directly covers this much of its sub-question.
const DIRECT_COVERAGE = 0.55
// "Who was not present?" is not answered by who was present. Words cannot tell, so the quotes only count as close.
const NEGATED =
  /(?<![\p{L}])(?:not|never|without|neither|nobody|nothing|cannot|nicht|keine?[rmns]?|ohne|nie|niemand|pas|jamais|sans|aucune?|nunca|ningun[oa]?|ningún)(?![\p{L}])|n['’]t(?![\p{L}])/iu
// A row or sentence with the code asked for and the type of answer asked for is an answer in any wording.
const CODED_COVERAGE = 0.25
// Any figure may be a measure or a count, so containing one proves nothing.
const ANY_FIGURE: ReadonlySet<AnswerType> = new Set(['any', 'measure', 'count'])

// "What is 2 + 2?": some clause always has such a number.
const SMALL_NUMBER = /^(?!.*\d{4})[^\p{L}]+$/u

export interface AnswerabilityInput {
  question: Question
  /** What a follow-up refers to in earlier turns. */
  topic: string
  statistics: TermStatistics
  /** The best passages of each search. */
  top: readonly Passage[]
  /** All passages found. */
  passages: readonly Passage[]
  quotes: readonly ScoredEvidence[]
}

export interface Answerability {
  verdict: Verdict
  /** Names, codes and numbers of the question that no document mentions. */
  unknown: string[]
  /** Coverage of the question by the top passages, 0 to 1. */
  passageCoverage: number
  /** Coverage of the question by all quotes and what is around them, 0 to 1. */
  quoteCoverage: number
  /** The highest coverage of a sub-question by one quote, 0 to 1. */
  bestCoverage: number
  /** The most that one passage matches of the question, in words as heavy as one that no chunk contains. */
  matched: number
}

/** `absent` when a name is unknown or too few words were found; `close` when no single quote answers the question. */
export function assessAnswerability({
  question,
  topic,
  statistics,
  top,
  passages,
  quotes,
}: AnswerabilityInput): Answerability {
  const ownType = question.subQuestions[0]?.type ?? 'any'
  const type = ownType === 'any' ? answerType(topic) : ownType
  const keywords = questionKeywords(
    { text: question.text, language: question.language, type, topic },
    statistics,
  )
  const unknown = unknownIn(question, keywords, passages)
  const topTexts = top.map(passageTerms)
  const passageCoverage = coverage(keywords, topTexts)
  const quoteCoverage = coverage(
    keywords,
    quotes.flatMap(({ evidence: { own, headers, around } }) => [own, headers, around]),
  )
  const bestCoverage = Math.max(0, ...quotes.map((quote) => quote.coverage))
  const isPositive = availabilityAsked(question.text) !== undefined || !NEGATED.test(question.text)
  const answersCode = !ANY_FIGURE.has(type) && quotes.some(answersForCode)
  const isDirect = isPositive && (answersCode || quotes.some(answersDirectly))
  const isAbsent =
    unknown.length > 0 || quotes.length === 0 || keywords.every(({ word }) => SMALL_NUMBER.test(word))
  const { length, matched } = lengthAndMatch(keywords, topTexts, statistics)
  const isEnough =
    length < LONG ? bestCoverage >= BEST_FLOOR : bestCoverage + WORD_WORTH * matched >= LONG_FLOOR
  const isNear = passageCoverage >= SHARE_FLOOR && isEnough
  const verdict = isAbsent
    ? 'absent'
    : isPositive && answersCode
      ? 'found'
      : verdictOf(isNear, isDirect && passageCoverage >= CLOSE_BELOW)
  return { verdict, unknown, passageCoverage, quoteCoverage, bestCoverage, matched }
}

const verdictOf = (isNear: boolean, isDirect: boolean): Verdict =>
  isNear ? (isDirect ? 'found' : 'close') : 'absent'

const answersDirectly = ({ matchesHeading, hasAnswerType, coverage }: ScoredEvidence): boolean =>
  matchesHeading || (hasAnswerType && coverage >= DIRECT_COVERAGE)

const answersForCode = ({ hasAnswerType, hasCode, coverage }: ScoredEvidence): boolean =>
  hasAnswerType && hasCode && coverage >= CODED_COVERAGE

/**
 * Names and codes of the question that nothing found mentions, and the thing to be counted when no chunk mentions it.
 */
function unknownIn(question: Question, keywords: readonly Keyword[], passages: readonly Passage[]): string[] {
  const codes = question.writtenNames.flatMap((name) => name.split(/\s+/)).filter(isCode)
  const unknownCodes = codes.filter(
    (code) => !passages.some((passage) => containsCode(passageText(passage), code)),
  )
  return [
    ...new Set([
      ...unknownNames(question.writtenNames, keywords),
      ...unknownCodes,
      ...unknownCountedThing(question.text, keywords),
    ]),
  ]
}

/** The thing to be counted when no chunk mentions it: anything counted in the quotes would be something else. */
function unknownCountedThing(question: string, keywords: readonly Keyword[]): string[] {
  const thing = countedThing(question)
  if (thing === undefined) return []
  const isUnknown = keywords.some(
    ({ word, isKnown, isGeneric }) => fold(word) === fold(thing) && !isKnown && !isGeneric,
  )
  return isUnknown ? [thing] : []
}

/**
 * The question's length and the most that one passage matches of it, both in words as heavy as one that no chunk
 * contains.
 */
function lengthAndMatch(
  keywords: readonly Keyword[],
  texts: readonly TextTerms[],
  { chunks }: TermStatistics,
): { length: number; matched: number } {
  const length = keywords.reduce((sum, { weight }) => sum + weight, 0) / Math.log(1 + (chunks + 0.5) / 0.5)
  return { length, matched: length * Math.max(0, ...texts.map((text) => coverage(keywords, [text]))) }
}

// "How many electric vans does the co-operative own?" in English, German, French and Spanish.

const COUNT = String.raw`how many|wie ?viele|combien d(?:e\s|['’])|cuánt[oa]s`
const VERB =
  'do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must|stand|work|live|sind|ist|war|waren|hat|haben|hatte|gibt|gehören|besitzt|besitzen|kann|können|darf|dürfen|muss|müssen|arbeiten|wohnen|y|est|sont|a|ont|avait|peut|peuvent|possède|possèdent|faut|hay|es|son|tiene|tienen|había|puede|pueden|posee|poseen'
const ASKED = new RegExp(
  String.raw`(?<![\p{L}])(${COUNT})\s*(\p{L}[\p{L}-]*(?:\s\p{L}[\p{L}-]*){0,3}?)(?=\s(?:${VERB})(?![\p{L}])|\s*[?？]?\s*$)`,
  'iu',
)
// The noun is last in English and German ("electric vans"), first in French and Spanish ("camionnettes
// électriques").
const NOUN_FIRST = /^(?:combien|cuánt)/iu

/** The noun of the thing to be counted, as written; undefined for any other question. */
export function countedThing(question: string): string | undefined {
  const [, count = '', phrase] = ASKED.exec(question) ?? []
  const nouns = phrase?.split(/\s/)
  return NOUN_FIRST.test(count) ? nouns?.[0] : nouns?.at(-1)
}
