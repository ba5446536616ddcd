// The mind without a model (design/graph-and-answers.md, "Answering"): take the question apart, search each part,
// follow the names found to a second hop, quote the best sentences and table rows, or say that nothing was found.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import type { Reply, StepReport, Tools } from '../tools/tools.ts'
import { choose, rank, type Wanted } from './choose.ts'
import { compose, type Finding } from './compose.ts'
import { covered, passageProfile, questionParts, type TermStatistics } from './coverage.ts'
import { evidenceOf, type Found } from './evidence.ts'
import { judge } from './judge.ts'
import { isCode, type Need, type Question, understand, wholeNeed } from './question.ts'

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
  const statistics = await tools.terms(`${question.text} ${topic}`)
  const notes: Notes = { question, topic, statistics, pool: new Map(), top: [] }
  try {
    yield* searchAll(tools, notes)
    yield* secondHop(tools, notes, new Set(named.map((entity) => entity.id)))
  } catch (error) {
    // Out of time: what was found so far is answer enough, nothing is not.
    if (!isTimeout(error) || notes.pool.size === 0) throw error
  }
  const reply = write(notes)
  yield { type: 'answer', label: 'Writing the answer from the passages found' }
  return reply
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

async function* searchAll(tools: Tools, notes: Notes): AsyncGenerator<StepReport> {
  const { question, topic } = notes
  const main = `${question.text} ${topic}`.trim()
  yield* searchOne(tools, notes, 'Searching the documents', main, MAIN_LIMIT, TOP_PASSAGES)
  const needs = question.needs
    .map((need) => `${need.text} ${need.topic} ${topic}`.trim())
    .filter((query) => query !== main)
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
  const { text, type } = need
  const parts = questionParts(
    { text, language: question.language, type, topic: `${need.topic} ${topic}` },
    statistics,
  )
  return { type, parts, codes: question.names.filter(isCode) }
}

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
  const markdown = compose(verdict, findings, unknown, (passage) => seen.indexOf(passage) + 1)
  return { markdown, seen, judgement: { verdict, share, quoted, best, unknown: unknown.length } }
}

function findAll(notes: Notes, needs: readonly Need[]): Finding[] {
  const findings: Finding[] = []
  for (const need of needs) {
    const wanted = wantedFor(notes, need)
    const { side } = need
    const already = side === undefined ? findings.flatMap((finding) => finding.chosen) : []
    const room = Math.min(needs.length > 1 ? 2 : 3, MOST_EVIDENCE - already.length)
    const found = [...notes.pool.values()].filter((one) => side === undefined || speaksOf(one.passage, side))
    const chosen = choose(rank(evidenceOf(found), wanted), wanted.parts, room, already)
    findings.push({ wanted, chosen, ...(side !== undefined && { side }) })
  }
  return findings
}

/** Whether the passage holds every word of the side of a comparison. */
function speaksOf(passage: Passage, side: string): boolean {
  const { terms } = passageProfile(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}
