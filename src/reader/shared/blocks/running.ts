// All headers become one note, and all footers another. They repeat on every page, but a letterhead has the sender's name.

import type { Block } from '../../block.ts'

// A control character, which does not occur in cleaned text.
const MARK = '\u0001'

/** A page number or page count in a header or footer, marked so that `runningNote` can remove it. */
export const markedPageNumber = (label: string): string => `${MARK}${label}`

const MAX_NOTE_CHARACTERS = 2000

/** The texts of all headers or all footers as one note: each line once, without page numbers. */
export function runningNote(texts: readonly string[]): Block[] {
  const lines = texts.flatMap((text) => text.split('\n')).map(withoutPageNumbers)
  const text = [...new Set(lines)]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_NOTE_CHARACTERS)
  return text === '' ? [] : [{ kind: 'note', text }]
}

/** A line without its page numbers. Tabs separate its left, middle and right part. */
const withoutPageNumbers = (line: string): string =>
  line
    .split('\t')
    .filter((part) => !isPageNumber(part))
    .map((part) => part.replaceAll(MARK, '').trim())
    .filter((part) => part !== '')
    .join(' ')

/** Whether a part is only a page number, such as "Page 3", "3 / 7" or "Page 3 of 7": at most one word for each number. */
function isPageNumber(part: string): boolean {
  const numbers = part.split(MARK).length - 1
  const words = part.replaceAll(new RegExp(`${MARK}[\\p{L}\\d]*`, 'gu'), ' ').match(/\p{L}+|\d+/gu) ?? []
  return numbers > 0 && words.length <= numbers
}
