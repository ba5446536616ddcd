// One quote as Markdown: a sentence, or a table row as `Header: value` pairs. Document text is escaped, so that none
// of its brackets, links, images or tags becomes markup or a citation marker. Pure.

import { windowAround } from '../citations/window.ts'
import type { Cell } from '../markdown-table.ts'
import { ADDRESSES } from '../model/safe-markdown.ts'
import { containsType, isColumnOf } from './answer-type.ts'
import type { Criteria } from './features.ts'
import { contains } from './keywords.ts'
import type { ScoredEvidence } from './ranking.ts'

// Code points; longer sentences are shortened around the keywords.
const MAX_QUOTE_LENGTH = 360
const MAX_CELLS = 8
const MIN_CELLS = 4

/** The quote for a question with these criteria. */
export function quoteOf(scored: Pick<ScoredEvidence, 'evidence'>, criteria: readonly Criteria[]): string {
  const { cells, list } = scored.evidence
  if (list) return `“${escapeMarkdown(list.lead)}”`
  return cells ? cellsAsPairs(cells, criteria) : `“${escapeMarkdown(excerpt(scored, criteria))}”`
}

/** A long sentence shortened around the keywords. */
function excerpt(
  { evidence: { own, text } }: Pick<ScoredEvidence, 'evidence'>,
  criteria: readonly Criteria[],
): string {
  const lower = text.toLowerCase()
  const positions = criteria
    .flatMap(({ keywords }) => keywords.filter((keyword) => contains(own, keyword)))
    .map((keyword) => lower.indexOf((keyword.forms.get(own.language) ?? keyword.word).toLowerCase()))
    .filter((index) => index >= 0)
  const first = positions.length ? Math.min(...positions) : 0
  const shown = windowAround(text, first, Math.max(first, ...positions), MAX_QUOTE_LENGTH)
  const withoutBullet = text.startsWith(shown) ? shown.replace(/^[-*•] /, '') : `… ${shown}`
  return `${withoutBullet}${text.endsWith(shown) ? '' : ' …'}`
}

/** The exact text of the cells in order. For a wide row only the cells that match the question. */
const cellsAsPairs = (cells: readonly Cell[], criteria: readonly Criteria[]): string =>
  bestCells(cells, (cell) => relevanceOfCell(cell, criteria))

/** A row with the named columns first, and as many others as fit. */
export const rowAsPairs = (cells: readonly Cell[], columns: readonly string[]): string =>
  bestCells(cells, (cell) => (columns.includes(cell.header) ? 2 : 0))

/** The first cell of a row, which names it, then the most relevant cells, then the others in their order. "…" stands for omitted cells. */
function bestCells(cells: readonly Cell[], relevanceOf: (cell: Cell) => number): string {
  const ranked = cells
    .map((cell, at) => ({ cell, at, worth: relevanceOf(cell) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
  const relevantCount = ranked.filter((entry) => entry.worth > 0).length
  const maxCells =
    cells.length <= MAX_CELLS ? MAX_CELLS : Math.min(MAX_CELLS, Math.max(MIN_CELLS, relevantCount))
  const [name] = cells
  const shown = ranked.slice(0, maxCells).map(({ cell }) => cell)
  const ordered = name && shown.includes(name) ? [name, ...shown.filter((cell) => cell !== name)] : shown
  const texts = ordered.map(({ header, text }) =>
    escapeMarkdown(header ? `${header}: ${shorten(text)}` : shorten(text)),
  )
  return [...texts, ...(cells.length > maxCells ? ['…'] : [])].join(' · ')
}

const PREFIX_LENGTH = 5

function relevanceOfCell({ header, text }: Cell, criteria: readonly Criteria[]): number {
  const lower = `${header} ${text}`.toLowerCase()
  return criteria.reduce((sum, { type, keywords }) => {
    const matching = keywords.filter(
      ({ word }) => word.length > 2 && lower.includes(word.toLowerCase().slice(0, PREFIX_LENGTH)),
    )
    const isAsked = isColumnOf(type, header) || (type === 'person' && containsType(type, text))
    return sum + matching.length + (isAsked ? 2 : 0)
  }, 0)
}

const shorten = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${windowAround(text, 0, 0, MAX_QUOTE_LENGTH)} …` : text

// Invisible characters that hide or reorder text; the joiners of emoji and Indic scripts stay.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu
// Characters that may begin or end markup inside a line, and no others: "snake_case" and "< 5 kg" stay as they are.
const MARKUP = /[\\`*[\]]|<(?=[\p{L}/!?])|~(?=\S)|(?<=\S)~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

// Adjacent addresses are matched as one, because two code spans must not touch.
const ADDRESS = new RegExp(`(?:https?://[^\\s()[\\]\`]+|${ADDRESSES.source})+`, ADDRESSES.flags)
// Punctuation at the end belongs to the sentence and not to the address.
const CLOSING = /\p{P}+$/u

/** Markdown that shows exactly this text on one line: nothing in it is markup, and no address becomes a link. */
export const escapeMarkdown = (text: string): string => {
  const shown = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  let [out, from] = ['', 0]
  for (const { 0: match, index } of shown.matchAll(ADDRESS)) {
    const address = match.replace(CLOSING, '')
    if (!address) continue
    out += `${escaped(shown.slice(from, index))}\`${address}\``
    from = index + address.length
  }
  return out + escaped(shown.slice(from))
}

const escaped = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(MARKUP, '\\$&')
    .replaceAll('【', '&#12304;')
    .replaceAll('】', '&#12305;')
