// Types of questions that a document may answer.

import type { Passage } from '../../search/passage.ts'
import type { AnswerLanguage } from '../answer-language.ts'

/** How a question was made. Suggestions of different forms are preferred, because they show more of what can be asked. */
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

/** A question made from a sentence, before its heading is considered. */
export interface DraftQuestion {
  question: string
  form: Form
  /** The noun of the question. If a heading contains it, the section is about the question. */
  subject: string
  score: number
  /** Whether the question is only used if the heading or the title contains its noun, because the noun alone is unclear. */
  needsHeading?: boolean
  /** The sentence that the question was made from. */
  statement?: string
}
