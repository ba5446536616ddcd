// The labels of list items in HTML: "-", "3.", "c.".

import { numeral } from '../blocks/numerals.ts'

export interface OpenList {
  /** The last number; undefined in a bulleted list. */
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
const MAX_DEPTH = 5
/** Longer lists become several blocks, since adding 100,000 items one by one would copy the text as often. */
export const MAX_LIST_CHARACTERS = 20_000

export function openedList(name: string, attributes: Record<string, string>): OpenList {
  const format = FORMATS[attributes.type ?? ''] ?? 'decimal'
  if (name !== 'ol') return { last: undefined, format, step: 1 }
  const start = Number.parseInt(attributes.start ?? '1', 10)
  // A reversed list without a start value counts up.
  const step = 'reversed' in attributes && attributes.start !== undefined ? -1 : 1
  return { last: (Number.isNaN(start) ? 1 : start) - step, format, step }
}

/** The label of the next item, indented. */
export function nextMark(lists: readonly OpenList[], attributes: Record<string, string>): string {
  const list = lists.at(-1)
  const depth = '  '.repeat(Math.min(Math.max(0, lists.length - 1), MAX_DEPTH))
  if (list?.last === undefined) return `${depth}- `
  const ordinal = Number.parseInt(attributes.value ?? '', 10)
  list.last = Number.isNaN(ordinal) ? list.last + list.step : ordinal
  return `${depth}${marked(list.last, list.format)}. `
}

const LETTERS = 26

/**
 * A number in the list's format. After "z." follow "aa." and "ab." (in Word "bb."); digits where letters do not apply.
 */
function marked(count: number, format: string): string {
  if (count < 1) return String(count)
  if (!/Letter$/.test(format) || count <= LETTERS) return numeral(count, format)
  return marked(Math.floor((count - 1) / LETTERS), format) + marked(((count - 1) % LETTERS) + 1, format)
}
