// Dates as tables write them: ISO, with points or slashes, or with the month's name in any language Kenning knows. Pure.

import { LANGUAGES, type Language } from '../../language/language.ts'

/** Which of two numbers before a year is the day; undefined where nothing tells. */
export type DateOrder = 'dmy' | 'mdy' | undefined

const DAY_MS = 86_400_000
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2})?\S*)?$/
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.|er|º)?\s+(?:de\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/u
const MONTH_FIRST = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u

/** Days since 1970-01-01; undefined for what is no date, or one that cannot be told from another. */
export function dayOf(cell: string, order: DateOrder): number | undefined {
  const iso = ISO.exec(cell)
  if (iso) return day(iso[1], Number(iso[2]), iso[3])
  const points = POINTS.exec(cell)
  if (points) return day(points[3], Number(points[2]), points[1])
  const slashes = SLASHES.exec(cell)
  if (slashes) {
    const [, first, second, year] = slashes
    const told = order ?? orderOf([cell])
    if (!told) return first === second ? day(year, Number(second), first) : undefined
    return told === 'dmy' ? day(year, Number(second), first) : day(year, Number(first), second)
  }
  const dayFirst = DAY_FIRST.exec(cell)
  if (dayFirst) return day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(cell)
  return monthFirst ? day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : undefined
}

/** What a column's dates with slashes show: a number over 12 is a day. Two columns of thought show nothing. */
export function orderOf(cells: readonly string[]): DateOrder {
  const found = cells.flatMap((cell) => {
    const match = SLASHES.exec(cell.trim())
    return match ? [[Number(match[1]), Number(match[2])] as const] : []
  })
  const dayFirst = found.some(([first]) => first > 12)
  const monthFirst = found.some(([, second]) => second > 12)
  return dayFirst === monthFirst ? undefined : dayFirst ? 'dmy' : 'mdy'
}

export const isoOf = (daysSinceEpoch: number): string =>
  new Date(daysSinceEpoch * DAY_MS).toISOString().slice(0, 10)

function day(yearText: string | undefined, month: number | undefined, dayText: string | undefined) {
  const short = yearText?.length === 2
  const year = Number(yearText) + (short ? (Number(yearText) < 70 ? 2000 : 1900) : 0)
  if (!month || month > 12) return undefined
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, Number(dayText))
  // 31 April rolls over into May: no date.
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(dayText)
  return isReal ? at.getTime() / DAY_MS : undefined
}

const monthOf = (name: string | undefined): number | undefined => months().get(plain(name ?? ''))

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

let known: ReadonlyMap<string, number> | undefined

/** Long, short and inflected names ("марта") of every language; where two disagree, there are none. */
function months(): ReadonlyMap<string, number> {
  known ??= new Map(
    LANGUAGES.filter((language): language is Exclude<Language, 'xx'> => language !== 'xx').flatMap(
      (language) =>
        (['long', 'short'] as const).flatMap((length) => {
          const format = new Intl.DateTimeFormat(language, { month: length, day: 'numeric', timeZone: 'UTC' })
          return Array.from({ length: 12 }, (_, month): [string, number] => {
            const parts = format.formatToParts(new Date(Date.UTC(2001, month, 15)))
            return [plain(parts.find(({ type }) => type === 'month')?.value ?? ''), month + 1]
          })
        }),
    ),
  )
  return known
}
