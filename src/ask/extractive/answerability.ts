// Whether the documents answer a question, come near it, or do not speak of it. A test of the
// topic by words: "topic there, fact missing" shows only in that no quote covers enough of the question. Pure.

import { fold } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { type AnswerType, answerType } from './answer-type.ts'
import { asksForStock } from './availability.ts'
import type { Verdict } from './compose.ts'
import { passageText } from './evidence.ts'
import {
  covered,
  type Part,
  type Profile,
  passageProfile,
  questionParts,
  type TermStatistics,
  unknownNames,
} from './keywords.ts'
import { isCode, type Question } from './question.ts'
import { holdsCode, type Scored } from './ranking.ts'

// MultiHop-RAG: what the best quote covers of its part of the question tells best (AUC .88). A long question shares some words
// with any text, so there the weight of what one passage holds counts as well (together with unknown names .94). 711 questions:
// 88.0 % answered and 81.3 % refused, where the best quote alone gave 88.2 and 75.9 (0019-answers.md).
const SHARE_FLOOR = 0.3
const BEST_FLOOR = 0.205
// In words as heavy as one that no chunk holds: a question of so many or more is long, …
const LONG = 5
// … each of them that the best passage holds is worth so much coverage, and both together must come to so much.
const WORD_WORTH = 0.05
const LONG_FLOOR = 0.353
const CLOSE_BELOW = 0.6
// A quote that answers covers this much of its part of the question.
const DIRECT_COVERAGE = 0.55
// "Who was not present?" is not answered by who was: words cannot tell, so the quotes are only called close.
const NEGATED =
  /(?<![\p{L}])(?:not|never|without|neither|nobody|nothing|cannot|nicht|keine?[rmns]?|ohne|nie|niemand|pas|jamais|sans|aucune?|nunca|ningun[oa]?|ningún)(?![\p{L}])|n['’]t(?![\p{L}])/iu
// The row or sentence of the very code that was asked for, with what was asked for in it, is the answer in any words.
const CODED_COVERAGE = 0.25
// Any figure may be a measure or a count: that the row holds one says nothing.
const UNTOLD: ReadonlySet<AnswerType> = new Set(['any', 'measure', 'count'])

// "What is 2 + 2?": some clause has such a number.
const SMALL = /^(?!.*\d{4})[^\p{L}]+$/u

export interface Case {
  question: Question
  /** What a follow-up takes from the question before. */
  topic: string
  statistics: TermStatistics
  /** The best passages of each search. */
  top: readonly Passage[]
  /** All passages found. */
  passages: readonly Passage[]
  chosen: readonly Scored[]
}

export interface Judgement {
  verdict: Verdict
  /** Names, codes and numbers of the question that no document mentions. */
  unknown: string[]
  /** Share of the question's words in the top passages, 0 to 1. */
  share: number
  /** Share of the question's words in the quotes chosen and around them, 0 to 1. */
  quoted: number
  /** The most that one quote covers of its part of the question, 0 to 1. */
  best: number
  /** The most that one passage found for the question holds of it, in words as heavy as one that no chunk holds. */
  held: number
}

/** Absent when a name is unknown or too few words are found; close when no single quote speaks to the question. */
export function judge({ question, topic, statistics, top, passages, chosen }: Case): Judgement {
  const stock = asksForStock(question.text)
  const own = question.needs[0]?.type ?? 'any'
  const type = own === 'any' ? answerType(topic) : own
  const parts = questionParts({ text: question.text, language: question.language, type, topic }, statistics)
  const codes = question.written.flatMap((name) => name.split(/\s+/)).filter(isCode)
  const strange = codes.filter((code) => !passages.some((passage) => holdsCode(passageText(passage), code)))
  const unknown = [
    ...new Set([...unknownNames(question.written, parts), ...strange, ...uncounted(question.text, parts)]),
  ]
  const profiles = top.map(passageProfile)
  const share = covered(parts, profiles)
  const quoted = covered(
    parts,
    chosen.flatMap(({ evidence: { own, headers, around } }) => [own, headers, around]),
  )
  const best = Math.max(0, ...chosen.map((scored) => scored.coverage))
  const plain = stock !== undefined || !NEGATED.test(question.text)
  const coded = !UNTOLD.has(type) && chosen.some(isCodedAnswer)
  const direct =
    plain &&
    (coded || chosen.some((scored) => scored.headed || (scored.typed && scored.coverage >= DIRECT_COVERAGE)))
  const unheard = unknown.length > 0 || chosen.length === 0 || parts.every(({ word }) => SMALL.test(word))
  const { length, held } = weighed(parts, profiles, statistics)
  const enough = length < LONG ? best >= BEST_FLOOR : best + WORD_WORTH * held >= LONG_FLOOR
  const near = share >= SHARE_FLOOR && enough
  const verdict = unheard
    ? 'absent'
    : plain && coded
      ? 'found'
      : verdictOf(near, direct && share >= CLOSE_BELOW)
  return { verdict, unknown, share, quoted, best, held }
}

const verdictOf = (near: boolean, direct: boolean): Verdict =>
  near ? (direct ? 'found' : 'close') : 'absent'

/** What is to be counted, where no chunk names it: of what was quoted something else would be counted. */
function uncounted(question: string, parts: readonly Part[]): string[] {
  const thing = countedThing(question)
  if (thing === undefined) return []
  return parts.some(({ word, known, light }) => fold(word) === fold(thing) && !known && !light) ? [thing] : []
}

/** How long the question is and the most that one of the passages holds of it, both in words that no chunk holds. */
function weighed(
  parts: readonly Part[],
  profiles: readonly Profile[],
  { chunks }: TermStatistics,
): { length: number; held: number } {
  const length = parts.reduce((sum, { weight }) => sum + weight, 0) / Math.log(1 + (chunks + 0.5) / 0.5)
  return {
    length,
    held: length * Math.max(0, ...profiles.map((profile) => covered(parts, [profile]))),
  }
}

const isCodedAnswer = ({ typed, coded, coverage }: Scored): boolean =>
  typed && coded && coverage >= CODED_COVERAGE

// "How many electric vans does the co-operative own?": nothing that is never named is counted. English, German, French,
// Spanish.

const COUNT = String.raw`how many|wie ?viele|combien d(?:e\s|['’])|cuánt[oa]s`
const VERB =
  'do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must|stand|work|live|sind|ist|war|waren|hat|haben|hatte|gibt|gehören|besitzt|besitzen|kann|können|darf|dürfen|muss|müssen|arbeiten|wohnen|y|est|sont|a|ont|avait|peut|peuvent|possède|possèdent|faut|hay|es|son|tiene|tienen|había|puede|pueden|posee|poseen'
const ASKED = new RegExp(
  String.raw`(?<![\p{L}])(${COUNT})\s*(\p{L}[\p{L}-]*(?:\s\p{L}[\p{L}-]*){0,3}?)(?=\s(?:${VERB})(?![\p{L}])|\s*[?？]?\s*$)`,
  'iu',
)
// The noun stands last in English and German ("electric vans"), first in French and Spanish ("camionnettes électriques").
const NOUN_FIRST = /^(?:combien|cuánt)/iu

/** The noun of what is to be counted, as written; undefined for another question. */
export function countedThing(question: string): string | undefined {
  const [, count = '', phrase] = ASKED.exec(question) ?? []
  const nouns = phrase?.split(/\s/)
  return NOUN_FIRST.test(count) ? nouns?.[0] : nouns?.at(-1)
}
