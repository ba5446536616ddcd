// Extracts entities and relations from tables. The first column with names contains the subjects of the rows, and the headers of
// the other columns name their relations. Row labels such as "Net income" are not names and are ignored.

import { isCommonWord, isFirstName, isPlace } from '../../language/gazetteer.ts'
import {
  BOILERPLATE,
  CALENDAR,
  DEFINED_TERMS,
  LEGAL_FORMS,
  UNIT_WORDS,
} from '../../language/gazetteer-cues.ts'
import { fold, words } from '../../language/words.ts'
import type { ExtractChunk, Extraction, Mention, RelationEvidence } from '../extraction.ts'
import { type EntityType, nameKey } from '../names.ts'

interface Cell {
  text: string
  start: number
  end: number
}
type Row = Cell[]

interface Column {
  type: EntityType
  /** The relation from the subject of the row to the cell. */
  relation?: string
  /** Whether the relation is from the cell to the subject of the row. */
  isReversed?: true
}

const COLUMNS: readonly [RegExp, Column][] = [
  [
    /supplier|vendor|lieferant|fournisseur|proveedor/,
    { type: 'organization', relation: 'supplies', isReversed: true },
  ],
  [/manufacturer|brand|maker|hersteller/, { type: 'organization', relation: 'produced_by' }],
  [/publisher/, { type: 'organization', relation: 'published_by' }],
  [/author|artist|composer|director|creator|autor/, { type: 'person', relation: 'created_by' }],
  [
    /company|firm|organi[sz]ation|customer|client|employer|institution|bank|firma|kunde|partner|agency/,
    { type: 'organization', relation: 'works_for' },
  ],
  [/department|team|division|abteilung/, { type: 'organization', relation: 'member_of' }],
  [
    /city|town|country|location|place|office|site|region|state|headquarters|ort|stadt|land/,
    { type: 'location', relation: 'located_in' },
  ],
  [
    /owner|manager|responsible|contact|person|employee|lead|head|chair|attendee|participant|member|staff|assignee/,
    { type: 'person', relation: 'related_to' },
  ],
  [
    /product|part|article|model|device|machine|produkt|artikel|sku|material/,
    { type: 'product', relation: 'related_to' },
  ],
  [/event|conference|meeting/, { type: 'event', relation: 'participated_in' }],
]
const NAME_HEADER = /^(?:full )?name$|^item$|^title$|^bezeichnung$|^nom$|^nombre$/
const MIN_SHARE_OF_NAMES = 0.6
const MAX_NAME_CHARACTERS = 80

/** Entities and relations of one table chunk (Markdown, header row first). */
export function extractFromTable(chunk: ExtractChunk): Extraction {
  const [header, ...rows] = rowsOf(chunk.text)
  if (!header || rows.length === 0) return { mentions: [], relations: [] }
  const columns = header.map(({ text }) => columnOf(text))
  const subjectIndex = findSubjectColumn(header, rows, columns)
  const mentions: Mention[] = []
  const relations: RelationEvidence[] = []
  for (const row of rows) {
    const rowMentions = row.map((cell, i) =>
      i === subjectIndex || columns[i] ? mentionOf(chunk.chunk_no, cell, columns[i]) : undefined,
    )
    for (const mention of rowMentions) if (mention) mentions.push(mention)
    const rowSubject = subjectIndex === undefined ? undefined : rowMentions[subjectIndex]
    if (rowSubject)
      relations.push(
        ...relationsOf({
          chunk_no: chunk.chunk_no,
          row,
          rowSubject,
          rowMentions,
          columns,
          subjectIndex,
        }),
      )
  }
  return { mentions, relations }
}

interface TableRow {
  chunk_no: number
  row: Row
  /** The entity that the row is about, in the column `subjectIndex`. */
  rowSubject: Mention
  rowMentions: readonly (Mention | undefined)[]
  columns: readonly (Column | undefined)[]
  subjectIndex: number | undefined
}

function relationsOf({
  chunk_no,
  row,
  rowSubject,
  rowMentions,
  columns,
  subjectIndex,
}: TableRow): RelationEvidence[] {
  const [start, end] = [row[0]?.start ?? 0, row.at(-1)?.end ?? 0]
  return rowMentions.flatMap((other, i) => {
    const column = columns[i]
    if (i === subjectIndex || !other || !column?.relation || other.key === rowSubject.key) return []
    const type = relationFor(rowSubject.type, column)
    const [head, tail] = column.isReversed ? [other.key, rowSubject.key] : [rowSubject.key, other.key]
    return [{ chunk_no, head, type, tail, start, end }]
  })
}

/** The relation of the column that suits the type of the subject: a company has no works_for. */
function relationFor(subjectType: EntityType, { relation = 'related_to' }: Column): string {
  if (relation === 'works_for' || relation === 'member_of')
    return subjectType === 'person' ? relation : 'related_to'
  if (relation === 'located_in') return subjectType === 'person' ? 'lives_in' : relation
  return relation
}

function columnOf(header: string): Column | undefined {
  const normalizedHeader = fold(header).replaceAll('_', ' ')
  if (header.length >= 40 || /\b(?:no|id|date|price|cost|count|type|nr)\b/.test(normalizedHeader))
    return undefined
  if (
    /\bnumber\b/.test(normalizedHeader) &&
    !/\b(?:part|product|article|model) number\b/.test(normalizedHeader)
  )
    return undefined
  return COLUMNS.find(([pattern]) => pattern.test(normalizedHeader))?.[1]
}

/** The column of the subjects of the rows. Its cells are mostly words, mostly different, and mostly names. */
function findSubjectColumn(
  header: Row,
  rows: readonly Row[],
  columns: readonly (Column | undefined)[],
): number | undefined {
  for (let i = 0; i < Math.min(header.length, 3); i++) {
    const cells = rows.map((row) => row[i]?.text ?? '').filter(Boolean)
    const cellsWithWords = cells.filter((text) => /\p{L}{2}/u.test(text) && !/^[\d\s.,%$€£()+-]+$/.test(text))
    if (cellsWithWords.length < MIN_SHARE_OF_NAMES * Math.max(cells.length, 1) || cellsWithWords.length === 0)
      continue
    if (new Set(cellsWithWords).size < MIN_SHARE_OF_NAMES * cellsWithWords.length) continue
    const isNameColumn = columns[i] !== undefined || NAME_HEADER.test(fold(header[i]?.text ?? '').trim())
    const names = cellsWithWords.filter((text) => isNameLike(text)).length
    if (isNameColumn || names >= MIN_SHARE_OF_NAMES * cellsWithWords.length) return i
  }
  // Otherwise it is the first column of organizations, whose cells may repeat: each row states a relation to the supplier.
  const organizationColumn = columns.findIndex((column) => column?.type === 'organization')
  return organizationColumn < 0 ? undefined : organizationColumn
}

/** Whether the text is written like a name and contains a word that is not in the dictionary. */
function isNameLike(text: string): boolean {
  const parts = [...words(text)].map(({ raw }) => raw)
  if (text.length > MAX_NAME_CHARACTERS || isListOrDate(text) || isDateOrAmount(parts)) return false
  const capitalisedParts = parts.filter((part) => /^[\p{Lu}\d]/u.test(part))
  if (parts.length === 0 || capitalisedParts.length < parts.length * 0.6) return false
  return !parts.every(
    (part) =>
      isCommonWord(fold(part)) ||
      DEFINED_TERMS.has(fold(part)) ||
      BOILERPLATE.has(fold(part)) ||
      /^\d/.test(part),
  )
}

/**
 * Whether the text is a list or a date, as "Rafael Quintero, Jonas Weidner" and "Thursday 14 May 2026, 16:00" but not "Acme, Inc."
 */
const isListOrDate = (text: string): boolean => /[;()]|\d:\d/.test(text) || /,(?!\s*\p{L}+\.?$)/u.test(text)

/** Whether words are a date or an amount, with the words between: "25 and 26 December 2026", "ab 50 Euro". */
const isDateOrAmount = (parts: readonly string[]): boolean =>
  parts.some((part) => /^\d/.test(part)) &&
  parts.every(
    (part) =>
      /^\d/.test(part) ||
      /^\p{Ll}{1,4}$/u.test(part) ||
      CALENDAR.has(fold(part)) ||
      UNIT_WORDS.has(fold(part)),
  )

function mentionOf(
  chunk_no: number,
  { text, start, end }: Cell,
  column: Column | undefined,
): Mention | undefined {
  const looksLikeName = column?.type === 'product' ? /\p{L}/u.test(text) : isNameLike(text)
  if (
    !looksLikeName ||
    text.length > MAX_NAME_CHARACTERS ||
    text.split(/\s+/).length > 8 ||
    /^\d+(?:[.,]\d+)?%?$/.test(text)
  )
    return undefined
  const key = nameKey(text)
  if (!key || BOILERPLATE.has(key) || key.length < 2) return undefined
  return { chunk_no, key, surface: text, own: true, type: typeOf(text, key, column), start, end }
}

function typeOf(text: string, key: string, column: Column | undefined): EntityType {
  if (isPlace(key)) return 'location'
  const parts = fold(text).split(/\s+/)
  if (parts.length > 1 && LEGAL_FORMS.has((parts.at(-1) ?? '').replace(/\W/g, ''))) return 'organization'
  if (column) return column.type
  if (parts.length > 1 && parts.length < 4 && isFirstName(parts[0] ?? '')) return 'person'
  return /^\p{Lu}{1,6}[-/]?\d/u.test(text) ? 'product' : 'other'
}

/** The rows of a Markdown table without its delimiter row. The cells have offsets. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    const from = lineStart
    lineStart += line.length + 1
    if (!line.includes('|') || /^[\s|:-]+$/.test(line)) continue
    rows.push(cellsOf(line, from))
  }
  return rows
}

function cellsOf(line: string, offset: number): Row {
  const row: Row = []
  for (const match of line.matchAll(/(?<=^|\|)((?:\\\||[^|])*)(?=\||$)/g)) {
    const raw = match[0]
    const isAtEdge = match.index === 0 || match.index + raw.length === line.length
    if (isAtEdge && !raw.trim()) continue
    const text = raw.trim()
    const start = offset + match.index + (text ? raw.indexOf(text) : 0)
    row.push({ text: text.replaceAll('\\|', '|'), start, end: start + text.length })
  }
  return row
}
