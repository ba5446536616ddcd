// A question that a document may answer, with what it was made from.

import type { Passage } from '../../search/passage.ts'
import type { AnswerLanguage } from '../answer-language.ts'

/** How a question was made. Suggestions of different forms show more of what can be asked. */
export type Form =
  | 'question heading'
  | 'instructions'
  | 'value'
  | 'time'
  | 'quantity'
  | 'permission'
  | 'person'
  | 'label'
  | 'count'
  | 'extreme'

export interface Candidate {
  question: string
  language: AnswerLanguage
  form: Form
  /** The passage that contains the answer. */
  passage: Passage
  /** How good a suggestion the question is likely to be, 0 to 1. */
  score: number
  /** The sentence that answers the question, if it was made from one. */
  statement?: string
}

/** A question from a sentence, before it is known where the sentence stands. */
export interface DraftQuestion {
  question: string
  form: Form
  /** The noun of the question. A section with it in its heading is about the question. */
  subject: string
  score: number
  /** The noun alone is unclear: the question is only asked if a heading or the title contains it. */
  needsHeading?: boolean
  /** The sentence that the question was made from. */
  statement?: string
}
