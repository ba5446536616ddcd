// The target of an evaluation: a workspace of a temporary or a running service.

import type { KenningClient } from '../../client/client.ts'
import type { OnProgress } from '../../progress-bar.ts'
import type { SetDocument } from '../set/set.ts'

export interface Passage {
  /** Ids of its documents in the set: several when the set contains the same text twice. */
  documents: readonly string[]
  text: string
  page: number | null
}

/** The workspace of a target, for requests over HTTP. */
export interface ServedWorkspace {
  client: KenningClient
  id: string
  /** Document id of the service → ids of the set. */
  names: ReadonlyMap<string, readonly string[]>
}

export type { OnProgress }

export interface Target {
  /** For the report: an address, or that it is a temporary service. */
  readonly description: string
  readonly workspace: ServedWorkspace
  /** Up to 20 passages, the most that the API returns, best first. */
  search(query: string): Promise<Passage[]>
  /** Enough passages for 100 documents; absent where only the API can be used. */
  searchDeep?(query: string): Promise<Passage[]>
  /** Removes what was created for the evaluation. */
  close(): Promise<void>
}

/** A document that could not be read and is never found. */
export interface UnreadDocument {
  id: string
  reason: string
}

/** A target that was filled with the documents of the set. */
export interface FilledTarget extends Target {
  readonly unread: readonly UnreadDocument[]
}

export interface FillOptions {
  documents: readonly SetDocument[]
  /** For one phase: `upload`, `index` or `graph`. */
  onProgress: (phase: string) => OnProgress
  signal: AbortSignal
}

/** The documents of passages, each once, in the order of their best passages. */
export const foldToDocuments = (passages: readonly Passage[]): string[] => [
  ...new Set(passages.flatMap(({ documents }) => documents)),
]
