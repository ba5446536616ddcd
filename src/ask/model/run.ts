// What one question with a model has brought so far.

import { randomBytes } from 'node:crypto'
import { openProseVerification, type ProseVerification } from '../citations/prose.ts'
import type { Calculation } from '../citations/support.ts'
import { newPassageContext, type PassageContext } from './context.ts'

/** What a reader has to know of an answer: it ends at the model's limit, or the model did not get all that was sent. */
export type Shortcoming = 'cutAnswer' | 'partOfPrompt'

export interface Writing {
  verification: ProseVerification
  /** What readers of the steps have. */
  shown: string
}

/** What was found so far; also used when the model fails. */
export interface AgentRun {
  context: PassageContext
  /** Tokens used so far; undefined once the server did not report them. */
  tokens: number | undefined
  /** The question and tool results other than passages, from which figures may come too. */
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
