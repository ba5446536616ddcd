// Writes numbers as cells show them, by the format codes of spreadsheets. Dates are written as ISO dates, which can be sorted
// and compared.

import * as XLSX from '@e965/xlsx'
import { child, elements, type XmlElement } from '../containers/xml.ts'

// Excel's own limit. A hostile file may have a huge text that all cells share.
export const MAX_CELL_CHARACTERS = 32_767

// The precision of Excel, because files contain 0.30000000000000004 for 0.3. Whole numbers are not rounded: one with 16 digits
// may be a card number in a file of another program.
const MAX_DIGITS = 15

const fullNumber = (value: number): string => {
  const text = String(value)
  return text.length > MAX_DIGITS && !Number.isSafeInteger(value)
    ? String(Number(value.toPrecision(MAX_DIGITS)))
    : text
}

/**
 * A number in a format. In the format General it is written in full, although Excel shows at most 11 digits. `displayText` is the
 * text that the file has for it, if any.
 */
export function numberText(value: number, format: string, date1904: boolean, displayText?: string): string {
  if (format === 'General' || format === '') return fullNumber(value)
  if (isDateFormat(format)) {
    const date = dateText(value, format, date1904)
    if (date !== undefined) return date
  }
  const match = format.includes(';') ? null : GENERAL_WITH_WORDS.exec(format)
  if (match !== null) {
    const [, before, after] = match
    return `${value < 0 ? '-' : ''}${literal(before)}${fullNumber(Math.abs(value))}${literal(after)}`.trim()
  }
  const text = (displayText ?? formattedNumber(value, format, date1904))?.trim()
  // Hashes mean that the column is too narrow, or that a date is before the first day. Other formats may show nothing, often for 0.
  const isHidden = text === undefined || /^#+$/.test(text) || (text === '' && isDateFormat(format))
  return isHidden ? fullNumber(value) : text.slice(0, MAX_CELL_CHARACTERS)
}

// Captures the texts before and after General, which SSF drops: 5 in the format `General" units"` is "5 units".
const GENERAL_WITH_WORDS =
  /^(?:\[[A-Za-z]+\d*\])*((?:"[^"]*"|\\.|[ .,()+-])*)General((?:"[^"]*"|\\.|[ .,()+-])*)$/i

/** The text of a literal in a format code, without quotes and backslashes. */
const literal = (code = ''): string =>
  code.replace(/"([^"]*)"|\\(.)/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? '')

// A cache of the results of `isDateFormat`.
const dateFormats = new Map<string, boolean>()

function isDateFormat(format: string): boolean {
  const cached = dateFormats.get(format)
  if (cached !== undefined) return cached
  const isDate = XLSX.SSF.is_date(format)
  dateFormats.set(format, isDate)
  return isDate
}

// A literal of a format code, or characters outside of literals that are not ASCII. Excel shows these as they are, but SSF refuses
// all except the euro sign. Programs other than Excel write £#,##0.00 instead of "£"#,##0.00.
const BARE_SIGN = /"[^"]*"|\\.|\[[^\]]*\]|[_*].|[^ -~€]+/gu

const quotedSigns = (format: string): string =>
  format.replace(BARE_SIGN, (code) => (/^[^ -~]/.test(code) ? `"${code}"` : code))

function formattedNumber(value: number, format: string, date1904: boolean): string | undefined {
  try {
    return XLSX.SSF.format(quotedSigns(format), value, { date1904 }) as string
  } catch {
    // With an invalid format code the plain number is shown.
    return undefined
  }
}

/** 2026-11-21, 2026-11-21T13:05 or 13:05, depending on the format; undefined if the number is no date. */
function dateText(value: number, format: string, date1904: boolean): string | undefined {
  const parts = XLSX.SSF.parse_date_code(value, { date1904 }) as Record<
    'y' | 'm' | 'd' | 'H' | 'M' | 'S',
    number
  > | null
  if (parts === null) return undefined
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  const withoutLiterals = format.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '')
  const hasTime = /[hs]|AM\/PM/i.test(withoutLiterals)
  // Elapsed hours ([h]:mm) and times of day have no date.
  const hasDate = /[yd]/i.test(withoutLiterals) || (/m/i.test(withoutLiterals) && !hasTime)
  if (!hasDate && /\[[hms]+\]/i.test(withoutLiterals)) return undefined
  const date = `${String(parts.y).padStart(4, '0')}-${twoDigits(parts.m)}-${twoDigits(parts.d)}`
  const seconds = parts.S > 0 ? `:${twoDigits(Math.floor(parts.S))}` : ''
  const time = `${twoDigits(parts.H)}:${twoDigits(parts.M)}${seconds}`
  if (!hasTime) return date
  return hasDate ? `${date}T${time}` : time
}

// Excel's own limit; longer codes would be slow.
const MAX_FORMAT_CHARACTERS = 255

/** The format code of each cell style by its number, built in or defined by the workbook ([ECMA-376-1] 18.8). */
export function numberFormats(part: XmlElement | undefined): string[] {
  const builtIn = XLSX.SSF.get_table() as Record<string, string | undefined>
  const ownFormats = new Map(
    elements(child(part, 'x:numFmts'), 'x:numFmt').map(({ attributes }) => [
      attributes.numFmtId ?? '',
      attributes.formatCode ?? 'General',
    ]),
  )
  return elements(child(part, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = attributes.numFmtId ?? '0'
    const format = ownFormats.get(id) ?? builtIn[id] ?? 'General'
    return format.length > MAX_FORMAT_CHARACTERS ? 'General' : format
  })
}
