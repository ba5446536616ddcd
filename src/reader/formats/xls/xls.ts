// Reads old and binary Excel files (.xls, .xlsb) with SheetJS, and .xlsx and .ods files that our own readers cannot read: stored
// values as the cells show them, dates as ISO dates, merged cells, and a note about hidden rows. Hidden columns are not noted,
// because SheetJS returns them only together with every empty cell that has a style.

import { readFile } from 'node:fs/promises'
import * as XLSX from '@e965/xlsx'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { refuseCircular } from '../../shared/containers/compound.ts'
import { cellComment, cellName } from '../../shared/sheets/cell-comment.ts'
import { hiddenLinesNote } from '../../shared/sheets/hidden-lines.ts'
import { MAX_CELL_CHARACTERS, numberText } from '../../shared/sheets/number-format.ts'
import { type SheetCell, sheetBlocks } from '../../shared/sheets/regions.ts'
import { MAX_SHEET_CHARACTERS, sheetPage } from '../../shared/sheets/sheet-page.ts'
import type { Parser } from '../../task.ts'

/** The sheets of a workbook as pages. */
const parseWorkbook: Parser = async (task, report) => {
  const workbook = readWorkbook(await readFile(task.path))
  const blocks: Block[] = []
  workbook.SheetNames.forEach((key, i) => {
    const sheet = workbook.Sheets[key]
    // The library does not decode the names of OpenDocument sheets.
    const name = task.kind === 'ods' ? decodeXml(key) : key
    if (sheet === undefined) return
    const comments: Block[] = []
    const cells = sheetCells(sheet, comments, workbook.Workbook?.WBProps?.date1904 === true)
    const hidden = (workbook.Workbook?.Sheets?.[i]?.Hidden ?? 0) > 0
    delete workbook.Sheets[key]
    const hiddenNote = hiddenLinesNote(cells, { rows: hiddenRows(sheet), columns: [] })
    const head = { name, page: i + 1, hidden }
    for (const block of sheetPage(head, [...sheetBlocks(cells), ...hiddenNote, ...comments]))
      blocks.push(block)
    report({ share: (i + 1) / workbook.SheetNames.length })
  })
  const title = chooseTitle(workbook.Props?.Title, [])
  return { ...(title === undefined ? {} : { title }), pages: workbook.SheetNames.length, blocks }
}

export const xls: Backend = { parse: parseWorkbook }

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (reference, name: string) => ENTITIES[name] ?? reference)

function readWorkbook(bytes: Buffer): XLSX.WorkBook {
  refuseCircular(bytes)
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

// Only the keys of this sparse array are read, because it may be as long as the number of the sheet's last row.
const hiddenRows = (sheet: XLSX.WorkSheet): Set<number> =>
  new Set(
    Object.entries(sheet['!rows'] ?? {}).flatMap(([r, row]) => (row.hidden === true ? [Number(r)] : [])),
  )

function sheetCells(sheet: XLSX.WorkSheet, comments: Block[], date1904: boolean): SheetCell[] {
  const spans = new Map<string, { rowSpan: number; colSpan: number }>()
  for (const { s: start, e: end } of sheet['!merges'] ?? []) {
    spans.set(`${start.r},${start.c}`, { rowSpan: end.r - start.r + 1, colSpan: end.c - start.c + 1 })
  }
  const cells: SheetCell[] = []
  const rows = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][]
  let characters = 0
  rows.forEach((row, rowIndex) => {
    row?.forEach((cell, columnIndex) => {
      for (const { a = '', t = '' } of cell?.c ?? [])
        comments.push(cellComment(cellName(rowIndex, columnIndex), a, t))
      const text = cell === undefined ? '' : cellText(cell, date1904)
      if (text === '') return
      characters += text.length
      if (characters > MAX_SHEET_CHARACTERS)
        throw new UnreadableFile('too_large_unpacked', 'too much text on a sheet')
      const span = spans.get(`${rowIndex},${columnIndex}`)
      cells.push(
        span === undefined
          ? { row: rowIndex, column: columnIndex, text }
          : { row: rowIndex, column: columnIndex, text, ...span },
      )
    })
    // The library's cells are released, because one takes 500 bytes, while one of ours takes 70.
    rows[rowIndex] = []
  })
  return cells
}

/** The text that a cell shows: a number without a format in full, a date as ISO date, an error as its code. */
export function cellText(cell: XLSX.CellObject, date1904: boolean): string {
  const { v: value } = cell
  if (value === undefined || value === null) return ''
  if (cell.t === 'n' && typeof value === 'number') {
    return numberText(value, typeof cell.z === 'string' ? cell.z : 'General', date1904, cell.w)
  }
  if (cell.t === 'b') return value === true ? 'TRUE' : 'FALSE'
  const text = cell.t === 'e' ? (cell.w ?? '') : String(value)
  return text.trim().slice(0, MAX_CELL_CHARACTERS)
}
