// A passage, which search returns to other rooms: a chunk with what is needed to assess and quote it.

import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'

export interface Passage {
  chunk_id: string
  document_id: string
  document_title: string
  /** The path of its file. */
  document_path: string
  /** Reading order within the document. */
  chunk_no: number
  type: ChunkType
  /** The chunk's whole text; a table as Markdown with its header. */
  text: string
  /** Heading path, ' > ' between levels; may be empty. */
  heading: string
  page: number | null
  language: Language
  /** Higher is better; comparable within one query only. */
  score: number
  /** How strongly the query names this document, 0 to 1. Not set if the query names no document. */
  meant?: number
}

/** A term of a query with its document frequency in the workspace. */
export interface QueryTerm {
  /** The analysed form (stemmed, case-folded), as in `analyse`. */
  term: string
  /** Live chunks of the workspace that have it. */
  df: number
  /** ln(1 + (N - df + .5) / (df + .5)), the idf of BM25 as in Lucene. */
  idf: number
}
