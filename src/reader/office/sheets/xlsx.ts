// Excel (.xlsx, .xlsm) in a stream: SheetJS holds a sheet three times and took five times as long for 100,000 rows of 20
// columns, and 640 MB. Cached values as shown, dates as ISO dates, merges, hidden sheets marked; a formula nobody has
// calculated yet stands for itself.

import { type Block, UnreadableFile } from '../../block.ts'
import { raised } from '../../blocks/raised.ts'
import { chooseTitle } from '../../blocks/title.ts'
import { type Archive, withArchive } from '../../identify/archive.ts'
import type { Parser } from '../../task.ts'
import {
  eachPartChild,
  mainPart,
  packageTitle,
  type Relation,
  readPart,
  relationsOf,
  withWarnings,
} from '../ooxml/package.ts'
import { child, elements, isOn, textOf, type XmlElement } from '../ooxml/xml.ts'
import { readPeople, sheetComments } from './comments.ts'
import { drawnBlocks } from './drawn.ts'
import { numberFormats } from './formats.ts'
import { MOST_CELL_CHARACTERS, numberText } from './number-text.ts'
import { type SheetCell, sheetBlocks } from './regions.ts'
import { MOST_SHEET_CELLS, MOST_SHEET_CHARACTERS, sheetPage } from './sheet-page.ts'

interface Workbook {
  strings: readonly string[]
  /** The format code of each cell style. */
  formats: readonly string[]
  date1904: boolean
}

/** A workbook's sheets as pages: the sheet's name as heading, then its tables. */
export const parseXlsx: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    const main = await mainPart(archive, 'xl/workbook.xml')
    // The binary form keeps its parts in another language.
    if (main === undefined || main.endsWith('.bin')) throw new Error('no workbook of XML inside')
    const tree = await readPart(archive, main)
    const relations = await relationsOf(archive, main)
    const sheets = elements(child(tree, 'x:sheets'), 'x:sheet')
    if (sheets.length === 0) throw new Error('no sheets inside')
    const workbook = await readShared(archive, relations, tree)
    const people = await readPeople(archive, relations)
    const blocks: Block[] = []
    for (const [i, { attributes }] of sheets.entries()) {
      const head = {
        name: attributes.name ?? '',
        page: i + 1,
        hidden: /hidden/i.test(attributes.state ?? ''),
      }
      const part = relations.find(({ id }) => id === attributes['r:id'])
      const cells = part?.type === 'worksheet' ? await readSheet(archive, part.target, workbook) : []
      if (part === undefined) archive.incomplete.add(head.name)
      const drawn = part === undefined ? [] : await drawnBlocks(archive, part.target)
      const remarks = part === undefined ? [] : await sheetComments(archive, part.target, people)
      for (const block of sheetPage(head, [...sheetBlocks(cells), ...drawn, ...remarks])) blocks.push(block)
      report({ share: (i + 1) / sheets.length })
    }
    const title = chooseTitle(await packageTitle(archive), [])
    return withWarnings(archive, { ...(title === undefined ? {} : { title }), pages: sheets.length, blocks })
  })

async function readShared(
  archive: Archive,
  relations: readonly Relation[],
  tree: XmlElement | undefined,
): Promise<Workbook> {
  const target = (type: string): string | undefined => relations.find((one) => one.type === type)?.target
  const strings: string[] = []
  const table = target('sharedStrings')
  if (table !== undefined) {
    await eachPartChild(archive, table, { 'x:sst': (item) => strings.push(richText(item)) })
  }
  return {
    strings,
    formats: numberFormats(await readPart(archive, target('styles'))),
    date1904: isSet(child(tree, 'x:workbookPr')?.attributes.date1904),
  }
}

const isSet = (value: string | undefined): boolean =>
  value !== undefined && isOn({ name: '', attributes: { val: value }, children: [] })

/** A string of one or several runs, without the reading aids of Japanese; _x000D_ is how XML hides a control character. */
function richText(item: XmlElement): string {
  let text = ''
  for (const part of elements(item)) {
    const own = part.name === 'x:t' ? textOf(part) : part.name === 'x:r' ? textOf(child(part, 'x:t')) : ''
    const isRaised = child(part, 'x:rPr', 'x:vertAlign')?.attributes.val === 'superscript'
    text += isRaised ? raised(text.slice(-8), own) : own
  }
  const plain = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return plain.slice(0, MOST_CELL_CHARACTERS)
}

async function readSheet(archive: Archive, part: string, workbook: Workbook): Promise<SheetCell[]> {
  const cells: SheetCell[] = []
  const merges: string[] = []
  let characters = 0
  let next = 0
  await eachPartChild(archive, part, {
    'x:sheetData': (row) => {
      const r = rowNumber(row.attributes.r) ?? next
      next = r + 1
      let c = 0
      for (const cell of elements(row, 'x:c')) {
        c = columnNumber(cell.attributes.r) ?? c
        const text = cellText(cell, workbook).trim()
        if (text !== '') cells.push({ row: r, column: c, text })
        characters += text.length
        c++
      }
      if (characters > MOST_SHEET_CHARACTERS || cells.length > MOST_SHEET_CELLS) {
        throw new UnreadableFile('too_large_unpacked', 'too much text on a sheet')
      }
    },
    'x:mergeCells': ({ attributes }) => {
      if (attributes.ref !== undefined) merges.push(attributes.ref)
    },
  })
  spread(cells, merges)
  return cells
}

function spread(cells: readonly SheetCell[], merges: readonly string[]): void {
  if (merges.length === 0) return
  const spans = new Map<string, { rowSpan: number; colSpan: number }>()
  for (const merge of merges) {
    const [from = '', to = ''] = merge.split(':')
    const [top, left] = [rowNumber(/\d+$/.exec(from)?.[0]), columnNumber(from)]
    const [bottom, right] = [rowNumber(/\d+$/.exec(to)?.[0]), columnNumber(to)]
    if (top === undefined || left === undefined || bottom === undefined || right === undefined) continue
    spans.set(`${top},${left}`, { rowSpan: bottom - top + 1, colSpan: right - left + 1 })
  }
  for (const cell of cells) Object.assign(cell, spans.get(`${cell.row},${cell.column}`))
}

/** 0-based, from the 1-based number in the file. */
function rowNumber(text: string | undefined): number | undefined {
  const number = Number(text)
  return text !== undefined && Number.isInteger(number) && number > 0 && number <= 1_048_576
    ? number - 1
    : undefined
}

/** 0-based, from the letters of a reference: A is 0, AA 26. */
export function columnNumber(reference: string | undefined): number | undefined {
  const letters = /^\$?([A-Za-z]{1,3})/.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  let number = 0
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}

/** What a cell shows. */
function cellText(cell: XmlElement, { strings, formats, date1904 }: Workbook): string {
  const { t: type = 'n', s: style } = cell.attributes
  if (type === 'inlineStr') return richText(child(cell, 'x:is') ?? cell)
  const value = child(cell, 'x:v')
  const text = textOf(value)
  if (text === '') {
    const formula = value === undefined ? textOf(child(cell, 'x:f')).trim() : ''
    return formula === '' ? '' : `=${formula}`.slice(0, MOST_CELL_CHARACTERS)
  }
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' || /^true$/i.test(text.trim()) ? 'TRUE' : 'FALSE'
  if (type === 'd') return text.replace(/T00:00:00(\.0+)?Z?$/, '')
  const number = Number(text)
  if (type === 'n' && Number.isFinite(number)) {
    const format = formats[Number(style ?? 0)] ?? 'General'
    return isLongNumber(text, number, format) ? text.trim() : numberText(number, format, date1904)
  }
  return text.slice(0, MOST_CELL_CHARACTERS)
}

/** A whole number that floating point does not hold, in a format that shows all of it: an identifier, not by Excel. */
const isLongNumber = (text: string, number: number, format: string): boolean =>
  !Number.isSafeInteger(number) && /^\s*-?\d+\s*$/.test(text) && /^(General|0|@)?$/i.test(format)
