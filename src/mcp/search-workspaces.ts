// Search in one workspace or in all that the caller can read, for the tools that need passages.

import type { Chunk } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import { type Found, mergeWorkspaces } from '../search/across.ts'
import type { DocumentProperties } from '../search/passage-query.ts'
import { searchWithMissing } from '../search/search.ts'
import { documentUrl } from './links.ts'
import { withoutRepetition } from './repetition.ts'
import type { Session } from './tool.ts'
import { type ReadableWorkspace, workspacesFor } from './workspaces.ts'

export interface PassageMatch {
  document: string
  chunk: string
  title: string
  page: number | undefined
  text: string
  url: string
  label: ReadableWorkspace['label']
  workspaceId: string
}

export interface SearchFilter extends DocumentProperties {
  scope?: string | undefined
}

interface PassageRequest extends SearchFilter {
  query: string
  workspace: string | undefined
}

/** The most passages of a search. All are always found, so that pages of any length are of one order. */
export const MAX_PASSAGES = 20
// Each search uses a database connection, and other requests need some too.
const MAX_CONCURRENT_SEARCHES = 4

/** Passages, best first, and a note on what was not searched and what has no results. */
export async function searchWorkspaces(
  session: Session,
  { query, workspace: idOrName, ...filter }: PassageRequest,
): Promise<{ passages: PassageMatch[]; note: string | undefined }> {
  const { workspaces, omitted } = await workspacesFor(session.deps, session.caller, idOrName)
  const results: WorkspaceResult[] = []
  for (let start = 0; start < workspaces.length; start += MAX_CONCURRENT_SEARCHES) {
    session.signal.throwIfAborted()
    const batch = workspaces.slice(start, start + MAX_CONCURRENT_SEARCHES)
    results.push(
      ...(await Promise.all(
        batch.map((workspace) => searchWorkspace(session, workspace, { query, filter })),
      )),
    )
  }
  const withScope = results.filter((result) => result !== 'no such scope')
  const labels = new Map(workspaces.map(({ id, label }) => [id, label]))
  const lists = withScope.map(({ passages }) => passages)
  const passages = withoutRepetition(
    mergeWorkspaces(query, lists).map((one) => toMatch(session, labels, one)),
  )
    // A result over several workspaces is as long as one of a single workspace.
    .slice(0, MAX_PASSAGES)
  const isScopeUnknown = filter.scope !== undefined && workspaces.length > 0 && withScope.length === 0
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const noPassage = `No passage${isFiltered ? ' within the filters' : ''} has`
  const notes = [
    ...(omitted
      ? [
          `Only the first ${workspaces.length} workspaces were searched; name one of the other ${omitted} in workspace.`,
        ]
      : []),
    ...(isScopeUnknown ? [`There is no scope “${filter.scope}”.`] : []),
    ...missingEverywhere(withScope.map(({ missing }) => missing)).map((phrase) =>
      passages.length > 0 ? `${noPassage} “${phrase}”; these have words of it.` : `${noPassage} “${phrase}”.`,
    ),
    ...(passages.length > 0 ? [] : [emptyNote(filter, workspaces.length)]),
  ]
  return { passages, note: notes.length ? notes.join(' ') : undefined }
}

/** What to try where nothing was found. */
function emptyNote(filter: SearchFilter, workspaceCount: number): string {
  if (workspaceCount === 0) return 'There are no documents yet that you can read.'
  const filters = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (filters.length > 0) return `Nothing was found. Search again without ${filters.join(' or ')}.`
  return 'Nothing was found. Try fewer or other words, without quotes, or see list_documents and themes.'
}

/** The phrases that none of the workspaces has. */
const missingEverywhere = ([first = [], ...others]: readonly string[][]): string[] =>
  first.filter((phrase) => others.every((missingPhrases) => missingPhrases.includes(phrase)))

type WorkspaceResult = { passages: Found[]; missing: string[] } | 'no such scope'

async function searchWorkspace(
  { depsOf, caller }: Session,
  workspace: ReadableWorkspace,
  { query, filter: { scope, ...properties } }: { query: string; filter: SearchFilter },
): Promise<WorkspaceResult> {
  const request = { query, limit: MAX_PASSAGES, scope, properties }
  try {
    const deps = depsOf(workspace.id)
    const { results, missing } = await searchWithMissing(deps, caller, workspace.id, request)
    return { passages: results.data.map((chunk) => ({ workspaceId: workspace.id, chunk })), missing }
  } catch (error) {
    // Other workspaces may have the scope.
    if (scope !== undefined && error instanceof ApiError && error.status === 404) return 'no such scope'
    throw error
  }
}

function toMatch(
  { deps }: Session,
  labels: ReadonlyMap<string, ReadableWorkspace['label']>,
  { workspaceId, chunk }: { workspaceId: string; chunk: Chunk },
): PassageMatch {
  const { id, document_id: document, document_title: title, page, text } = chunk
  return {
    document: document ?? '',
    chunk: id,
    title: title ?? '',
    page: page ?? undefined,
    text,
    url: documentUrl(deps.settings, document ?? '', id),
    label: labels.get(workspaceId) ?? {},
    workspaceId,
  }
}
