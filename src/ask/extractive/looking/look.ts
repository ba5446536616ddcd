// Looks for what answers a question: the whole of it, each of its parts, its quoted phrases.

import type { StepReport, Tools } from '../../tools/tools.ts'
import { answerType, namesType } from '../answer-type.ts'
import { heardOf, type TermStatistics, translations } from '../coverage.ts'
import { keep, type Notes } from './notes.ts'

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
