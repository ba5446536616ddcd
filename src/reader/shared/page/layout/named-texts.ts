// Finds texts of a page that are the name of a bookmark. They are compared by their letters.

import { squeeze } from './words.ts'

// No title of a real file had more lines.
const MAX_LINES = 4
const MAX_NAME_CHARACTERS = 250

/** The end of the lines or blocks from `start` whose joined text is one of the names; undefined if there are none. */
export function namedEnd(
  lines: readonly { text: string }[],
  start: number,
  names: readonly string[],
): number | undefined {
  let text = ''
  for (let end = start; end < Math.min(lines.length, start + MAX_LINES); end++) {
    text = `${text} ${lines[end]?.text}`.trim()
    if (text.length > MAX_NAME_CHARACTERS) return undefined
    if (namesOf(text).some((name) => names.includes(name))) return end + 1
  }
  return undefined
}

// Matches "Part II. ", "3.1 " and "B) " before a title.
const NUMBER =
  /^(?:(?:part|item|chapter|article|section|appendix|annex|kapitel|abschnitt|artikel|anhang|chapitre)\s+)?(?:[\dIVX]+(?:\.\d+)*|[A-Z])[.:)]*\s+(?=\p{L})/iu

/** The letters of a title with its number, and without it, because an outline may omit the number. */
export const namesOf = (text: string): string[] => {
  const [withNumber, withoutNumber] = [squeeze(text), squeeze(text.replace(NUMBER, ''))]
  return withNumber === withoutNumber ? [withNumber] : [withNumber, withoutNumber]
}
