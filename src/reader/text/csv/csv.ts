// CSV and its kin: encoding and delimiter detected (officeparser takes ";" for text and garbles
// Shift-JIS), streamed, as tables of bounded size that repeat their header. Formulas are text.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Duplex, pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import iconv from 'iconv-lite'
import { type Block, UnreadableFile } from '../../block.ts'
import { markdownTable } from '../../blocks/table.ts'
import type { Parser, ParseTask, Report } from '../../task.ts'
import { fileEncoding } from '../encoding.ts'
import { tableRows } from './opening.ts'
import { mendQuotes, usualCells } from './quotes.ts'

const SAMPLE_BYTES = 262_144
const delimiters = [',', ';', '\t', '|'] as const
const ROWS_A_TABLE = 200
const OPENING_RECORDS = 30
const CHARACTERS_A_TABLE = 40_000
// Without a bound one unclosed quote swallows the file (BAD-27).
const MOST_RECORD_CHARACTERS = 1_000_000
// And 50 million cells in one row are no table.
const MOST_ROW_CHARACTERS = 16_000_000

interface Dialect {
  encoding: string
  delimiter: string
  quote: '"' | null
  /** How many cells most rows have. */
  cells: number
}

/** A delimited file's rows as table blocks, the first row as header of each. */
export const parseCsv: Parser = async (task, report) => {
  const sample = await readSample(task.path)
  const encoding = await fileEncoding(task.path)
  const text = iconv.decode(sample, encoding)
  const delimiter = delimiterOf(text)
  const dialect = { encoding, delimiter, cells: usualCells(text, delimiter) }
  try {
    return { blocks: await readTables(task, report, { ...dialect, quote: '"' }) }
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error
    // Quotes that do not close are characters like any other.
    return {
      blocks: await readTables(task, report, { ...dialect, quote: null }).catch(refuseEndlessRow),
    }
  }
}

function refuseEndlessRow(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'CSV_MAX_RECORD_SIZE') throw error
  throw new UnreadableFile('too_large_unpacked', `a row of more than ${MOST_ROW_CHARACTERS} characters`)
}

async function readSample(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    if (bytesRead < SAMPLE_BYTES) return buffer.subarray(0, bytesRead)
    // Cut at a line's end, so that no character is cut in two.
    return buffer.subarray(0, Math.max(buffer.lastIndexOf(10), SAMPLE_BYTES >> 1))
  } finally {
    await file.close()
  }
}

/** The delimiter that parts most lines into the same number of cells, more cells winning; a comma when none does. */
export function delimiterOf(text: string): string {
  const declared = /^\ufeff?sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, 'q')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 100)
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = mode(counts.filter((count) => count > 0))
    const score =
      (counts.filter((count) => count === usual && usual > 0).length / Math.max(1, lines.length)) *
      (1 + Math.log1p(usual) / 10)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function mode(counts: readonly number[]): number {
  const seen = new Map<number, number>()
  for (const count of counts) seen.set(count, (seen.get(count) ?? 0) + 1)
  return [...seen].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

async function readTables(task: ParseTask, report: Report, dialect: Dialect): Promise<Block[]> {
  const { encoding, delimiter, quote, cells } = dialect
  const options = {
    delimiter,
    quote,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: quote === null ? MOST_ROW_CHARACTERS : MOST_RECORD_CHARACTERS,
  }
  const source = createReadStream(task.path)
  const parser = parse(options)
  // An error of any link reaches the loop below through the last one.
  const records: AsyncIterable<string[]> = pipeline(
    source,
    iconv.decodeStream(encoding, { stripBOM: true }),
    mending(delimiter, quote === null ? 0 : cells),
    parser,
    () => undefined,
  )
  const table = openTable(() => report({ share: source.bytesRead / Math.max(1, task.bytes) }))
  const opening: string[][] = []
  let reading = false
  for await (const record of records) {
    expectCells(parser, record.length)
    if (!reading) {
      if (opening.length === 0 && /^sep=.$/i.test(record.join(delimiter))) continue
      opening.push(record)
      if (opening.length < OPENING_RECORDS) continue
      table.open(opening)
      reading = true
    } else table.add(record)
  }
  if (!reading) table.open(opening)
  const blocks = table.end()
  if (blocks.length === 0) throw new UnreadableFile('no_text')
  return blocks
}

const mending = (delimiter: string, cells: number): Duplex =>
  Duplex.from((text: AsyncIterable<string>) => mendQuotes(text, delimiter, cells))

/**
 * The library makes an error, which nobody sees, of every row that is not as long as the first: 30 µs where a row takes 3,
 * for all rows below a title. It is told the length of the last one instead.
 */
function expectCells(parser: object, cells: number): void {
  const { state } = parser as { state?: { expectedRecordLength?: number } }
  if (state !== undefined) state.expectedRecordLength = cells
}

interface Table {
  /** The first records, which tell what is title, what header and what data. */
  open: (records: readonly string[][]) => void
  add: (record: readonly string[]) => void
  end: () => Block[]
}

function openTable(progress: () => void): Table {
  const blocks: Block[] = []
  let header: readonly string[] = []
  let rows: (readonly string[])[] = []
  let size = 0
  // A header of 100,000 columns must not be repeated for every row.
  let bound = CHARACTERS_A_TABLE
  const flush = (): void => {
    for (const block of table([header, ...rows])) blocks.push(block)
    rows = []
    size = 0
    progress()
  }
  const add = (record: readonly string[]): void => {
    rows.push(record)
    size += record.reduce((sum, cell) => sum + cell.length + 3, 0)
    if (rows.length >= ROWS_A_TABLE || size >= bound) flush()
  }
  return {
    add,
    open: (records) => {
      const found = tableRows(records)
      if (found.title.length > 0) blocks.push({ kind: 'paragraph', text: found.title.join('\n') })
      header = found.header
      bound = Math.max(CHARACTERS_A_TABLE, 4 * header.join('').length)
      for (const row of found.rows) add(row)
    },
    end: () => {
      if (rows.length > 0 || blocks.every(({ kind }) => kind === 'paragraph')) flush()
      return blocks
    },
  }
}

/** One column is a list of lines, not a table. */
function table(all: readonly (readonly string[])[]): Block[] {
  if (all.every((row) => row.length <= 1)) {
    const text = all.map((row) => row.join('')).join('\n')
    return text.trim() === '' ? [] : [{ kind: 'paragraph', text }]
  }
  const text = markdownTable(all)
  return text === '' ? [] : [{ kind: 'table', text }]
}
