// Intervals of days as texts write them: "6 July", "Mon 6 Jul", "Jul–Aug", "1 to 7 July 2026", "2026-07-06", "Q3". One without a
// year is of every year. What holds then is told by containment or overlap. Pure.

import { LANGUAGES, type Language } from './language.ts'
import { endOf, placedPeriods, startOf, yearlyPeriods } from './periods.ts'
import { wholeWords } from './words.ts'

/** From the first day to the last, both included, in days since 1970-01-01; infinite where an end is open. */
export interface Interval {
  from: number
  to: number
  /** Of every year: as in the year 2000, and over its end in 2001. */
  isYearly?: boolean
  /** Its two ends are written: "Jul–Aug". */
  isRange?: boolean
}

/** Offsets in UTF-16 units. */
export interface PlacedInterval extends Interval {
  start: number
  end: number
  /** The name of a month and no more: "May" may be another word. */
  isMonthName?: boolean
}

const DAY_MS = 86_400_000
const YEARLY = 2000

const utc = (year: number, month: number, date: number): number => Date.UTC(year, month, date) / DAY_MS
export const dateOf = (day: number): Date => new Date(day * DAY_MS)
const yearOf = (day: number): number => dateOf(day).getUTCFullYear()

/** The days of a period as `periods.ts` writes it; `-07-06` is a day of every year. */
export function intervalOf(period: string): Interval {
  const isYearly = period.startsWith('-')
  const whole = isYearly ? `${YEARLY}${period}` : period
  const days = { from: Date.parse(startOf(whole)) / DAY_MS, to: Date.parse(endOf(whole)) / DAY_MS }
  return isYearly ? { ...days, isYearly } : days
}

/** A yearly interval in a year, which it may outlast; any other as it is. */
export function inYear({ from, to, isYearly, ...rest }: Interval, year: number): Interval {
  if (!isYearly) return { from, to, ...rest }
  const moved = (day: number): number => {
    const date = dateOf(day)
    return utc(year + date.getUTCFullYear() - YEARLY, date.getUTCMonth(), date.getUTCDate())
  }
  return { from: moved(from), to: moved(to), ...rest }
}

const MAX_YEARS = 200

/** The years in which a finite interval lies, and the one before, from which a winter reaches into it. */
function yearsOf({ from, to }: Interval): number[] {
  const [first, last] = [from, to].map((day) => (Number.isFinite(day) ? yearOf(day) : undefined))
  const begin = first ?? last ?? YEARLY
  const count = Math.min(MAX_YEARS, (last ?? begin) - begin + 2)
  return Array.from({ length: Math.max(2, count) }, (_, i) => begin - 1 + i)
}

/** Whether two intervals are related in some year. */
function relates(a: Interval, b: Interval, holds: (a: Interval, b: Interval) => boolean): boolean {
  if (!a.isYearly && !b.isYearly) return holds(a, b)
  if (!b.isYearly) return yearsOf(b).some((year) => holds(inYear(a, year), b))
  if (!a.isYearly) return yearsOf(a).some((year) => holds(a, inYear(b, year)))
  return [YEARLY - 1, YEARLY, YEARLY + 1].some((year) => holds(inYear(a, year), inYear(b, YEARLY)))
}

export const contains = (outer: Interval, inner: Interval): boolean =>
  relates(outer, inner, (a, b) => a.from <= b.from && b.to <= a.to)

export const overlaps = (a: Interval, b: Interval): boolean =>
  relates(a, b, (one, other) => one.from <= other.to && other.from <= one.to)

let weekdayNames: string | undefined

/** Names of days of the week, long and short, which say no more than the date beside them. */
function weekdays(): string {
  weekdayNames ??= LANGUAGES.filter((language): language is Exclude<Language, 'xx'> => language !== 'xx')
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
  return weekdayNames
}

let besideDate: { before: RegExp; behind: RegExp } | undefined

function weekdayBeside(): { before: RegExp; behind: RegExp } {
  besideDate ??= {
    before: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${weekdays()})\.?,?\s*(?:the\s+|den\s+)?$`, 'iu'),
    behind: new RegExp(String.raw`^,?\s*\(?(?:${weekdays()})(?![\p{L}\p{N}])\.?\)?`, 'iu'),
  }
  return besideDate
}

const BETWEEN_ENDS =
  /^\s*(?:[-–—/]|to|until|till|through|thru|up to|bis(?: zum)?|à|au|jusqu[’']au|al?|hasta(?: el)?|t\/m|tot)\s*(?:the\s+|den\s+|le\s+|el\s+)?$/iu
/** "1–7 July", "6 and 7 July": a day of the month that follows. */
const DAY_BEFORE =
  /(?<![\p{L}\p{N}.,/:-])(\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:[-–—/&]|to|and|until|through|bis|und|au|et|al?|y)\s*(?:the\s+)?$/iu
/** "July 6–12" */
const DAY_BEHIND = /^\s*(?:[-–—]|to|through)\s*(\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\p{N}]|[.:]\d)/iu

interface PlacedDate {
  period: string
  start: number
  end: number
}

/** The intervals that a text says, in reading order. */
export function placedIntervals(text: string): PlacedInterval[] {
  const dates: PlacedDate[] = placedPeriods(text)
  for (const one of yearlyPeriods(text))
    if (!dates.some(({ start, end }) => one.start < end && start < one.end)) dates.push(one)
  dates.sort((a, b) => a.start - b.start)
  const intervals: PlacedInterval[] = []
  for (let i = 0; i < dates.length; i++) {
    const [one, next] = [dates[i], dates[i + 1]]
    if (!one) break
    const startOfDay = withWeekday(text, one)
    const isJoined = next && BETWEEN_ENDS.test(text.slice(endWith(text, one), withWeekday(text, next)))
    const range = isJoined ? rangeOf(one.period, next.period) : undefined
    if (range && next) {
      intervals.push({ ...range, start: startOfDay, end: endWith(text, next) })
      i++
      continue
    }
    intervals.push(withOtherDay(text, one) ?? { ...intervalOf(one.period), ...extentOf(text, one) })
  }
  // There is no 31 February.
  return intervals.filter(({ from, to }) => from <= to)
}

const isDay = (period: string): boolean => /-\d\d-\d\d$/.test(period)

function extentOf(text: string, one: PlacedDate): { start: number; end: number; isMonthName?: boolean } {
  const isMonthName = /^-\d\d$/.test(one.period)
  return isDay(one.period)
    ? { start: withWeekday(text, one), end: endWith(text, one) }
    : { start: one.start, end: one.end, ...(isMonthName && { isMonthName }) }
}

const withWeekday = (text: string, { start, period }: PlacedDate): number =>
  isDay(period) ? start - (weekdayBeside().before.exec(text.slice(0, start))?.[0].length ?? 0) : start

const endWith = (text: string, { end, period }: PlacedDate): number =>
  isDay(period) ? end + (weekdayBeside().behind.exec(text.slice(end))?.[0].length ?? 0) : end

/** "1–7 July", "July 6–12": two days of one month. */
function withOtherDay(text: string, one: PlacedDate): PlacedInterval | undefined {
  if (!isDay(one.period)) return undefined
  const month = one.period.slice(0, -3)
  const of = (date: string | undefined): string => `${month}-${String(date).padStart(2, '0')}`
  const before = /^\d/.test(text.slice(one.start)) ? DAY_BEFORE.exec(text.slice(0, one.start)) : null
  if (before) {
    const range = rangeOf(of(before[1]), one.period)
    return range && { ...range, start: before.index, end: endWith(text, one) }
  }
  const dayBehind = /^\p{L}/u.test(text.slice(one.start)) ? DAY_BEHIND.exec(text.slice(one.end)) : null
  const range = dayBehind ? rangeOf(one.period, of(dayBehind[1])) : undefined
  return dayBehind && range
    ? { ...range, start: withWeekday(text, one), end: one.end + dayBehind[0].length }
    : undefined
}

const rangeOf = (first: string, last: string): Interval | undefined =>
  spanOf(intervalOf(first), intervalOf(last))

/** From the first to the last; an end without a year has that of the other one. */
export function spanOf(a: Interval, b: Interval): Interval | undefined {
  if (Number.isNaN(a.from) || Number.isNaN(b.to)) return undefined
  const isYearly = a.isYearly === true && b.isYearly === true
  const from = a.isYearly && !b.isYearly ? startBefore(a, b.to) : a.from
  const to = b.isYearly && !isYearly ? endBehind(b, from) : b.to
  // From November to March.
  const end = isYearly && to < from ? inYear(b, YEARLY + 1).to : to
  return from <= end ? { from, to: end, isRange: true, ...(isYearly && { isYearly }) } : undefined
}

const startBefore = (a: Interval, last: number): number => {
  const { from } = inYear(a, yearOf(last))
  return from <= last ? from : inYear(a, yearOf(last) - 1).from
}
const endBehind = (b: Interval, first: number): number => {
  const { to } = inYear(b, yearOf(first))
  return to >= first ? to : inYear(b, yearOf(first) + 1).to
}

// What may stand in a cell beside its days: a time, a word that introduces them.
const BESIDE =
  /(?<![\p{L}\p{N}])(?:from|between|on|the|and|vom?|von|am|den|dem|ab|und|du|de|le|la|et|el|del|desde|y)(?![\p{L}\p{N}])|\d{1,2}[:.h]\d{2}(?:\s?(?:am|pm|uhr|h))?|\d{1,2}\s?(?:am|pm|uhr)(?![\p{L}])|[^\p{L}\p{N}]+/giu
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.$/
const MAX_CELL_LENGTH = 80

/** The intervals that are all that a cell says; none for any other text. */
export function intervalsOfCell(cell: string): Interval[] {
  if (cell.length > MAX_CELL_LENGTH) return []
  const text = cell.trim()
  const [, date, month] = POINTS.exec(text) ?? []
  if (date && month) {
    const day = intervalOf(`-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
    return Number.isNaN(day.from) ? [] : [day]
  }
  const intervals = placedIntervals(text)
  const rest = intervals.reduceRight(
    (open, { start, end }) => `${open.slice(0, start)} ${open.slice(end)}`,
    text,
  )
  return rest.replace(BESIDE, '') === '' ? intervals : []
}

// Days that only the day of the question tells. A week begins on Monday.
const RELATIVE: readonly { pattern: RegExp; days: (today: number) => Interval }[] = [
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

/** "This week", "tomorrow". @param today days since 1970-01-01 */
export function relativeIntervals(text: string, today: number): PlacedInterval[] {
  return RELATIVE.flatMap(({ pattern, days }) => {
    const match = pattern.exec(text)
    return match ? [{ ...days(today), start: match.index, end: match.index + match[0].length }] : []
  })
}
