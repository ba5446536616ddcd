// What the edition before said of the same: the part of its sentence or row in which it differs. Pure.

import type { Evidence } from '../evidence.ts'
import type { ChosenEditions } from './editions.ts'
import { validityIn } from './marks.ts'
import { predecessorOf } from './series.ts'

export interface EarlierStatement {
  evidence: Evidence
  /** What of it was different: "… 125 euros". */
  text: string
}

/** What the edition before the quoted one said instead; undefined where it is not the edition in force, or said the same. */
export function earlierStatement(
  quoted: Evidence,
  choices: readonly ChosenEditions[],
  pieces: readonly Evidence[],
): EarlierStatement | undefined {
  const { document_id: id } = quoted.found.passage
  const own = choices.find(
    ({ series, choice }) => choice.isDefault && series.kind === 'rules' && series.inForce.documentId === id,
  )
  const before = own && predecessorOf(own.series, own.series.inForce)
  if (!before) return undefined
  const texts = pieces
    .filter(
      ({ found, list, text }) =>
        found.passage.document_id === before.documentId && !list && !isOfEdition(text),
    )
    .flatMap((evidence) => {
      const text = quoted.cells ? cellsChanged(quoted, evidence) : wordsChanged(quoted.text, evidence.text)
      return text === undefined ? [] : [{ evidence, text }]
    })
  return texts.length === 1 ? texts[0] : undefined
}

/** "Valid from 1 January 2025" tells of the edition itself. */
export function isOfEdition(text: string): boolean {
  const { number, starts, replaces } = validityIn(text)
  return number !== undefined || starts !== undefined || replaces
}

/** The cells of a row of the same name and columns that have other texts. */
export function cellsChanged({ cells = [] }: Evidence, { cells: others = [] }: Evidence): string | undefined {
  const [name] = cells
  if (name?.text !== others[0]?.text || cells.length !== others.length) return undefined
  if (!cells.every(({ header }, i) => header === others[i]?.header)) return undefined
  const changed = others.filter(({ text }, i) => text !== cells[i]?.text)
  return changed.length > 0 && changed.length < cells.length
    ? changed.map(({ header, text }) => (header ? `${header}: ${text}` : text)).join(' · ')
    : undefined
}

// Sentences that share less are about other things.
const MIN_SHARED = 0.5
const MAX_REST = 3

/** The words in which a sentence differs from a later one that is otherwise the same, with what stands behind them. */
export function wordsChanged(later: string, earlier: string): string | undefined {
  const [now, then] = [wordsOf(later), wordsOf(earlier)]
  const shorter = Math.min(now.length, then.length)
  let begin = 0
  while (begin < shorter && now[begin] === then[begin]) begin++
  let end = 0
  while (end < shorter - begin && now.at(-1 - end) === then.at(-1 - end)) end++
  const changed = then.length - begin - end
  if (changed < 1 || (begin + end) / Math.max(now.length, then.length) < MIN_SHARED) return undefined
  const last = end <= MAX_REST ? then.length : begin + changed + 1
  const text = then.slice(begin, last).join(' ')
  return `${begin > 0 ? '… ' : ''}${text}${last < then.length ? ' …' : ''}`
}

/** The words of a sentence, without the number of its clause and quotation marks around it. */
const wordsOf = (text: string): string[] =>
  text.replace(/^[\s"“„«]*(?:\(?\d+(?:\.\d+)*[.)]?\s+)?["“„«]?\s*|["”»]\s*$/gu, '').split(/\s+/)
