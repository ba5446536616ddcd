// Verifies the citations of both agents. Afterwards every marker refers to a passage that supports the statement before it, and the
// markers are numbered from 1 in the order of their first appearance.

import type { Citation } from '../../contract/resources.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Passage } from '../../search/passage.ts'
import type { Span } from './markers.ts'
import { type Draft, repairMarkers } from './repair.ts'
import { type SupportChecker, supportChecker } from './support.ts'
import { windowForSpans } from './window.ts'

// Removing a marker may create another one ("[[9]1]"): 100,000 generated replies were stable after 3 rounds at most.
export const MAX_ROUNDS = 10

/** The part of a citation that a thread stores: its position, but not its text. */
export interface StoredCitation {
  number: number
  chunk_id: string
  document_id: string
  /**
   * The cited sentences, the best first, as UTF-16 offsets into the text of the chunk. Empty if the whole chunk is cited.
   */
  spans: Span[]
  /** The value that answers the question, as an offset into the text of the chunk. */
  value?: Span
}

export interface Verified {
  /** Markdown. Its markers `[N]` have the same numbers as `citations`. */
  answer: string
  /** Each `text` is a verbatim part of its chunk. */
  citations: Citation[]
  stored: StoredCitation[]
  /** The number of statements that were left out because no passage supports them. */
  unsupported: number
}

/**
 * Turns an agent's reply of quotations into the answer that is sent. `passages[i]` is the passage that the reply calls `[i + 1]`.
 * Prose of a model is verified sentence by sentence (prose.ts).
 */
export function verifyCitations(reply: string, passages: readonly Passage[]): Verified {
  // Quotations are parts of their passages, so they cannot contradict them.
  const checker: SupportChecker = { ...supportChecker(guessLanguage(reply)), contradicts: () => false }
  const draft = repairedDraft(newDraft(reply, passages), checker)
  return draft ? verifiedAnswer(draft, checker, 0) : withoutMarkers(reply)
}

export const newDraft = (text: string, passages: readonly Passage[]): Draft => ({
  text: text.trim(),
  cited: [...passages],
  statements: new Map(),
  unsupported: [],
})

/** The draft after repairs that no longer change it. Undefined if it never becomes stable. */
export function repairedDraft(firstDraft: Draft, checker: SupportChecker): Draft | undefined {
  let draft = firstDraft
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = repairMarkers(draft, checker)
    if (next.text === draft.text && next.cited.length === draft.cited.length) return next
    draft = next
  }
  return undefined
}

/** A reply that never becomes stable is sent without any marker. */
const withoutMarkers = (reply: string): Verified => ({
  answer: reply
    .trim()
    .replace(/[[\]]/g, '\\$&')
    .replace(/[【】［］]/gu, '"'),
  citations: [],
  stored: [],
  unsupported: 0,
})

export function verifiedAnswer(
  { text, cited, statements }: Draft,
  checker: SupportChecker,
  unsupported: number,
): Verified {
  const citations = cited.map((passage, i) => {
    const spans = checker.spans(statements.get(passage) ?? [], passage)
    return { passage, stored: storedCitation(passage, i + 1, spans) }
  })
  return {
    answer: text,
    citations: citations.map(({ passage, stored }) => citationOf(passage, stored)),
    stored: citations.map(({ stored }) => stored),
    unsupported,
  }
}

const storedCitation = (
  { chunk_id, document_id }: Passage,
  number: number,
  spans: Span[],
): StoredCitation => ({
  number,
  chunk_id,
  document_id,
  spans,
})

function citationOf(passage: Passage, { number, spans }: StoredCitation): Citation {
  const { chunk_id, document_id, document_title, page } = passage
  const text = windowForSpans(passage.text, spans)
  return { number, text, chunk_id, document_id, document_title, page, source_url: null }
}
