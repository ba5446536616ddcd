// The state of one question that a model answers.

import { randomBytes } from 'node:crypto'
import { openProseVerification, type ProseVerification } from '../citations/prose.ts'
import type { Calculation } from '../citations/support.ts'
import { newPassageContext, type PassageContext } from './context.ts'

/** A limitation that is stated below an answer: it ends at the model's limit, or the model got only a part of the prompt. */
export type Shortcoming = 'cutAnswer' | 'partOfPrompt'

export interface Writing {
  verification: ProseVerification
  /** The text of the answer that was already sent to readers. */
  shown: string
}

/** The results so far. They are also used if the model fails. */
export interface AgentRun {
  context: PassageContext
  /** The tokens used so far. Undefined after the server did not report them once. */
  tokens: number | undefined
  /** The question and the tool results that are not passages. Figures of the answer may be from them too. */
  otherSources: string[]
  calculations: Calculation[]
  shortcomings: Set<Shortcoming>
  /** The answer, as far as it is written. */
  writing: Writing
}

export const newRun = (): AgentRun => ({
  context: newPassageContext(randomBytes(8).toString('hex')),
  tokens: 0,
  otherSources: [],
  calculations: [],
  shortcomings: new Set(),
  writing: { verification: openProseVerification({ passages: [] }), shown: '' },
})
