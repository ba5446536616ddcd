// The sources of an answer, as the console shows them.

import type { Output } from '../client/client.ts'

export interface Span {
  start: number
  end: number
}

export interface Source {
  number: number
  title: string | null
  page: number | null
  text: string | null
  /** The cited sentences, as offsets into the text. */
  spans: readonly Span[]
  /** The address at which a person can open it. */
  url: string | null
  /** Set for a source that can no longer be opened. */
  state?: 'changed' | 'deleted'
}

type Citation = Output<'getThread'>['turns'][number]['citations'][number]

export const sourcesOf = (citations: readonly Citation[]): Source[] =>
  citations.map(({ number, document_title, page, text, state, source_url, spans }) => ({
    number,
    title: document_title,
    page,
    text,
    // An earlier version of the service sends no spans.
    spans: spans ?? [],
    url: source_url,
    ...(state === 'current' ? {} : { state }),
  }))

export interface Quote {
  text: string
  spans: Span[]
}

// Matches `| --- | :-: |`.
const RULE = /^\|[\s:|-]+\|$/

/** A row of a table with dots between its cells. Every character keeps its position. */
export const rowWithDots = (row: string): string =>
  row.replace(/^\||(?<!\\)\|$/g, ' ').replace(/(?<!\\)\|/g, '·')

/** The text with dots between the cells of its tables. Every character keeps its position, so that spans stay valid. */
export const withDots = (text: string): string =>
  text.replace(/^\|.*$/gm, (row) => (RULE.test(row) ? ' '.repeat(row.length) : rowWithDots(row)))

/**
 * The part of a source that is quoted: the paragraphs with the cited sentences; of a table its header and the cited rows. The whole
 * text if the source has no spans.
 */
export function quoteOf({ text, spans }: Pick<Source, 'text' | 'spans'>): Quote {
  if (text === null) return { text: '', spans: [] }
  if (spans.length === 0) return { text, spans: [] }
  const quote: Quote = { text: '', spans: [] }
  const lines = Array.from(text.matchAll(/[^\n]+/g), ({ index: start, 0: line }): Line => {
    const end = start + line.length
    return { start, line, spans: spans.filter((span) => span.start < end && span.end > start) }
  })
  let header: Line | undefined
  for (const [i, line] of lines.entries()) {
    if (isRule(line)) continue
    if (isRule(lines[i + 1])) header = line
    if (!isRow(line)) header = undefined
    if (line.spans.length === 0) continue
    if (header && header !== line) append(quote, header)
    header = undefined
    append(quote, line)
  }
  return quote
}

interface Line {
  line: string
  start: number
  /** The cited sentences that overlap the line. */
  spans: Span[]
}

const isRow = ({ line }: Line): boolean => line.startsWith('|')

/** Whether the line is the delimiter between the header of a table and its rows. */
const isRule = (line: Line | undefined): boolean => line !== undefined && RULE.test(line.line)

function append(quote: Quote, added: Line): void {
  const { line, start, spans } = added
  if (quote.text !== '') quote.text += '\n'
  const shift = quote.text.length - start
  quote.spans.push(
    ...spans.map((span) => ({
      start: Math.max(start, span.start) + shift,
      end: Math.min(start + line.length, span.end) + shift,
    })),
  )
  quote.text += withDots(line)
}
