// CSV and its kin: encoding and delimiter detected (officeparser takes ";" for text and garbles Shift-JIS:
// reference/parsing.md), streamed, as tables of bounded size that repeat their header. Formulas are text.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import iconv from 'iconv-lite'
import { type Block, UnreadableFile } from '../block.ts'
import { markdownTable } from '../blocks/table.ts'
import type { Parser, ParseTask, Report } from '../task.ts'
import { encodingOf } from './encoding.ts'

const SAMPLE_BYTES = 262_144
const delimiters = [',', ';', '\t', '|'] as const
const ROWS_A_TABLE = 200
const CHARACTERS_A_TABLE = 40_000
// Without a bound one unclosed quote swallows the file (BAD-27).
const MOST_RECORD_CHARACTERS = 1_000_000
// And 50 million cells in one row are no table.
const MOST_ROW_CHARACTERS = 16_000_000

interface Dialect {
  encoding: string
  delimiter: string
  quote: '"' | null
}

/** A delimited file's rows as table blocks, the first row as header of each. */
export const parseCsv: Parser = async (task, report) => {
  const sample = await readSample(task.path)
  const encoding = encodingOf(sample)
  const text = iconv.decode(sample, encoding)
  const delimiter = delimiterOf(text)
  try {
    return { blocks: await readTables(task, report, { encoding, delimiter, quote: '"' }) }
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error
    // Quotes that do not close are characters like any other.
    return {
      blocks: await readTables(task, report, { encoding, delimiter, quote: null }).catch(refuseEndlessRow),
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
    .replace(/"(?:[^"]|"")*"/g, '')
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
  const { encoding, delimiter, quote } = dialect
  const options = {
    delimiter,
    quote,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: quote === null ? MOST_ROW_CHARACTERS : MOST_RECORD_CHARACTERS,
  }
  const source = createReadStream(task.path)
  // An error of any link reaches the loop below through the last one.
  const records: AsyncIterable<string[]> = pipeline(
    source,
    iconv.decodeStream(encoding, { stripBOM: true }),
    parse(options),
    () => undefined,
  )
  const blocks: Block[] = []
  let header: string[] | undefined
  let rows: string[][] = []
  let size = 0
  const flush = (): void => {
    if (header !== undefined && (rows.length > 0 || blocks.length === 0)) blocks.push(...table(header, rows))
    rows = []
    size = 0
    report({ share: source.bytesRead / Math.max(1, task.bytes) })
  }
  for await (const record of records) {
    if (/^sep=.$/i.test(record.join(delimiter)) && header === undefined) continue
    if (header === undefined) header = record
    else rows.push(record)
    size += record.reduce((sum, cell) => sum + cell.length + 3, 0)
    // A header of 100,000 columns must not be repeated for every row.
    const bound = Math.max(CHARACTERS_A_TABLE, 4 * header.join('').length)
    if (rows.length >= ROWS_A_TABLE || size >= bound) flush()
  }
  flush()
  if (header === undefined) throw new UnreadableFile('no_text')
  return blocks
}

/** One column is a list of lines, not a table. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): Block[] {
  const all = [header, ...rows]
  if (all.every((row) => row.length <= 1)) {
    return [{ kind: 'paragraph', text: all.map((row) => row.join('')).join('\n') }]
  }
  const text = markdownTable(all)
  return text === '' ? [] : [{ kind: 'table', text }]
}
