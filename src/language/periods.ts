// Periods of time as texts and file names write them: years, months, quarters, days. In one form, so that "third quarter of
// 2023", "Q3 2023" and "2023_Q3" are one: `2023`, `2023-07`, `2023-Q3`, `2023-07-01`. Pure.

import { MONTHS, SHORT_MONTHS } from './months.ts'

const YEAR = '((?:19|20)\\d\\d)'
const ORDINALS: readonly string[][] = [
  ['first', '1st', 'erste[nsr]?', '1\\.', 'premier', '1er', 'primer', '1º'],
  ['second', '2nd', 'zweite[nsr]?', '2\\.', 'deuxième', '2e', 'segundo', '2º'],
  ['third', '3rd', 'dritte[nsr]?', '3\\.', 'troisième', '3e', 'tercer', '3º'],
  ['fourth', '4th', 'vierte[nsr]?', '4\\.', 'quatrième', '4e', 'cuarto', '4º'],
]
const monthNumbers = new Map([
  ...Object.values(MONTHS).flatMap((names) => names.map((name, i) => [name, i + 1] as const)),
  ...SHORT_MONTHS,
  ...([
    ['jänner', 1],
    ['mär', 3],
    ['okt', 10],
    ['dez', 12],
    ['janv', 1],
    ['févr', 2],
    ['juil', 7],
    ['déc', 12],
    ['ene', 1],
    ['abr', 4],
    ['dic', 12],
  ] as const),
])
const MONTH = `(${[...monthNumbers.keys()].join('|')})\\.?`
const ORDINAL = `(?:${ORDINALS.map((forms) => `(${forms.join('|')})`).join('|')})`
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
// Between the parts of a period: "Q3 of fiscal year 2023", "FY 2023, Q3", "Q3/2023", "2023_Q3".
const GAP = '[\\s,./_–-]*(?:(?:of|de|du|del|the|fiscal|year|fy)\\s*)*'

const pattern = (source: string): RegExp => new RegExp(source, 'giu')
const two = (value: number | string | undefined): string => String(value).padStart(2, '0')

interface Form {
  pattern: RegExp
  /** The period, or nothing if the numbers are none. */
  read: (match: RegExpMatchArray) => string | undefined
}

const day = (year = '', month: number | string = '', date: number | string = ''): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= 31
    ? `${year}-${two(month)}-${two(date)}`
    : undefined
const monthOf = (name = ''): number => monthNumbers.get(name.toLowerCase()) ?? 0
const ordinalOf = (groups: readonly (string | undefined)[]): number =>
  groups.findIndex((group) => group !== undefined) + 1

const FORMS: readonly Form[] = [
  {
    pattern: pattern(`${START}${YEAR}[-_.](\\d\\d)[-_.](\\d\\d)${END}`),
    read: ([, year, month, date]) => day(year, month, date),
  },
  // 28.10.2022, and 10/28/2022 where it is clear which number is the month.
  {
    pattern: pattern(`${START}(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}${END}`),
    read: ([, date, month, year]) => day(year, month, date),
  },
  {
    pattern: pattern(`${START}(\\d\\d?)/(\\d\\d?)/${YEAR}${END}`),
    read: ([, a, b, year]) =>
      Number(a) > 12 ? day(year, b, a) : Number(b) > 12 || a === b ? day(year, a, b) : undefined,
  },
  {
    pattern: pattern(`${START}${MONTH}\\s+(\\d\\d?)(?:st|nd|rd|th)?,?\\s+${YEAR}${END}`),
    read: ([, name, date, year]) => day(year, monthOf(name), date),
  },
  {
    pattern: pattern(
      `${START}(\\d\\d?)(?:\\.|st|nd|rd|th|er)?\\s+(?:of\\s+|de\\s+)?${MONTH},?\\s+(?:de\\s+|of\\s+)?${YEAR}${END}`,
    ),
    read: ([, date, name, year]) => day(year, monthOf(name), date),
  },
  {
    pattern: pattern(`${START}${MONTH},?\\s+(?:of\\s+|de\\s+)?${YEAR}${END}`),
    read: ([, name, year]) => `${year}-${two(monthOf(name))}`,
  },
  {
    pattern: pattern(`${START}${YEAR}[-_](0[1-9]|1[0-2])${END}(?![-_.]\\d)`),
    read: ([, year, month]) => `${year}-${month}`,
  },
  {
    pattern: pattern(`${START}(?:[qt]([1-4])|([1-4])[qt])${GAP}${YEAR}${END}`),
    read: ([, a, b, year]) => `${year}-Q${a ?? b}`,
  },
  {
    pattern: pattern(`${START}(?:fy)?${YEAR}${GAP}(?:[qt]([1-4])|([1-4])[qt])${END}`),
    read: ([, year, a, b]) => `${year}-Q${a ?? b}`,
  },
  {
    pattern: pattern(
      `${START}${ORDINAL}\\s+(?:fiscal\\s+)?(?:quarter|quartals?|trimestre)${GAP}${YEAR}${END}`,
    ),
    read: ([, ...groups]) => `${groups[4]}-Q${ordinalOf(groups.slice(0, 4))}`,
  },
  { pattern: pattern(`${START}(?:fy)?${YEAR}(?![\\p{L}\\p{N}]|[.,]\\d)`), read: ([, year]) => year },
]

// Without a year: "6 July", "Q3", "July". In small letters "may 5" and "mar" are words.
const YEARLY_FORMS: readonly Form[] = [
  {
    pattern: pattern(
      `${START}(\\d\\d?)(?:\\.|st|nd|rd|th|er)?\\s?(?:of\\s+|de\\s+)?${MONTH}${END}(?![,\\s]+(?:de\\s+|of\\s+)?${YEAR}${END})`,
    ),
    read: ([, date, name]) => day('', monthOf(name), date),
  },
  {
    pattern: pattern(`${START}${MONTH}\\s+(?:the\\s+)?(\\d\\d?)(?:st|nd|rd|th)?${END}(?![.,:]\\d)`),
    read: ([whole, name, date]) => (/^\p{Lu}/u.test(whole) ? day('', monthOf(name), date) : undefined),
  },
  { pattern: pattern(`${START}(?:[qt]([1-4])|([1-4])[qt])${END}`), read: ([, a, b]) => `-Q${a ?? b}` },
  {
    pattern: pattern(`${START}${ORDINAL}\\s+(?:fiscal\\s+)?(?:quarter|quartals?|trimestre)${END}`),
    read: ([, ...groups]) => `-Q${ordinalOf(groups.slice(0, 4))}`,
  },
  {
    pattern: pattern(`${START}${MONTH}${END}`),
    read: ([, name = '']) =>
      /^\p{Lu}/u.test(name) || name.length > 3 || name === 'mai' ? `-${two(monthOf(name))}` : undefined,
  },
]

/** The periods that a text says, each once; of a day also its month and year, of a month or quarter its year. */
export function periodsIn(text: string): string[] {
  const periods = new Set<string>()
  for (const { pattern, read } of FORMS)
    for (const match of text.matchAll(pattern)) {
      const period = read(match)
      for (let at = period; at; at = at.slice(0, Math.max(0, at.lastIndexOf('-')))) periods.add(at)
    }
  return [...periods]
}

/** A period with its place in the text; offsets in UTF-16 units. */
export interface PlacedPeriod {
  period: string
  start: number
  end: number
}

/** The periods of a text in reading order; of those that overlap the narrowest. */
export const placedPeriods = (text: string): PlacedPeriod[] => placedBy(FORMS, text)

/** The periods of every year that a text says, `-07-06`, `-07`, `-Q3`: also those that are a part of one with its year. */
export const yearlyPeriods = (text: string): PlacedPeriod[] => placedBy(YEARLY_FORMS, text)

function placedBy(forms: readonly Form[], text: string): PlacedPeriod[] {
  const periods: PlacedPeriod[] = []
  for (const { pattern, read } of forms)
    for (const match of text.matchAll(pattern)) {
      const period = read(match)
      const [start, end] = [match.index, match.index + match[0].length]
      if (period && !periods.some((other) => start < other.end && other.start < end))
        periods.push({ period, start, end })
    }
  return periods.sort((a, b) => a.start - b.start)
}

/** 1 to 12 for the name of a month, in any letter case; undefined for another word. */
export const monthNamed = (word: string): number | undefined => monthNumbers.get(word.toLowerCase())

/** Without those that contain a narrower one of them: of 2023 and 2023-Q3 the quarter. */
export const narrowest = (periods: readonly string[]): string[] =>
  periods.filter((period) => !periods.some((other) => other.startsWith(`${period}-`)))

const LAST_MONTH = { Q1: '03', Q2: '06', Q3: '09', Q4: '12' } as const

/** The first day of a period, `2023-07-01`. */
export function startOf(period: string): string {
  const [year = '', part = '01', date = '01'] = period.split('-')
  const month = part in LAST_MONTH ? two(Number(LAST_MONTH[part as keyof typeof LAST_MONTH]) - 2) : part
  return `${year}-${month}-${date}`
}

/** The last day of a period, `2023-09-30`, by which documents are put in order. */
export function endOf(period: string): string {
  const [year = '', part = '12', date] = period.split('-')
  const month = part in LAST_MONTH ? LAST_MONTH[part as keyof typeof LAST_MONTH] : part
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return `${year}-${month}-${date === undefined ? last : two(Math.min(Number(date), last))}`
}
