// What the mind without a model holds while it looks: the question taken apart, every passage found with how it was found.

import type { Passage } from '../../../search/passage.ts'
import { answerType } from '../answer-type.ts'
import type { Wanted } from '../choose.ts'
import { questionParts, type TermStatistics } from '../coverage.ts'
import type { Found } from '../pieces/evidence.ts'
import { isCode, type Need, type Question } from '../question.ts'
import { asksForStock } from '../speech/stock.ts'

/** Everything found so far for one question. */
export interface Notes {
  question: Question
  topic: string
  /** Words of other languages for what the question says and the workspace does not. */
  translated: string
  statistics: TermStatistics
  pool: Map<string, Found>
  /** The best passages of the whole question and of each need: what coverage is judged by. */
  top: Passage[]
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError'

/** A passage found twice keeps its better rank. */
export function keep(notes: Notes, found: Found): void {
  const before = notes.pool.get(found.passage.chunk_id)
  if (!before || before.strength < found.strength) notes.pool.set(found.passage.chunk_id, found)
}

export function wantedFor({ question, topic, statistics }: Notes, need: Need): Wanted {
  const { text } = need
  // "And MF-204?" after "What does PX-7 cost?" asks for a price as well.
  const type = need.type === 'any' ? answerType(topic) : need.type
  const parts = questionParts(
    { text, language: question.language, type, topic: `${need.topic} ${topic}` },
    statistics,
  )
  const codes = need.side === undefined ? question.names.filter(isCode) : codesIn(need.side)
  return { type, parts, codes, plural: LISTS.test(text), stock: asksForStock(text) }
}

const codesIn = (text: string): string[] => text.split(/\s+/).filter(isCode)

// What asks for several things.
const LISTS =
  /(?<![\p{L}])(?:list|what are|which are|which (?:\p{L}+ ){0,2}\p{L}+s are|components|contents?|contains?|includes?|included|consists?|steps|rules|requirements|everything|all the|welche(?: \p{L}+){0,2} (?:gibt|sind|gehören|enthält|umfasst)|bestandteile|enthalten|umfasst|besteht|schritte|regeln|alle|quels sont|quelles sont|comprend|contient|étapes|règles|cuáles son|contiene|incluye|pasos|reglas)(?![\p{L}])/iu
