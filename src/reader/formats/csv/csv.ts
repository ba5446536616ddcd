// Reads CSV and similar files. Encoding and delimiter are detected. The file is read in a stream into tables of limited size, each
// with the header. Formulas stay text.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Duplex, pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { markdownTable, type TableParts, tableParts } from '../../shared/blocks/table.ts'
import { fileEncoding } from '../../shared/encodings/encoding.ts'
import { decodeMixed, mixedDecoder, type TextEncoding } from '../../shared/encodings/mixed.ts'
import type { Parser, ParseTask, Report } from '../../task.ts'
import { tableRows } from './opening.ts'
import { mendQuotes, usualCells } from './quotes.ts'

const SAMPLE_BYTES = 262_144
const DELIMITERS = [',', ';', '\t', '|'] as const
// The number of records from which title, header and data are recognised.
const OPENING_RECORDS = 30
// Without a limit one unclosed quote would make the rest of the file one cell (BAD-27).
const MAX_RECORD_CHARACTERS = 1_000_000
// A longer row is not a row of a table.
const MAX_ROW_CHARACTERS = 16_000_000

interface Dialect {
  encoding: TextEncoding
  delimiter: string
  quote: '"' | null
  /** The number of cells in most rows. */
  cells: number
}

/** The rows of a delimited file as tables. */
const parseCsv: Parser = async (task, report) => {
  const sample = await readSample(task.path)
  const encoding = await fileEncoding(task.path)
  const text = decodeMixed(sample, encoding)
  const delimiter = delimiterOf(text)
  const dialect = { encoding, delimiter, cells: usualCells(text, delimiter) }
  try {
    return { blocks: await readTables(task, report, { ...dialect, quote: '"' }) }
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error
    // After an unclosed quote the file is read again with quotes as ordinary characters.
    return {
      blocks: await readTables(task, report, { ...dialect, quote: null }).catch(refuseEndlessRow),
    }
  }
}

export const csv: Backend = { parse: parseCsv }

function refuseEndlessRow(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'CSV_MAX_RECORD_SIZE') throw error
  throw new UnreadableFile('too_large_unpacked', `a row of more than ${MAX_ROW_CHARACTERS} characters`)
}

async function readSample(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    if (bytesRead < SAMPLE_BYTES) return buffer.subarray(0, bytesRead)
    // The sample ends with a line, so that no character is split.
    return buffer.subarray(0, Math.max(buffer.lastIndexOf(10), SAMPLE_BYTES >> 1))
  } finally {
    await file.close()
  }
}

/** The delimiter that splits most lines into the same number of cells, preferably many. A comma if there is none. */
export function delimiterOf(text: string): string {
  const declaredDelimiter = /^\ufeff?sep=(.)\r?\n/i.exec(text)?.[1]
  if (declaredDelimiter !== undefined) return declaredDelimiter
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, 'q')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 100)
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const commonCount = mostCommonCount(counts.filter((count) => count > 0))
    const score =
      (counts.filter((count) => count === commonCount && commonCount > 0).length /
        Math.max(1, lines.length)) *
      (1 + Math.log1p(commonCount) / 10)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function mostCommonCount(counts: readonly number[]): number {
  const countByWidth = new Map<number, number>()
  for (const count of counts) countByWidth.set(count, (countByWidth.get(count) ?? 0) + 1)
  return [...countByWidth].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

async function readTables(task: ParseTask, report: Report, dialect: Dialect): Promise<Block[]> {
  const { encoding, delimiter, quote, cells } = dialect
  const options = {
    delimiter,
    quote,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: quote === null ? MAX_ROW_CHARACTERS : MAX_RECORD_CHARACTERS,
  }
  const source = createReadStream(task.path)
  const parser = parse(options)
  // An error in any of these streams reaches the loop below through the last one.
  const records: AsyncIterable<string[]> = pipeline(
    source,
    mixedDecoder(encoding),
    quoteMender(delimiter, quote === null ? 0 : cells),
    parser,
    () => undefined,
  )
  const table = openTable(() => report({ share: source.bytesRead / Math.max(1, task.bytes) }))
  const opening: string[][] = []
  let hasTable = false
  for await (const record of records) {
    expectCells(parser, record.length)
    if (!hasTable) {
      if (opening.length === 0 && /^sep=.$/i.test(record.join(delimiter))) continue
      opening.push(record)
      if (opening.length < OPENING_RECORDS) continue
      table.open(opening)
      hasTable = true
    } else table.add(record)
  }
  if (!hasTable) table.open(opening)
  const blocks = table.end()
  if (blocks.length === 0) throw new UnreadableFile('no_text')
  return blocks
}

const quoteMender = (delimiter: string, cells: number): Duplex =>
  Duplex.from((text: AsyncIterable<string>) => mendQuotes(text, delimiter, cells))

/**
 * Sets the number of cells that the library expects to that of the last row. For every row of another length the library creates
 * an error that is never used, which takes ten times as long as the row. With a title above the table, that would be every row.
 */
function expectCells(parser: object, cells: number): void {
  const { state } = parser as { state?: { expectedRecordLength?: number } }
  if (state !== undefined) state.expectedRecordLength = cells
}

interface Table {
  /** Takes the first records, from which title, header and data are recognised. */
  open: (records: readonly string[][]) => void
  add: (record: readonly string[]) => void
  end: () => Block[]
}

function openTable(progress: () => void): Table {
  const blocks: Block[] = []
  let header: readonly string[] = []
  let parts: TableParts<readonly string[]> | undefined
  let hasRows = false
  const emit = (rows: readonly (readonly string[])[]): void => {
    for (const block of toTableBlocks([header, ...rows])) blocks.push(block)
    hasRows = true
    progress()
  }
  return {
    add: (record) => parts?.add(record),
    open: (records) => {
      const opening = tableRows(records)
      if (opening.title.length > 0) blocks.push({ kind: 'paragraph', text: opening.title.join('\n') })
      header = opening.header
      parts = tableParts(header, (cell) => cell.length, emit)
      for (const row of opening.rows) parts.add(row)
    },
    end: () => {
      parts?.end()
      if (!hasRows) emit([])
      return blocks
    },
  }
}

function toTableBlocks(rows: readonly (readonly string[])[]): Block[] {
  const text = markdownTable(rows)
  return text === '' ? [] : [{ kind: 'table', text }]
}
