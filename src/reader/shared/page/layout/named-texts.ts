// Texts that a bookmark of the page names, compared by their letters.

import { squeeze } from './words.ts'

// The maximum number of lines that a title was seen to have.
const MAX_LINES = 4
const MAX_CHARACTERS = 250

/** The end of the lines or blocks from `start` whose joined text is one of the names. */
export function namedEnd(
  lines: readonly { text: string }[],
  start: number,
  names: readonly string[],
): number | undefined {
  let text = ''
  for (let end = start; end < Math.min(lines.length, start + MAX_LINES); end++) {
    text = `${text} ${lines[end]?.text}`.trim()
    if (text.length > MAX_CHARACTERS) return undefined
    if (namesOf(text).some((name) => names.includes(name))) return end + 1
  }
  return undefined
}

const NUMBER =
  /^(?:(?:part|item|chapter|article|section|appendix|annex|kapitel|abschnitt|artikel|anhang|chapitre)\s+)?(?:[\dIVX]+(?:\.\d+)*|[A-Z])[.:)]*\s+(?=\p{L})/iu

/** A title's letters, with its number and without: an outline may omit the number. */
export const namesOf = (text: string): string[] => {
  const [withNumber, withoutNumber] = [squeeze(text), squeeze(text.replace(NUMBER, ''))]
  return withNumber === withoutNumber ? [withNumber] : [withNumber, withoutNumber]
}
