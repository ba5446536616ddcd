// Which number format a cell's style stands for ([ECMA-376-1] 18.8): the built-in ones and those of the workbook.

import * as XLSX from '@e965/xlsx'
import { child, elements, type XmlElement } from '../ooxml/xml.ts'

// Excel's own limit; a longer code is there to be slow.
const MOST_FORMAT_CHARACTERS = 255

/** The format code of each cell style, by the style's number. */
export function numberFormats(part: XmlElement | undefined): string[] {
  const builtIn = XLSX.SSF.get_table() as Record<string, string | undefined>
  const own = new Map(
    elements(child(part, 'x:numFmts'), 'x:numFmt').map(({ attributes }) => [
      attributes.numFmtId ?? '',
      attributes.formatCode ?? 'General',
    ]),
  )
  return elements(child(part, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = attributes.numFmtId ?? '0'
    const format = own.get(id) ?? builtIn[id] ?? 'General'
    return format.length > MOST_FORMAT_CHARACTERS ? 'General' : format
  })
}
