// The tools of both agents. They only read. The caller and the workspace are bound when the tools are created, so a model cannot
// choose them. Each call checks access again.

import { requireWorkspace } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Document, Entity, Step, Themes } from '../../contract/resources.ts'
import { type Cosines, cosinesWith, type LanguageText } from '../../embed/cosines.ts'
import { mainEntities } from '../../graph/entities.ts'
import { findEntitiesByName, type LinkedEntity, linkEntities } from '../../graph/entity-search.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Passage } from '../../search/passage.ts'
import type { PassageQuery } from '../../search/passage-query.ts'
import { findPassages, type QueryTerms, queryTerms } from '../../search/search.ts'
import type { Span } from '../citations/markers.ts'
import type { Verified } from '../citations/verify.ts'
import type { TableRow } from '../markdown-table.ts'
import { type ConnectionStep, readConnection } from './connection.ts'
import { type NamedDocumentRow, type NeighbourRow, selectNeighbours } from './passages.sql.ts'
import {
  type DocumentTables,
  describeDocuments,
  findDocuments,
  isUuid,
  readPassages,
  readTablePassages,
  readWholeTable,
} from './read.ts'

export interface Tools {
  /** Passages, best first. `entityIds` limits them to passages that mention one of the entities, `documents` to these documents. */
  search(query: string | AnalysedText, limit: number, filter?: SearchFilter): Promise<Passage[]>
  /** The terms of a text with their frequencies in the workspace, and the languages in which the text is analysed. */
  termStatistics(text: string | AnalysedText): Promise<QueryTerms>
  /**
   * The cosines of chunks and texts with a question. Undefined if no measured embedder supports its language (embed/cosines.ts).
   */
  cosinesWith(
    question: LanguageText,
    compared: { chunkIds: readonly string[]; texts: readonly LanguageText[] },
  ): Promise<Cosines | undefined>
  /** Entities whose name or alias occurs in the text. */
  linkEntities(text: string | AnalysedText): Promise<LinkedEntity[]>
  /** Entities by a typed name, best first. */
  findEntities(name: string, limit: number): Promise<Entity[]>
  /** An entity's strongest relations, each with a passage that states it. Empty for an id of another workspace. */
  neighbours(entityId: string, limit: number): Promise<Neighbour[]>
  /** The shortest path from one entity to another; none if there is none, or for ids of another workspace. */
  connection(entityId: string, otherId: string): Promise<ConnectionStep[]>
  themes(limit: number): Promise<Themes>
  /** Documents whose title contains the text, by title. */
  listDocuments(title: string, limit: number): Promise<Document[]>
  /** The documents with these ids, and those whose titles begin with one of `titles`, each with its first passage. */
  describeDocuments(ids: readonly string[], titles: readonly string[]): Promise<NamedDocument[]>
  /** Passages of a document in reading order, from a position on or around a passage. Empty for an id of another workspace. */
  readDocument(
    documentId: string,
    range: { from: number } | { around: string },
    limit: number,
  ): Promise<Passage[]>
  /** All rows of the passage's table, also those in neighbouring passages. Empty if the passage has no table. */
  readTable(chunkId: string): Promise<PassageRow[]>
  /** The passages that contain the tables of a document. Empty for an id of another workspace. */
  readTables(documentId: string): Promise<DocumentTables>
  /** Whether to stop searching and to answer from what was found. */
  outOfTime(): boolean
}

type Neighbour = NeighbourRow

type SearchFilter = Pick<PassageQuery, 'entityIds' | 'documents'>

/** A document with its title, its file and its first passage. */
export type NamedDocument = NamedDocumentRow

/** A table's row with the passage it is in, so that a calculation from it can be cited. */
export interface PassageRow extends TableRow {
  passage: Passage
}

/** A table, or the records of a document as a table, with its names. */
export interface SourceTable {
  rows: PassageRow[]
  title: string
  /** The heading path above the table, or the name of its sheet. */
  heading: string
  /** The text of the passage directly above the table, if there is one: "In thousand euros." */
  before?: string
  /** The name of the file without its folders. */
  file: string
  /** Whether rows may be missing. */
  isPartial: boolean
  /** For records, their kind: `Project` for "Project Alder". */
  kind?: string
}

/** A step as an agent reports it. Its number and its time are added when it is sent. */
export type StepReport = Omit<Step, 'index' | 'elapsed_ms'>

/** A part of the text of a passage. */
export interface PassageSpan extends Span {
  passage: Passage
}

/** The reply of an agent. `[i + 1]` in the Markdown refers to `passages[i]`. */
export interface Reply {
  markdown: string
  passages: Passage[]
  /** Present for the prose of a model, which is verified while it is written. */
  verified?: Verified
  /** The value that answers the question, in one of the passages. */
  value?: PassageSpan
  /** A note below the answer on how it was made. It states nothing from the documents. */
  note?: string
  /** Fields for the log about how well the documents cover the question. They contain no text of documents. */
  logFields: Record<string, string | number>
}

/** Creates tools whose calls reject as soon as the signal aborts, even while a database statement is still running. */
export function bindTools(
  deps: Pick<Deps, 'db' | 'log' | 'embedder'>,
  caller: Caller,
  workspaceId: string,
  options: { signal: AbortSignal; outOfTime: () => boolean },
): Tools {
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    unlessAborted(options.signal, async () => {
      await requireWorkspace(deps, caller, workspaceId, 'read')
      return work()
    })
  return {
    search: (query, limit, filter) =>
      // findPassages and queryTerms check access themselves. The second hop is left out, because agents search again themselves.
      unlessAborted(options.signal, () =>
        findPassages(deps, caller, workspaceId, {
          query,
          limit,
          // Without these the passages are in the order on which the weights of the ranker were fitted (docs/decisions, 0034).
          without: ['second hop', 'emphasis'],
          ...filter,
        }),
      ),
    termStatistics: (text) =>
      unlessAborted(options.signal, () => queryTerms(deps, caller, workspaceId, text)),
    cosinesWith: (question, compared) => guarded(() => cosinesWith(deps, workspaceId, question, compared)),
    linkEntities: (text) => guarded(() => linkEntities(deps, workspaceId, text)),
    findEntities: (name, limit) =>
      guarded(() => findEntitiesByName(deps, workspaceId, { query: name, type: undefined, limit })),
    neighbours: (entityId, limit) =>
      guarded(async () => (isUuid(entityId) ? selectNeighbours(deps.db, workspaceId, entityId, limit) : [])),
    connection: (entityId, otherId) =>
      guarded(() => readConnection(deps, caller, workspaceId, { entityId, otherId })),
    themes: (limit) => guarded(() => mainEntities(deps, workspaceId, limit)),
    listDocuments: (title, limit) => guarded(() => findDocuments(deps.db, workspaceId, title, limit)),
    describeDocuments: (ids, titles) => guarded(() => describeDocuments(deps.db, workspaceId, ids, titles)),
    readDocument: (documentId, range, limit) =>
      guarded(() => readPassages(deps.db, workspaceId, documentId, { range, limit })),
    readTable: (chunkId) => guarded(() => readWholeTable(deps.db, workspaceId, chunkId)),
    readTables: (documentId) => guarded(() => readTablePassages(deps.db, workspaceId, documentId)),
    outOfTime: options.outOfTime,
  }
}

/** The result of `work`. Rejects with the reason of the signal as soon as the signal aborts. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError'
