// Shows a passage: title, page, and the part of its text with most words of the query, which are marked.

import type { Chunk, Citation } from '../../../src/contract/resources.ts'
import { isTable, tableLines } from './tables.ts'
import { cut, printable, type Terminal, wrap } from './terminal.ts'
import { isMatch, mark, WORD } from './words.ts'

export type Passage = Pick<Chunk & Citation, 'text' | 'document_title' | 'page'>

const SHOWN_LINES = 3
const INDENT = '      '

/** `title › page`, and up to three lines of text, or the header of a table with its best rows. */
export function passageLines(terminal: Terminal, label: string, passage: Passage, words: string[]): string[] {
  const title = printable(passage.document_title ?? 'untitled')
  const page = passage.page == null ? '' : ` › p. ${passage.page}`
  const text = printable(passage.text).trim()
  const body = isTable(text) ? tableLines(terminal, text, words, INDENT) : textLines(terminal, text, words)
  return [`  ${label} ${terminal.style('title', cut(title, terminal.width - 16))}${page}`, ...body]
}

function textLines(terminal: Terminal, text: string, words: string[]): string[] {
  const flat = text.replace(/\s+/g, ' ')
  const shown = densest(flat, words, (terminal.width - INDENT.length) * SHOWN_LINES - 12)
  return wrap(mark(terminal, shown, words), terminal.width, INDENT)
}

/** The part of at most `length` characters with most of the words, cut between words. */
function densest(text: string, words: string[], length: number): string {
  if (text.length <= length) return text
  const hits = [...text.matchAll(WORD)].filter(([word]) => isMatch(word, words))
  const startOf = (at: number): number => (at < length / 3 ? 0 : text.indexOf(' ', at - length / 6) + 1)
  const best = hits
    .map(({ index }) => {
      const start = startOf(index)
      const inside = hits.filter((hit) => hit.index >= start && hit.index < start + length)
      return { start, kinds: new Set(inside.map(([word]) => word.toLowerCase())).size }
    })
    .reduce((a, b) => (b.kinds > a.kinds ? b : a), { start: 0, kinds: 0 })
  const end = best.start + length >= text.length ? text.length : text.lastIndexOf(' ', best.start + length)
  return `${best.start > 0 ? '… ' : ''}${text.slice(best.start, end)}${end < text.length ? ' …' : ''}`
}
