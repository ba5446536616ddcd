// The best quotes for each thing a question wants to know; the sides of a comparison each from what speaks of them. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import { amendmentOf } from './amendments.ts'
import type { Finding } from './compose.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import type { Part } from './keywords.ts'
import { passageProfile } from './keywords.ts'
import type { Need } from './question.ts'
import { AROUND, jaccard, nearness, rank, type Scored, scored, type Wanted } from './ranking.ts'
import { type Notes, wantedFor } from './retrieval.ts'

const MOST_EVIDENCE = 4

/** What is chosen for each need, in their order. */
export function findAll(notes: Notes, needs: readonly Need[]): Finding[] {
  const findings: Finding[] = []
  for (const need of needs) {
    const wanted = wantedFor(notes, need)
    const { side } = need
    const already = side === undefined ? findings.flatMap((finding) => finding.chosen) : []
    const room = Math.min(needs.length > 1 ? 2 : 3, MOST_EVIDENCE - already.length)
    const found = [...notes.pool.values()].filter((one) => side === undefined || speaksOf(one.passage, side))
    const pieces = side === undefined ? evidenceOf(found) : rowsOf(evidenceOf(found), side)
    const chosen = withAmendment(choose(rank(pieces, wanted), wanted.parts, room, already), pieces, wanted)
    findings.push({ wanted, chosen, ...(side !== undefined && { side }) })
  }
  return inOneTable(findings)
}

/** The best quote's clause may read otherwise by now. */
function withAmendment(chosen: Scored[], pieces: readonly Evidence[], wanted: Wanted): Scored[] {
  const [best] = chosen
  if (!best || chosen.some(({ changes }) => changes)) return chosen
  const amendment = amendmentOf(best.evidence, pieces)
  return amendment ? [scored(amendment, wanted), best] : chosen
}

/** Sides of a comparison that stand in rows of one table are told by those rows alone. */
function inOneTable(findings: Finding[]): Finding[] {
  const [first, ...others] = findings
  if (!first || others.length === 0 || findings.some(({ side }) => side === undefined)) return findings
  const rowIn = ({ chosen }: Finding, passage: Passage) =>
    chosen.find(({ evidence }) => evidence.cells && evidence.found.passage.chunk_id === passage.chunk_id)
  for (const { evidence } of first.chosen) {
    const rows = findings.map((finding) => rowIn(finding, evidence.found.passage))
    if (evidence.cells && rows.every((row) => row !== undefined))
      return findings.map((finding, i) => ({
        ...finding,
        chosen: rows.slice(i, i + 1).filter((row) => row !== undefined),
      }))
  }
  return findings
}

/** Of a table some of whose rows name the side of a comparison, those rows alone. */
function rowsOf(pieces: readonly Evidence[], side: string): Evidence[] {
  const names = ({ own, headers, found: { passage } }: Evidence): boolean =>
    contentTerms(side, passage.language).every((term) => own.terms.has(term) || headers.terms.has(term))
  const named = new Set(pieces.flatMap((piece) => (piece.cells && names(piece) ? piece.found.passage : [])))
  return pieces.filter((piece) => !piece.cells || !named.has(piece.found.passage) || names(piece))
}

/** Whether the passage holds every word of the side of a comparison. */
function speaksOf(passage: Passage, side: string): boolean {
  const { terms } = passageProfile(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}

// A further quote must be nearly as good as the first, or bring words of the question that no other has.
const NEARLY = 0.85
const BRINGS_NEW = 0.2
const REDUNDANCY_WEIGHT = 0.4
const SAME = 0.8
// What changes an earlier text is quoted with it when it covers at least this share of what the best quote covers.
const COMPANION = 0.4

const BESIDE_HEADED = 0.55

/** The quotes for one need: at most `most`, the best first, none saying what one of `already` says. */
export function choose(
  all: readonly Scored[],
  parts: readonly Part[],
  most: number,
  already: readonly Scored[] = [],
): Scored[] {
  const [best] = all
  if (!best) return []
  // Beside what stands under the very heading, a sentence that shares a word or two is noise.
  const ranked = best.headed
    ? all.filter(({ headed, changes, coverage }) => headed || changes || coverage >= BESIDE_HEADED)
    : all
  const chosen = further(ranked, parts, most, already)
  if (most < 2 || already.some((scored) => scored.changes)) return chosen
  const changes = chosen.filter((scored) => scored.changes)
  const changing = changes[0] ?? companion(ranked, best)
  if (!changing) return chosen
  // What was changed and what changed it are the whole answer.
  const changed = changedBy(changing, ranked)
  if (changed) return [...(changes.length ? changes : [changing]), changed]
  return changes.length ? chosen : [...chosen.slice(0, most - 1), changing]
}

/** A text of another document that changes what the best quote says. */
const companion = (ranked: readonly Scored[], best: Scored): Scored | undefined =>
  ranked.find(
    (scored) =>
      scored.changes &&
      scored.typed &&
      scored.coverage >= COMPANION * best.coverage &&
      isElsewhere(scored, best),
  )

// Of the pieces that come near the best, what is changed shares most words (a clause's number, a period) with the change.
const NEAR_BEST = 0.6

function changedBy(changing: Scored, ranked: readonly Scored[]): Scored | undefined {
  const best = ranked[0]?.score ?? 0
  let found: { scored: Scored; shared: number } | undefined
  for (const scored of ranked) {
    if (scored.changes || !isElsewhere(scored, changing) || scored.score < NEAR_BEST * best) continue
    const shared = [...scored.evidence.own.terms].filter((term) =>
      changing.evidence.own.terms.has(term),
    ).length
    if (shared > (found?.shared ?? 0)) found = { scored, shared }
  }
  return found?.scored
}

const isElsewhere = (a: Scored, b: Scored): boolean =>
  a.evidence.found.passage.document_id !== b.evidence.found.passage.document_id

function further(
  ranked: readonly Scored[],
  parts: readonly Part[],
  most: number,
  already: readonly Scored[],
): Scored[] {
  const best = ranked[0]?.score ?? 0
  const total = parts.reduce((sum, part) => sum + part.weight, 0) || 1
  // One row or sentence may answer two needs: then the second asks for no more than its equal.
  const answered = already.some((other) => other.evidence.text === ranked[0]?.evidence.text)
  const chosen: Scored[] = []
  while (chosen.length < most) {
    const taken = [...already, ...chosen]
    const open = parts.filter((part) => !taken.some(({ evidence }) => nearness(evidence, part) >= AROUND))
    const next = bestOf(ranked, (candidate) => {
      const likeness = Math.max(
        0,
        ...taken.map((other) => jaccard(candidate.evidence.own, other.evidence.own)),
      )
      if (likeness >= SAME || taken.some((other) => saysSame(other.evidence, candidate.evidence)))
        return undefined
      const fresh = open.filter((part) => nearness(candidate.evidence, part) === 1)
      const gain = fresh.reduce((sum, part) => sum + part.weight, 0) / total
      const first = chosen.length === 0 && !answered
      const worth = first || candidate.score >= NEARLY * best || (!answered && gain >= BRINGS_NEW)
      return worth ? candidate.score + gain - REDUNDANCY_WEIGHT * likeness : undefined
    })
    if (!next) break
    chosen.push(next)
  }
  return chosen
}

/** The same text, or a list and one of its items. */
const saysSame = (a: Evidence, b: Evidence): boolean =>
  a.text === b.text ||
  (a.found.passage === b.found.passage &&
    ((a.list !== undefined && a.text.includes(b.text)) || (b.list !== undefined && b.text.includes(a.text))))

function bestOf(
  ranked: readonly Scored[],
  value: (candidate: Scored) => number | undefined,
): Scored | undefined {
  let best: { candidate: Scored; value: number } | undefined
  // Beyond the first 60 nothing comes near the first.
  for (const candidate of ranked.slice(0, 60)) {
    const worth = value(candidate)
    if (worth !== undefined && worth > (best?.value ?? Number.NEGATIVE_INFINITY))
      best = { candidate, value: worth }
  }
  return best?.candidate
}
