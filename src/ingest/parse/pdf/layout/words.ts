// Words as a reader would search for them: what "found in the blocks" is measured by.

/** Lower-case runs of letters and digits. */
export function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

/** The same without gaps: words joined or split on the way (hyphens, letter spacing) are there all the same. */
export function squeeze(text: string): string {
  return plainWords(text).join('')
}
