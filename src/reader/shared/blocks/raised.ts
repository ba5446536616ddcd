// Superscripts in plain text: otherwise 10³ would read as 103, m² as m2, and "contract" with a note reference as
// "contract1". Pure.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SIGNS: Record<string, string> = { '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻' }

/**
 * After digits, brackets (except those of a note reference) and words as short as a unit or variable it is an exponent.
 */
const BEFORE_EXPONENT = /(?:[\d)⁰¹²³⁴-⁹⁺⁻]|(?<!\[\d[^\]]*)\]|(?<!\p{L})\p{L}{1,3})$/u

/** Raised `text` after `before` as plain text: an exponent ("³"), a note reference ("[1]"), or unchanged ("4th"). */
export function withRaised(textBefore: string, text: string): string {
  if (/^[+\-−–]?\d{1,6}$/.test(text) && BEFORE_EXPONENT.test(textBefore))
    return [...text].map((sign) => SIGNS[sign] ?? SUPERSCRIPTS[Number(sign)]).join('')
  return /^\d{1,3}(?:\s?[,–-]\s?\d{1,3})*$/.test(text) && /\S$/.test(textBefore) ? `[${text}]` : text
}
