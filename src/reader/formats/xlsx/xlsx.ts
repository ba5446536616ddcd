// Reads Excel workbooks (.xlsx, .xlsm) in a stream: stored values as the cells show them, dates as ISO dates, merged cells, and
// notes about hidden sheets, rows and columns. A formula without a stored value is read as it is, with a warning. SheetJS is not
// used, because it has a sheet in memory three times.

import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { withRaised } from '../../shared/blocks/raised.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { type Archive, eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import {
  eachPartChild,
  mainPart,
  packageTitle,
  type Relation,
  readPart,
  relationsOf,
  withWarnings,
} from '../../shared/containers/package.ts'
import { child, elements, isTrue, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { embeddedFiles } from '../../shared/ooxml/embedded-files.ts'
import { type HiddenLines, hiddenLinesNote, noHiddenLines } from '../../shared/sheets/hidden-lines.ts'
import { MAX_CELL_CHARACTERS, numberFormats, numberText } from '../../shared/sheets/number-format.ts'
import { type SheetCell, sheetBlocks } from '../../shared/sheets/regions.ts'
import { MAX_SHEET_CELLS, MAX_SHEET_CHARACTERS, sheetPage } from '../../shared/sheets/sheet-page.ts'
import type { Parser } from '../../task.ts'
import { readPeople, sheetComments } from './comments.ts'
import { drawingBlocks } from './drawing.ts'

interface Workbook {
  strings: readonly string[]
  /** The format code of each cell style. */
  formats: readonly string[]
  /** Whether dates are counted from 1904 instead of 1900. */
  date1904: boolean
  /** The number of formulas without a stored result. */
  uncalculatedCount: number
}

interface Sheet {
  cells: SheetCell[]
  hiddenLines: HiddenLines
}

const emptySheet = (): Sheet => ({ cells: [], hiddenLines: noHiddenLines() })

const uncalculatedWarning = (count: number): string =>
  count === 1
    ? '1 formula has no stored result and is shown as it is: open the workbook in a spreadsheet program and save it.'
    : `${count} formulas have no stored results and are shown as they are: open the workbook in a spreadsheet program and save it.`

/** The sheets of a workbook as pages. */
const parseXlsx: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    const main = await mainPart(archive, 'xl/workbook.xml')
    // The parts of an .xlsb are not XML.
    if (main === undefined || main.endsWith('.bin')) throw new Error('the workbook part is missing or binary')
    const tree = await readPart(archive, main)
    const relations = await relationsOf(archive, main)
    const sheets = elements(child(tree, 'x:sheets'), 'x:sheet')
    if (sheets.length === 0) throw new Error('the workbook has no sheets')
    const workbook = await readWorkbook(archive, relations, tree)
    const people = await readPeople(archive, relations)
    const blocks: Block[] = []
    const sheetRelations: Relation[] = []
    for (const [i, { attributes }] of sheets.entries()) {
      const sheetHead = {
        name: attributes.name ?? '',
        page: i + 1,
        hidden: /hidden/i.test(attributes.state ?? ''),
      }
      const part = relations.find(({ id }) => id === attributes['r:id'])
      const { cells, hiddenLines } =
        part?.type === 'worksheet' ? await readSheet(archive, part.target, workbook) : emptySheet()
      if (part === undefined) archive.incomplete.add(sheetHead.name)
      else sheetRelations.push(...(await relationsOf(archive, part.target).catch(() => [])))
      const drawings = part === undefined ? [] : await drawingBlocks(archive, part.target)
      const comments = part === undefined ? [] : await sheetComments(archive, part.target, people)
      for (const block of sheetPage(sheetHead, [
        ...sheetBlocks(cells),
        ...hiddenLinesNote(cells, hiddenLines),
        ...drawings,
        ...comments,
      ]))
        blocks.push(block)
      report({ share: (i + 1) / sheets.length })
    }
    const title = chooseTitle(await packageTitle(archive), [])
    const warnings =
      workbook.uncalculatedCount === 0 ? {} : { warnings: [uncalculatedWarning(workbook.uncalculatedCount)] }
    const documentHead = { ...(title === undefined ? {} : { title }), pages: sheets.length }
    const enclosed = await embeddedFiles(task.path, archive, sheetRelations)
    return { ...withWarnings(archive, { ...documentHead, blocks, ...warnings }), enclosed }
  })

export const xlsx: Backend = { parse: parseXlsx, eachPicture: eachNamedPart }

async function readWorkbook(
  archive: Archive,
  relations: readonly Relation[],
  tree: XmlElement | undefined,
): Promise<Workbook> {
  const target = (type: string): string | undefined =>
    relations.find((relation) => relation.type === type)?.target
  const strings: string[] = []
  const table = target('sharedStrings')
  if (table !== undefined) {
    await eachPartChild(archive, table, { 'x:sst': (item) => strings.push(richText(item)) })
  }
  return {
    strings,
    formats: numberFormats(await readPart(archive, target('styles'))),
    date1904: isTrue(child(tree, 'x:workbookPr')?.attributes.date1904),
    uncalculatedCount: 0,
  }
}

/** The text of a string of one or more runs, without phonetic guides. _x000D_ is an escaped control character. */
function richText(item: XmlElement): string {
  let text = ''
  for (const part of elements(item)) {
    const partText =
      part.name === 'x:t' ? textOf(part) : part.name === 'x:r' ? textOf(child(part, 'x:t')) : ''
    const isRaised = child(part, 'x:rPr', 'x:vertAlign')?.attributes.val === 'superscript'
    text += isRaised ? withRaised(text.slice(-8), partText) : partText
  }
  const decoded = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return decoded.slice(0, MAX_CELL_CHARACTERS)
}

async function readSheet(archive: Archive, part: string, workbook: Workbook): Promise<Sheet> {
  const { cells, hiddenLines } = emptySheet()
  const merges: string[] = []
  let characters = 0
  let nextRow = 0
  await eachPartChild(archive, part, {
    'x:cols': ({ attributes: { hidden, width = 1, min, max } }) => {
      if (isTrue(hidden) || Number(width) === 0)
        hiddenLines.columns.push({ from: Number(min) - 1, to: Number(max) - 1 })
    },
    'x:sheetData': (row) => {
      const rowIndex = rowIndexOf(row.attributes.r) ?? nextRow
      nextRow = rowIndex + 1
      if (isTrue(row.attributes.hidden) || Number(row.attributes.ht ?? 1) === 0)
        hiddenLines.rows.add(rowIndex)
      let columnIndex = 0
      for (const cell of elements(row, 'x:c')) {
        columnIndex = columnNumber(cell.attributes.r) ?? columnIndex
        const text = cellText(cell, workbook).trim()
        if (text !== '') cells.push({ row: rowIndex, column: columnIndex, text })
        characters += text.length
        columnIndex++
      }
      if (characters > MAX_SHEET_CHARACTERS || cells.length > MAX_SHEET_CELLS) {
        throw new UnreadableFile('too_large_unpacked', 'too much text on a sheet')
      }
    },
    'x:mergeCells': ({ attributes }) => {
      if (attributes.ref !== undefined) merges.push(attributes.ref)
    },
  })
  applySpans(cells, merges)
  return { cells, hiddenLines }
}

function applySpans(cells: readonly SheetCell[], merges: readonly string[]): void {
  if (merges.length === 0) return
  const spans = new Map<string, { rowSpan: number; colSpan: number }>()
  for (const merge of merges) {
    const [from = '', to = ''] = merge.split(':')
    const [top, left] = [rowIndexOf(/\d+$/.exec(from)?.[0]), columnNumber(from)]
    const [bottom, right] = [rowIndexOf(/\d+$/.exec(to)?.[0]), columnNumber(to)]
    if (top === undefined || left === undefined || bottom === undefined || right === undefined) continue
    spans.set(`${top},${left}`, { rowSpan: bottom - top + 1, colSpan: right - left + 1 })
  }
  for (const cell of cells) Object.assign(cell, spans.get(`${cell.row},${cell.column}`))
}

const MAX_ROWS = 1_048_576

/** The 0-based row for the 1-based number in the file. */
function rowIndexOf(text: string | undefined): number | undefined {
  const number = Number(text)
  return text !== undefined && Number.isInteger(number) && number > 0 && number <= MAX_ROWS
    ? number - 1
    : undefined
}

/** The 0-based column of a reference: 0 for A, 26 for AA. */
export function columnNumber(reference: string | undefined): number | undefined {
  const letters = /^\$?([A-Za-z]{1,3})/.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  let number = 0
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}

/** The text that a cell shows. */
function cellText(cell: XmlElement, workbook: Workbook): string {
  const { strings, formats, date1904 } = workbook
  const { t: type = 'n', s: style } = cell.attributes
  if (type === 'inlineStr') return richText(child(cell, 'x:is') ?? cell)
  const value = child(cell, 'x:v')
  const text = textOf(value)
  if (text === '') {
    // An empty result of a formula is stored as a string. If a program calculates no formulas, it stores no result or an empty
    // one of another type.
    const formula = value === undefined || type !== 'str' ? child(cell, 'x:f') : undefined
    if (formula === undefined) return ''
    // A shared formula is written only in its first cell.
    if (textOf(formula).trim() === '') return ''
    workbook.uncalculatedCount++
    return `=${textOf(formula).trim()}`.slice(0, MAX_CELL_CHARACTERS)
  }
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' || /^true$/i.test(text.trim()) ? 'TRUE' : 'FALSE'
  if (type === 'd') return text.replace(/T00:00:00(\.0+)?Z?$/, '')
  const number = Number(text)
  if (type === 'n' && Number.isFinite(number)) {
    const format = formats[Number(style ?? 0)] ?? 'General'
    return isLongIdentifier(text, number, format) ? text.trim() : numberText(number, format, date1904)
  }
  return text.slice(0, MAX_CELL_CHARACTERS)
}

/** Whether a number is an identifier: a whole number beyond the precision of floating point, in a format that shows all digits. */
const isLongIdentifier = (text: string, number: number, format: string): boolean =>
  !Number.isSafeInteger(number) && /^\s*-?\d+\s*$/.test(text) && /^(General|0|@)?$/i.test(format)
