// Excel (.xlsx, .xlsm, .xlsb, .xls) by SheetJS: the values as shown, dates as ISO dates, merges, hidden sheets too;
// formulas are left aside for their cached values (design/ingestion.md, "Parsing").

import { readFile } from 'node:fs/promises'
import * as XLSX from '@e965/xlsx'
import { type Block, UnreadableFile } from '../block.ts'
import { chooseTitle } from '../blocks/title.ts'
import type { Parser } from '../task.ts'
import { type SheetCell, sheetBlocks } from './regions.ts'

// poc-shared-strings.xlsx (poi): 2 MB unpacked, but every cell the same monstrous string.
const MOST_CELL_CHARACTERS = 32_767
const MOST_SHEET_CHARACTERS = 100 * 2 ** 20

/** A workbook's sheets as pages: the sheet's name as heading, then its tables. */
export const parseWorkbook: Parser = async (task, report) => {
  const workbook = read(await readFile(task.path))
  const blocks: Block[] = []
  workbook.SheetNames.forEach((name, i) => {
    const sheet = workbook.Sheets[name]
    if (sheet === undefined) return
    const found = sheetBlocks(sheetCells(sheet, workbook.Workbook?.WBProps?.date1904 === true))
    delete workbook.Sheets[name]
    report({ share: (i + 1) / workbook.SheetNames.length })
    if (found.length === 0) return
    const heading: Block = { kind: 'heading', text: name, level: 1 }
    for (const block of [heading, ...found]) blocks.push({ ...block, page: i + 1 })
  })
  const title = chooseTitle(workbook.Props?.Title, [])
  return { ...(title === undefined ? {} : { title }), pages: workbook.SheetNames.length, blocks }
}

function read(bytes: Buffer): XLSX.WorkBook {
  try {
    return XLSX.read(bytes, {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      cellText: true,
      cellDates: false,
    })
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error
  }
}

function sheetCells(sheet: XLSX.WorkSheet, date1904: boolean): SheetCell[] {
  const spans = new Map<string, { rowSpan: number; colSpan: number }>()
  for (const { s, e } of sheet['!merges'] ?? []) {
    spans.set(`${s.r},${s.c}`, { rowSpan: e.r - s.r + 1, colSpan: e.c - s.c + 1 })
  }
  const cells: SheetCell[] = []
  const rows = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][]
  let characters = 0
  rows.forEach((row, r) => {
    row?.forEach((cell, c) => {
      const text = cell === undefined ? '' : cellText(cell, date1904)
      if (text === '') return
      characters += text.length
      if (characters > MOST_SHEET_CHARACTERS)
        throw new UnreadableFile('too_large_unpacked', 'too much text on a sheet')
      cells.push({ row: r, column: c, text, ...spans.get(`${r},${c}`) })
    })
  })
  return cells
}

/** What the cell shows; a number without a format in full, a date as ISO date, an error as its sign. */
export function cellText(cell: XLSX.CellObject, date1904: boolean): string {
  const { v: value } = cell
  if (value === undefined || value === null) return ''
  if (cell.t === 'n' && typeof value === 'number') return numberText(value, cell, date1904)
  if (cell.t === 'b') return value === true ? 'TRUE' : 'FALSE'
  const text = cell.t === 'e' ? (cell.w ?? '') : String(value)
  return text.trim().slice(0, MOST_CELL_CHARACTERS)
}

function numberText(value: number, cell: XLSX.CellObject, date1904: boolean): string {
  const format = typeof cell.z === 'string' ? cell.z : 'General'
  if (XLSX.SSF.is_date(format)) return dateText(value, format, date1904) ?? cell.w ?? String(value)
  const shown = cell.w?.trim()
  // General shows 11 digits at most, a column that is too narrow shows hashes.
  if (shown === undefined || shown === '' || /^#+$/.test(shown) || format === 'General') return String(value)
  return shown.slice(0, MOST_CELL_CHARACTERS)
}

/** 2026-11-21, 2026-11-21T13:05 or 13:05, by what the format shows; undefined for what is no date. */
function dateText(value: number, format: string, date1904: boolean): string | undefined {
  const parts = XLSX.SSF.parse_date_code(value, { date1904 }) as Record<
    'y' | 'm' | 'd' | 'H' | 'M' | 'S',
    number
  > | null
  if (parts === null) return undefined
  const two = (number: number): string => String(number).padStart(2, '0')
  const bare = format.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '')
  const hasTime = /[hs]|AM\/PM/i.test(bare)
  // Elapsed hours ([h]:mm) and times of day have no date to show.
  const hasDate = /[yd]/i.test(bare) || (/m/i.test(bare) && !hasTime)
  if (!hasDate && /\[[hms]+\]/i.test(bare)) return undefined
  const date = `${String(parts.y).padStart(4, '0')}-${two(parts.m)}-${two(parts.d)}`
  const seconds = parts.S > 0 ? `:${two(Math.floor(parts.S))}` : ''
  const time = `${two(parts.H)}:${two(parts.M)}${seconds}`
  if (!hasTime) return date
  return hasDate ? `${date}T${time}` : time
}
