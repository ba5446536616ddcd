// A passage, as search returns it to other parts of the code: a chunk with what is needed to assess and quote it.

import type { ChunkType } from '../contract/resources.ts'
import type { Language } from '../language/language.ts'

export interface Passage {
  chunk_id: string
  document_id: string
  document_title: string
  /** The path of its file. */
  document_path: string
  /** The chunk's position in the reading order of the document, from 0. */
  chunk_no: number
  type: ChunkType
  /** The chunk's whole text; a table as Markdown with its header. */
  text: string
  /** The headings above the chunk, with ' > ' between levels. Empty if there are none. */
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
  /** The number of live chunks of the workspace that have it. */
  df: number
  /** ln(1 + (N - df + .5) / (df + .5)), the idf of BM25 as in Lucene. */
  idf: number
}

export type WeightedQueryTerm = QueryTerm & { weight: number }
