// Numbers, sizes, dates and durations in the language of the console.

import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'

const numberFormat = new Intl.NumberFormat(locale)
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const shortList = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const dateTimeWithSeconds = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

export const formatCount = (count: number): string => numberFormat.format(count)

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte')
  if (bytes < 1e6) return `${oneDigit.format(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${oneDigit.format(bytes / 1e6)} MB` : `${oneDigit.format(bytes / 1e9)} GB`
}

/** "A, B, C" */
export const formatList = (items: readonly string[]): string => shortList.format(items)
/** The items and what stands between them, so that each item can be an element. */
export const listParts = (items: readonly string[]) => shortList.formatToParts(items)

export const formatDate = (iso: string): string => date.format(new Date(iso))
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso))

/** Two times, with their seconds where they would look the same without. */
export function formatDateTimes(first: string, second: string): [string, string] {
  const isSameMinute = formatDateTime(first) === formatDateTime(second)
  const format = isSameMinute ? dateTimeWithSeconds : dateTime
  return [format.format(new Date(first)), format.format(new Date(second))]
}

/** "20 seconds", "3 minutes", "2 hours": rounded up, since a person waits that long. */
export function formatDuration(seconds: number): string {
  if (seconds < 15) return plural(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds < 55) return plural(5 * Math.ceil(seconds / 5), 'second')
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 90) return plural(minutes, 'minute')
  return plural(Math.ceil(minutes / 60), 'hour')
}

/** "just now", "5 minutes ago", "yesterday", or the date. */
export function formatAgo(iso: string): string {
  const seconds = (Date.now() - Date.parse(iso)) / 1000
  if (seconds < 60) return t('just now')
  if (seconds < 3600) return plural(Math.floor(seconds / 60), '{count} minute ago', '{count} minutes ago')
  if (seconds < 86_400) return plural(Math.floor(seconds / 3600), '{count} hour ago', '{count} hours ago')
  return seconds < 172_800 ? t('yesterday') : formatDate(iso)
}
