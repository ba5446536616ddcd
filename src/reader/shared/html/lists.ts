// The labels of list items in HTML: "-", "3.", "c.".

import { numeral } from '../blocks/numerals.ts'

export interface OpenList {
  /** The number of the last item. Undefined in a bulleted list. */
  lastNumber: number | undefined
  format: string
  step: 1 | -1
}

const FORMAT_BY_TYPE: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}
const MAX_LIST_DEPTH = 5
/** Longer lists become several blocks, because each item that is added copies the text of the block. */
export const MAX_LIST_CHARACTERS = 20_000

export function newList(name: string, attributes: Record<string, string>): OpenList {
  const format = FORMAT_BY_TYPE[attributes.type ?? ''] ?? 'decimal'
  if (name !== 'ol') return { lastNumber: undefined, format, step: 1 }
  const start = Number.parseInt(attributes.start ?? '1', 10)
  // A reversed list without a start value counts up.
  const step = 'reversed' in attributes && attributes.start !== undefined ? -1 : 1
  return { lastNumber: (Number.isNaN(start) ? 1 : start) - step, format, step }
}

/** The label of the next item, indented. Advances the number of the innermost list. */
export function nextItemLabel(lists: readonly OpenList[], attributes: Record<string, string>): string {
  const list = lists.at(-1)
  const indent = '  '.repeat(Math.min(Math.max(0, lists.length - 1), MAX_LIST_DEPTH))
  if (list?.lastNumber === undefined) return `${indent}- `
  const ordinal = Number.parseInt(attributes.value ?? '', 10)
  list.lastNumber = Number.isNaN(ordinal) ? list.lastNumber + list.step : ordinal
  return `${indent}${ordinalText(list.lastNumber, list.format)}. `
}

const LETTERS = 26

/**
 * A number in the list's format. After "z." follow "aa." and "ab." (in Word "bb."). Numbers below 1 are written in digits.
 */
function ordinalText(count: number, format: string): string {
  if (count < 1) return String(count)
  if (!/Letter$/.test(format) || count <= LETTERS) return numeral(count, format)
  return (
    ordinalText(Math.floor((count - 1) / LETTERS), format) + ordinalText(((count - 1) % LETTERS) + 1, format)
  )
}
