// Intervals of days as texts write them: "6 July", "Mon 6 Jul", "Jul–Aug", "1 to 7 July 2026", "2026-07-06", "Q3". An interval
// without a year applies to every year. Two intervals are compared by containment or overlap. Pure.

import { LANGUAGES, type Language } from './language.ts'
import { endOf, placedPeriods, startOf, yearlyPeriods } from './periods.ts'
import { wholeWords } from './words.ts'

/** From the first day to the last, both included, in days since 1970-01-01. An end that is open is infinite. */
export interface Interval {
  from: number
  to: number
  /**
   * Whether the interval applies to every year. Its days are then those of the year 2000, or of 2001 if it continues after the
   * end of the year.
   */
  isYearly?: boolean
  /** Whether both ends are written, as in "Jul–Aug". */
  isRange?: boolean
}

/** Offsets in UTF-16 units. */
export interface PlacedInterval extends Interval {
  start: number
  end: number
  /** Whether it is only the name of a month, because "May" may be another word. */
  isMonthName?: boolean
}

const DAY_MS = 86_400_000
const REFERENCE_YEAR = 2000

const utc = (year: number, month: number, date: number): number => Date.UTC(year, month, date) / DAY_MS
export const dateOf = (day: number): Date => new Date(day * DAY_MS)
const yearOf = (day: number): number => dateOf(day).getUTCFullYear()

/** The days of a period as `periods.ts` writes it; `-07-06` is a day of every year. */
export function intervalOf(period: string): Interval {
  const isYearly = period.startsWith('-')
  const datedPeriod = isYearly ? `${REFERENCE_YEAR}${period}` : period
  const days = {
    from: Date.parse(startOf(datedPeriod)) / DAY_MS,
    to: Date.parse(endOf(datedPeriod)) / DAY_MS,
  }
  return isYearly ? { ...days, isYearly } : days
}

/** A yearly interval in the given year. It may end in the next year. Any other interval is returned as it is. */
export function inYear({ from, to, isYearly, ...rest }: Interval, year: number): Interval {
  if (!isYearly) return { from, to, ...rest }
  const dayInYear = (day: number): number => {
    const date = dateOf(day)
    return utc(year + date.getUTCFullYear() - REFERENCE_YEAR, date.getUTCMonth(), date.getUTCDate())
  }
  return { from: dayInYear(from), to: dayInYear(to), ...rest }
}

const MAX_YEARS = 200

/** The years of an interval, and the year before, because an interval that begins in that year (a winter) may reach into it. */
function yearsOf({ from, to }: Interval): number[] {
  const [first, last] = [from, to].map((day) => (Number.isFinite(day) ? yearOf(day) : undefined))
  const begin = first ?? last ?? REFERENCE_YEAR
  const count = Math.min(MAX_YEARS, (last ?? begin) - begin + 2)
  return Array.from({ length: Math.max(2, count) }, (_, i) => begin - 1 + i)
}

/** Whether `holds` is true of two intervals in some year. */
function relates(a: Interval, b: Interval, holds: (a: Interval, b: Interval) => boolean): boolean {
  if (!a.isYearly && !b.isYearly) return holds(a, b)
  if (!b.isYearly) return yearsOf(b).some((year) => holds(inYear(a, year), b))
  if (!a.isYearly) return yearsOf(a).some((year) => holds(a, inYear(b, year)))
  return [REFERENCE_YEAR - 1, REFERENCE_YEAR, REFERENCE_YEAR + 1].some((year) =>
    holds(inYear(a, year), inYear(b, REFERENCE_YEAR)),
  )
}

export const contains = (outer: Interval, inner: Interval): boolean =>
  relates(outer, inner, (a, b) => a.from <= b.from && b.to <= a.to)

export const overlaps = (a: Interval, b: Interval): boolean =>
  relates(a, b, (first, second) => first.from <= second.to && second.from <= first.to)

let cachedWeekdayAlternatives: string | undefined

/** The names of weekdays, long and short, as alternatives of a pattern. Beside a date they add no information. */
function weekdayAlternatives(): string {
  cachedWeekdayAlternatives ??= LANGUAGES.filter(
    (language): language is Exclude<Language, 'xx'> => language !== 'xx',
  )
    .flatMap((language) =>
      (['long', 'short'] as const).flatMap((weekday) => {
        const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
        return Array.from({ length: 7 }, (_, i) => format.format(new Date(Date.UTC(2001, 0, 1 + i))))
      }),
    )
    .map((name) => name.replace(/\.$/, ''))
    .filter((name) => /^[\p{L}-]{2,}$/u.test(name))
    .concat('tues', 'thur', 'thurs')
    .sort((a, b) => b.length - a.length)
    .join('|')
  return cachedWeekdayAlternatives
}

let cachedWeekdayRegExps: { before: RegExp; behind: RegExp } | undefined

function weekdayRegExps(): { before: RegExp; behind: RegExp } {
  cachedWeekdayRegExps ??= {
    before: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${weekdayAlternatives()})\.?,?\s*(?:the\s+|den\s+)?$`,
      'iu',
    ),
    behind: new RegExp(String.raw`^,?\s*\(?(?:${weekdayAlternatives()})(?![\p{L}\p{N}])\.?\)?`, 'iu'),
  }
  return cachedWeekdayRegExps
}

/** What is between the two dates of a range: "6 July to 9 August". */
const RANGE_CONNECTOR =
  /^\s*(?:[-–—/]|to|until|till|through|thru|up to|bis(?: zum)?|à|au|jusqu[’']au|al?|hasta(?: el)?|t\/m|tot)\s*(?:the\s+|den\s+|le\s+|el\s+)?$/iu
/** The first day of "1–7 July" and "6 and 7 July". */
const DAY_BEFORE =
  /(?<![\p{L}\p{N}.,/:-])(\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:[-–—/&]|to|and|until|through|bis|und|au|et|al?|y)\s*(?:the\s+)?$/iu
/** The last day of "July 6–12". */
const DAY_AFTER = /^\s*(?:[-–—]|to|through)\s*(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\p{N}]|[.:]\d)/iu

interface PlacedDate {
  period: string
  start: number
  end: number
}

/** The intervals in a text, in reading order. */
export function placedIntervals(text: string): PlacedInterval[] {
  const dates: PlacedDate[] = placedPeriods(text)
  for (const yearlyDate of yearlyPeriods(text))
    if (!dates.some(({ start, end }) => yearlyDate.start < end && start < yearlyDate.end))
      dates.push(yearlyDate)
  dates.sort((a, b) => a.start - b.start)
  const intervals: PlacedInterval[] = []
  for (let i = 0; i < dates.length; i++) {
    const [date, next] = [dates[i], dates[i + 1]]
    if (!date) break
    const start = startWithWeekday(text, date)
    const isJoined =
      next && RANGE_CONNECTOR.test(text.slice(endWithWeekday(text, date), startWithWeekday(text, next)))
    const range = isJoined ? rangeOf(date.period, next.period) : undefined
    if (range && next) {
      intervals.push({ ...range, start, end: endWithWeekday(text, next) })
      i++
      continue
    }
    intervals.push(rangeWithinMonth(text, date) ?? { ...intervalOf(date.period), ...extentOf(text, date) })
  }
  // A date that does not exist, such as 31 February, gives no valid interval.
  return intervals.filter(({ from, to }) => from <= to)
}

const isDay = (period: string): boolean => /-\d\d-\d\d$/.test(period)

function extentOf(text: string, date: PlacedDate): { start: number; end: number; isMonthName?: boolean } {
  const isMonthName = /^-\d\d$/.test(date.period)
  return isDay(date.period)
    ? { start: startWithWeekday(text, date), end: endWithWeekday(text, date) }
    : { start: date.start, end: date.end, ...(isMonthName && { isMonthName }) }
}

const startWithWeekday = (text: string, { start, period }: PlacedDate): number =>
  isDay(period) ? start - (weekdayRegExps().before.exec(text.slice(0, start))?.[0].length ?? 0) : start

const endWithWeekday = (text: string, { end, period }: PlacedDate): number =>
  isDay(period) ? end + (weekdayRegExps().behind.exec(text.slice(end))?.[0].length ?? 0) : end

/** The interval of a date that is written with another day of its month: "1–7 July", "July 6–12". */
function rangeWithinMonth(text: string, date: PlacedDate): PlacedInterval | undefined {
  if (!isDay(date.period)) return undefined
  const month = date.period.slice(0, -3)
  const dayOfMonth = (day: string | undefined): string => `${month}-${String(day).padStart(2, '0')}`
  const dayBefore = /^\d/.test(text.slice(date.start)) ? DAY_BEFORE.exec(text.slice(0, date.start)) : null
  if (dayBefore) {
    const range = rangeOf(dayOfMonth(dayBefore[1]), date.period)
    return range && { ...range, start: dayBefore.index, end: endWithWeekday(text, date) }
  }
  const dayAfter = /^\p{L}/u.test(text.slice(date.start)) ? DAY_AFTER.exec(text.slice(date.end)) : null
  const range = dayAfter ? rangeOf(date.period, dayOfMonth(dayAfter[1])) : undefined
  return dayAfter && range
    ? { ...range, start: startWithWeekday(text, date), end: date.end + dayAfter[0].length }
    : undefined
}

const rangeOf = (first: string, last: string): Interval | undefined =>
  spanOf(intervalOf(first), intervalOf(last))

/** The interval from the beginning of `a` to the end of `b`. If only one of them has a year, the other gets this year. */
export function spanOf(a: Interval, b: Interval): Interval | undefined {
  if (Number.isNaN(a.from) || Number.isNaN(b.to)) return undefined
  const isYearly = a.isYearly === true && b.isYearly === true
  const from = a.isYearly && !b.isYearly ? startNotAfter(a, b.to) : a.from
  const to = b.isYearly && !isYearly ? endNotBefore(b, from) : b.to
  // A yearly interval from November to March ends in the next year.
  const end = isYearly && to < from ? inYear(b, REFERENCE_YEAR + 1).to : to
  return from <= end ? { from, to: end, isRange: true, ...(isYearly && { isYearly }) } : undefined
}

const startNotAfter = (a: Interval, last: number): number => {
  const { from } = inYear(a, yearOf(last))
  return from <= last ? from : inYear(a, yearOf(last) - 1).from
}
const endNotBefore = (b: Interval, first: number): number => {
  const { to } = inYear(b, yearOf(first))
  return to >= first ? to : inYear(b, yearOf(first) + 1).to
}

// Text that a cell may have beside its days: a time, or a word that introduces the days.
const TEXT_BESIDE_DAYS =
  /(?<![\p{L}\p{N}])(?:from|between|on|the|and|vom?|von|am|den|dem|ab|und|du|de|le|la|et|el|del|desde|y)(?![\p{L}\p{N}])|\d{1,2}[:.h]\d{2}(?:\s?(?:am|pm|uhr|h))?|\d{1,2}\s?(?:am|pm|uhr)(?![\p{L}])|[^\p{L}\p{N}]+/giu
// Matches `6.7.`, the sixth of July.
const DAY_WITH_POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.$/
const MAX_CELL_CHARACTERS = 80

/** The intervals of a table cell that contains only days. Empty for any other cell. */
export function intervalsOfCell(cell: string): Interval[] {
  if (cell.length > MAX_CELL_CHARACTERS) return []
  const text = cell.trim()
  const [, date, month] = DAY_WITH_POINTS.exec(text) ?? []
  if (date && month) {
    const day = intervalOf(`-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
    return Number.isNaN(day.from) ? [] : [day]
  }
  const intervals = placedIntervals(text)
  const textWithoutDays = intervals.reduceRight(
    (remainingText, { start, end }) => `${remainingText.slice(0, start)} ${remainingText.slice(end)}`,
    text,
  )
  return textWithoutDays.replace(TEXT_BESIDE_DAYS, '') === '' ? intervals : []
}

// Expressions whose days depend on the day of the question. A week begins on Monday.
const RELATIVE_DAYS: readonly { pattern: RegExp; days: (today: number) => Interval }[] = [
  ...(
    [
      ["today|tonight|heute|aujourd[’']hui|hoy", 0],
      ['tomorrow|morgen|demain|mañana', 1],
      ['yesterday|gestern|hier|ayer', -1],
    ] as const
  ).map(([pattern, offset]) => ({
    pattern: wholeWords(pattern),
    days: (today: number): Interval => ({ from: today + offset, to: today + offset }),
  })),
  ...(
    [
      ['this week|(?:in )?diese[rn]? woche|cette semaine|esta semana', 0],
      [
        'next week|(?:in der )?nächste[rn]? woche|kommende[rn]? woche|la semaine prochaine|la próxima semana',
        1,
      ],
      ['last week|(?:in der )?letzte[rn]? woche|la semaine dernière|la semana pasada', -1],
    ] as const
  ).map(([pattern, offset]) => ({
    pattern: wholeWords(pattern),
    days: (today: number): Interval => {
      const monday = today - ((dateOf(today).getUTCDay() + 6) % 7) + 7 * offset
      return { from: monday, to: monday + 6 }
    },
  })),
  ...(
    [
      ['this month|(?:in )?diese[nm]? monat|ce mois-ci|este mes', 0],
      ['next month|(?:im )?nächste[nm]? monat|le mois prochain|el próximo mes', 1],
      ['last month|(?:im )?letzte[nm]? monat|le mois dernier|el mes pasado', -1],
    ] as const
  ).map(([pattern, offset]) => ({
    pattern: wholeWords(pattern),
    days: (today: number): Interval => {
      const [year, month] = [yearOf(today), dateOf(today).getUTCMonth() + offset]
      return { from: utc(year, month, 1), to: utc(year, month + 1, 0) }
    },
  })),
]

/** The intervals of expressions such as "this week" and "tomorrow". @param today days since 1970-01-01 */
export function relativeIntervals(text: string, today: number): PlacedInterval[] {
  return RELATIVE_DAYS.flatMap(({ pattern, days }) => {
    const match = pattern.exec(text)
    return match ? [{ ...days(today), start: match.index, end: match.index + match[0].length }] : []
  })
}
