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

/** Letters, those of Chinese, Japanese and Korean as two. */
export const lettersWide = (text: string): number =>
  text.length + (text.match(/[\u1100-\u11ff\u2e80-\ud7ff]/g)?.length ?? 0)
