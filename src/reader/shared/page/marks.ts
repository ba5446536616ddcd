// Recognises the mark of a list entry by its text alone: "•", "-", "1.", "(a)", "§ 4", "4.2". One grammar for every kind of
// document.

// The last ones are private characters of Symbol and Wingdings.
const BULLET = /^[●•▪■◦‣∙○\uf0a7\uf0b7\uf0d8\uf06e\uf076\uf0fc]\s*/u
// Signs that may also be those of a note, a sum or a sentence.
const DASH_MARK = /^[*·–—-]\s+(?=\S)/u
const NUMBER = /^(?:\(\w{1,4}\)|\w{1,2}[.)])\s/
const CLAUSE = /^(?:\(?\d{1,2}(?:\.\d{1,2})+[.)†‡*+]?|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]|§+\s*\d+)\s+\S/u
const SEQUENTIAL_MARK = /^(\(?)(\d{1,2}|[a-z]|[A-Z])([.)]?)\s+\S/u
const MARK_ALONE =
  /^(?:[●•▪■◦‣∙○\uf0a7\uf0b7\uf0d8\uf06e\uf076\uf0fc*†‡·–—☐☑☒-]|\(?(?:\d{1,3}|\p{L}|[ivx]{1,4})[.)])$/u

/** Whether a text begins with a bullet. */
export const hasBullet = (text: string): boolean => BULLET.test(text)

/** Whether a text begins with a bullet or a dash. */
export const isEntry = (text: string): boolean => BULLET.test(text) || DASH_MARK.test(text)

/** An entry with a dash as its mark. */
export const entryText = (text: string): string => `- ${text.replace(BULLET, '').replace(DASH_MARK, '')}`

/** Whether a text consists only of a bullet or a dash. */
export const isBullet = (text: string): boolean => isEntry(`${text} x`) && [...text].length === 1

/** Whether a text begins with the number or letter of an entry: "(a)", "2.". */
export const isNumbered = (text: string): boolean => NUMBER.test(text)

/** Whether a text is a clause with its number: "4.2 The rent …", "§ 4 …", "(ii) …". */
export const isClause = (text: string): boolean => CLAUSE.test(text)

/** Whether a text consists only of a mark. */
export const isMark = (text: string): boolean => MARK_ALONE.test(text)

/** A mark in a sequence: its position, and the kind that the next mark must have. */
export interface Mark {
  kind: string
  place: number
}

/** The mark at the start of a text: "(1)", "(a)", "2.", or a figure alone, which is the mark of a note that was a superscript. */
export function markOf(text: string): Mark | undefined {
  const [, opening = '', sign, closing = ''] = SEQUENTIAL_MARK.exec(text) ?? []
  if (sign === undefined || (/\D/.test(sign) && closing === '')) return undefined
  const isNumber = /\d/.test(sign)
  const script = isNumber ? '1' : sign === sign.toLowerCase() ? 'a' : 'A'
  return { kind: `${opening}${script}${closing}`, place: isNumber ? Number(sign) : sign.charCodeAt(0) }
}
