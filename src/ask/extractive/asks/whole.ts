// Whole documents, read passage after passage, for questions that are about a document or a part of it and not about a fact.

import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import { covered, type Part, profileOf } from '../coverage.ts'
import { type Evidence, evidenceOf, type Found } from '../pieces/evidence.ts'

// A hundred pages of text are some 250 passages.
const PAGE = 50
const MOST_PASSAGES = 250

/** A document's passages in reading order, as far as they fit. */
export async function readWhole(tools: Pick<Tools, 'read' | 'late'>, documentId: string): Promise<Passage[]> {
  const all: Passage[] = []
  while (all.length < MOST_PASSAGES && !tools.late()) {
    const page = await tools.read(documentId, { from: all.length }, PAGE)
    all.push(...page)
    if (page.length < PAGE) break
  }
  return all
}

export interface Named {
  id: string
  title: string
  /** Share of the words asked for that its title holds, 0 to 1. */
  share: number
}

/** The documents among the passages found, those first whose title says most of the words; of equals the shorter title. */
export function documentsNamed(found: Iterable<Found>, parts: readonly Part[]): Named[] {
  const named = new Map<string, Named>()
  for (const { passage } of found) {
    const { document_id: id, document_title: title, language } = passage
    if (named.has(id)) continue
    named.set(id, { id, title, share: parts.length ? covered(parts, [profileOf(title, language)]) : 0 })
  }
  return [...named.values()].sort((a, b) => b.share - a.share || a.title.length - b.title.length)
}

/** The heading that a passage stands under, without those above it. */
export const headingOf = ({ heading }: Passage): string => heading.split(' > ').at(-1)?.trim() ?? ''

/** What can be quoted of passages, in reading order; of a list and its items the list. */
export function statementsOf(passages: readonly Passage[]): Evidence[] {
  const pieces = evidenceOf(passages.map((passage) => ({ passage, strength: 1 })))
  const lists = pieces.filter((piece) => piece.list)
  const inList = (piece: Evidence): boolean =>
    !piece.list &&
    lists.some((list) => list.found.passage === piece.found.passage && list.text.includes(piece.text))
  const at = ({ found, text }: Evidence): number => found.passage.text.indexOf(text)
  return pieces
    .filter((piece) => !inList(piece))
    .map((piece, i) => ({ piece, i, place: passages.indexOf(piece.found.passage) }))
    .sort((a, b) => a.place - b.place || at(a.piece) - at(b.piece) || a.i - b.i)
    .map(({ piece }) => piece)
}
