// Citations that hold, after any mind: every marker resolves to a passage
// of this run that shares words with what it stands behind; numbers are 1…k by first appearance; nothing else is cited.

import type { Citation } from '../../contract/resources.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Passage } from '../../search/passage.ts'
import type { Span } from './markers.ts'
import { type Draft, settle } from './repair.ts'
import { type Calculated, type Judge, passageJudge } from './support.ts'
import { complete } from './uncited.ts'
import { windowOver } from './window.ts'

// Removing a marker may let another appear ("[[9]1]"): seen to settle in 3 rounds over 100,000 generated replies.
const MOST_ROUNDS = 10

/** Where a citation stands: what a thread keeps of it. */
export interface Place {
  number: number
  chunk_id: string
  document_id: string
  /** The sentences cited, the best first, in UTF-16 units into the chunk's text; none when the chunk as a whole is. */
  spans: Span[]
}

export interface Verified {
  /** Markdown in which the set of `[N]` equals the set of `number` in `citations`. */
  answer: string
  /** Each `text` is a verbatim part of its chunk. */
  citations: Citation[]
  places: Place[]
  /** How many statements of fact were flagged, since no passage bears them out. */
  unsupported: number
}

export interface Kind {
  /** Words of a model's own, not quotes. */
  prose?: boolean | undefined
  /** Texts beside the passages that its figures may be from: the question, what was calculated. */
  besides?: readonly string[] | undefined
  /** Figures that tools calculated from passages: they vouch for them though no passage says them. */
  calculated?: readonly Calculated[] | undefined
}

/**
 * Turns a mind's reply into the answer that is sent. `seen[i]` is the passage that the reply calls `[i + 1]`.
 * Of `prose` each statement of fact without a marker gets its best passage or a flag, and a figure that stands nowhere
 * has one also behind a marker; quotes have theirs already.
 */
export function verifyCitations(
  reply: string,
  seen: readonly Passage[],
  { prose = false, besides = [], calculated = [] }: Kind = {},
): Verified {
  const judge = passageJudge(guessLanguage(reply), calculated)
  const draft0: Draft = { text: reply.trim(), cited: [...seen], statements: new Map(), lost: [] }
  const settled = untilStable(draft0, judge)
  if (!settled) return bare(reply)
  if (!prose) return verified(settled, judge, 0)
  const { draft, unsupported } = complete(settled, seen, judge, besides)
  const completed = untilStable(draft, judge)
  return completed ? verified(completed, judge, unsupported) : verified(settled, judge, 0)
}

function untilStable(first: Draft, judge: Judge): Draft | undefined {
  let draft = first
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = settle(draft, judge)
    if (next.text === draft.text && next.cited.length === draft.cited.length) return next
    draft = next
  }
  return undefined
}

/** What never settles is sent without any marker. */
const bare = (reply: string): Verified => ({
  answer: reply
    .trim()
    .replace(/[[\]]/g, '\\$&')
    .replace(/[【】［］]/gu, '"'),
  citations: [],
  places: [],
  unsupported: 0,
})

function verified({ text, cited, statements }: Draft, judge: Judge, unsupported: number): Verified {
  const found = cited.map((passage, i) => {
    const spans = judge.spans(statements.get(passage) ?? [], passage)
    return { passage, place: placeOf(passage, i + 1, spans) }
  })
  return {
    answer: text,
    citations: found.map(({ passage, place }) => cite(passage, place)),
    places: found.map(({ place }) => place),
    unsupported,
  }
}

const placeOf = ({ chunk_id, document_id }: Passage, number: number, spans: Span[]): Place => ({
  number,
  chunk_id,
  document_id,
  spans,
})

function cite(passage: Passage, { number, spans }: Place): Citation {
  const { chunk_id, document_id, document_title, page } = passage
  const text = windowOver(passage.text, spans)
  return { number, text, chunk_id, document_id, document_title, page, source_url: null }
}
