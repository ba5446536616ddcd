// What a mind may do: read-only tools bound to one caller and one workspace by closure, never by an argument.
// Access is checked again at each call.

import { requireWorkspace } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Document, Entity, Step, Themes } from '../../contract/resources.ts'
import { getThemes } from '../../graph/entities.ts'
import type { BridgeEntity } from '../../graph/graph.sql.ts'
import { bridgeEntities, type EntityName, entitiesNamed, findByName } from '../../graph/lookup.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { findPassages, queryTerms } from '../../search/search.ts'
import type { Calculated } from '../citations/support.ts'
import type { TableRow } from '../markdown-table.ts'
import { type NeighbourRow, selectNeighbours } from './passages.sql.ts'
import { documentsTitled, isUuid, readAt, wholeTable } from './read.ts'

export interface Tools {
  /** Passages, best first; with entities only those that mention one of them. */
  search(query: string, limit: number, entityIds?: string[]): Promise<Passage[]>
  /** The terms of a text as the workspace knows them. */
  terms(text: string): Promise<{ terms: QueryTerm[]; chunks: number }>
  /** Entities whose name or alias stands in the text. */
  named(text: string): Promise<EntityName[]>
  /** Entities that the passages mention, rarest first. */
  bridge(passages: readonly Passage[], limit: number): Promise<BridgeEntity[]>
  /** Entities by a name someone typed, best first. */
  entities(name: string, limit: number): Promise<Entity[]>
  /** An entity's strongest relations, each with a passage that says it; none for an id of another workspace. */
  neighbours(entityId: string, limit: number): Promise<Neighbour[]>
  /** What the workspace is most about. */
  themes(limit: number): Promise<Themes>
  /** Documents whose title holds the text, by title. */
  documents(title: string, limit: number): Promise<Document[]>
  /** A document in reading order from a place on, or around a passage; none for an id of another workspace. */
  read(documentId: string, at: { from: number } | { around: string }, limit: number): Promise<Passage[]>
  /** The table in a passage with the parts of it that stand in the passages beside; none when there is no table. */
  table(chunkId: string): Promise<TableRowOf[]>
  /** Whether it is time to stop looking and to answer from what is there. */
  late(): boolean
}

export type Neighbour = NeighbourRow

/** A table's row with the passage that holds it: what `compute` calculates with and what can be cited. */
export interface TableRowOf extends TableRow {
  passage: Passage
}

/** A step as a mind reports it; number and time are added where it is sent. */
export type StepReport = Omit<Step, 'index' | 'elapsed_ms'>

/** What a mind hands back: `[i + 1]` in the Markdown stands for `seen[i]`. */
export interface Reply {
  markdown: string
  seen: Passage[]
  /** It speaks in words of its own, so each statement of fact must have a passage; quotes have theirs already. */
  prose?: boolean
  /** Texts beside the passages that its figures may be from: the question, what was calculated. */
  besides?: readonly string[]
  /** Figures that were calculated from passages, which are cited for them. */
  calculated?: readonly Calculated[]
  /** How well the documents cover the question, for the log: figures only, no text. */
  judgement: Record<string, string | number>
}

/** Tools that give up as soon as the signal aborts, whatever the database is doing. */
export function bindTools(
  deps: Pick<Deps, 'db' | 'log' | 'embedder'>,
  caller: Caller,
  workspaceId: string,
  options: { signal: AbortSignal; late: () => boolean },
): Tools {
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    unlessAborted(options.signal, async () => {
      await requireWorkspace(deps, caller, workspaceId, 'read')
      return work()
    })
  return {
    search: (query, limit, entityIds) =>
      // findPassages and queryTerms check access themselves.
      unlessAborted(options.signal, () =>
        // The mind follows names itself, and says which.
        findPassages(deps, caller, workspaceId, {
          query,
          limit,
          without: ['second hop'],
          ...(entityIds && { entityIds }),
        }),
      ),
    terms: (text) => unlessAborted(options.signal, () => queryTerms(deps, caller, workspaceId, text)),
    named: (text) => guarded(() => entitiesNamed(deps, workspaceId, text)),
    bridge: (passages, limit) => guarded(() => bridgeEntities(deps, workspaceId, [...passages], limit)),
    entities: (name, limit) => guarded(() => findByName(deps, workspaceId, name, undefined, limit)),
    neighbours: (entityId, limit) =>
      guarded(async () => (isUuid(entityId) ? selectNeighbours(deps.db, workspaceId, entityId, limit) : [])),
    themes: (limit) => unlessAborted(options.signal, () => getThemes(deps, caller, workspaceId, limit)),
    documents: (title, limit) => guarded(() => documentsTitled(deps.db, workspaceId, title, limit)),
    read: (documentId, at, limit) => guarded(() => readAt(deps.db, workspaceId, documentId, at, limit)),
    table: (chunkId) => guarded(() => wholeTable(deps.db, workspaceId, chunkId)),
    late: options.late,
  }
}

/** The work's result, or the signal's reason the moment it aborts. */
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
