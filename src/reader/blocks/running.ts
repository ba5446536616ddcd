// Headers and footers: what stands on every page is said once, as a note. A letterhead says who writes.

import type { Block } from '../block.ts'

// No text holds it: what cleans text takes it out.
const MARK = '\u0001'

/** The number of a page or of all pages, as it stands in a header or footer. */
export const PAGE_NUMBER = (shown: string): string => `${MARK}${shown}`

const MOST_CHARACTERS = 2000

/** The texts of all headers (or of all footers) as one note: each line once, page numbers left out. */
export function runningNote(stories: readonly string[]): Block[] {
  const lines = stories.flatMap((story) => story.split('\n')).map(withoutPages)
  const text = [...new Set(lines)]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MOST_CHARACTERS)
  return text === '' ? [] : [{ kind: 'note', text }]
}

/** Tabs part the left, the middle and the right of a line. */
const withoutPages = (line: string): string =>
  line
    .split('\t')
    .filter((part) => !isPageNumber(part))
    .map((part) => part.replaceAll(MARK, '').trim())
    .filter((part) => part !== '')
    .join(' ')

/** "Page 3", "3 / 7", "Page 3 of 7": a word for each number at most. */
function isPageNumber(part: string): boolean {
  const numbers = part.split(MARK).length - 1
  const words = part.replaceAll(new RegExp(`${MARK}[\\p{L}\\d]*`, 'gu'), ' ').match(/\p{L}+|\d+/gu) ?? []
  return numbers > 0 && words.length <= numbers
}
