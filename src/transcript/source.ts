// A source of an answer, as the page shows it.

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

export const nameOf = ({ number, title, page }: Source): string =>
  `Source ${number}${title ? `: ${title}` : ''}${page ? `, page ${page}` : ''}`

type Citation = Output<'getThread'>['turns'][number]['citations'][number]

export const sourcesOf = (citations: readonly Citation[]): Source[] =>
  citations.map(({ number, document_title, page, text, state, source_url, spans }) => ({
    number,
    title: document_title,
    page,
    text,
    // A service of an earlier version sends no spans.
    spans: spans ?? [],
    url: source_url,
    ...(state === 'current' ? {} : { state }),
  }))

export interface Quote {
  text: string
  spans: Span[]
}

/** The cells of a row with dots between them; as long as before. */
const withDots = (row: string): string => row.replace(/^\||\|$/g, ' ').replace(/(?<!\\)\|/g, '·')

/**
 * What is quoted of a source: the paragraphs with the cited sentences, of a table its head and the cited rows. Without known sentences
 * the whole text.
 */
export function quoteOf({ text, spans }: Pick<Source, 'text' | 'spans'>): Quote {
  if (text === null) return { text: '', spans: [] }
  if (spans.length === 0) return { text, spans: [] }
  let quoted = ''
  const quotedSpans: Span[] = []
  let isFirstRow = true
  for (const { index: start, 0: line } of text.matchAll(/[^\n]+/g)) {
    const end = start + line.length
    const isRow = line.startsWith('|')
    const inLine = spans.filter((span) => span.start < end && span.end > start)
    const isHead = isRow && isFirstRow
    if (isRow) isFirstRow = false
    if (inLine.length === 0 && !isHead) continue
    if (quoted !== '') quoted += '\n'
    const shift = quoted.length - start
    quotedSpans.push(
      ...inLine.map((span) => ({
        start: Math.max(start, span.start) + shift,
        end: Math.min(end, span.end) + shift,
      })),
    )
    quoted += isRow ? withDots(line) : line
  }
  return { text: quoted, spans: quotedSpans }
}
