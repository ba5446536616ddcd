// A table's columns by name, and its cells as text and as values in the column's own notation. Pure.

import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import { type Notation, notationOf, readValue, type Value } from './value.ts'

export interface Row {
  cells: readonly { header: string; text: string }[]
}

export interface Table<R extends Row> {
  headers: string[]
  /** The column's header as it stands; undefined when none or several fit. */
  column(name: string): string | undefined
  text(row: R, name: string): string
  value(row: R, name: string): Value | undefined
  notation(name: string): Notation
  /** The unit a column's name gives: "Price (€)". */
  unit(name: string): string
}

export function tableOf<R extends Row>(rows: readonly R[], language: Language): Table<R> {
  const headers = [...new Set(rows.flatMap(({ cells }) => cells.map(({ header }) => header)))].filter(Boolean)
  const all = rows.flatMap(({ cells }) => cells.map(({ text }) => text))
  const notations = new Map<string, Notation>()
  const column = (name: string): string | undefined => {
    const wanted = fold(name.trim())
    const exact = headers.filter((header) => fold(header) === wanted)
    const parts = headers.filter((header) => wanted !== '' && fold(header).includes(wanted))
    return exact.length === 1 ? exact[0] : parts.length === 1 ? parts[0] : undefined
  }
  const text = (row: R, name: string): string => {
    const header = column(name)
    return row.cells.find((cell) => cell.header === header)?.text ?? ''
  }
  const notation = (name: string): Notation => {
    const header = column(name) ?? ''
    const known = notations.get(header)
    if (known) return known
    const found = notationOf(
      rows.map((row) => text(row, name)),
      all,
      language,
    )
    notations.set(header, found)
    return found
  }
  const unit = (name: string): string => /\(([^()]{1,24})\)\s*$/.exec(column(name) ?? '')?.[1] ?? ''
  const value = (row: R, name: string): Value | undefined => readValue(text(row, name), notation(name))
  return { headers, column, text, value, notation, unit }
}
