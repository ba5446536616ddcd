// The state of the passages that earlier turns cite: unchanged, changed, or deleted with the document. Also removes the text of
// deleted documents from answers.

import type { CitationState } from '../../contract/conversations.ts'
import type { AnswerValue, ChunkType } from '../../contract/resources.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { blocksOf, findMarkers, type MarkerGroup } from '../citations/markers.ts'
import type { StoredCitation } from '../citations/verify.ts'
import { selectCitedPassages, type TurnRow } from './threads.sql.ts'

export interface CitedPassageState {
  state: CitationState
  /** Absent if the document was deleted. */
  document?: { id: string; title: string }
  /** Present if the live version has the chunk. A chunk's id is derived from its text, so this is the text that was cited. */
  chunk?: {
    id: string
    type: ChunkType
    text: string
    page: number | null
    boxes: { page: number; bbox: number[] }[]
  }
}

/** Looks up all citations of the turns in one statement, and returns a function for the state of each. */
export async function citedPassageStates(
  db: Queryable,
  workspaceId: string,
  turns: readonly Pick<TurnRow, 'citations'>[],
): Promise<(citation: StoredCitation) => CitedPassageState> {
  const citations = turns.flatMap((turn) => turn.citations)
  const rows = citations.length ? await selectCitedPassages(db, workspaceId, citations) : []
  const documents = new Map<string, NonNullable<CitedPassageState['document']>>()
  const chunks = new Map<string, NonNullable<CitedPassageState['chunk']>>()
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

/** The value at one of the citations, on one line. Undefined if the text of its chunk is gone. */
export function statedValueOf(
  citations: readonly StoredCitation[],
  textOf: (citation: StoredCitation) => string | undefined,
): AnswerValue | undefined {
  for (const citation of citations) {
    const text = citation.value && textOf(citation)?.slice(citation.value.start, citation.value.end)
    if (text) return { text: text.replace(/\s+/g, ' '), citation: citation.number }
  }
  return undefined
}

/** The numbers of a turn's citations whose documents were deleted. */
export const deletedNumbers = (
  turn: Pick<TurnRow, 'citations'>,
  stateOf: (citation: StoredCitation) => CitedPassageState,
): Set<number> =>
  new Set(
    turn.citations.filter((citation) => stateOf(citation).state === 'deleted').map(({ number }) => number),
  )

const REDACTED: Record<string, string> = {
  en: 'Withheld: a document cited here was deleted.',
  de: 'Nicht mehr lesbar: Ein hier zitiertes Dokument wurde gelöscht.',
  fr: 'Retiré : un document cité ici a été supprimé.',
  es: 'Retirado: se eliminó un documento citado aquí.',
}

/**
 * The answer without the text of deleted documents. A note replaces each paragraph or list item that cites a deleted document, and keeps its
 * markers. Paragraphs without a citation are removed, because their source is unknown.
 */
export function redactDeleted(answer: string, numbersOfDeleted: ReadonlySet<number>): string {
  if (numbersOfDeleted.size === 0) return answer
  const note = `*${REDACTED[guessLanguage(answer)] ?? REDACTED.en}*`
  const groups = findMarkers(answer)
  let redacted = ''
  let copiedUntil = 0
  for (const block of blocksOf(answer)) {
    const numbers = numbersIn(groups, block)
    redacted += answer.slice(copiedUntil, block.start)
    if (numbers.some((number) => numbersOfDeleted.has(number)))
      redacted += `${note} ${numbers.map((n) => `[${n}]`).join('')}`
    else if (numbers.length) redacted += answer.slice(block.start, block.end)
    copiedUntil = block.end
  }
  // The text between blocks is copied: it is only list markers and empty lines, because definitions and HTML are blocks too.
  return (redacted + answer.slice(copiedUntil)).replace(/\n{3,}/g, '\n\n').trim()
}

const numbersIn = (groups: readonly MarkerGroup[], block: { start: number; end: number }): number[] => [
  ...new Set(
    groups
      .filter(({ start, end }) => start >= block.start && end <= block.end)
      .flatMap(({ numbers }) => numbers),
  ),
]

/** Removes the citation markers, because their numbers mean nothing in the answer to the next question. */
export function withoutMarkers(answer: string): string {
  return findMarkers(answer)
    .reduceRight((text, { start, end }) => `${text.slice(0, start).trimEnd()}${text.slice(end)}`, answer)
    .trim()
}
