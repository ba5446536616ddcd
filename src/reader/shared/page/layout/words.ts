// Words and letters of texts, to compare texts regardless of spaces and punctuation.

/** The words of a text in lower case, without punctuation. */
export function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

/** The letters and digits of a text in lower case, without spaces, so that hyphens and letter spacing make no difference. */
export function squeeze(text: string): string {
  return plainWords(text).join('')
}

/** The number of characters of a text. Chinese, Japanese and Korean ones count twice. */
export const weightedLength = (text: string): number =>
  text.length + (text.match(/[\u1100-\u11ff\u2e80-\ud7ff]/g)?.length ?? 0)

/** The letters and digits of lines. */
export const lettersOf = (lines: readonly { text: string }[]): string =>
  lettersIn(lines.map(({ text }) => text).join(''))

/** The letters and digits of a text. */
export const lettersIn = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** The position after the given letters, and the punctuation after them. Undefined if the text begins with other letters. */
export function endOf(text: string, letters: string): number | undefined {
  let matchedUnits = 0
  // By code points, because a regular expression for each letter would allocate much memory.
  for (let end = 0; end < text.length && matchedUnits < letters.length; ) {
    const code = text.codePointAt(end) ?? 0
    const units = code > 0xffff ? 2 : 1
    end += units
    if (!isLetter(code)) continue
    if (letters.codePointAt(matchedUnits) !== code) return undefined
    matchedUnits += units
    if (matchedUnits < letters.length) continue
    // A word that continues here was broken by a hyphen.
    const tail = /^[^\p{L}\p{N}\s]*(?=\s|$)/u.exec(text.slice(end))
    return tail === null ? undefined : end + tail[0].length
  }
  return undefined
}

const isLetter = (code: number): boolean => /[\p{L}\p{N}]/u.test(String.fromCodePoint(code))
