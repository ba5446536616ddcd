// What has become of the passages that turns cite: still there, changed, or deleted with their document.

import type { CitationState } from '../../contract/conversations.ts'
import type { ChunkType } from '../../contract/resources.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { blocksOf, findMarkers, type MarkerGroup } from '../citations/markers.ts'
import type { Place } from '../citations/verify.ts'
import { selectStanding, type TurnRow } from './threads.sql.ts'

export interface Standing {
  state: CitationState
  /** Absent when it is deleted. */
  document?: { id: string; title: string }
  /** Present when the live version holds it. A chunk's id is made of its text, so it is the text that was cited. */
  chunk?: {
    id: string
    type: ChunkType
    text: string
    page: number | null
    boxes: { page: number; bbox: number[] }[]
  }
}

/** Looks all places of the turns up in one statement. */
export async function standing(
  db: Queryable,
  workspaceId: string,
  turns: readonly Pick<TurnRow, 'citations'>[],
): Promise<(place: Place) => Standing> {
  const places = turns.flatMap((turn) => turn.citations)
  const rows = places.length ? await selectStanding(db, workspaceId, places) : []
  const documents = new Map<string, NonNullable<Standing['document']>>()
  const chunks = new Map<string, NonNullable<Standing['chunk']>>()
  for (const { document_id, document_title, chunk_id, type, text, page, boxes } of rows) {
    documents.set(document_id, { id: document_id, title: document_title })
    if (chunk_id && type && text !== null)
      chunks.set(chunk_id, { id: chunk_id, type, text, page, boxes: boxes ?? [] })
  }
  return ({ document_id, chunk_id }) => {
    const document = documents.get(document_id)
    if (!document) return { state: 'deleted' }
    const chunk = chunks.get(chunk_id)
    return chunk ? { state: 'current', document, chunk } : { state: 'changed', document }
  }
}

/** The numbers of a turn whose documents are deleted. */
export const goneOf = (turn: Pick<TurnRow, 'citations'>, places: (place: Place) => Standing): Set<number> =>
  new Set(turn.citations.filter((place) => places(place).state === 'deleted').map(({ number }) => number))

// What of an old answer may still be read: an answer quotes its documents, so what only a deleted one vouches for goes
// with it. Pure.

const NOTES: Record<string, string> = {
  en: 'Withheld: a document cited here was deleted.',
  de: 'Nicht mehr lesbar: Ein hier zitiertes Dokument wurde gelöscht.',
  fr: 'Retiré : un document cité ici a été supprimé.',
  es: 'Retirado: se eliminó un documento citado aquí.',
}

/**
 * The answer without the paragraphs and list items that cite one of the `gone` numbers, and without those that cite
 * nothing, since nobody can tell what they come from. In place of the former stands a note with their markers, so
 * that every number keeps its citation.
 */
export function withhold(answer: string, gone: ReadonlySet<number>): string {
  if (gone.size === 0) return answer
  const note = `*${NOTES[guessLanguage(answer)] ?? NOTES.en}*`
  const groups = findMarkers(answer)
  let out = ''
  let from = 0
  for (const block of blocksOf(answer)) {
    const cited = numbersIn(groups, block)
    out += answer.slice(from, block.start)
    if (cited.some((number) => gone.has(number))) out += `${note} ${cited.map((n) => `[${n}]`).join('')}`
    else if (cited.length) out += answer.slice(block.start, block.end)
    from = block.end
  }
  // Between blocks stand list signs and empty lines only: definitions and HTML are blocks as well.
  return (out + answer.slice(from)).replace(/\n{3,}/g, '\n\n').trim()
}

const numbersIn = (groups: readonly MarkerGroup[], block: { start: number; end: number }): number[] => [
  ...new Set(
    groups
      .filter(({ start, end }) => start >= block.start && end <= block.end)
      .flatMap(({ numbers }) => numbers),
  ),
]

/** The answer as it was said, for a mind that goes on from it: its numbers mean nothing in the next answer. */
export function withoutMarkers(answer: string): string {
  return findMarkers(answer)
    .reduceRight((text, { start, end }) => `${text.slice(0, start).trimEnd()}${text.slice(end)}`, answer)
    .trim()
}
