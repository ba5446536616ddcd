// The interface of extractors, and their result: the evidence in one document.

import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'
import type { EntityType } from './names.ts'

/** One mention of an entity in a chunk; offsets are UTF-16 units into the chunk's text. */
export interface Mention {
  chunk_no: number
  /** The entity's normalized name (names.ts). */
  key: string
  /** The name as the text writes it. */
  surface: string
  /** Whether the key of the surface is this key. A short form, an acronym or a demonym of the entity has a key of its own. */
  own: boolean
  type: EntityType
  start: number
  end: number
}

/** One sentence that states the relation `type` from head to tail, which are keys of mentions in the same document. */
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
  /** The heading path with ' > ' between levels. It may be empty. */
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
 * Finds names and relations in a document and adds them to the extraction of the earlier extractors. Other documents must not
 * change the result. Rejects as soon as the signal aborts.
 */
export type Extractor = (
  document: ExtractDocument,
  extraction: Extraction,
  signal: AbortSignal,
) => Promise<Extraction>
