// What an extractor finds in one document: evidence and nothing else. Both extractors (statistical, model) hand this
// over; indexing sums it up.

import type { ChunkType } from '../contract/resources.ts'
import type { EntityType } from './names.ts'

/** One place where a chunk names an entity; offsets are UTF-16 units into the chunk's text. */
export interface Mention {
  chunk_no: number
  /** The entity's normalised name (names.ts). */
  key: string
  /** As it stands in the text. */
  surface: string
  /** Whether the surface has this key itself; a short form, an acronym or an adjective of it has not. */
  own: boolean
  type: EntityType
  start: number
  end: number
}

/** One sentence that says head -type-> tail; both ends are keys of mentions of the same document. */
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

/** What an extractor reads of a chunk. */
export interface ExtractChunk {
  chunk_no: number
  type: ChunkType
  text: string
  /** Heading path, ' > ' between levels; may be empty. */
  heading: string
}
