// A text in any letter case, as a regular expression that names every form of each letter. What PostgreSQL takes for the two cases of
// a letter depends on the locale of the database: with the locale C, É is not the capital of é.

// Letters that share a capital, or are written for each other. Turkish writes İ and ı where other languages write I and i.
const ALIKE: readonly (readonly string[])[] = [
  ['i', 'ı', 'İ', 'i\u0307'],
  ['σ', 'ς'],
  ['ss', 'ß', 'ẞ'],
]

// Pairs that may be one letter come first.
const LETTERS = /ss|i\u0307|\p{L}/giu

/** The text as a regular expression without meaning for its signs, which matches it in any letter case. */
export const inAnyCase = (text: string): string =>
  escapeSigns(text).replace(LETTERS, (letter) => alternatives(formsOf(letter)))

/** The text as a regular expression without meaning for its signs. */
export const escapeSigns = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** All forms of a letter, or of a pair of letters that may be one letter. */
function formsOf(letter: string): Set<string> {
  const lower = letter.toLowerCase()
  const letters = [letter, lower, ...(ALIKE.find((forms) => forms.includes(lower)) ?? [])]
  return new Set(letters.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase(), withCapital(form)]))
}

const withCapital = (form: string): string => form.charAt(0).toUpperCase() + form.slice(1)

function alternatives(forms: ReadonlySet<string>): string {
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  const letters = longestFirst.filter((form) => [...form].length === 1)
  const pairs = longestFirst.filter((form) => [...form].length > 1)
  const anyLetter = letters.length > 1 ? `[${letters.join('')}]` : letters.join('')
  return pairs.length > 0 ? `(?:${[...pairs, anyLetter].join('|')})` : anyLetter
}
