// The mind without a model (design/graph-and-answers.md, "Answering"): take the question apart, search each part,
// follow the names found to a second hop, quote the best sentences and table rows, or say that nothing was found.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import type { Reply, StepReport, Tools } from '../tools/tools.ts'
import { answerType, namesType } from './answer-type.ts'
import { choose, rank, type Wanted } from './choose.ts'
import { compose, type Finding } from './compose.ts'
import {
  covered,
  heardOf,
  type Part,
  passageProfile,
  questionParts,
  type TermStatistics,
  translations,
} from './coverage.ts'
import { judge } from './judge.ts'
import { type Evidence, evidenceOf, type Found } from './pieces/evidence.ts'
import { isCode, type Need, type Question, understand, wholeNeed } from './question.ts'
import { asksForStock } from './speech/stock.ts'
import { tongueOf, WORDING } from './speech/wording.ts'
import type { TableAnswer } from './tables/answer.ts'
import { composeTable, findInTables } from './tables/find.ts'

const TOP_PASSAGES = 3
const MAIN_LIMIT = 10
const NEED_LIMIT = 8
const QUOTE_LIMIT = 5
const MOST_QUOTES = 3
const MOST_EVIDENCE = 4

/** Everything found so far for one question. */
interface Notes {
  question: Question
  topic: string
  /** Words of other languages for what the question says and the workspace does not. */
  translated: string
  statistics: TermStatistics
  pool: Map<string, Found>
  /** The best passages of the whole question and of each need: what coverage is judged by. */
  top: Passage[]
}

/** Answers a question from quoted evidence; `topic` is what it leaves to the turns before (threads/standalone.ts). */
export async function* answerByExtract(
  tools: Tools,
  asked: { question: string; topic: string },
): AsyncGenerator<StepReport, Reply> {
  const { topic } = asked
  const whole = topic ? `${asked.question} (${topic})` : asked.question
  const named = await tools.named(whole)
  const question = understand(
    asked.question,
    named.map((entity) => entity.name),
  )
  const { statistics, translated } = await lookUp(tools, `${question.text} ${topic}`)
  const notes: Notes = { question, topic, translated, statistics, pool: new Map(), top: [] }
  try {
    yield* searchAll(tools, notes)
    yield* secondHop(tools, notes, new Set(named.map((entity) => entity.id)))
  } catch (error) {
    // Out of time: what was found so far is answer enough, nothing is not.
    if (!isTimeout(error) || notes.pool.size === 0) throw error
  }
  const table = yield* inTables(tools, notes)
  const reply = table ? writeTable(notes, table) : write(notes)
  yield { type: 'answer', label: 'Writing the answer from the passages found' }
  return reply
}

async function* inTables(tools: Tools, notes: Notes): AsyncGenerator<StepReport, TableAnswer | undefined> {
  const { question, translated, statistics, pool } = notes
  const partsOf = (text: string): Part[] =>
    questionParts({ text, language: question.language, type: 'any' }, statistics)
  // A comparison shows its sides.
  if (question.comparison) return undefined
  try {
    const found = [...pool.values()]
    return yield* findInTables(tools, { question: question.text, translated, found, partsOf })
  } catch (error) {
    if (!isTimeout(error)) throw error
    return undefined
  }
}

const KIND_WORDS = 4

/** The question's words as the workspace knows them; those it does not know also by others of the same meaning. */
async function lookUp(
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

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

async function* searchAll(tools: Tools, notes: Notes): AsyncGenerator<StepReport> {
  const { question, topic, translated } = notes
  const main = [question.text, topic, translated].filter(Boolean).join(' ')
  yield* searchOne(tools, notes, 'Searching the documents', main, MAIN_LIMIT, TOP_PASSAGES)
  const needs = question.needs
    .filter((need) => need.text !== question.text)
    .map((need) => [need.text, need.topic, topic, translated].filter(Boolean).join(' '))
  for (const query of needs) {
    if (tools.late()) return
    yield* searchOne(tools, notes, 'Searching for a part of the question', query, NEED_LIMIT, 1)
  }
  for (const quote of question.quotes.slice(0, MOST_QUOTES)) {
    if (tools.late()) return
    yield* searchOne(tools, notes, 'Searching for the exact phrase', `"${quote}" ${main}`, QUOTE_LIMIT, 1)
  }
}

async function* searchOne(
  tools: Tools,
  notes: Notes,
  label: string,
  query: string,
  limit: number,
  top: number,
): AsyncGenerator<StepReport> {
  const passages = await tools.search(query, limit)
  const best = passages[0]?.score ?? 1
  for (const passage of passages) keep(notes, { passage, strength: passage.score / best })
  notes.top.push(...passages.slice(0, top))
  yield { type: 'search', label, query, result_count: passages.length }
}

/** A passage found twice keeps its better rank. */
function keep(notes: Notes, found: Found): void {
  const before = notes.pool.get(found.passage.chunk_id)
  if (!before || before.strength < found.strength) notes.pool.set(found.passage.chunk_id, found)
}

// Names in more documents than this lead everywhere (language.md 3.1: df at most 12 or 3 %).
const BRIDGE_DOCUMENTS = 12
const BRIDGE_PASSAGES = 4
const BRIDGE_ENTITIES = 24
const HOP_LIMIT = 8
// A question whose best quote covers this much needs no second hop.
const ENOUGH = 0.85

/** From the first passages' names to the passages about those names, ranked by what the question still misses. */
async function* secondHop(
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
  yield { type: 'graph', label: 'Following the names in the passages found', result_count: entities.length }
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

function wantedFor({ question, topic, statistics }: Notes, need: Need): Wanted {
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

/** Judges what was found and writes it down. */
function write(notes: Notes): Reply {
  const sought = findAll(notes, notes.question.needs)
  // A "comparison" whose sides nobody speaks of was none.
  const findings = sought.some(({ chosen }) => chosen.length)
    ? sought
    : findAll(notes, [wholeNeed(notes.question)])
  const seen = [...notes.pool.values()].map((found) => found.passage)
  const judged = judge({ ...notes, passages: seen, chosen: findings.flatMap((finding) => finding.chosen) })
  const { verdict, unknown, share, quoted, best } = judged
  const numberOf = (passage: Passage): number => seen.indexOf(passage) + 1
  const markdown = compose({
    verdict,
    findings,
    unknown,
    numberOf,
    says: WORDING[tongueOf(notes.question.text)],
  })
  return { markdown, seen, judgement: { verdict, share, quoted, best, unknown: unknown.length } }
}

function writeTable({ question, pool }: Notes, table: TableAnswer): Reply {
  const seen = [...pool.values()].map((found) => found.passage)
  for (const { passage } of table.rows)
    if (!seen.some(({ chunk_id }) => chunk_id === passage.chunk_id)) seen.push(passage)
  const numberOf = ({ chunk_id: id }: Passage): number =>
    seen.findIndex(({ chunk_id }) => chunk_id === id) + 1
  const markdown = composeTable(table, WORDING[tongueOf(question.text)], numberOf)
  const { operation, open } = table
  return { markdown, seen, judgement: { verdict: 'found', operation, open } }
}

function findAll(notes: Notes, needs: readonly Need[]): Finding[] {
  const findings: Finding[] = []
  for (const need of needs) {
    const wanted = wantedFor(notes, need)
    const { side } = need
    const already = side === undefined ? findings.flatMap((finding) => finding.chosen) : []
    const room = Math.min(needs.length > 1 ? 2 : 3, MOST_EVIDENCE - already.length)
    const found = [...notes.pool.values()].filter((one) => side === undefined || speaksOf(one.passage, side))
    const pieces = side === undefined ? evidenceOf(found) : rowsOf(evidenceOf(found), side)
    const chosen = choose(rank(pieces, wanted), wanted.parts, room, already)
    findings.push({ wanted, chosen, ...(side !== undefined && { side }) })
  }
  return inOneTable(findings)
}

/** Sides of a comparison that stand in rows of one table are told by those rows alone. */
function inOneTable(findings: Finding[]): Finding[] {
  const [first, ...others] = findings
  if (!first || others.length === 0 || findings.some(({ side }) => side === undefined)) return findings
  const rowIn = ({ chosen }: Finding, passage: Passage) =>
    chosen.find(({ evidence }) => evidence.cells && evidence.found.passage.chunk_id === passage.chunk_id)
  for (const { evidence } of first.chosen) {
    const rows = findings.map((finding) => rowIn(finding, evidence.found.passage))
    if (evidence.cells && rows.every((row) => row !== undefined))
      return findings.map((finding, i) => ({
        ...finding,
        chosen: rows.slice(i, i + 1).filter((row) => row !== undefined),
      }))
  }
  return findings
}

/** Of a table some of whose rows name the side of a comparison, those rows alone. */
function rowsOf(pieces: readonly Evidence[], side: string): Evidence[] {
  const names = ({ own, headers, found: { passage } }: Evidence): boolean =>
    contentTerms(side, passage.language).every((term) => own.terms.has(term) || headers.terms.has(term))
  const named = new Set(pieces.flatMap((piece) => (piece.cells && names(piece) ? piece.found.passage : [])))
  return pieces.filter((piece) => !piece.cells || !named.has(piece.found.passage) || names(piece))
}

/** Whether the passage holds every word of the side of a comparison. */
function speaksOf(passage: Passage, side: string): boolean {
  const { terms } = passageProfile(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}
