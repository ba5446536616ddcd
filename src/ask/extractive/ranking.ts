// Chooses what to quote: coverage of the question by idf, the kind of answer asked for, the passage's own rank; then
// each further quote by what it adds (MMR, and question words not covered yet). Pure.

import { inRange } from '../markdown-table.ts'
import { isCalledChange, saysItChanges } from './amendments.ts'
import { type AnswerType, holdsType, isColumnOf } from './answer-type.ts'
import { type Stock, stockOf } from './availability.ts'
import type { Evidence } from './evidence.ts'
import { isHeaded } from './evidence.ts'
import { holds, type Part, type Profile } from './keywords.ts'
import { isCode } from './question.ts'

export interface Scored {
  evidence: Evidence
  score: number
  /** Weighted share of the question's words in it and around it, 0 to 1. */
  coverage: number
  /** It holds a thing of the kind asked for that the question did not already say. */
  typed: boolean
  /** It holds a code that the question names. */
  coded: boolean
  /** It changes an earlier text. */
  changes: boolean
  /** It stands under a heading that says what is asked. */
  headed: boolean
}

const PASSAGE_WEIGHT = 0.5
const TYPE_BONUS = 0.3
const FIGURE_MISSING_COST = 0.15
const CODE_BONUS = 0.3
const RANGE_BONUS = 0.5
const BRIDGE_BONUS = 0.15
const CHANGE_BONUS = 0.1
const LIST_BONUS = 0.3
// For a row that is out of stock, as asked: those words are stop words. Of one that is not: it says the opposite.
const STOCK_BONUS = 0.5
// For each 300 characters beyond the first: what has no sentence end is mostly a table that lost its lines.
const LENGTH_COST = 0.1
const POSITION_COST = 0.005
const NO_ANSWER_COST = 0.3
// How far a word counts that stands not in the quote itself but in …
const HEADER = 0.8
export const AROUND = 0.6
const BEFORE = 0.35

// What an amendment changes is a figure: its parties and addresses are the old ones.
const FIGURES: ReadonlySet<AnswerType> = new Set(['money', 'duration', 'date', 'percent', 'count', 'measure'])

/** The need as far as scoring cares. */
export interface Wanted {
  parts: readonly Part[]
  type: AnswerType
  /** Part numbers and the like, as written in the question. */
  codes: readonly string[]
  /** It asks for several things: a list answers it better than one of its items. */
  plural?: boolean
  /** It asks what is in stock, or what is not. */
  stock?: Stock | undefined
}

/**
 * Scores every piece that shares a word with the need, best first. Rows of a table speak by their column names too;
 * when a row holds the code asked for, rows of other codes do not count, but those of a text about the code do.
 */
export function rank(pieces: readonly Evidence[], wanted: Wanted): Scored[] {
  const asked = (piece: Evidence): boolean => wanted.codes.some((code) => holdsCode(piece.text, code))
  const exact = pieces.some((piece) => piece.cells && asked(piece))
  const isAbout = ({ found: { passage } }: Evidence): boolean =>
    wanted.codes.some((code) => holdsCode(`${passage.document_title}\n${passage.heading}`, code))
  const says = ({ text, cells }: Evidence): boolean =>
    wanted.stock !== undefined && stockOf(text, cells) === wanted.stock
  return pieces
    .filter(
      (piece) =>
        isWanted(piece, wanted) &&
        (says(piece) ||
          isRangeOf(piece, wanted) ||
          isHeaded(piece, wanted.parts) ||
          wanted.parts.some((part) => holds(piece.own, part) || holds(piece.headers, part))),
    )
    .filter((piece) => !exact || !piece.cells || asked(piece) || isAbout(piece))
    .map((piece) => scored(piece, wanted))
    .sort((a, b) => b.score - a.score)
}

/** "10 years" of the row "8 to 14" in a table about what is asked. */
const isRangeOf = ({ cells, around }: Evidence, wanted: Wanted): boolean =>
  cells !== undefined && inRange(cells, numbersOf(wanted)) && wanted.parts.some((part) => holds(around, part))

export function scored(piece: Evidence, wanted: Wanted): Scored {
  const total = wanted.parts.reduce((sum, part) => sum + part.weight, 0) || 1
  const headed = isHeaded(piece, wanted.parts)
  const coverage = headed
    ? 1
    : wanted.parts.reduce((sum, part) => sum + part.weight * nearness(piece, part), 0) / total
  const stock = wanted.stock && stockOf(piece.text, piece.cells)
  const typed = holdsAnswer(piece, wanted) && stock === wanted.stock
  const { document_title, heading } = piece.found.passage
  const changes =
    saysItChanges(piece.text) ||
    (FIGURES.has(wanted.type) && typed && isCalledChange(`${document_title} ${heading}`))
  const { via, strength } = piece.found
  const bridged = via !== undefined && piece.text.toLowerCase().includes(via.entity.toLowerCase())
  const coded = wanted.codes.some((code) => holdsCode(piece.text, code))
  const score =
    coverage +
    PASSAGE_WEIGHT * strength +
    typeBonus(typed, wanted.type) -
    (piece.list ? 0 : LENGTH_COST * Math.max(0, piece.text.length / 300 - 1)) +
    (piece.list && (wanted.plural || headed || isLed(piece, wanted)) ? LIST_BONUS : 0) +
    (stock ? (stock === wanted.stock ? STOCK_BONUS : -STOCK_BONUS) : 0) +
    (bridged ? BRIDGE_BONUS : 0) +
    (piece.cells && inRange(piece.cells, numbersOf(wanted)) ? RANGE_BONUS : 0) +
    (coded ? CODE_BONUS : 0) +
    (changes ? CHANGE_BONUS : 0) -
    POSITION_COST * Math.min(piece.position, 20) -
    (/[?？]\s*$/.test(piece.text) ? NO_ANSWER_COST : 0)
  return { evidence: piece, score, coverage, typed, coded, changes, headed }
}

/** A question for a figure is not answered without one. */
const typeBonus = (typed: boolean, type: AnswerType): number =>
  type === 'any' ? 0 : typed ? TYPE_BONUS : FIGURES.has(type) ? -FIGURE_MISSING_COST : 0

/** A list under a heading answers who asks for several things, or for that heading; with a line that leads in it is a statement. */
const isWanted = (piece: Evidence, wanted: Wanted): boolean =>
  piece.list === undefined ||
  wanted.plural === true ||
  /[:：]$/.test(piece.list.lead) ||
  isHeaded(piece, wanted.parts)

/** The line that leads into a list holds what is asked for. */
const isLed = (piece: Evidence, { parts }: Wanted): boolean =>
  piece.list !== undefined &&
  /[:：]$/.test(piece.list.lead) &&
  parts.some((part) => holds(piece.headers, part))

export function nearness(piece: Evidence, part: Part): number {
  if (holds(piece.own, part)) return 1
  const number = Number(part.word.replaceAll(',', ''))
  if (piece.cells && Number.isFinite(number) && inRange(piece.cells, [number])) return 1
  if (holds(piece.headers, part) || resembles(piece.headers, part)) return HEADER
  if (holds(piece.around, part)) return AROUND
  return holds(piece.before, part) ? BEFORE : 0
}

/** Column names are short: "supplies" finds `supplier`. */
function resembles(headers: Profile, part: Part): boolean {
  const form = part.forms.get(headers.language)
  if (form === undefined || form.length < LEAST_STEM) return false
  for (const term of headers.terms) if (term.startsWith(form.slice(0, LEAST_STEM))) return true
  return false
}
const LEAST_STEM = 5

/** Whether the text holds the code as a whole: BW-2210-1 is not BW-2210-10. */
export function holdsCode(text: string, code: string): boolean {
  const lower = text.toLowerCase()
  const wanted = code.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const [before = ' ', after = ' '] = [lower[at - 1], lower[at + wanted.length]]
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

const numbersOf = ({ parts }: Wanted): number[] =>
  parts.map((part) => Number(part.word.replaceAll(',', ''))).filter((n) => Number.isFinite(n))

/** What the question itself says is no answer: its names and numbers are taken out before looking. */
function holdsAnswer(piece: Evidence, { parts, type }: Wanted): boolean {
  if (type === 'any') return true
  if (type === 'measure' && !holdsMeasure(piece, parts)) return false
  if (piece.cells) {
    const asked = piece.cells.filter((cell) => isColumnOf(type, cell.header))
    if (asked.some((cell) => /[\p{L}\p{N}]/u.test(cell.text))) return true
  }
  const said = new Set(parts.map((part) => part.word.toLowerCase()))
  const rest = (piece.cells ? piece.cells.map((cell) => cell.text).join(' ; ') : piece.text).replace(
    /[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu,
    (word) => (isCode(word) || (/[\p{Lu}\p{N}]/u.test(word) && said.has(word.toLowerCase())) ? ' ' : word),
  )
  return holdsType(type, rest)
}

/** Any number may be a measure: of "the voltage" only one that is called so, where some text says the word. */
function holdsMeasure(piece: Evidence, parts: readonly Part[]): boolean {
  const measures = parts.filter((part) => part.known && isColumnOf('measure', part.word))
  return (
    measures.length === 0 || measures.some((part) => holds(piece.own, part) || holds(piece.headers, part))
  )
}

export function jaccard(a: Profile, b: Profile): number {
  let shared = 0
  for (const term of a.terms) if (b.terms.has(term)) shared++
  return shared / (a.terms.size + b.terms.size - shared || 1)
}
