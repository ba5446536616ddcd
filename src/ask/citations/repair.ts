// One round of repairing the citation markers of a reply. A marker stays if its passage supports the statement. Otherwise it gets a
// better passage or is removed. Then all markers are numbered in the order of their first appearance. Pure.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { findMarkers, type MarkerGroup, removeNumericDefinitions } from './markers.ts'
import { MIN_CHECKED_TERMS, REPAIR_SHARE, type SupportChecker } from './support.ts'

export interface Draft {
  text: string
  /** The passages that the numbers 1, 2, … in `text` refer to. */
  cited: Passage[]
  /** The statements for which the text cites each passage. */
  statements: Map<Passage, string[]>
  /** Statements whose cited passage exists but does not support them. */
  unsupported: readonly string[]
}

/** Repairs or removes each marker, and numbers them again. */
export function repairMarkers(draft: Draft, checker: SupportChecker): Draft {
  const text = removeNumericDefinitions(draft.text)
  const groups = findMarkers(text)
  const cited: Passage[] = []
  const statements = new Map<Passage, string[]>()
  const unsupported = [...draft.unsupported]
  let repairedText = ''
  let from = 0
  groups.forEach((group, i) => {
    const statement = statementAt(text, group, groups[i - 1])
    const passages = resolve(group.numbers, statement, draft.cited, checker)
    if (passages.length === 0 && group.numbers.some((number) => draft.cited[number - 1]))
      unsupported.push(statement)
    for (const passage of passages) {
      if (!cited.includes(passage)) cited.push(passage)
      statements.set(passage, [...(statements.get(passage) ?? []), statement])
    }
    const markers = passages.map((passage) => `[${cited.indexOf(passage) + 1}]`).join('')
    const join = markers
      ? { keptText: text.slice(from, group.start), next: group.end }
      : joinAround(text, from, group)
    repairedText += join.keptText + markers
    from = join.next
  })
  return { text: (repairedText + text.slice(from)).trim(), cited, statements, unsupported }
}

/** The text before a removed marker: one space is kept between words, none before a full stop or at the start of a line. */
function joinAround(text: string, from: number, group: MarkerGroup): { keptText: string; next: number } {
  const textBefore = text.slice(from, group.start)
  const nextCharacter = text[group.end] ?? '\n'
  if (/\s$/.test(text.slice(0, group.start)) || group.start === 0) {
    const spaces = /^[ \t]*/.exec(text.slice(group.end))?.[0].length ?? 0
    if (/[\s.,;:!?)]/.test(nextCharacter))
      return { keptText: textBefore.replace(/[ \t]+$/, ''), next: group.end }
    return { keptText: textBefore, next: group.end + spaces }
  }
  return { keptText: /[\s.,;:!?)]/.test(nextCharacter) ? textBefore : `${textBefore} `, next: group.end }
}

const MARKERS = /[[【［][\d０-９\s,;&，、–—-]{1,80}[\]】］]/gu
// Matches the source after a quotation: " — Lease, page 2" in "“…” — Lease, page 2".
const SOURCE = /(?<=[”“"»«][*_]{0,3})\s+[—–]\s[^\n]{0,300}$/u

/** The sentence or whole quotation before a marker. If there is none, the text after the marker on its line. */
function statementAt(text: string, group: MarkerGroup, previous: MarkerGroup | undefined): string {
  const lineStart = text.lastIndexOf('\n', group.start - 1) + 1
  const lineEnd = text.indexOf('\n', group.end)
  if (previous && previous.end > lineStart) {
    const sentenceAfterMarker = lastSentence(text.slice(previous.end, group.start))
    if ([...words(sentenceAfterMarker)].length >= MIN_CHECKED_TERMS) return sentenceAfterMarker
  }
  const sentenceOfLine = lastSentence(text.slice(lineStart, group.start).replace(MARKERS, ' '))
  if (/[\p{L}\p{N}]/u.test(sentenceOfLine)) return sentenceOfLine
  return text.slice(group.end, lineEnd < 0 ? text.length : lineEnd).trim()
}

function lastSentence(line: string): string {
  const statement = line.replace(SOURCE, '')
  return statement.length < line.length ? statement.trim() : (sentences(line).at(-1)?.text ?? '')
}

/**
 * The passages that a marker group may cite: for each number its own passage if it supports the statement, else the best match of
 * all passages, else none.
 */
function resolve(
  citedNumbers: number[],
  statement: string,
  candidates: Passage[],
  checker: SupportChecker,
): Passage[] {
  const sources: Passage[] = []
  const isContradicted = candidates.some((candidate) => checker.contradicts(statement, candidate))
  // If any passage contradicts the statement, a few shared words are not enough for support.
  const maySupport = (passage: Passage): boolean =>
    checker.supports(statement, passage) &&
    (!isContradicted ||
      (!checker.contradicts(statement, passage) && checker.overlap(statement, passage).share >= REPAIR_SHARE))
  for (const number of citedNumbers) {
    const passage = candidates[number - 1]
    const source = passage && maySupport(passage) ? passage : bestMatch(statement, candidates, checker)
    if (source && !sources.includes(source)) sources.push(source)
  }
  return sources
}

function bestMatch(statement: string, candidates: Passage[], checker: SupportChecker): Passage | undefined {
  let best: { passage: Passage; share: number } | undefined
  for (const passage of candidates) {
    const { share, terms } = checker.overlap(statement, passage)
    const isBetter = terms >= MIN_CHECKED_TERMS && share >= REPAIR_SHARE && share > (best?.share ?? 0)
    if (isBetter && !checker.contradicts(statement, passage)) best = { passage, share }
  }
  return best?.passage
}
