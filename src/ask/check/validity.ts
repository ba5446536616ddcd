// Selects the evidence for a statement that is valid today. Of a document with several editions, that is the edition in force, or
// the one that the statement names. A row is left out if its own dates have passed.

import { endOf, placedPeriods, startOf } from '../../language/periods.ts'
import { chooseEditions } from '../extractive/editions/editions.ts'
import type { Evidence, FoundPassage } from '../extractive/evidence.ts'
import type { Question } from '../extractive/question.ts'
import type { Tools } from '../tools/tools.ts'

export interface Statement {
  text: string
  language: Question['language']
}

/** Replaces the passages of editions that do not apply by those of the edition that applies. @param today `2026-11-29` */
export async function validPassages(
  tools: Tools,
  { text, language }: Statement,
  passages: ReadonlyMap<string, FoundPassage>,
  today: string,
): Promise<FoundPassage[]> {
  const state = { question: { text, language, isComparison: false }, foundPassages: new Map(passages) }
  const steps = chooseEditions(tools, state, { query: text, today })
  while (!(await steps.next()).done);
  return [...state.foundPassages.values()]
}

// A cell states a time if it has at most this many words beside its two dates: "1 February 2019 to 31 January 2024".
const MAX_WORDS_AROUND = 3

/**
 * Whether a row states the time to which it applies, and this time has passed. False for a statement about that time: "Until 31
 * January 2024 the rent was £38,400".
 */
export function hasEnded({ cells }: Evidence, { text }: Pick<Statement, 'text'>, today: string): boolean {
  const [timeOfRow] = cells?.flatMap((cell) => timeOf(cell.text) ?? []) ?? []
  if (!timeOfRow || timeOfRow.last >= today) return false
  return !placedPeriods(text).some(
    ({ period }) => startOf(period) <= timeOfRow.last && timeOfRow.first <= endOf(period),
  )
}

/** The first and the last day of a cell that states a time. Undefined for any other cell. */
function timeOf(text: string): { first: string; last: string } | undefined {
  const [from, to, ...others] = placedPeriods(text)
  if (!from || !to || others.length > 0) return undefined
  const otherText = `${text.slice(0, from.start)} ${text.slice(from.end, to.start)} ${text.slice(to.end)}`
  if ((otherText.match(/\p{L}+/gu)?.length ?? 0) > MAX_WORDS_AROUND || !/^\d{4}/.test(from.period))
    return undefined
  return { first: startOf(from.period), last: endOf(to.period) }
}
