// The mind without a model: take the question apart, search each part,
// follow the names found to a second hop, quote the best sentences and table rows, or say that nothing was found.

import type { Passage } from '../../search/passage.ts'
import { tongueOf } from '../answer-language.ts'
import type { Reply, StepReport, Tools } from '../tools/tools.ts'
import { judge } from './answerability.ts'
import { compose } from './compose.ts'
import { asDocument, asSeries } from './documents/documents.ts'
import { composeOutline, type Outline } from './documents/outline.ts'
import { summaryAsked } from './documents/summary.ts'
import { type Part, questionParts } from './keywords.ts'
import { understand, wholeNeed } from './question.ts'
import { isTimeout, lookUp, type Notes, searchAll, searchAmendments, secondHop } from './retrieval.ts'
import { findAll } from './selection.ts'
import { courtesyOf } from './small-talk.ts'
import type { TableAnswer } from './tables/answer.ts'
import { composeTable, findInTables } from './tables/table-qa.ts'
import { WORDING } from './wording.ts'

/** Answers a question from quoted evidence; `topic` is what it leaves to the turns before (threads/standalone.ts). */
export async function* answerByExtract(
  tools: Tools,
  asked: { question: string; topic: string },
): AsyncGenerator<StepReport, Reply> {
  const { topic } = asked
  const polite = courtesyOf(asked.question)
  if (polite)
    return { markdown: WORDING[polite.tongue][polite.courtesy], seen: [], judgement: { verdict: 'polite' } }
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
    const part = yield* asDocument(tools, notes)
    if (part) return writeOutline(notes, part)
    yield* secondHop(tools, notes, new Set(named.map((entity) => entity.id)))
    yield* searchAmendments(tools, notes)
  } catch (error) {
    // Out of time: what was found so far is answer enough, nothing is not.
    if (!isTimeout(error) || notes.pool.size === 0) throw error
  }
  const table = yield* inTables(tools, notes)
  const series = table ? undefined : yield* asSeries(tools, notes)
  const reply = table ? writeTable(notes, table) : series ? writeOutline(notes, series) : write(notes)
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

/** Judges what was found and writes it down. */
function write(notes: Notes): Reply {
  const sought = findAll(notes, notes.question.needs)
  // A "comparison" whose sides nobody speaks of was none.
  const findings = sought.some(({ chosen }) => chosen.length)
    ? sought
    : findAll(notes, [wholeNeed(notes.question)])
  const seen = [...notes.pool.values()].map((found) => found.passage)
  const judged = judge({ ...notes, passages: seen, chosen: findings.flatMap((finding) => finding.chosen) })
  const { verdict, unknown, share, quoted, best, held } = judged
  const numberOf = (passage: Passage): number => seen.indexOf(passage) + 1
  const markdown = compose({
    verdict,
    findings,
    unknown,
    numberOf,
    says: WORDING[tongueOf(notes.question.text)],
    summary: summaryAsked(notes.question.text) !== undefined,
  })
  return { markdown, seen, judgement: { verdict, share, quoted, best, held, unknown: unknown.length } }
}

function writeOutline({ question, pool }: Notes, outline: Outline): Reply {
  const seen = [...pool.values()].map((found) => found.passage)
  const numberOf = numbering(seen, outline.lines)
  const markdown = composeOutline(outline, WORDING[tongueOf(question.text)], numberOf)
  return { markdown, seen, judgement: { verdict: 'found', lines: outline.lines.length } }
}

/** The number that a passage is cited by; passages read beside those found are put behind them. */
function numbering(seen: Passage[], quoted: readonly { passage: Passage }[]): (passage: Passage) => number {
  for (const { passage } of quoted)
    if (!seen.some(({ chunk_id }) => chunk_id === passage.chunk_id)) seen.push(passage)
  return ({ chunk_id: id }) => seen.findIndex(({ chunk_id }) => chunk_id === id) + 1
}

function writeTable({ question, pool }: Notes, table: TableAnswer): Reply {
  const seen = [...pool.values()].map((found) => found.passage)
  const numberOf = numbering(seen, table.rows)
  const markdown = composeTable(table, WORDING[tongueOf(question.text)], numberOf)
  const { operation, open } = table
  return { markdown, seen, judgement: { verdict: 'found', operation, open } }
}
