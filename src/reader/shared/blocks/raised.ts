// Writes superscripts in plain text. Otherwise 10³ would become 103, m² would become m2, and "contract" with a note reference
// would become "contract1". Pure.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const RAISED_SIGNS: Record<string, string> = { '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻' }

/**
 * A raised number is an exponent after digits, after brackets (except those of a note reference), and after words as short as
 * a unit or a variable.
 */
const BEFORE_EXPONENT = /(?:[\d)⁰¹²³⁴-⁹⁺⁻]|(?<!\[\d[^\]]*)\]|(?<!\p{L})\p{L}{1,3})$/u

/** The raised `text` after `textBefore` as plain text: an exponent ("³"), a note reference ("[1]"), or unchanged ("4th"). */
export function withRaised(textBefore: string, text: string): string {
  if (/^[+\-−–]?\d{1,6}$/.test(text) && BEFORE_EXPONENT.test(textBefore))
    return [...text].map((sign) => RAISED_SIGNS[sign] ?? SUPERSCRIPTS[Number(sign)]).join('')
  return /^\d{1,3}(?:\s?[,–-]\s?\d{1,3})*$/.test(text) && /\S$/.test(textBefore) ? `[${text}]` : text
}
