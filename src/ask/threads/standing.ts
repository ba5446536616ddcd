// What has become of the passages that turns cite: still there, changed, or deleted with their document.

import type { CitationState } from '../../contract/conversations.ts'
import type { ChunkType } from '../../contract/resources.ts'
import type { Queryable } from '../../ports/db/db.ts'
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
