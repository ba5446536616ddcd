// The best quotes for each thing a question wants to know; the sides of a comparison each from what speaks of them. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import { choose, rank, type Scored, scored, type Wanted } from './choose.ts'
import type { Finding } from './compose.ts'
import { passageProfile } from './coverage.ts'
import { type Notes, wantedFor } from './looking/notes.ts'
import { amendmentOf } from './pieces/amended.ts'
import { type Evidence, evidenceOf } from './pieces/evidence.ts'
import type { Need } from './question.ts'

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
