// One quote as Markdown: a sentence, or a table row as `Header: value` pairs. The text of documents is escaped, so that
// no bracket, link, image or tag of theirs becomes markup or a marker of ours. Pure.

import { windowAround } from '../citations/window.ts'
import type { Cell } from '../markdown-table.ts'
import { ADDRESSES } from '../model/safe-markdown.ts'
import { isColumnOf } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import { holds } from './keywords.ts'
import type { Scored, Wanted } from './ranking.ts'

// In code points: longer sentences are cut around the words that were asked for.
const LONGEST_QUOTE = 360
const MOST_CELLS = 8
const LEAST_CELLS = 4

/** The quote as it stands in the answer, for a question with these needs. */
export function quoteOf(scored: Scored, needs: readonly Wanted[]): string {
  const { cells, list } = scored.evidence
  if (list) return `“${escapeMarkdown(list.lead)}”`
  return cells ? pairs(cells, needs) : `“${escapeMarkdown(excerpt(scored, needs))}”`
}

const LINE_TO_SIGN = /(?:\\?_){4,}/g

/** The quote for no question in particular: a list's lead, a row's first cells, a sentence from its beginning. */
export function wholeQuote({ cells, list, text }: Evidence): string {
  if (list) return `“${escapeMarkdown(list.lead)}”`
  const said = cells ? bestCells(cells, () => 0) : `“${escapeMarkdown(shorten(text))}”`
  return said.replace(LINE_TO_SIGN, '…')
}

/** A long sentence cut around the words that were asked for. */
function excerpt({ evidence: { own, text } }: Scored, needs: readonly Wanted[]): string {
  const lower = text.toLowerCase()
  const at = needs
    .flatMap(({ parts }) => parts.filter((part) => holds(own, part)))
    .map((part) => lower.indexOf((part.forms.get(own.language) ?? part.word).toLowerCase()))
    .filter((index) => index >= 0)
  const first = at.length ? Math.min(...at) : 0
  const shown = windowAround(text, first, Math.max(first, ...at), LONGEST_QUOTE)
  return `${text.startsWith(shown) ? '' : '… '}${shown}${text.endsWith(shown) ? '' : ' …'}`
}

/** The exact text of the cells in their order; of a wide row those that match or were asked for. */
const pairs = (cells: readonly Cell[], needs: readonly Wanted[]): string =>
  bestCells(cells, (cell) => worthOf(cell, needs))

/** A row by the columns named, and of the others as many as fit. */
export const rowAsPairs = (cells: readonly Cell[], columns: readonly string[]): string =>
  bestCells(cells, (cell) => (columns.includes(cell.header) ? 2 : 0))

function bestCells(cells: readonly Cell[], worth: (cell: Cell) => number): string {
  const ranked = cells
    .map((cell, at) => ({ cell, at, worth: worth(cell) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
  const useful = ranked.filter((entry) => entry.worth > 0).length
  const most = cells.length <= MOST_CELLS ? MOST_CELLS : Math.min(MOST_CELLS, Math.max(LEAST_CELLS, useful))
  return ranked
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ cell: { header, text } }) =>
      escapeMarkdown(header ? `${header}: ${shorten(text)}` : shorten(text)),
    )
    .join(' · ')
}

const PREFIX = 5

function worthOf({ header, text }: Cell, needs: readonly Wanted[]): number {
  const lower = `${header} ${text}`.toLowerCase()
  return needs.reduce((sum, { type, parts }) => {
    const said = parts.filter(
      ({ word }) => word.length > 2 && lower.includes(word.toLowerCase().slice(0, PREFIX)),
    )
    return sum + said.length + (isColumnOf(type, header) ? 2 : 0)
  }, 0)
}

const shorten = (text: string): string =>
  text.length > LONGEST_QUOTE ? `${windowAround(text, 0, 0, LONGEST_QUOTE)} …` : text

// Invisible characters that hide or reorder text; the joiners of emoji and Indic scripts stay.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu
// What may begin or end markup inside a line, and nothing more: "snake_case" and "< 5 kg" stay as they are.
const MARKUP = /[\\`*[\]]|<(?=[\p{L}/!?])|~(?=\S)|(?<=\S)~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

// One after another are one: two spans of code must not touch.
const ADDRESS = new RegExp(`(?:https?://[^\\s()[\\]\`]+|${ADDRESSES.source})+`, ADDRESSES.flags)
// What closes the sentence around an address is not of it.
const CLOSING = /\p{P}+$/u

/** Text as Markdown that shows exactly this text on one line: nothing in it is markup, and no address becomes a link. */
export const escapeMarkdown = (text: string): string => {
  const shown = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  let [out, from] = ['', 0]
  for (const { 0: found, index } of shown.matchAll(ADDRESS)) {
    const address = found.replace(CLOSING, '')
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
