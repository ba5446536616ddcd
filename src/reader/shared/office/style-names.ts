// What a paragraph style means, by its name. Word stores the names of its own styles in English, whatever its language.

export interface NamedStyle {
  /** In lower case. */
  name: string
  /** The outline level that the style states: 1 to 9, 0 for body text. */
  outline?: number | undefined
}

/**
 * The heading level of a style: 1 to 9, or 0 for body text. `chain` is the style followed by the styles that it is based on.
 * Undefined if no style of the chain states a level.
 */
export function headingLevel(chain: readonly NamedStyle[]): number | undefined {
  for (const { name, outline } of chain) {
    const level = namedLevel(name) ?? outline
    if (level !== undefined) return level
  }
  return undefined
}

function namedLevel(name: string): number | undefined {
  const numbered = /^heading ([1-9])$/.exec(name)?.[1]
  if (numbered !== undefined) return Number(numbered)
  if (name === 'title') return 1
  return name === 'subtitle' || /^(?:toc|contents) /.test(name) ? 0 : undefined
}

/** The level of an entry in a table of contents, from 1; undefined for other styles. */
export function contentsLevel(name: string): number | undefined {
  const level = /^(?:toc|contents) (\d)$/.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

export const isCodeStyle = (name: string): boolean =>
  /^(?:(?:html )?preformatted(?: text)?|(?:source ?)?code|plain code)$/.test(name)

const nameByNumber: Readonly<Record<number, string>> = { 62: 'title', 74: 'subtitle' }
const FIRST_CONTENTS_NUMBER = 19

/** The name of one of Word's own styles by its number ([MS-DOC] 2.9.260 sti); '' for styles without a meaning here. */
export function builtInName(number: number): string {
  if (number >= 1 && number <= 9) return `heading ${number}`
  if (number >= FIRST_CONTENTS_NUMBER && number < FIRST_CONTENTS_NUMBER + 9)
    return `toc ${number - FIRST_CONTENTS_NUMBER + 1}`
  return nameByNumber[number] ?? ''
}

/** The outline level, 1 to 9, of a level that files state as 0 to 8; 0 for body text. */
export const outlineLevel = (level: number): number => (level >= 0 && level < 9 ? level + 1 : 0)
