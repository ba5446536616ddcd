// The sentences of a draft that state something. Pure.

import { type Sentence, sentences } from '../../language/sentences.ts'
import { wordsOf } from '../../language/unspaced.ts'
import { words } from '../../language/words.ts'
import { isRule } from '../markdown-table.ts'

const MIN_WORDS = 3
const MARKS = /^(?:\s*(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)+/u
const HEADING = /^\s*#{1,6}\s/u
const QUESTION = /[?？؟]["”’*)]*$/u

/** The statements of a draft in reading order, without marks of lists and quotations; headings and questions are left out. */
export function statementsIn(draft: string): Sentence[] {
  return sentences(draft).flatMap(({ text, start, end }) => {
    const marks = MARKS.exec(text)?.[0].length ?? 0
    const bare = text.slice(marks)
    const isStatement =
      !HEADING.test(text) &&
      !QUESTION.test(bare) &&
      !isRule(bare) &&
      [...words(bare)].flatMap(({ raw }) => wordsOf(raw)).length >= MIN_WORDS
    return isStatement ? [{ text: bare, start: start + marks, end }] : []
  })
}
