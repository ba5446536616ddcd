// Reads JSON and JSON Lines. Records with few and short fields become a table. Each other record becomes a block of lines "field:
// value", so that a search finds the matching record. JSON Lines are read line by line.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { markdownTable } from '../../shared/blocks/table.ts'
import { decodeText, fileEncoding } from '../../shared/encodings/encoding.ts'
import { mixedDecoder } from '../../shared/encodings/mixed.ts'
import type { Parser, ParserResult, ParseTask, Report } from '../../task.ts'
import { isFields, parseValue, type Value } from './value.ts'

// Of one JSON text. Its tree takes about six times the memory.
const MAX_TEXT_BYTES = 64 * 2 ** 20
const MAX_ROWS_PER_TABLE = 200
const MAX_CELL_CHARACTERS = 200
const MAX_COLUMNS = 30

/** Reads a JSON text, or one JSON value per line. */
const parseJson: Parser = async (task, report) => {
  if (isNamedJsonLines(task)) return await readLines(task, report)
  if (task.bytes > MAX_TEXT_BYTES) return await readLines(task, report)
  const text = decodeText(await readFile(task.path))
  try {
    return { blocks: valueBlocks(parseValue(text)) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // Files named .json often contain JSON Lines.
    return await readLines(task, report)
  }
}

export const json: Backend = { parse: parseJson }

const isNamedJsonLines = ({ filename }: ParseTask): boolean => /\.(jsonl|ndjson)$/i.test(filename)

// Logs may be truncated or contain other lines. One such line is accepted, except on line 1. If more than this share of the lines
// so far is not JSON, the file counts as damaged.
const MAX_NON_JSON_SHARE = 0.1

/**
 * Reads JSON Lines. Lines that are not JSON are kept as text, with a warning.
 * @throws UnreadableFile if there are many of them, or if the file is one large JSON text
 */
async function readLines(task: ParseTask, report: Report): Promise<ParserResult> {
  const source = createReadStream(task.path)
  const encoding = await fileEncoding(task.path)
  const lines = createInterface({
    input: source.pipe(mixedDecoder(encoding)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  const blocks: Block[] = []
  const nonJsonLineNumbers: number[] = []
  let records: Value[] = []
  let lineNumber = 0
  // A file of this size that is not named as JSON Lines may also be one JSON text, which is not read.
  const mayBeOneText = task.bytes > MAX_TEXT_BYTES && !isNamedJsonLines(task)
  const flushRecords = (): void => {
    for (const block of recordBlocks(records)) blocks.push(block)
    records = []
  }
  for await (const line of lines) {
    lineNumber++
    if (line.trim() === '') continue
    const isFirst = blocks.length === 0 && records.length === 0
    const isTooLong = Buffer.byteLength(line) > MAX_TEXT_BYTES
    const value = isTooLong ? undefined : parseLine(line)
    if (isTooLong || (value === undefined && isFirst && mayBeOneText))
      throw new UnreadableFile('too_large_unpacked', TOO_LARGE)
    if (value === undefined) {
      flushRecords()
      blocks.push({ kind: 'paragraph', text: line })
      nonJsonLineNumbers.push(lineNumber)
      const isTooMany = nonJsonLineNumbers.length > Math.max(1, lineNumber * MAX_NON_JSON_SHARE)
      if (isTooMany || lineNumber === 1) throw new UnreadableFile('damaged', `line ${lineNumber} is not JSON`)
    } else records.push(value)
    if (records.length < MAX_ROWS_PER_TABLE) continue
    flushRecords()
    report({ share: source.bytesRead / Math.max(1, task.bytes) })
  }
  flushRecords()
  return nonJsonLineNumbers.length === 0
    ? { blocks }
    : { blocks, warnings: [nonJsonLinesWarning(nonJsonLineNumbers)] }
}

const TOO_LARGE = 'one JSON text of more than 64 MiB; JSON Lines, with a record on each line, may be larger'
const MAX_NAMED_LINES = 10

function nonJsonLinesWarning(numbers: readonly number[]): string {
  const numberList =
    numbers.slice(0, MAX_NAMED_LINES).join(', ') + (numbers.length > MAX_NAMED_LINES ? ' …' : '')
  return `Lines that are not JSON were kept as text: ${numberList}.`
}

function parseLine(line: string): Value | undefined {
  try {
    return parseValue(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The blocks of a JSON value: an array as records, an object by its fields. */
function valueBlocks(value: Value): Block[] {
  if (!isFields(value)) return recordBlocks(Array.isArray(value) ? value : [value])
  const ownValues: [string, Value][] = []
  const sections: Block[] = []
  for (const [i, inner] of value.values.entries()) {
    const name = value.names[i] ?? ''
    if (isLarge(inner)) {
      sections.push({ kind: 'heading', text: name, level: 2 })
      for (const block of recordBlocks(Array.isArray(inner) ? inner : [inner])) sections.push(block)
    } else {
      ownValues.push([name, inner])
    }
  }
  if (ownValues.length === 0) return sections
  const fields = { names: ownValues.map(([name]) => name), values: ownValues.map(([, inner]) => inner) }
  return [{ kind: 'paragraph', text: fieldLines(fields) }, ...sections]
}

// A longer field becomes a section of its own.
const MAX_OWN_CHARACTERS = 500

const isLarge = (value: Value): boolean =>
  typeof value !== 'string' && approximateLength(value) > MAX_OWN_CHARACTERS

/** The approximate length of the value as JSON without spaces. */
function approximateLength(value: Value): number {
  if (typeof value === 'string') return value.length + 3
  let sum = 2
  if (isFields(value)) for (const name of value.names) sum += name.length + 3
  for (const inner of isFields(value) ? value.values : value) sum += approximateLength(inner)
  return sum
}

/** The blocks of records: a table if all are flat and have few, short fields, otherwise a paragraph for each. */
function recordBlocks(records: readonly Value[]): Block[] {
  const columns = commonColumns(records)
  if (columns === undefined) return records.map((record) => ({ kind: 'paragraph', text: fieldLines(record) }))
  const rows = records.map((record) => cellsOf(record, columns))
  const blocks: Block[] = []
  for (let at = 0; at < rows.length; at += MAX_ROWS_PER_TABLE) {
    blocks.push({ kind: 'table', text: markdownTable([columns, ...rows.slice(at, at + MAX_ROWS_PER_TABLE)]) })
  }
  return blocks
}

function cellsOf(record: Value, columns: readonly string[]): string[] {
  if (!isFields(record)) return []
  return columns.map((name) => {
    const value = record.values[record.names.indexOf(name)]
    return typeof value === 'string' ? value : ''
  })
}

function commonColumns(records: readonly Value[]): string[] | undefined {
  const columns = new Set<string>()
  for (const record of records) {
    if (!isFields(record) || record.names.length > MAX_COLUMNS) return undefined
    // A row of a table cannot have two values of the same name.
    if (new Set(record.names).size < record.names.length) return undefined
    if (record.values.some((value) => typeof value !== 'string' || value.length > MAX_CELL_CHARACTERS))
      return undefined
    for (const name of record.names) columns.add(name)
    if (columns.size > MAX_COLUMNS) return undefined
  }
  return records.length > 1 && columns.size > 1 ? [...columns] : undefined
}

/** A line for each value with its path, "address.city: Aldermouth", or only the path if there is no value. */
function fieldLines(value: Value): string {
  const result: string[] = []
  const add = (path: string, text: string): void => {
    const line = path === '' ? text : `${path}: ${text}`.trimEnd()
    if (line !== '') result.push(line)
  }
  const walk = (inner: Value, path: string): void => {
    if (typeof inner === 'string') add(path, inner)
    else if (Array.isArray(inner) && inner.every((item) => typeof item === 'string'))
      add(path, inner.join(', '))
    else {
      const [names, values] = isFields(inner) ? [inner.names, inner.values] : [[...inner.keys()], inner]
      if (values.length === 0) add(path, '')
      for (const [i, item] of values.entries())
        walk(item, path === '' ? `${names[i]}` : `${path}.${names[i]}`)
    }
  }
  walk(value, '')
  return result.join('\n')
}
