// Reads OpenDocument sheets (.ods, .ots) in a stream ([ODF 1.3-3] 9): cells with the text that they show, dates as ISO dates,
// merged cells, and hidden sheets. SheetJS would have the whole part in memory, which takes more than 1 GB for a million cells.

import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { type Archive, eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import { eachPartChild, withWarnings } from '../../shared/containers/package.ts'
import { child, elements, type XmlElement } from '../../shared/containers/xml.ts'
import { cellName } from '../../shared/sheets/cell-comment.ts'
import { type HiddenLines, hiddenLinesNote, noHiddenLines } from '../../shared/sheets/hidden-lines.ts'
import { MAX_CELL_CHARACTERS } from '../../shared/sheets/number-format.ts'
import { type SheetCell, sheetBlocks } from '../../shared/sheets/regions.ts'
import { MAX_SHEET_CELLS, MAX_SHEET_CHARACTERS, sheetPage } from '../../shared/sheets/sheet-page.ts'
import type { Parser } from '../../task.ts'
import { annotationBlock, paragraphText } from './line.ts'
import { metaTitle, refuseEncrypted } from './package.ts'

// The limit of a stated number must be finite, because Infinity times 0 is NaN, and no comparison with NaN is true.
const MAX_REPETITIONS = 2 ** 31

interface Sheet {
  name: string
  hidden: boolean
  cells: SheetCell[]
  /** The comments on cells. */
  comments: Block[]
  characters: number
  /** The index of the next row. */
  nextRow: number
  /** The index of the next column definition. */
  nextColumn: number
  hiddenLines: HiddenLines
}

/** The sheets of a workbook as pages. */
const parseOds: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    const mayBeEncrypted = await refuseEncrypted(archive)
    if (!archive.has('content.xml')) throw new Error('the workbook has no sheets')
    const blocks: Block[] = []
    let page = 0
    await eachSheet(archive, ({ name, hidden, cells, comments, hiddenLines }) => {
      page++
      for (const block of sheetPage({ name, page, hidden }, [
        ...sheetBlocks(cells),
        ...hiddenLinesNote(cells, hiddenLines),
        ...comments,
      ]))
        blocks.push(block)
      report({ share: page / (page + 1) })
    })
    // This is not left to the fallback: after SheetJS fails with this error, it would read the next file from a wrong position.
    if (page === 0 && mayBeEncrypted) throw new UnreadableFile('encrypted')
    if (page === 0 && archive.incomplete.size > 0)
      throw new UnreadableFile('damaged', 'all sheets are damaged')
    if (page === 0) throw new Error('the workbook has no sheets')
    const title = chooseTitle(await metaTitle(archive), [])
    return withWarnings(archive, { ...(title === undefined ? {} : { title }), pages: page, blocks })
  })

export const ods: Backend = { parse: parseOds, eachPicture: eachNamedPart }

async function eachSheet(archive: Archive, onSheet: (sheet: Sheet) => void): Promise<void> {
  const hiddenStyles = new Set<string>()
  let sheet: Sheet | undefined
  const endSheet = (): void => {
    if (sheet !== undefined) onSheet(sheet)
    sheet = undefined
  }
  const addRowOrColumn = (element: XmlElement): void => {
    if (sheet === undefined) return
    if (element.name === 'table:table-row') addRow(sheet, element)
    else if (element.name === 'table:table-column') addColumn(sheet, element)
  }
  await eachPartChild(
    archive,
    'content.xml',
    {
      'office:automatic-styles': (style) => {
        if (child(style, 'style:table-properties')?.attributes.display === 'false')
          hiddenStyles.add(style.attributes.name ?? '')
      },
      'table:table': addRowOrColumn,
      'table:table-rows': addRowOrColumn,
      'table:table-header-rows': addRowOrColumn,
      'table:table-row-group': addRowOrColumn,
      'table:table-columns': addRowOrColumn,
      'table:table-header-columns': addRowOrColumn,
      'table:table-column-group': addRowOrColumn,
    },
    ({ name, attributes }) => {
      if (name !== 'table:table') return
      endSheet()
      sheet = {
        name: attributes.name ?? '',
        hidden: hiddenStyles.has(attributes['style-name'] ?? ''),
        cells: [],
        comments: [],
        characters: 0,
        nextRow: 0,
        nextColumn: 0,
        hiddenLines: noHiddenLines(),
      }
    },
  )
  endSheet()
}

const isHidden = ({ attributes }: XmlElement): boolean =>
  /^(?:collapse|filter)$/.test(attributes.visibility ?? '')

function addColumn(sheet: Sheet, column: XmlElement): void {
  const from = sheet.nextColumn
  sheet.nextColumn += countOf(column.attributes['number-columns-repeated'])
  if (isHidden(column)) sheet.hiddenLines.columns.push({ from, to: sheet.nextColumn - 1 })
}

function addRow(sheet: Sheet, row: XmlElement): void {
  const cells = rowCells(row, sheet.nextRow, sheet.comments)
  const repetitions = countOf(row.attributes['number-rows-repeated'])
  const characters = cells.reduce((sum, { text }) => sum + text.length, 0)
  sheet.characters += characters * repetitions
  if (
    sheet.characters > MAX_SHEET_CHARACTERS ||
    sheet.cells.length + cells.length * repetitions > MAX_SHEET_CELLS
  )
    throw new UnreadableFile('too_large_unpacked', 'too much text on a sheet')
  if (cells.length > 0)
    for (let repetition = 0; repetition < repetitions; repetition++)
      for (const cell of cells) {
        sheet.cells.push(repetition === 0 ? cell : { ...cell, row: cell.row + repetition })
        if (isHidden(row)) sheet.hiddenLines.rows.add(cell.row + repetition)
      }
  sheet.nextRow += repetitions
}

function rowCells(row: XmlElement, rowIndex: number, comments: Block[]): SheetCell[] {
  const cells: SheetCell[] = []
  let column = 0
  for (const cell of elements(row)) {
    if (!/^table:(covered-)?table-cell$/.test(cell.name)) continue
    const repetitions = countOf(cell.attributes['number-columns-repeated'])
    for (const annotation of elements(cell, 'office:annotation'))
      comments.push(annotationBlock(annotation, cellName(rowIndex, column)))
    const text = cell.name === 'table:table-cell' ? cellText(cell).slice(0, MAX_CELL_CHARACTERS) : ''
    if (text !== '') {
      if (cells.length + repetitions > MAX_SHEET_CELLS)
        throw new UnreadableFile('too_large_unpacked', 'too many cells in a row')
      const spans = spansOf(cell)
      for (let repetition = 0; repetition < repetitions; repetition++)
        cells.push({ row: rowIndex, column: column + repetition, text, ...spans })
    }
    column += repetitions
  }
  return cells
}

const countOf = (value: string | undefined): number =>
  Math.min(Math.max(1, Math.floor(Number(value)) || 1), MAX_REPETITIONS)

function spansOf({ attributes }: XmlElement): Pick<SheetCell, 'rowSpan' | 'colSpan'> {
  const rowSpan = countOf(attributes['number-rows-spanned'])
  const colSpan = countOf(attributes['number-columns-spanned'])
  return rowSpan * colSpan > 1 ? { rowSpan, colSpan } : {}
}

/** The text that a cell shows. Dates are ISO dates. A number that is shown as ### is read from its value. */
function cellText(cell: XmlElement): string {
  const { attributes } = cell
  const displayText = elements(cell, 'text:p').map(paragraphText).join('\n').trim()
  if (displayText === '' && attributes.formula !== undefined && attributes['value-type'] === undefined)
    return formulaText(attributes.formula)
  switch (attributes['value-type']) {
    case 'float':
    case 'percentage':
    case 'currency':
      return displayText === '' || /^#+$/.test(displayText) ? (attributes.value ?? displayText) : displayText
    case 'boolean':
      return attributes['boolean-value'] === 'true' ? 'TRUE' : 'FALSE'
    case 'date':
      return dateText(attributes['date-value'] ?? '', displayText)
    case 'time':
      return timeText(attributes['time-value'] ?? '', displayText)
    default:
      return displayText === '' ? (attributes['string-value'] ?? '').trim() : displayText
  }
}

/** A formula as people write it: "=B2*C2" for "of:=[.B2]*[.C2]". */
const formulaText = (formula: string): string =>
  formula
    .replace(/^\w+:/, '')
    .replace(/\[([^\]]*)\]/g, (_, reference: string) => reference.replace(/(^|:)\./g, '$1'))

/** The ISO form of a date: 2026-11-21, or 2026-11-21T13:05 if the cell shows the time as well. */
function dateText(value: string, displayText: string): string {
  const [, date, clock, seconds] =
    /^(\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?)?/.exec(value) ?? ([] as undefined[])
  if (date === undefined) return displayText
  const isMidnight = clock === '00:00' && (seconds ?? '00') === '00'
  const hasTime = clock !== undefined && (displayText === '' ? !isMidnight : showsTime(displayText, clock))
  if (!hasTime) return date
  return `${date}T${clock}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`
}

/** Whether the text shows a time: 13:05, 1:05 PM, the Finnish 13.05 or 13h05, but not the 13.05. of a date. */
function showsTime(displayText: string, time: string): boolean {
  const [hour, minute] = time.split(':')
  return (
    /\d:\d\d/.test(displayText) ||
    new RegExp(`(?<!\\d)0?${Number(hour)}[.h]${minute}(?![\\d.])`).test(displayText)
  )
}

/** The time of day of a cell: "13:05" for PT13H05M00S. A duration of a day or more is written as the cell shows it. */
function timeText(value: string, displayText: string): string {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)/.exec(value) ?? ([] as undefined[])
  if (hours === undefined || (Number(hours) >= 24 && displayText !== '')) return displayText
  const twoDigits = (text: string | undefined): string => String(Number(text)).padStart(2, '0')
  return `${twoDigits(hours)}:${twoDigits(minutes)}${Number(seconds) > 0 ? `:${twoDigits(seconds)}` : ''}`
}
