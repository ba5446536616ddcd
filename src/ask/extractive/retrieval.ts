// What the mind without a model holds while it looks: the question taken apart, every passage found with how it was found.

import type { Passage } from '../../search/passage.ts'
import type { StepReport, Tools } from '../tools/tools.ts'
import { amendmentOf, clauseOf } from './amendments.ts'
import { answerType, namesType } from './answer-type.ts'
import { asksForStock } from './availability.ts'
import { evidenceOf, type Found } from './evidence.ts'
import {
  covered,
  heardOf,
  passageProfile,
  questionParts,
  type TermStatistics,
  translations,
} from './keywords.ts'
import { isCode, type Need, type Question } from './question.ts'
import { rank, type Wanted } from './ranking.ts'

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

// Looks for what answers a question: the whole of it, each of its parts, its quoted phrases.

const TOP_PASSAGES = 3
const MAIN_LIMIT = 10
const NEED_LIMIT = 8
const QUOTE_LIMIT = 5
const MOST_QUOTES = 3

const KIND_WORDS = 4

/** The question's words as the workspace knows them; those it does not know also by others of the same meaning. */
export async function lookUp(
  tools: Tools,
  text: string,
): Promise<{ statistics: TermStatistics; translated: string }> {
  const own = await tools.terms(text)
  const others = translations(text, own)
  if (others.length === 0) return { statistics: own, translated: '' }
  const { terms, chunks } = await tools.terms(others.join(' '))
  const statistics = { terms: [...own.terms, ...terms], chunks }
  // Of a dozen words for "costs" four lead to prices; all of them would find nothing but prices.
  const type = answerType(text)
  const heard = { terms, chunks }
  const subject = heardOf(
    translations(text, own, (word) => !namesType(type, word)),
    heard,
  )
  const kind = heardOf(others, heard).filter((word) => !subject.includes(word))
  return { statistics, translated: [...subject, ...kind.slice(0, KIND_WORDS)].join(' ') }
}

export async function* searchAll(tools: Tools, notes: Notes): AsyncGenerator<StepReport> {
  const { question, topic, translated } = notes
  const main = joined(question.text, topic, translated)
  const whole = { query: main, shown: joined(question.text, topic) }
  yield* searchOne(tools, notes, 'Searching the documents', whole, MAIN_LIMIT, TOP_PASSAGES)
  for (const need of question.needs.filter(({ text }) => text !== question.text)) {
    if (tools.late()) return
    const part = { query: joined(need.text, need.topic, topic, translated), shown: need.side ?? need.text }
    yield* searchOne(tools, notes, 'Searching for a part of the question', part, NEED_LIMIT, 1)
  }
  for (const quote of question.quotes.slice(0, MOST_QUOTES)) {
    if (tools.late()) return
    const phrase = { query: `"${quote}" ${main}`, shown: `"${quote}"` }
    yield* searchOne(tools, notes, 'Searching for the exact phrase', phrase, QUOTE_LIMIT, 1)
  }
}

const joined = (...texts: string[]): string => texts.filter(Boolean).join(' ')

/** `shown` is what a reader sees of the query: the question's own words, without those of other languages. */
async function* searchOne(
  tools: Tools,
  notes: Notes,
  label: string,
  { query, shown }: { query: string; shown: string },
  limit: number,
  top: number,
): AsyncGenerator<StepReport> {
  const passages = await tools.search(query, limit)
  const best = passages[0]?.score ?? 1
  for (const passage of passages) keep(notes, { passage, strength: passage.score / best })
  notes.top.push(...passages.slice(0, top))
  yield { type: 'search', label, query: shown, result_count: passages.length }
}

// The second hop: from the names in the first passages to the passages about those names.

// Names in more documents than this lead everywhere (df at most 12 or 3 %).
const BRIDGE_DOCUMENTS = 12
const BRIDGE_PASSAGES = 4
const BRIDGE_ENTITIES = 24
const HOP_LIMIT = 8
const SHOWN_NAMES = 4
// A question whose best quote covers this much needs no second hop.
const ENOUGH = 0.85

/** From the first passages' names to the passages about those names, ranked by what the question still misses. */
export async function* secondHop(
  tools: Tools,
  notes: Notes,
  asked: ReadonlySet<string>,
): AsyncGenerator<StepReport> {
  const [need] = notes.question.needs
  if (!need) return
  const wanted = wantedFor(notes, need)
  const best = rank(evidenceOf([...notes.pool.values()]), wanted)[0]
  if (tools.late() || !best || (best.coverage >= ENOUGH && best.typed)) return
  const first = notes.top.slice(0, BRIDGE_PASSAGES)
  const entities = (await tools.bridge(first, BRIDGE_ENTITIES)).filter(
    (entity) => entity.document_count <= BRIDGE_DOCUMENTS && !asked.has(entity.id),
  )
  if (entities.length === 0) return
  const names = entities.slice(0, SHOWN_NAMES).map(({ name }) => name)
  yield {
    type: 'graph',
    label: 'Following the names in the passages found',
    query: names.join(', ') + (entities.length > names.length ? ', …' : ''),
    result_count: entities.length,
  }
  const profiles = first.map(passageProfile)
  const missing = wanted.parts.filter((part) => covered([part], profiles) === 0)
  const query = (missing.length ? missing : wanted.parts).map((part) => part.word).join(' ')
  const passages = await tools.search(
    query,
    HOP_LIMIT,
    entities.map((entity) => entity.id),
  )
  const top = passages[0]?.score ?? 1
  for (const passage of passages) {
    const lower = `${passage.document_title} ${passage.text}`.toLowerCase()
    const entity = entities.find(({ name }) => lower.includes(name.toLowerCase()))
    const from = entity && first.find((other) => other.text.toLowerCase().includes(entity.name.toLowerCase()))
    const via = entity && from ? { via: { entity: entity.name, from } } : {}
    keep(notes, { passage, strength: (0.85 * passage.score) / top, ...via })
  }
  yield {
    type: 'search',
    label: 'Searching the passages about those names',
    query,
    result_count: passages.length,
  }
}

// The clause that answers may have been changed by a document that says none of the question's words.

const LIMIT = 5
const LONGEST_TITLE = 300
// It is quoted for what it changes, not for its own rank.
const STRENGTH = 0.1

/** Looks once for what changes the best clause by its number; nothing else that is found is kept. */
export async function* searchAmendments(tools: Tools, notes: Notes): AsyncGenerator<StepReport> {
  const [need] = notes.question.needs
  if (!need || tools.late()) return
  const pieces = evidenceOf([...notes.pool.values()])
  const best = rank(pieces, wantedFor(notes, need))[0]?.evidence
  const number = best && clauseOf(best)
  if (!best || number === undefined || amendmentOf(best, pieces)) return
  // Quoted, so that search keeps to passages that hold the number: all of the contract hold its title.
  const title = best.found.passage.document_title.replace(/["“”«»„]/gu, ' ').slice(0, LONGEST_TITLE)
  const query = `"${number}" ${title}`
  const passages = await tools.search(query, LIMIT)
  const amendment = amendmentOf(
    best,
    evidenceOf(passages.map((passage) => ({ passage, strength: STRENGTH }))),
  )
  if (amendment) keep(notes, amendment.found)
  yield {
    type: 'search',
    label: 'Looking for changes to the clause found',
    query,
    result_count: passages.length,
  }
}
