// The marks of HTML's lists: "-", "3.", "c." as their kind, start and values say.

import { numeral } from '../../blocks/numerals.ts'

export interface OpenList {
  /** The last number given; undefined in a bulleted list. */
  last: number | undefined
  format: string
  step: 1 | -1
}

const FORMATS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}
const MOST_DEPTH = 5
/** Growing a list of 100,000 items item by item copies it as often; longer ones become several blocks. */
export const MOST_LIST_CHARACTERS = 20_000

export function openedList(name: string, attributes: Record<string, string>): OpenList {
  const format = FORMATS[attributes.type ?? ''] ?? 'decimal'
  if (name !== 'ol') return { last: undefined, format, step: 1 }
  const start = Number.parseInt(attributes.start ?? '1', 10)
  // One that counts down from an unknown number counts up.
  const step = 'reversed' in attributes && attributes.start !== undefined ? -1 : 1
  return { last: (Number.isNaN(start) ? 1 : start) - step, format, step }
}

/** The next item's mark at its depth, which the list counts. */
export function nextMark(lists: readonly OpenList[], attributes: Record<string, string>): string {
  const list = lists.at(-1)
  const depth = '  '.repeat(Math.min(Math.max(0, lists.length - 1), MOST_DEPTH))
  if (list?.last === undefined) return `${depth}- `
  const stated = Number.parseInt(attributes.value ?? '', 10)
  list.last = Number.isNaN(stated) ? list.last + list.step : stated
  return `${depth}${marked(list.last, list.format)}. `
}

const LETTERS = 26

/** After "z." comes "aa.", then "ab.", where Word goes on with "bb."; what letters and Roman numbers do not count is in figures. */
function marked(count: number, format: string): string {
  if (count < 1) return String(count)
  if (!/Letter$/.test(format) || count <= LETTERS) return numeral(count, format)
  return marked(Math.floor((count - 1) / LETTERS), format) + marked(((count - 1) % LETTERS) + 1, format)
}
