// Codes that people write with or without groups: IBAN, phone, tax and part numbers, ISBN. Their normal form is the code
// without the separators of its groups. It is an additional term of text and query, so a code is found in either form. Groups
// are recognised only by their form: digits and capitals, with one space, bracket, slash or hyphen before the next.

import type { Word } from './words.ts'

// Matches `12`, `AB12`, `12-34`, `A.12/7` and the lower-case beginning of an IBAN, `de89`.
const GROUP = /^[\p{Lu}\d]+(?:[-/.][\p{Lu}\d]+)*$|^\p{L}{2}\d{2}$/u
const CAPITALS = /^\p{Lu}{1,4}$/u
// What may be between two groups: nothing or a space, with one bracket, slash or hyphen.
const GAP = /^[ \u00a0\u2009\u202f]?[()/-]?[ \u00a0\u2009\u202f]?$/
const FRACTION = /^\d+\.\d+$/
const DATE = /^(?:(?:19|20)\d\d([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:(?:19|20)?\d\d))$/
const isNumberOrDate = (raw: string): boolean => FRACTION.test(raw) || DATE.test(raw)
// ISO 13616: country, check digits, then groups of four, of which the last may be shorter.
const IBAN_HEAD = /^\p{L}{2}\d{2}$/u
const IBAN_GROUP = 4

// With fewer digits it is a quantity or a small number, which is found by its groups alone.
const MIN_DIGITS = 7
// An IBAN has at most 34 characters. More than five groups of digits are a row of figures.
const MAX_CODE_CHARACTERS = 34
const MAX_DIGIT_GROUPS = 5
// A phone number may be written with or without the codes of country and area, so its last digits are compared.
const LOCAL_DIGITS = 7
const MAX_PHONE_DIGITS = 15

/** Whether a word may be a group of a code. */
export const mayBeGroup = (raw: string): boolean => /\d/.test(raw) || (raw.length <= 4 && CAPITALS.test(raw))

/** The codes of a text in their normal form, each once. @param groups the words that may be groups of a code, in order */
export function codesIn(text: string, groups: readonly Word[]): Set<string> {
  const codes = new Set<string>()
  let run: Word[] = []
  for (const group of groups) {
    if (!continuesRun(text, run, group)) {
      addCodes(codes, text, run)
      run = []
    }
    if (GROUP.test(group.raw) && !isNumberOrDate(group.raw)) run.push(group)
  }
  addCodes(codes, text, run)
  return codes
}

function continuesRun(text: string, run: readonly Word[], { raw, start }: Word): boolean {
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last) return true
  if (!GAP.test(text.slice(last.end, start)) || text[start - 1] === '+') return false
  if (!IBAN_HEAD.test(first.raw)) return /^\d/.test(raw) && !isNumberOrDate(raw)
  return raw.length <= IBAN_GROUP && (last === first || last.raw.length === IBAN_GROUP)
}

function addCodes(codes: Set<string>, text: string, run: readonly Word[]): void {
  const [first, ...otherGroups] = run
  if (!first) return
  // A name before a code (ISBN, Tel) looks like letters that begin a code (AB 1234567), so both readings are added.
  if (CAPITALS.test(first.raw)) addCodes(codes, text, otherGroups)
  const isInternational = text[first.start - 1] === '+'
  // The 0 of +44 (0)20 is not dialled from abroad.
  const isTrunkPrefix = ({ raw, end }: Word): boolean => isInternational && raw === '0' && text[end] === ')'
  const code = run
    .filter((group) => !isTrunkPrefix(group))
    .map(({ raw }) => raw.replace(/[-/.]/g, ''))
    .join('')
    // 00 before the code of a country means the same as +.
    .replace(/^00(?=[1-9])/, '')
    .toLowerCase()
  const digits = code.replace(/\D/g, '').length
  const isNumber = digits === code.length
  if (isNumber && digits >= MIN_DIGITS && (isInternational || first.raw.startsWith('0'))) {
    if (digits > MAX_PHONE_DIGITS) return
    codes.add(code)
    codes.add(code.slice(-LOCAL_DIGITS))
  } else if (isInGroups(run, isNumber) && code.length <= MAX_CODE_CHARACTERS) {
    const isLetterAndNumber = /^\p{Lu}$/u.test(first.raw) && run.length === 2 && digits > 1
    if (digits >= MIN_DIGITS || isLetterAndNumber) codes.add(code)
  }
}

/**
 * Whether the words form a code that is not a term already. A single word is a term already, and `analyse` also adds it without
 * its separators if it has letters. So only a number with separators is left.
 */
const isInGroups = (run: readonly Word[], isNumber: boolean): boolean =>
  run.length === 1 ? isNumber && /[-/.]/.test(run[0]?.raw ?? '') : run.length <= MAX_DIGIT_GROUPS || !isNumber
