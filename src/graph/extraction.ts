// The interface of extractors, and their result: the evidence in one document. Indexing aggregates it.

import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'
import type { EntityType } from './names.ts'

/** One mention of an entity in a chunk; offsets are UTF-16 units into the chunk's text. */
export interface Mention {
  chunk_no: number
  /** The entity's normalized name (names.ts). */
  key: string
  /** Verbatim. */
  surface: string
  /** Whether the surface itself has this key; a short form, an acronym or a demonym of the entity has another. */
  own: boolean
  type: EntityType
  start: number
  end: number
}

/** One sentence that states the relation `type` from head to tail; both are keys of mentions in the same document. */
export interface RelationEvidence {
  chunk_no: number
  head: string
  type: string
  tail: string
  /** The sentence, as offsets into the chunk's text. */
  start: number
  end: number
}

export interface Extraction {
  mentions: Mention[]
  relations: RelationEvidence[]
}

/** The input of an extractor. */
export interface ExtractChunk {
  chunk_no: number
  type: ChunkType
  text: string
  /** Heading path, ' > ' between levels; may be empty. */
  heading: string
}

export interface ExtractDocument {
  workspaceId: string
  documentId: string
  title: string
  language: Language
  chunks: readonly ExtractChunk[]
}

/**
 * Finds names and relations in a document and adds them to the extraction of the extractors before it. It looks at this document
 * alone: what other documents say must not change its evidence. Rejects as soon as the signal aborts.
 */
export type Extractor = (
  document: ExtractDocument,
  extraction: Extraction,
  signal: AbortSignal,
) => Promise<Extraction>
