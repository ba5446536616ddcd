// What an evaluation asks: a workspace that answers with passages, whoever serves it.

import type { SetDocument } from '../set/set.ts'
import type { Client } from './client.ts'

export interface Passage {
  /** Ids of the set's documents this passage is from: several when the set holds the same text twice. */
  documents: readonly string[]
  text: string
  page: number | null
}

/** Where a target's documents are, for what is asked over HTTP. */
export interface ServedWorkspace {
  client: Client
  id: string
  /** Document id of the service → ids of the set. */
  names: ReadonlyMap<string, readonly string[]>
}

/** Told how far a piece of work is. */
export type OnProgress = (done: number, of: number) => void

export interface Target {
  /** What is measured, for the report: the address, or a temporary service. */
  readonly says: string
  readonly workspace: ServedWorkspace
  /** Passages best first, as many as the API gives at most: 20. */
  search(query: string): Promise<Passage[]>
  /** Enough passages to hold 100 documents; absent where only the API can be asked. */
  searchDeep?(query: string): Promise<Passage[]>
  /** Removes what was made for the evaluation. */
  close(): Promise<void>
}

/** Documents that could not be read: they are never found. */
export interface Unread {
  id: string
  reason: string
}

/** A target whose workspace is filled with the set's documents. */
export interface Filled extends Target {
  readonly unread: readonly Unread[]
}

export interface Filling {
  documents: readonly SetDocument[]
  /** Progress of a named phase: `upload`, `index`, `graph`. */
  onProgress: (phase: string) => OnProgress
  signal: AbortSignal
}

/** The documents of passages, best first, each once: a document stands where its best passage stands. */
export const foldToDocuments = (passages: readonly Passage[]): string[] => [
  ...new Set(passages.flatMap(({ documents }) => documents)),
]
