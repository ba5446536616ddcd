// Recognises the marks of list entries and clauses by their text: "•", "-", "1.", "(a)", "§ 4", "4.2".

// The last ones are private use characters of Symbol and Wingdings.
const BULLET = /^[●•▪■◦‣∙○\uf0a7\uf0b7\uf0d8\uf06e\uf076\uf0fc]\s*/u
// Signs that may also be part of a note, a sum or a sentence.
const DASH_MARK = /^[*·–—-]\s+(?=\S)/u
const NUMBER = /^(?:\(\w{1,4}\)|\w{1,2}[.)])\s/
// Matches "4.2 The", "(ii) The", "a) The" and "§ 4 The".
const CLAUSE = /^(?:\(?\d{1,2}(?:\.\d{1,2})+[.)†‡*+]?|\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]|§+\s*\d+)\s+\S/u
const MARK_ALONE =
  /^(?:[●•▪■◦‣∙○\uf0a7\uf0b7\uf0d8\uf06e\uf076\uf0fc*†‡·–—☐☑☒-]|\(?(?:\d{1,3}|\p{L}|[ivx]{1,4})[.)])$/u

/** Whether a text begins with a bullet. */
export const hasBullet = (text: string): boolean => BULLET.test(text)

/** Whether a text begins with a bullet or a dash. */
export const isEntry = (text: string): boolean => BULLET.test(text) || DASH_MARK.test(text)

/** The text of an entry with a dash instead of its mark. */
export const entryText = (text: string): string => `- ${text.replace(BULLET, '').replace(DASH_MARK, '')}`

/** Whether a text consists only of a bullet or a dash. */
export const isBullet = (text: string): boolean => isEntry(`${text} x`) && [...text].length === 1

/** Whether a text begins with the number or letter of an entry: "(a)", "2.". */
export const isNumbered = (text: string): boolean => NUMBER.test(text)

/** Whether a text is a clause with its number: "4.2 The rent …", "§ 4 …", "(ii) …". */
export const isClause = (text: string): boolean => CLAUSE.test(text)

/** Whether a text consists only of a mark. */
export const isMark = (text: string): boolean => MARK_ALONE.test(text)
