// Finds periods of time in texts and file names: years, months, quarters, days. Each has one form, so that "third quarter of
// 2023", "Q3 2023" and "2023_Q3" are equal: `2023`, `2023-07`, `2023-Q3`, `2023-07-01`. Pure.

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
    ['maerz', 3],
    ['fevrier', 2],
    ['aout', 8],
    ['decembre', 12],
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
/** The source of a pattern for the name of a month, also shortened, in a capturing group. */
export const MONTH = `(${[...monthNumbers.keys()].join('|')})\\.?`
const ORDINAL = `(?:${ORDINALS.map((forms) => `(${forms.join('|')})`).join('|')})`
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
// What may be between the parts of a period: "Q3 of fiscal year 2023", "FY 2023, Q3", "Q3/2023", "2023_Q3".
const GAP = '[\\s,./_–-]*(?:(?:of|de|du|del|the|fiscal|year|fy)\\s*)*'

const globalPattern = (source: string): RegExp => new RegExp(source, 'giu')
const twoDigits = (value: number | string | undefined): string => String(value).padStart(2, '0')

interface PeriodForm {
  pattern: RegExp
  /** The period. Undefined if the numbers are no date. */
  periodOf: (match: RegExpMatchArray) => string | undefined
}

const dayPeriod = (year = '', month: number | string = '', date: number | string = ''): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= 31
    ? `${year}-${twoDigits(month)}-${twoDigits(date)}`
    : undefined
const monthOf = (name = ''): number => monthNumbers.get(name.toLowerCase()) ?? 0
const ordinalOf = (groups: readonly (string | undefined)[]): number =>
  groups.findIndex((group) => group !== undefined) + 1

const FORMS: readonly PeriodForm[] = [
  // 2022-10-28, 2022_10_28
  {
    pattern: globalPattern(`${START}${YEAR}[-_.](\\d\\d)[-_.](\\d\\d)${END}`),
    periodOf: ([, year, month, date]) => dayPeriod(year, month, date),
  },
  // 28.10.2022
  {
    pattern: globalPattern(`${START}(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}${END}`),
    periodOf: ([, date, month, year]) => dayPeriod(year, month, date),
  },
  // 28/10/2022 and 10/28/2022, if it is clear which number is the month.
  {
    pattern: globalPattern(`${START}(\\d\\d?)/(\\d\\d?)/${YEAR}${END}`),
    periodOf: ([, a, b, year]) =>
      Number(a) > 12 ? dayPeriod(year, b, a) : Number(b) > 12 || a === b ? dayPeriod(year, a, b) : undefined,
  },
  // October 28th, 2022
  {
    pattern: globalPattern(`${START}${MONTH}\\s+(\\d\\d?)(?:st|nd|rd|th)?,?\\s+${YEAR}${END}`),
    periodOf: ([, name, date, year]) => dayPeriod(year, monthOf(name), date),
  },
  // 28th of October 2022, 28. Oktober 2022, 28 de octubre de 2022
  {
    pattern: globalPattern(
      `${START}(\\d\\d?)(?:\\.|st|nd|rd|th|er)?\\s+(?:of\\s+|de\\s+)?${MONTH},?\\s+(?:de\\s+|of\\s+)?${YEAR}${END}`,
    ),
    periodOf: ([, date, name, year]) => dayPeriod(year, monthOf(name), date),
  },
  // October 2022
  {
    pattern: globalPattern(`${START}${MONTH}(?:,?\\s+|[_-])(?:of\\s+|de\\s+)?${YEAR}${END}`),
    periodOf: ([, name, year]) => `${year}-${twoDigits(monthOf(name))}`,
  },
  // 2022-10
  {
    pattern: globalPattern(`${START}${YEAR}[-_](0[1-9]|1[0-2])${END}(?![-_.]\\d)`),
    periodOf: ([, year, month]) => `${year}-${month}`,
  },
  // Q3 2023, 3Q 2023, and French T3 2023
  {
    pattern: globalPattern(`${START}(?:[qt]([1-4])|([1-4])[qt])${GAP}${YEAR}${END}`),
    periodOf: ([, a, b, year]) => `${year}-Q${a ?? b}`,
  },
  // FY2023 Q3
  {
    pattern: globalPattern(`${START}(?:fy)?${YEAR}${GAP}(?:[qt]([1-4])|([1-4])[qt])${END}`),
    periodOf: ([, year, a, b]) => `${year}-Q${a ?? b}`,
  },
  // third quarter of 2023
  {
    pattern: globalPattern(
      `${START}${ORDINAL}\\s+(?:fiscal\\s+)?(?:quarter|quartals?|trimestre)${GAP}${YEAR}${END}`,
    ),
    periodOf: ([, ...groups]) => `${groups[4]}-Q${ordinalOf(groups.slice(0, 4))}`,
  },
  // 2023, FY2023
  {
    pattern: globalPattern(`${START}(?:fy)?${YEAR}(?![\\p{L}\\p{N}]|[.,]\\d)`),
    periodOf: ([, year]) => year,
  },
]

// Periods without a year. In lower case, "may 5" and "mar" are words and not periods.
const YEARLY_FORMS: readonly PeriodForm[] = [
  // 6 July, 6th of July
  {
    pattern: globalPattern(
      `${START}(\\d\\d?)(?:\\.|st|nd|rd|th|er)?\\s?(?:of\\s+|de\\s+)?${MONTH}${END}(?![,\\s]+(?:de\\s+|of\\s+)?${YEAR}${END})`,
    ),
    periodOf: ([, date, name]) => dayPeriod('', monthOf(name), date),
  },
  // July 6
  {
    pattern: globalPattern(`${START}${MONTH}\\s+(?:the\\s+)?(\\d\\d?)(?:st|nd|rd|th)?${END}(?![.,:]\\d)`),
    periodOf: ([whole, name, date]) =>
      /^\p{Lu}/u.test(whole) ? dayPeriod('', monthOf(name), date) : undefined,
  },
  // Q3
  {
    pattern: globalPattern(`${START}(?:[qt]([1-4])|([1-4])[qt])${END}`),
    periodOf: ([, a, b]) => `-Q${a ?? b}`,
  },
  // third quarter
  {
    pattern: globalPattern(`${START}${ORDINAL}\\s+(?:fiscal\\s+)?(?:quarter|quartals?|trimestre)${END}`),
    periodOf: ([, ...groups]) => `-Q${ordinalOf(groups.slice(0, 4))}`,
  },
  // July
  {
    pattern: globalPattern(`${START}${MONTH}${END}`),
    periodOf: ([, name = '']) =>
      /^\p{Lu}/u.test(name) || name.length > 3 || name === 'mai' ? `-${twoDigits(monthOf(name))}` : undefined,
  },
]

/** The periods in a text, each once. A day also gives its month and year, a month or quarter also gives its year. */
export function periodsIn(text: string): string[] {
  const periods = new Set<string>()
  for (const { pattern, periodOf } of FORMS)
    for (const match of text.matchAll(pattern)) {
      const period = periodOf(match)
      for (
        let widerPeriod = period;
        widerPeriod;
        widerPeriod = widerPeriod.slice(0, Math.max(0, widerPeriod.lastIndexOf('-')))
      )
        periods.add(widerPeriod)
    }
  return [...periods]
}

/** A period with its place in the text; offsets in UTF-16 units. */
export interface PlacedPeriod {
  period: string
  start: number
  end: number
}

/** The periods of a text in reading order. Of periods that overlap, only the narrowest is returned. */
export const placedPeriods = (text: string): PlacedPeriod[] => placedPeriodsBy(FORMS, text)

/** The periods without a year in a text, `-07-06`, `-07`, `-Q3`. They may be a part of a period with a year. */
export const yearlyPeriods = (text: string): PlacedPeriod[] => placedPeriodsBy(YEARLY_FORMS, text)

function placedPeriodsBy(forms: readonly PeriodForm[], text: string): PlacedPeriod[] {
  const periods: PlacedPeriod[] = []
  for (const { pattern, periodOf } of forms)
    for (const match of text.matchAll(pattern)) {
      const period = periodOf(match)
      const [start, end] = [match.index, match.index + match[0].length]
      if (period && !periods.some((other) => start < other.end && other.start < end))
        periods.push({ period, start, end })
    }
  return periods.sort((a, b) => a.start - b.start)
}

/** 1 to 12 for the name of a month, in any letter case. Undefined for any other word. */
export const monthNamed = (word: string): number | undefined => monthNumbers.get(word.toLowerCase())

/** The periods that contain no other of the given periods: of 2023 and 2023-Q3 only the quarter. */
export const narrowest = (periods: readonly string[]): string[] =>
  periods.filter((period) => !periods.some((other) => other.startsWith(`${period}-`)))

const LAST_MONTH = { Q1: '03', Q2: '06', Q3: '09', Q4: '12' } as const

/** The first day of a period, `2023-07-01`. */
export function startOf(period: string): string {
  const [year = '', part = '01', date = '01'] = period.split('-')
  const month = part in LAST_MONTH ? twoDigits(Number(LAST_MONTH[part as keyof typeof LAST_MONTH]) - 2) : part
  return `${year}-${month}-${date}`
}

/** The last day of a period, `2023-09-30`, by which documents are put in order. */
export function endOf(period: string): string {
  const [year = '', part = '12', date] = period.split('-')
  const month = part in LAST_MONTH ? LAST_MONTH[part as keyof typeof LAST_MONTH] : part
  const lastDate = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return `${year}-${month}-${date === undefined ? lastDate : twoDigits(Math.min(Number(date), lastDate))}`
}
