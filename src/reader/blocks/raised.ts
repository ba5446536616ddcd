// Superscripts in plain text: without a sign 10³ reads as 103, m² as m2, and "contract" with the mark of a note as
// "contract1". Pure.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SIGNS: Record<string, string> = { '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻' }

/** Behind figures, brackets (but those of a note before) and what is as short as a unit or a variable it is an exponent. */
const BEFORE_EXPONENT = /(?:[\d)⁰¹²³⁴-⁹⁺⁻]|(?<!\[\d[^\]]*)\]|(?<!\p{L})\p{L}{1,3})$/u

/** A raised `text` as it stands behind `before`: an exponent, the mark of a note ("[1]"), or as it is ("4th"). */
export function raised(before: string, text: string): string {
  if (/^[+\-−–]?\d{1,6}$/.test(text) && BEFORE_EXPONENT.test(before))
    return [...text].map((sign) => SIGNS[sign] ?? SUPERSCRIPTS[Number(sign)]).join('')
  return /^\d{1,3}(?:\s?[,–-]\s?\d{1,3})*$/.test(text) && /\S$/.test(before) ? `[${text}]` : text
}
