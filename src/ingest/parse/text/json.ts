// JSON and JSON Lines: records of the same fields as a table, others as "field: value" lines; a record a block, so that
// a search finds the one that matches. JSON Lines are read line by line.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import iconv from 'iconv-lite'
import { type Block, UnreadableFile } from '../block.ts'
import { markdownTable } from '../blocks/table.ts'
import type { Parsed, Parser, ParseTask, Report } from '../task.ts'
import { decodeText, fileEncoding } from './encoding.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

// Trees cost some six times their text.
const MOST_TREE_BYTES = 64 * 2 ** 20
const MOST_DEPTH = 100
const ROWS_A_TABLE = 200
const MOST_CELL_CHARACTERS = 200
const MOST_COLUMNS = 30

/** A JSON text, or one JSON value a line. */
export const parseJson: Parser = async (task, report) => {
  if (/\.(jsonl|ndjson)$/i.test(task.filename)) return await readLines(task, report)
  if (task.bytes > MOST_TREE_BYTES) {
    throw new UnreadableFile('too_large_unpacked', 'a JSON text of more than 64 MB; save it as JSON Lines')
  }
  const text = decodeText(await readFile(task.path))
  try {
    return { blocks: valueBlocks(JSON.parse(text) as Json) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // One value a line under the name of JSON is common.
    return await readLines(task, report)
  }
}

// A log that was cut, a line of a program that is none: more than this share of them is another kind of file.
const MOST_BROKEN = 0.1

/** A line that is no JSON stands as the text it is, with a warning; where many are, the file is none. */
async function readLines(task: ParseTask, report: Report): Promise<Parsed> {
  const source = createReadStream(task.path)
  const encoding = await fileEncoding(task.path)
  const lines = createInterface({
    input: source.pipe(iconv.decodeStream(encoding, { stripBOM: true })) as NodeJS.ReadableStream,
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  const blocks: Block[] = []
  const broken: number[] = []
  let records: Json[] = []
  let number = 0
  const settle = (): void => {
    for (const block of recordBlocks(records)) blocks.push(block)
    records = []
  }
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const value = parseLine(line)
    if (value === undefined) {
      settle()
      blocks.push({ kind: 'paragraph', text: line })
      if (broken.push(number) > Math.max(1, number * MOST_BROKEN) || number === 1)
        throw new UnreadableFile('damaged', `line ${number} is no JSON`)
    } else records.push(value)
    if (records.length < ROWS_A_TABLE) continue
    settle()
    report({ share: source.bytesRead / Math.max(1, task.bytes) })
  }
  settle()
  return broken.length === 0 ? { blocks } : { blocks, warnings: [brokenLines(broken)] }
}

const MOST_NAMED = 10

function brokenLines(numbers: readonly number[]): string {
  const named = numbers.slice(0, MOST_NAMED).join(', ') + (numbers.length > MOST_NAMED ? ' …' : '')
  return `Lines that are no JSON were kept as text: ${named}.`
}

function parseLine(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}

/** A JSON value as blocks: an array as records, an object by its fields. */
export function valueBlocks(value: Json): Block[] {
  if (Array.isArray(value)) return recordBlocks(value)
  if (value === null || typeof value !== 'object') return [{ kind: 'paragraph', text: scalar(value) }]
  const plain = Object.entries(value).filter(([, inner]) => !isLarge(inner))
  const own: Block[] =
    plain.length === 0 ? [] : [{ kind: 'paragraph', text: lines(Object.fromEntries(plain)) }]
  const nested = Object.entries(value).flatMap(([key, inner]): Block[] =>
    isLarge(inner) ? [{ kind: 'heading', text: key, level: 2 }, ...recordsOf(inner)] : [],
  )
  return [...own, ...nested]
}

function isLarge(value: Json): boolean {
  return value !== null && typeof value === 'object' && JSON.stringify(value).length > 500
}

function recordsOf(value: Json): Block[] {
  return Array.isArray(value) ? recordBlocks(value) : [{ kind: 'paragraph', text: lines(value) }]
}

/** Flat records of the same few short fields are a table; any others a paragraph each. */
function recordBlocks(records: readonly Json[]): Block[] {
  const columns = commonColumns(records)
  if (columns === undefined) return records.map((record) => ({ kind: 'paragraph', text: lines(record) }))
  const rows = records.map((record) =>
    columns.map((name) => scalar((record as Record<string, Json>)[name] ?? null)),
  )
  const blocks: Block[] = []
  for (let at = 0; at < rows.length; at += ROWS_A_TABLE) {
    blocks.push({ kind: 'table', text: markdownTable([columns, ...rows.slice(at, at + ROWS_A_TABLE)]) })
  }
  return blocks
}

function commonColumns(records: readonly Json[]): string[] | undefined {
  const columns = new Set<string>()
  for (const record of records) {
    if (record === null || typeof record !== 'object' || Array.isArray(record)) return undefined
    for (const [name, value] of Object.entries(record)) {
      if (value !== null && typeof value === 'object') return undefined
      if (typeof value === 'string' && value.length > MOST_CELL_CHARACTERS) return undefined
      columns.add(name)
    }
    if (columns.size > MOST_COLUMNS) return undefined
  }
  return records.length > 1 && columns.size > 1 ? [...columns] : undefined
}

function scalar(value: Json): string {
  return value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** One line a value, named by the path that leads to it: "address.city: Aldermouth". */
function lines(value: Json): string {
  const found: string[] = []
  const walk = (inner: Json, path: string, depth: number): void => {
    if (inner === null || inner === '') return
    if (typeof inner !== 'object') found.push(path === '' ? scalar(inner) : `${path}: ${scalar(inner)}`)
    else if (depth > MOST_DEPTH) throw new UnreadableFile('damaged', 'nested too deeply')
    else if (Array.isArray(inner) && inner.every((one) => one === null || typeof one !== 'object')) {
      found.push(`${path === '' ? '' : `${path}: `}${inner.map(scalar).join(', ')}`)
    } else {
      for (const [key, one] of Object.entries(inner))
        walk(one, path === '' ? key : `${path}.${key}`, depth + 1)
    }
  }
  walk(value, '', 0)
  return found.join('\n')
}
