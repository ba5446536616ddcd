// One quote as Markdown: a sentence, or a table row as `Header: value` pairs. Document text is escaped, so that its brackets,
// links, images and tags do not become markup or citation markers. Pure.

import { windowAround } from '../citations/window.ts'
import type { Cell } from '../markdown-table.ts'
import { ADDRESSES } from '../model/safe-markdown.ts'
import { containsAnswerOfType, isColumnOfType } from './answer-type.ts'
import type { Criteria } from './features.ts'
import { containsKeyword } from './keywords.ts'
import type { ScoredEvidence } from './ranking.ts'

// In code points. Longer sentences are shortened around the keywords.
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
  { evidence: { ownTerms, text } }: Pick<ScoredEvidence, 'evidence'>,
  criteria: readonly Criteria[],
): string {
  const lowerText = text.toLowerCase()
  const positions = criteria
    .flatMap(({ keywords }) => keywords.filter((keyword) => containsKeyword(ownTerms, keyword)))
    .map((keyword) => lowerText.indexOf((keyword.forms.get(ownTerms.language) ?? keyword.word).toLowerCase()))
    .filter((index) => index >= 0)
  const first = positions.length ? Math.min(...positions) : 0
  const window = windowAround(text, first, Math.max(first, ...positions), MAX_QUOTE_LENGTH)
  const withoutBullet = text.startsWith(window) ? window.replace(/^[-*•] /, '') : `… ${window}`
  return `${withoutBullet}${text.endsWith(window) ? '' : ' …'}`
}

/** The cells with their exact text. Of a wide row, only the cells that match the question best. */
const cellsAsPairs = (cells: readonly Cell[], criteria: readonly Criteria[]): string =>
  bestCells(cells, (cell) => relevanceOfCell(cell, criteria))

/** A row with the named columns first, and as many others as fit. */
export const rowAsPairs = (cells: readonly Cell[], columns: readonly string[]): string =>
  bestCells(cells, (cell) => (columns.includes(cell.header) ? 2 : 0))

/**
 * The first cell of a row, which names it, then the most relevant cells, then the others in their order. "…" replaces omitted
 * cells.
 */
function bestCells(cells: readonly Cell[], relevanceOf: (cell: Cell) => number): string {
  const ranked = cells
    .map((cell, index) => ({ cell, index, relevance: relevanceOf(cell) }))
    .sort((a, b) => b.relevance - a.relevance || a.index - b.index)
  const relevantCount = ranked.filter(({ relevance }) => relevance > 0).length
  const maxCells =
    cells.length <= MAX_CELLS ? MAX_CELLS : Math.min(MAX_CELLS, Math.max(MIN_CELLS, relevantCount))
  const [name] = cells
  const shownCells = ranked.slice(0, maxCells).map(({ cell }) => cell)
  const ordered =
    name && shownCells.includes(name) ? [name, ...shownCells.filter((cell) => cell !== name)] : shownCells
  const texts = ordered.map(({ header, text }) =>
    escapeMarkdown(header ? `${header}: ${shorten(text)}` : shorten(text)),
  )
  return [...texts, ...(cells.length > maxCells ? ['…'] : [])].join(' · ')
}

const PREFIX_LENGTH = 5

function relevanceOfCell({ header, text }: Cell, criteria: readonly Criteria[]): number {
  const lowerText = `${header} ${text}`.toLowerCase()
  return criteria.reduce((sum, { type, keywords }) => {
    const matchingKeywords = keywords.filter(
      ({ word }) => word.length > 2 && lowerText.includes(word.toLowerCase().slice(0, PREFIX_LENGTH)),
    )
    const hasAnswerType =
      isColumnOfType(type, header) || (type === 'person' && containsAnswerOfType(type, text))
    return sum + matchingKeywords.length + (hasAnswerType ? 2 : 0)
  }, 0)
}

const shorten = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${windowAround(text, 0, 0, MAX_QUOTE_LENGTH)} …` : text

// Invisible characters that hide or reorder text. The joiners of emoji and Indic scripts (U+200C, U+200D) are not among them.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu
// Matches the characters that may begin or end markup inside a line. Does not match those in "snake_case" and "< 5 kg".
const MARKUP = /[\\`*[\]]|<(?=[\p{L}/!?])|~(?=\S)|(?<=\S)~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

// Adjacent addresses are matched as one, because two code spans must not touch.
const ADDRESS = new RegExp(`(?:https?://[^\\s()[\\]\`]+|${ADDRESSES.source})+`, ADDRESSES.flags)
// Punctuation at the end of an address belongs to the sentence.
const TRAILING_PUNCTUATION = /\p{P}+$/u

/** Markdown that shows exactly this text on one line: nothing in it is markup, and no address becomes a link. */
export const escapeMarkdown = (text: string): string => {
  const singleLine = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  let [markdown, from] = ['', 0]
  for (const { 0: match, index } of singleLine.matchAll(ADDRESS)) {
    const address = match.replace(TRAILING_PUNCTUATION, '')
    if (!address) continue
    markdown += `${escaped(singleLine.slice(from, index))}\`${address}\``
    from = index + address.length
  }
  return markdown + escaped(singleLine.slice(from))
}

const escaped = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(MARKUP, '\\$&')
    .replaceAll('【', '&#12304;')
    .replaceAll('】', '&#12305;')
