// Makes English questions from tables: how many things a list has, which of them has the highest value, and who has a role. Pure.

import { isCommonWord } from '../../language/gazetteer.ts'
import type { Passage } from '../../search/passage.ts'
import { columnsOf } from '../compute/columns.ts'
import { tableOf } from '../compute/table.ts'
import { PERSON_COLUMN } from '../extractive/tables/phrases.ts'
import { splitHeader } from '../extractive/tables/typed-table.ts'
import type { TableRow } from '../markdown-table.ts'
import { tablesOf } from '../table-parts.ts'
import type { DraftQuestion } from './candidate.ts'
import { askForLabel, askForRole } from './english.ts'

const MIN_ROWS = 3
// Columns whose highest value is not interesting: numbers that only identify, and quantities that change every day.
const NO_MEASURE =
  /(?<!\p{L})(?:id|no|nr|number|code|year|page|phone|telephone|extension|row|rank|date|day|qty)(?!\p{L})/iu
// Names of columns that are not the name of a thing, as in "Which part …?"
const NO_THING =
  /^(?:name|item|date|time|what|who|when|description|reason|note|remark|period|month|quarter|year|day|step|event|type|kind|value|property|part of|purpose|title|action|measure)$/u
const DURATION = /(?<!\p{L})(?:days|weeks|months|years|hours|minutes)(?!\p{L})/iu
const ROLE_COLUMN = /^(?:role|position|function|office|job(?: title)?|title|post)$/iu

/** The questions of the tables of one document, each with the passage that answers it. */
export function askOfTables(passages: readonly Passage[]): { draft: DraftQuestion; passage: Passage }[] {
  return tablesOf(passages).flatMap((parts) => {
    const [first] = parts
    if (!first) return []
    const rows = parts.flatMap((part) => part.rows.map((row) => ({ ...row, passage: part.passage })))
    const isWhole = passages.every(({ type }) => type === 'table')
    return [
      ...[askForCount(rows, first.passage, isWhole), ...askForHighest(rows, first.passage)].flatMap(
        (draft) => (draft ? [{ draft, passage: first.passage }] : []),
      ),
      ...rows.flatMap((row) => askOfRow(row, rows).map((draft) => ({ draft, passage: row.passage }))),
    ]
  })
}

/** "How many suppliers are there?" for a list that is called "Suppliers" and has a column "Supplier". */
function askForCount(
  rows: readonly TableRow[],
  { document_title: title }: Passage,
  isWhole: boolean,
): DraftQuestion | undefined {
  const noun = title.toLowerCase()
  if (!isWhole || rows.length < MIN_ROWS || !/^[a-z]{4,}s$/u.test(noun) || !isCommonWord(noun))
    return undefined
  const headers = new Set(
    rows.flatMap(({ cells }) => cells.map(({ header }) => splitHeader(header).toLowerCase())),
  )
  const isNamed = [...headers].some(
    (header) => header === noun.slice(0, -1) || header.startsWith(`${noun.slice(0, -1)} `),
  )
  return isNamed
    ? { question: `How many ${noun} are there?`, form: 'count', subject: noun, score: 0.55 }
    : undefined
}

/** "Which part has the longest lead time?" for a list of parts. */
function askForHighest(
  rows: readonly TableRow[],
  { heading, document_title: title }: Passage,
): DraftQuestion[] {
  const [first] = rows
  if (!first || rows.length < MIN_ROWS) return []
  const { all } = columnsOf(tableOf(rows, 'en'), rows)
  const thing = all.find(({ kind }) => kind === 'text')
  const noun = thing && splitHeader(thing.header).toLowerCase()
  const isUnique = thing && new Set(rows.map((row) => thing.text(row))).size === rows.length
  if (!noun || !isUnique || NO_THING.test(noun) || !/^[a-z]+(?<!s)$/u.test(noun)) return []
  // The heading or the title must contain the plural of the noun: "parts".
  if (!`${heading} ${title}`.toLowerCase().includes(`${noun}s`)) return []
  return all.flatMap((column) => {
    const name = splitHeader(column.header)
      .replace(/\s*\([^()]*\)\s*$/u, '')
      .toLowerCase()
    const measure = name.replace(/ (?:days|weeks|months|years|hours|minutes|eur|gbp|usd|chf)$/u, '')
    const isMeasure =
      column.kind === 'number' &&
      !NO_MEASURE.test(name) &&
      /^[a-z]+(?: [a-z]+){1,2}$/u.test(measure) &&
      measure.split(' ').every(isCommonWord)
    const [greatest, second, ...others] = rows
      .flatMap((row) => column.number(row)?.amount ?? [])
      .sort((a, b) => b.comparedTo(a))
    const isComplete = others.length + 2 === rows.length
    if (!isMeasure || !greatest || !second || !isComplete || greatest.eq(second)) return []
    const superlative = DURATION.test(`${name} ${column.unit}`) ? 'longest' : 'highest'
    return [
      {
        question: `Which ${noun} has the ${superlative} ${measure}?`,
        form: 'extreme' as const,
        subject: measure,
        score: 0.55,
      },
    ]
  })
}

/** Asks for the person with a role in a list of people, or for the value of a label in a table of two columns. */
function askOfRow(row: TableRow, rows: readonly TableRow[]): DraftQuestion[] {
  const person = row.cells.find(
    ({ header, text }) => PERSON_COLUMN.test(header) && /^\p{Lu}\p{L}+ /u.test(text),
  )
  const role = row.cells.find(({ header }) => ROLE_COLUMN.test(header))
  if (person && role) {
    const isOnly = rows.filter(({ cells }) => cells.some(({ text }) => text === role.text)).length === 1
    const draft = isOnly ? askForRole(role.text) : undefined
    return draft ? [draft] : []
  }
  const [label, value, ...others] = row.cells
  if (!label || !value || others.length > 0 || label.header !== '' || !/\d/u.test(value.text)) return []
  const draft = askForLabel(label.text, value.text)
  return draft ? [draft] : []
}
