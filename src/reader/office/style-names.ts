// What the styles of Word mean by their names, which are English in its files whatever its language.

export interface NamedStyle {
  /** In lower case. */
  name: string
  /** The level in the outline that the style states: 1 to 9, 0 for body text. */
  outline?: number
}

/** The heading level of a style and those that it is based on: 1 to 9, 0 for body text, undefined where none says. */
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
