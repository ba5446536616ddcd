// What a mind may do: read-only tools bound to one caller and one workspace by closure, never by an argument
// (design/graph-and-answers.md, "Answering"). Access is checked again at each call (permissions.md D-26).

import { requireWorkspace } from '../../auth/access.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Step } from '../../contract/resources.ts'
import type { BridgeEntity } from '../../graph/graph.sql.ts'
import { bridgeEntities, type EntityName, entitiesNamed } from '../../graph/lookup.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { findPassages, queryTerms } from '../../search/search.ts'

export interface Tools {
  /** Passages, best first; with entities only those that mention one of them. */
  search(query: string, limit: number, entityIds?: string[]): Promise<Passage[]>
  /** The terms of a text as the workspace knows them. */
  terms(text: string): Promise<{ terms: QueryTerm[]; chunks: number }>
  /** Entities whose name or alias stands in the text. */
  named(text: string): Promise<EntityName[]>
  /** Entities that the passages mention, rarest first. */
  bridge(passages: readonly Passage[], limit: number): Promise<BridgeEntity[]>
  /** Whether it is time to stop looking and to answer from what is there. */
  late(): boolean
}

/** A step as a mind reports it; number and time are added where it is sent. */
export type StepReport = Omit<Step, 'index' | 'elapsed_ms'>

/** What a mind hands back: `[i + 1]` in the Markdown stands for `seen[i]`. */
export interface Reply {
  markdown: string
  seen: Passage[]
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
