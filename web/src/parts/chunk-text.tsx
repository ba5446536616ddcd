// The text of a chunk with marks: tables, lists and code as such, the rest as paragraphs.

import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { plural, t } from '../language/text.tsx'
import { IconButton } from './button.tsx'
import { bestRows, excerptStart } from './excerpt.ts'
import { Marked } from './highlight.tsx'
import { querySpans, type Span } from './spans.ts'
import { type ListBranch, listTree, type TextBlock, type TextPart, textBlocks } from './text-blocks.ts'
import { announce } from './toast.tsx'

interface Props {
  text: string
  /** The default is text. */
  type?: 'text' | 'table' | 'figure' | undefined
  spans?: readonly Span[]
  /** The words of the query are marked if there are no spans. */
  query?: string | undefined
  /** The headings above the chunk, with ' > ' between levels. If the text begins with them, they are shown as headings. */
  heading?: string | undefined
  /** Whether only the part with most of the words is shown. */
  excerpt?: boolean
}

// The rows of a table that an excerpt shows.
const MAX_ROWS = 4

export function ChunkText({ text, type, spans, query, heading, excerpt = false }: Props) {
  const markedSpans = spans ?? (query ? querySpans(text, query) : [])
  const table = type === 'table' ? tableOf(text) : undefined
  const titles = new Set(heading?.split(' > '))
  const content = (cell: TextPart) => {
    const blocks = textBlocks(cell.text)
    const body = blocks.findIndex((block) => block.kind !== 'paragraph' || !titles.has(block.text))
    return blocks.map((block, i) => (
      <Block
        key={block.start}
        block={block}
        offset={cell.start}
        spans={markedSpans}
        isHeading={titles.size > 0 && (i < body || body < 0)}
      />
    ))
  }
  if (!table) {
    const start = excerpt ? excerptStart(text, markedSpans) : 0
    return (
      <div className="reading">
        {start > 0 && <span className="float-left mr-1 text-soft">…</span>}
        {content({ text: text.slice(start), start })}
      </div>
    )
  }
  const [, ...body] = table.rows
  const visibleRows =
    excerpt && body.length > MAX_ROWS ? bestRows(text, body.map(extent), markedSpans, MAX_ROWS) : undefined
  return (
    <div className="reading">
      {content(table.before)}
      <Table rows={table.rows} spans={markedSpans} visibleRows={visibleRows} />
      {visibleRows && (
        <p className="font-sans text-sm text-soft">
          … {plural(body.length - visibleRows.length, 'more row')}
        </p>
      )}
      {content(table.after)}
    </div>
  )
}

interface BlockProps {
  block: TextBlock
  /** What is added to its positions. */
  offset: number
  spans: readonly Span[]
  isHeading: boolean
}

function Block({ block, offset, spans, isHeading }: BlockProps) {
  const withMarks = ({ text, start }: TextPart) => (
    <MarkedCell cell={{ text, start: start + offset }} spans={spans} />
  )
  if (block.kind === 'list') return <List branches={listTree(block.items)} withMarks={withMarks} />
  if (block.kind === 'code')
    return (
      <pre className="whitespace-pre-wrap">
        <code>{withMarks(block)}</code>
      </pre>
    )
  // Lines that begin with spaces are arranged by them.
  const space = /^[ \t]/m.test(block.text) ? 'whitespace-pre-wrap' : 'whitespace-pre-line'
  return (
    <p
      // A heading is as high as a line of text, so that nothing moves when the headings have loaded.
      className={`${space} ${isHeading ? 'font-sans text-base leading-[1.7rem] font-semibold' : ''}`}
    >
      {withMarks(block)}
    </p>
  )
}

function List({
  branches,
  withMarks,
}: {
  branches: readonly ListBranch[]
  withMarks: (part: TextPart) => ReactNode
}) {
  const Tag = branches[0]?.item.number === undefined ? 'ul' : 'ol'
  return (
    <Tag>
      {branches.map(({ item, children }) => (
        <li
          key={item.start}
          value={item.number}
          className={`whitespace-pre-line ${item.number === undefined ? 'list-disc' : 'list-decimal'}`}
        >
          {item.isDone !== undefined && (item.isDone ? '☑ ' : '☐ ')}
          {withMarks(item)}
          {children.length > 0 && <List branches={children} withMarks={withMarks} />}
        </li>
      ))}
    </Tag>
  )
}

/** The position of a row in the text. */
const extent = (row: readonly TextPart[]): { start: number; end: number } => {
  const lastCell = row.at(-1)
  return { start: row[0]?.start ?? 0, end: lastCell ? lastCell.start + lastCell.text.length : 0 }
}

interface ParsedTable {
  before: TextPart
  rows: TextPart[][]
  after: TextPart
}

/** A Markdown table with the position of each cell in the text. Undefined if there is none. */
function tableOf(text: string): ParsedTable | undefined {
  const lines: TextPart[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    lines.push({ text: line, start: lineStart })
    lineStart += line.length + 1
  }
  const firstRow = lines.findIndex((line) => line.text.startsWith('|'))
  const headerLine = lines[firstRow]
  if (!headerLine) return undefined
  const lineAfter = lines.findIndex((line, i) => i > firstRow && !line.text.startsWith('|'))
  const after = lineAfter < 0 ? text.length : (lines[lineAfter]?.start ?? text.length)
  const rows = lines
    .slice(firstRow, lineAfter < 0 ? undefined : lineAfter)
    .filter((line) => !/^\|(\s*:?-+:?\s*\|)+\s*$/.test(line.text))
    .map((line) => cellsOf(line.text, line.start))
  return {
    before: { text: text.slice(0, headerLine.start).trimEnd(), start: 0 },
    rows,
    after: { text: text.slice(after).trimEnd(), start: after },
  }
}

function cellsOf(line: string, start: number): TextPart[] {
  const cells: TextPart[] = []
  let cellStart = 1
  for (let i = 1; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === '|') {
      const raw = line.slice(cellStart, i)
      const leadingSpaces = raw.length - raw.trimStart().length
      cells.push({ text: raw.trim().replaceAll('\\|', '|'), start: start + cellStart + leadingSpaces })
      cellStart = i + 1
    }
  }
  return cells
}

function MarkedCell({ cell: { text, start }, spans }: { cell: TextPart; spans: readonly Span[] }) {
  const cellSpans = spans
    .filter((span) => span.start < start + text.length && span.end > start)
    .map((span) => ({ ...span, start: Math.max(0, span.start - start), end: span.end - start }))
  return <Marked text={text} spans={cellSpans} />
}

interface TableProps {
  rows: TextPart[][]
  spans: readonly Span[]
  /** The indexes of the rows to show, without the head. Undefined for all rows. */
  visibleRows: readonly number[] | undefined
}

function Table({ rows, spans, visibleRows }: TableProps) {
  const [headerRow = [], ...body] = rows
  const isNumeric = headerRow.map((_, column) => isNumberColumn(body.map((row) => row[column]?.text ?? '')))
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(csvOf(rows.map((row) => row.map((cell) => cell.text))))
    announce(t('The table was copied as CSV.'))
  }
  return (
    <div className="group flex items-start gap-1">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a region would be one landmark a table */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard, too */}
      <div role="group" className="min-w-0 overflow-x-auto" aria-label={t('Table')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {headerRow.map((cell, column) => (
                <th key={cell.start} scope="col" className={isNumeric[column] ? 'number' : undefined}>
                  <MarkedCell cell={cell} spans={spans} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, i) =>
              visibleRows && !visibleRows.includes(i) ? null : (
                <tr key={row[0]?.start}>
                  {row.map((cell, column) => (
                    <td
                      key={cell.start}
                      className={`${isNumeric[column] ? 'number' : ''} ${UNBROKEN.test(cell.text) ? 'whitespace-nowrap' : ''}`}
                    >
                      <MarkedCell cell={cell} spans={spans} />
                    </td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      <IconButton
        label={t('Copy as CSV')}
        onClick={() => void copy()}
        className="shrink-0 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
      >
        <Copy size={14} />
      </IconButton>
    </div>
  )
}

const NUMBER = /^[-–−+(]?\s*[£$€¥]?\s*\d[\d.,'\s]*\s*[%€£$]?\)?$/
/** A date, a number, a code: read as one. */
const UNBROKEN = /^(?=.*\d)\S{1,24}$/
const EMPTY_CELL = /^[-–—]?$/

/** Whether a column has only numbers and empty cells, and at least one number. */
const isNumberColumn = (cells: readonly string[]): boolean =>
  cells.some((cell) => NUMBER.test(cell)) && cells.every((cell) => NUMBER.test(cell) || EMPTY_CELL.test(cell))

/** The rows as CSV (RFC 4180). */
const csvOf = (rows: string[][]): string =>
  rows
    .map((row) =>
      row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\r\n')
