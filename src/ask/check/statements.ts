// The sentences of a draft that state something. Pure.

import { type Sentence, sentences } from '../../language/sentences.ts'
import { wordsOf } from '../../language/unspaced.ts'
import { words } from '../../language/words.ts'
import { isRule } from '../markdown-table.ts'

const MIN_WORDS = 3
// Matches the marks of lists, quotations and headings at the beginning of a line.
const MARKS = /^(?:\s*(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)+/u
const HEADING = /^\s*#{1,6}\s/u
const QUESTION = /[?？؟]["”’*)]*$/u

/** The statements of a draft in reading order, without the marks of lists and quotations. Headings and questions are left out. */
export function statementsIn(draft: string): Sentence[] {
  return sentences(draft).flatMap(({ text, start, end }) => {
    const markLength = MARKS.exec(text)?.[0].length ?? 0
    const statement = text.slice(markLength)
    const isStatement =
      !HEADING.test(text) &&
      !QUESTION.test(statement) &&
      !isRule(statement) &&
      [...words(statement)].flatMap(({ raw }) => wordsOf(raw)).length >= MIN_WORDS
    return isStatement ? [{ text: statement, start: start + markLength, end }] : []
  })
}
