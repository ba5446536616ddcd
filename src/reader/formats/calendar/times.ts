// Writes the times of a calendar in words: "Thursday 11 June 2026, 13:00 to 14:30 (Europe/Oslo)". They stay in the time zone of
// the file.

import type { Property } from './content-lines.ts'

export interface Time {
  year: number
  month: number
  day: number
  /** "13:00". Undefined for a whole day. */
  clock: string | undefined
  /**
   * The time zone in the file. Undefined for a whole day, and for a time without a zone (a "floating" time of RFC 5545).
   */
  zone: string | undefined
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const DAY_MS = 86_400_000

/** The time in a value such as `20260611`, `20260611T130000` or `20260611T110000Z`. Undefined if it is no time. */
export function timeOf(value: string, zone: string | undefined): Time | undefined {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z)?)?$/i.exec(value.trim()) ?? []
  if (year === undefined || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31)
    return undefined
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    clock: hour === undefined ? undefined : `${hour}:${minute}`,
    zone: hour === undefined ? undefined : utc === undefined ? zone : 'UTC',
  }
}

/** The times that a property lists. */
export const timesOf = ({ value, parameters }: Property): Time[] =>
  value.split(',').flatMap((text) => timeOf(text.split('/')[0] ?? '', parameters.get('TZID')) ?? [])

const dateMs = ({ year, month, day }: Time): number => Date.UTC(year, month - 1, day)

const dayText = (time: Time): string =>
  `${DAYS[new Date(dateMs(time)).getUTCDay()]} ${time.day} ${MONTHS[time.month - 1]} ${time.year}`

const clockText = ({ clock }: Time): string => (clock === undefined ? '' : `, ${clock}`)

const zoneText = ({ zone }: Time): string => (zone === undefined ? '' : ` (${zone})`)

export const timeText = (time: Time): string => `${dayText(time)}${clockText(time)}${zoneText(time)}`

/**
 * The span from one time to another in words. In iCalendar the end of a whole-day event is the day after its last day, so one day
 * is subtracted.
 */
export function spanText(start: Time, end: Time | undefined): string {
  const last = end !== undefined && end.clock === undefined ? dayBefore(end) : end
  if (last === undefined || dateMs(last) < dateMs(start)) return timeText(start)
  const isOneDay = dateMs(start) === dateMs(last)
  const isOneZone = start.zone === last.zone
  if (isOneDay && last.clock === start.clock && isOneZone) return timeText(start)
  const to = isOneDay && isOneZone ? (last.clock ?? '') : `${dayText(last)}${clockText(last)}`
  return `${dayText(start)}${clockText(start)}${isOneZone ? '' : zoneText(start)} to ${to}${zoneText(last)}`
}

function dayBefore(time: Time): Time {
  const date = new Date(dateMs(time) - DAY_MS)
  return { ...time, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A duration in words: "1 h 30 min" for PT1H30M. */
export function durationText(value: string): string {
  const parts = [...value.matchAll(/(\d+)([WDHMS])/gi)]
  const units: Record<string, string> = { W: 'weeks', D: 'days', H: 'h', M: 'min', S: 's' }
  return parts
    .filter(([, count]) => Number(count) > 0)
    .map(([, count, unit = '']) => `${Number(count)} ${units[unit.toUpperCase()]}`)
    .join(' ')
}

const UNIT_OF_FREQUENCY: Record<string, string> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const ORDINALS: Record<string, string> = {
  '1': 'first',
  '2': 'second',
  '3': 'third',
  '4': 'fourth',
  '5': 'fifth',
  '-1': 'last',
}
const DAY_CODES = 'SU MO TU WE TH FR SA'.split(' ')
const KNOWN_RULE_PARTS = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'COUNT',
  'UNTIL',
  'WKST',
])

/** A rule in words: "every 2 weeks on Tuesday and Thursday, 10 times". A rule with unknown parts is returned as written. */
export function ruleText(rule: string): string {
  const parts = new Map(
    rule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [name.trim().toUpperCase(), value.trim().toUpperCase()] as const
    }),
  )
  const unit = UNIT_OF_FREQUENCY[parts.get('FREQ') ?? '']
  const days = listOf(parts.get('BYDAY')).map(weekdayText)
  const months = listOf(parts.get('BYMONTH')).map((month) => MONTHS[Number(month) - 1])
  if (unit === undefined || [...parts.keys()].some((name) => !KNOWN_RULE_PARTS.has(name))) return rule
  if (days.includes(undefined) || months.includes(undefined)) return rule
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const monthDays = listOf(parts.get('BYMONTHDAY'))
  const endTime = timeOf(parts.get('UNTIL') ?? '', undefined)
  const count = parts.get('COUNT')
  return [
    interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`,
    days.length > 0 ? ` on ${inWords(days)}` : '',
    monthDays.length > 0 ? ` on day ${inWords(monthDays)}` : '',
    months.length > 0 ? ` in ${inWords(months)}` : '',
    count === undefined ? '' : `, ${count} times`,
    endTime === undefined ? '' : `, until ${dayText(endTime)}`,
  ].join('')
}

const listOf = (value: string | undefined): string[] => (value ? value.split(',') : [])

function weekdayText(code: string): string | undefined {
  const [, ordinalCode = '', day = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(code) ?? []
  const name = DAYS[DAY_CODES.indexOf(day)]
  if (ordinalCode === '' || name === undefined) return name
  const ordinal = ORDINALS[String(Number(ordinalCode))]
  return ordinal === undefined ? undefined : `the ${ordinal} ${name}`
}

function inWords(items: readonly (string | undefined)[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
