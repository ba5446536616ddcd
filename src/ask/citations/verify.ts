// Citations that hold, after any mind (design/graph-and-answers.md, "Answering"): every marker resolves to a passage
// of this run that shares words with what it stands behind; numbers are 1…k by first appearance; nothing else is cited.

import type { Answer, Citation } from '../../contract/resources.ts'
import { contentTerms } from '../../language/analyse.ts'
import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { findMarkers, type MarkerGroup, withoutDefinitions } from './markers.ts'
import { windowAround } from './window.ts'

// Shares of a statement's content terms that stand in the passage (reference/language.md 3.3).
const REPAIR_SHARE = 0.5
const KEEP_SHARE = 0.15
// A statement with fewer content terms ("Yes.") cannot be judged: a known number is believed.
const JUDGED_TERMS = 3
// Removing a marker may let another appear ("[[9]1]"): seen to settle in 3 rounds over 20,000 generated replies.
const MOST_ROUNDS = 10

/**
 * Turns a mind's reply into the answer that is sent. `seen[i]` is the passage that the reply calls `[i + 1]`.
 * In the result the set of `[N]` equals the set of `number`, and each `text` is a verbatim part of its chunk.
 */
export function verifyCitations(reply: string, seen: readonly Passage[]): Omit<Answer, 'thread_id'> {
  const judge = passageJudge()
  let draft: Draft = { text: reply.trim(), cited: [...seen], statements: new Map() }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = settle(draft, judge)
    if (next.text === draft.text && next.cited.length === draft.cited.length) {
      return {
        answer: next.text,
        citations: next.cited.map((passage, i) => cite(passage, i + 1, next, judge)),
      }
    }
    draft = next
  }
  return { answer: draft.text.replace(/[[\]]/g, '\\$&').replace(/[【】]/gu, '"'), citations: [] }
}

interface Draft {
  text: string
  /** The passages behind the numbers 1, 2, … of `text`. */
  cited: Passage[]
  /** What the text says where it cites a passage. */
  statements: Map<Passage, string[]>
}

/** One round: resolve, repair or drop every marker, then number by first appearance. */
function settle(draft: Draft, judge: Judge): Draft {
  const text = withoutDefinitions(draft.text)
  const groups = findMarkers(text)
  const cited: Passage[] = []
  const statements = new Map<Passage, string[]>()
  let out = ''
  let from = 0
  groups.forEach((group, i) => {
    const statement = statementAt(text, group, groups[i - 1])
    const passages = resolve(group.numbers, statement, draft.cited, judge)
    for (const passage of passages) {
      if (!cited.includes(passage)) cited.push(passage)
      statements.set(passage, [...(statements.get(passage) ?? []), statement])
    }
    const markers = passages.map((passage) => `[${cited.indexOf(passage) + 1}]`).join('')
    const join = markers ? { kept: text.slice(from, group.start), next: group.end } : gap(text, from, group)
    out += join.kept + markers
    from = join.next
  })
  return { text: (out + text.slice(from)).trim(), cited, statements }
}

/** What to keep around a marker that goes: one space between words, none before a full stop or at a line's start. */
function gap(text: string, from: number, group: MarkerGroup): { kept: string; next: number } {
  const kept = text.slice(from, group.start)
  const after = text[group.end] ?? '\n'
  if (/\s$/.test(text.slice(0, group.start)) || group.start === 0) {
    const spaces = /^[ \t]*/.exec(text.slice(group.end))?.[0].length ?? 0
    if (/[\s.,;:!?)]/.test(after)) return { kept: kept.replace(/[ \t]+$/, ''), next: group.end }
    return { kept, next: group.end + spaces }
  }
  return { kept: /[\s.,;:!?)]/.test(after) ? kept : `${kept} `, next: group.end }
}

/** The sentence a marker stands behind; what follows it in the line when nothing stands before. */
function statementAt(text: string, group: MarkerGroup, previous: MarkerGroup | undefined): string {
  const lineStart = text.lastIndexOf('\n', group.start - 1) + 1
  const lineEnd = text.indexOf('\n', group.end)
  const before = text.slice(lineStart, group.start).replace(/[[【][\d\s,;&–—-]{1,80}[\]】]/g, ' ')
  const own =
    previous && previous.end > lineStart
      ? (sentences(text.slice(previous.end, group.start)).at(-1)?.text ?? '')
      : ''
  if ([...words(own)].length >= JUDGED_TERMS) return own
  const last = sentences(before).at(-1)?.text ?? ''
  if (/[\p{L}\p{N}]/u.test(last)) return last
  return text.slice(group.end, lineEnd < 0 ? text.length : lineEnd).trim()
}

/** The passages a group may cite: known and overlapping ones, else the best match of all, else none. */
function resolve(numbers: number[], statement: string, known: Passage[], judge: Judge): Passage[] {
  const found: Passage[] = []
  for (const number of numbers) {
    const passage = known[number - 1]
    const kept = passage && judge.supports(statement, passage) ? passage : bestMatch(statement, known, judge)
    if (kept && !found.includes(kept)) found.push(kept)
  }
  return found
}

function bestMatch(statement: string, known: Passage[], judge: Judge): Passage | undefined {
  let best: { passage: Passage; share: number } | undefined
  for (const passage of known) {
    const { share, terms } = judge.overlap(statement, passage)
    if (terms >= JUDGED_TERMS && share >= REPAIR_SHARE && share > (best?.share ?? 0))
      best = { passage, share }
  }
  return best?.passage
}

interface Judge {
  overlap(statement: string, passage: Passage): { share: number; terms: number }
  supports(statement: string, passage: Passage): boolean
  /** The text that stands behind the statements, at most 1,500 characters of the passage. */
  window(statements: string[], passage: Passage): string
}

/** Compares statements with passages; a passage is analysed once. */
function passageJudge(): Judge {
  const analysed = new Map<Passage, ReadonlySet<string>>()
  const termsOf = (passage: Passage): ReadonlySet<string> => {
    const known = analysed.get(passage)
    if (known) return known
    const { document_title: title, heading, text, language } = passage
    const terms = new Set(contentTerms(`${title}\n${heading}\n${text}`, language))
    analysed.set(passage, terms)
    return terms
  }
  const overlap = (statement: string, passage: Passage): { share: number; terms: number } => {
    const terms = new Set(contentTerms(statement, passage.language))
    const held = termsOf(passage)
    return {
      share: [...terms].filter((term) => held.has(term)).length / (terms.size || 1),
      terms: terms.size,
    }
  }
  const supports = (statement: string, passage: Passage): boolean => {
    const { share, terms } = overlap(statement, passage)
    return terms < JUDGED_TERMS || share >= KEEP_SHARE || sharesFact(statement, passage, termsOf(passage))
  }
  return { overlap, supports, window: bestWindow }
}

/** Whether a number or a name of the statement stands in the passage. */
function sharesFact(statement: string, passage: Passage, held: ReadonlySet<string>): boolean {
  return [...words(statement)].some(
    ({ raw, start }) =>
      (/\p{N}/u.test(raw) || (start > 0 && /^\p{Lu}/u.test(raw))) &&
      contentTerms(raw, passage.language).some((term) => held.has(term)),
  )
}

function bestWindow(statements: string[], passage: Passage): string {
  const wanted = statements.map((statement) => new Set(contentTerms(statement, passage.language)))
  let best = { start: 0, end: 0, score: 0 }
  for (const { text, start, end } of sentences(passage.text)) {
    const terms = new Set(contentTerms(text, passage.language))
    for (const want of wanted) {
      const shared = [...terms].filter((term) => want.has(term)).length
      const score = (2 * shared) / (terms.size + want.size || 1)
      if (score > best.score) best = { start, end, score }
    }
  }
  return windowAround(passage.text, best.start, best.end)
}

function cite(passage: Passage, number: number, draft: Draft, judge: Judge): Citation {
  const { chunk_id, document_id, document_title, page } = passage
  const text = judge.window(draft.statements.get(passage) ?? [], passage)
  return { number, text, chunk_id, document_id, document_title, page, source_url: null }
}
