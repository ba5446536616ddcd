// What is valid today of the evidence for a statement: of a document in several editions the one in force, or the one that the
// statement names; and no row that says of itself that its time is over.

import { endOf, placedPeriods, startOf } from '../../language/periods.ts'
import { chooseEditions } from '../extractive/editions/editions.ts'
import type { Evidence, FoundPassage } from '../extractive/evidence.ts'
import type { Question } from '../extractive/question.ts'
import type { Tools } from '../tools/tools.ts'

export interface Statement {
  text: string
  language: Question['language']
}

/** The passages without those of editions that do not apply, which the ones that do take the place of. @param today `2026-11-29` */
export async function validPassages(
  tools: Tools,
  { text, language }: Statement,
  passages: ReadonlyMap<string, FoundPassage>,
  today: string,
): Promise<FoundPassage[]> {
  const state = { question: { text, language, isComparison: false }, found: new Map(passages) }
  const steps = chooseEditions(tools, state, { query: text, today })
  while (!(await steps.next()).done);
  return [...state.found.values()]
}

// "1 February 2019 to 31 January 2024", and nothing else but the words around it.
const MAX_WORDS_AROUND = 3

/**
 * Whether a row says from when to when it holds, and that is over today, while the statement tells of no day of that time: "Until
 * 31 January 2024 the rent was £38,400".
 */
export function hasEnded({ cells }: Evidence, { text }: Pick<Statement, 'text'>, today: string): boolean {
  const [own] = cells?.flatMap((cell) => timeOf(cell.text) ?? []) ?? []
  if (!own || own.last >= today) return false
  return !placedPeriods(text).some(({ period }) => startOf(period) <= own.last && own.first <= endOf(period))
}

/** The days of a cell that names the first and the last one. */
function timeOf(text: string): { first: string; last: string } | undefined {
  const [from, to, ...others] = placedPeriods(text)
  if (!from || !to || others.length > 0) return undefined
  const around = `${text.slice(0, from.start)} ${text.slice(from.end, to.start)} ${text.slice(to.end)}`
  if ((around.match(/\p{L}+/gu)?.length ?? 0) > MAX_WORDS_AROUND || !/^\d{4}/.test(from.period))
    return undefined
  return { first: startOf(from.period), last: endOf(to.period) }
}
