// Writes superscripts ("raised" text) in plain text. Otherwise 10³ would become 103, m² would become m2, and "contract" with a
// note reference would become "contract1". Pure.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const RAISED_SIGNS: Record<string, string> = { '+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻' }

/** The end of a text after which a raised number is an exponent: a digit, a bracket that is no note reference, or a short word. */
const BEFORE_EXPONENT = /(?:[\d)⁰¹²³⁴-⁹⁺⁻]|(?<!\[\d[^\]]*)\]|(?<!\p{L})\p{L}{1,3})$/u

/** The raised `text` after `textBefore` as plain text: an exponent ("³"), a note reference ("[1]"), or unchanged ("4th"). */
export function withRaised(textBefore: string, text: string): string {
  if (/^[+\-−–]?\d{1,6}$/.test(text) && BEFORE_EXPONENT.test(textBefore))
    return [...text].map((sign) => RAISED_SIGNS[sign] ?? SUPERSCRIPTS[Number(sign)]).join('')
  // The numbers of notes: "1", "1, 2", "3–5".
  return /^\d{1,3}(?:\s?[,–-]\s?\d{1,3})*$/.test(text) && /\S$/.test(textBefore) ? `[${text}]` : text
}
