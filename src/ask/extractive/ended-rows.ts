// Rows of a table for periods that follow each other ("1 February 2019 to 31 January 2024", "1 February 2024 to the end of the
// term"): a question about the present is not answered by one whose period has ended. Pure.

import { endOf, periodsIn, placedPeriods, startOf } from '../../language/periods.ts'
import { wholeWords } from '../../language/words.ts'
import { asksForAnotherTime } from './editions/request.ts'
import type { Evidence } from './evidence.ts'

const PAST = wholeWords(
  'was|were|did|had|used to|war|waren|hatte|betrug|était|étaient|avait|era|eran|fue|tenía',
)

/** @param today `2026-11-29` */
export function withoutEndedRows(pieces: Evidence[], question: string, today: string): Evidence[] {
  if (periodsIn(question).length > 0 || asksForAnotherTime(question) || question.search(PAST) >= 0)
    return pieces
  const ended = new Set<Evidence>()
  for (const rows of rowsByPassage(pieces).values()) {
    const states = rows.map((row) => stateOf(row, today))
    if (!states.includes('running')) continue
    for (const [i, row] of rows.entries()) if (states[i] === 'ended') ended.add(row)
  }
  return ended.size === 0 ? pieces : pieces.filter((piece) => !ended.has(piece))
}

function rowsByPassage(pieces: readonly Evidence[]): Map<string, Evidence[]> {
  const rows = new Map<string, Evidence[]>()
  for (const piece of pieces) {
    const { chunk_id } = piece.foundPassage.passage
    if (piece.cells) rows.set(chunk_id, [...(rows.get(chunk_id) ?? []), piece])
  }
  return rows
}

// Matches a cell that is a period and nothing else: "from 1 March 2024", "… to the end of the term".
const FROM_TO =
  /^\P{L}*(?:from|since|as of|ab|seit|vom|von|du|à partir du|dès le|depuis le|del?|desde(?: el)?)?\P{L}*$/iu
const RANGE = /(?<![\p{L}])(?:to|until|bis(?: zum)?|au|jusqu['’]au|al?|hasta(?: el)?)(?![\p{L}])|[-–—]/iu

/** Whether the period of a row has ended, is running, or the row has none. A single day is no period. */
function stateOf({ cells = [] }: Evidence, today: string): 'ended' | 'running' | undefined {
  for (const { text } of cells) {
    const [first, second] = placedPeriods(text)
    if (!first || !FROM_TO.test(text.slice(0, first.start))) continue
    const rest = text.slice(first.end)
    if (!RANGE.test(rest) && !/\p{L}/u.test(text.slice(0, first.start))) continue
    if (startOf(first.period) > today) continue
    if (second) return endOf(second.period) < today ? 'ended' : 'running'
    return 'running'
  }
  return undefined
}
