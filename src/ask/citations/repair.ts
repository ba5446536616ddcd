// One round of putting a reply's markers right: known and overlapping ones stay, others are repaired or go, and the rest
// is numbered by first appearance. Pure.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { findMarkers, type MarkerGroup, withoutDefinitions } from './markers.ts'
import { JUDGED_TERMS, type Judge, REPAIR_SHARE } from './support.ts'

export interface Draft {
  text: string
  /** The passages behind the numbers 1, 2, … of `text`. */
  cited: Passage[]
  /** What the text says where it cites a passage. */
  statements: Map<Passage, string[]>
  /** What it said behind which a known passage was named that bears nothing of it out. */
  lost: readonly string[]
}

/** One round: resolve, repair or drop every marker, then number by first appearance. */
export function settle(draft: Draft, judge: Judge): Draft {
  const text = withoutDefinitions(draft.text)
  const groups = findMarkers(text)
  const cited: Passage[] = []
  const statements = new Map<Passage, string[]>()
  const lost = [...draft.lost]
  let out = ''
  let from = 0
  groups.forEach((group, i) => {
    const statement = statementAt(text, group, groups[i - 1])
    const passages = resolve(group.numbers, statement, draft.cited, judge)
    if (passages.length === 0 && group.numbers.some((number) => draft.cited[number - 1])) lost.push(statement)
    for (const passage of passages) {
      if (!cited.includes(passage)) cited.push(passage)
      statements.set(passage, [...(statements.get(passage) ?? []), statement])
    }
    const markers = passages.map((passage) => `[${cited.indexOf(passage) + 1}]`).join('')
    const join = markers ? { kept: text.slice(from, group.start), next: group.end } : gap(text, from, group)
    out += join.kept + markers
    from = join.next
  })
  return { text: (out + text.slice(from)).trim(), cited, statements, lost }
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

// The markers of a line, whatever their form; and behind a quotation where it comes from: “…” — Lease, page 2.
const MARKERS = /[[【［][\d０-９\s,;&，、–—-]{1,80}[\]】］]/gu
const SOURCE = /(?<=[”“"»«][*_]{0,3})\s+[—–]\s[^\n]{0,300}$/u

/** The sentence a marker stands behind, or a quotation as a whole; what follows in the line when nothing is before. */
function statementAt(text: string, group: MarkerGroup, previous: MarkerGroup | undefined): string {
  const lineStart = text.lastIndexOf('\n', group.start - 1) + 1
  const lineEnd = text.indexOf('\n', group.end)
  if (previous && previous.end > lineStart) {
    const own = lastSaid(text.slice(previous.end, group.start))
    if ([...words(own)].length >= JUDGED_TERMS) return own
  }
  const last = lastSaid(text.slice(lineStart, group.start).replace(MARKERS, ' '))
  if (/[\p{L}\p{N}]/u.test(last)) return last
  return text.slice(group.end, lineEnd < 0 ? text.length : lineEnd).trim()
}

function lastSaid(line: string): string {
  const said = line.replace(SOURCE, '')
  return said.length < line.length ? said.trim() : (sentences(line).at(-1)?.text ?? '')
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
