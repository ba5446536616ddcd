// A number as its cell shows it, by the format codes of spreadsheets; dates as ISO dates, which sort and compare.

import * as XLSX from '@e965/xlsx'

// poc-shared-strings.xlsx (poi): 2 MB unpacked, but every cell the same monstrous string.
export const MOST_CELL_CHARACTERS = 32_767

const dateFormats = new Map<string, boolean>()

// What Excel calculates with and shows where it is asked for all: files hold 0.30000000000000004 for 0.3. Whole numbers
// are as the file has them: one of 16 digits is a card's, and Excel did not write it.
const MOST_DIGITS = 15

const inFull = (value: number): string => {
  const text = String(value)
  return text.length > MOST_DIGITS && !Number.isSafeInteger(value)
    ? String(Number(value.toPrecision(MOST_DIGITS)))
    : text
}

/** What a number shows under a format; one without a format in full: General shows 11 digits at most. */
export function numberText(value: number, format: string, date1904: boolean, shown?: string): string {
  if (format === 'General' || format === '') return inFull(value)
  if (isDateFormat(format)) {
    const date = dateText(value, format, date1904)
    if (date !== undefined) return date
  }
  const unit = format.includes(';') ? undefined : GENERAL_WITH_WORDS.exec(format)
  if (unit)
    return `${value < 0 ? '-' : ''}${literal(unit[1])}${inFull(Math.abs(value))}${literal(unit[2])}`.trim()
  const text = (shown ?? formatted(value, format, date1904))?.trim()
  // A column that is too narrow shows hashes, as a day before the first does; a format may show nothing, as many do of zeros.
  const isHidden = text === undefined || /^#+$/.test(text) || (text === '' && isDateFormat(format))
  return isHidden ? inFull(value) : text.slice(0, MOST_CELL_CHARACTERS)
}

// SSF leaves out what stands behind General: 5 under General" units" shows "5 units".
const GENERAL_WITH_WORDS =
  /^(?:\[[A-Za-z]+\d*\])*((?:"[^"]*"|\\.|[ .,()+-])*)General((?:"[^"]*"|\\.|[ .,()+-])*)$/i

const literal = (code = ''): string =>
  code.replace(/"([^"]*)"|\\(.)/g, (_, quoted?: string, one?: string) => quoted ?? one ?? '')

function isDateFormat(format: string): boolean {
  const known = dateFormats.get(format)
  if (known !== undefined) return known
  const found = XLSX.SSF.is_date(format)
  dateFormats.set(format, found)
  return found
}

// Excel shows a sign that means nothing in a code as it stands, SSF refuses all of them but the euro: other programs
// write £#,##0.00 where Excel itself writes "£"#,##0.00.
const BARE_SIGN = /"[^"]*"|\\.|\[[^\]]*\]|[_*].|[^ -~€]+/gu

const quotedSigns = (format: string): string =>
  format.replace(BARE_SIGN, (code) => (/^[^ -~]/.test(code) ? `"${code}"` : code))

function formatted(value: number, format: string, date1904: boolean): string | undefined {
  try {
    return XLSX.SSF.format(quotedSigns(format), value, { date1904 }) as string
  } catch {
    // Format codes come from the file; one that is none shows the number.
    return undefined
  }
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
