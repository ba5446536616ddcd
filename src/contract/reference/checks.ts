// Descriptions and examples of ../checks.ts.

import type * as module from '../checks.ts'
import { AMENDMENT_TITLE, ID, LEASE_TITLE, MINUTES_DECISION, MINUTES_TITLE, passageUrl } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const text = 'The lease of Unit 4 ends on 30 June 2027. The yearly rent is £41,200.'
const [firstSentence = '', secondSentence = ''] = text.split(/(?<=\.) /)
const decision = {
  text: MINUTES_DECISION,
  type: 'text' as const,
  chunk_id: ID.minutesDecision,
  document_id: ID.minutes,
  document_title: MINUTES_TITLE,
  page: null,
  source_url: passageUrl(ID.minutes, ID.minutesDecision),
}
const rent = {
  text: '| 1 February 2024 to the end of the term | £41,200 | £10,300 |',
  type: 'table' as const,
  chunk_id: ID.amendmentRent,
  document_id: ID.amendment,
  document_title: AMENDMENT_TITLE,
  page: null,
  source_url: passageUrl(ID.amendment, ID.amendmentRent),
}
const contradicted = {
  text: firstSentence,
  start: 0,
  end: firstSentence.length,
  verdict: 'contradicted' as const,
  passages: [decision],
}
const supported = {
  text: secondSentence,
  start: text.indexOf(secondSentence),
  end: text.length,
  verdict: 'supported' as const,
  passages: [rent],
}

export const schemas: SchemaTexts<typeof module> = {
  TextCheckRequest: { description: 'The text to check, plain or in Markdown.', example: { text } },
  TextVerdict: {
    description:
      '`supported`: a passage says the same. `contradicted`: a passage says of the same thing another number, date or name, or denies it. `not_found`: neither is certain.',
    example: 'contradicted',
  },
  TextEvidence: {
    description:
      'A passage that decided about a sentence. `text` is the sentence or the row of a table, word by word.',
    example: decision,
  },
  CheckedSentence: {
    description:
      'A sentence of the text with its verdict. `start` and `end` are offsets into the text that was sent, in UTF-16 units.',
    example: contradicted,
  },
  TextCheck: {
    description:
      'The sentences in their order, and how many have each verdict. Headings, questions and greetings state nothing and are left out.',
    example: { data: [contradicted, supported], supported: 1, contradicted: 1, not_found: 0 },
  },
}

export const operations: OperationTexts<typeof module.checks> = {
  checkText: {
    does: `Checks each sentence of a text, such as a draft, against the documents, for example against “${LEASE_TITLE}”. It returns for each sentence whether the documents support it, contradict it, or say nothing certain, with the passages. Each fifty sentences count as one question.`,
    callers: 'reader',
    invalid: 'the text has too many sentences',
    limited: 'the caller has asked as many questions in an hour as are allowed',
  },
}
