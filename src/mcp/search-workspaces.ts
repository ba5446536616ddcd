// Search in one workspace or in all that the caller can read, for the tools that need passages.

import type { Chunk } from '../contract/resources.ts'
import { type Found, mergeWorkspaces } from '../search/across.ts'
import { searchWithMissing } from '../search/search.ts'
import { documentUrl } from './links.ts'
import type { Session } from './tool.ts'
import { type ReadableWorkspace, workspacesFor } from './workspaces.ts'

interface PassageMatch {
  document: string
  chunk: string
  title: string
  page: number | undefined
  text: string
  url: string
  /** The workspace's name. */
  workspace: string
  workspaceId: string
}

interface PassageRequest {
  query: string
  workspace: string | undefined
  limit: number
}

// Each search uses a database connection, and other requests need some too.
const MAX_CONCURRENT_SEARCHES = 4

/** Passages, best first, and a note on workspaces and phrases without results. */
export async function searchWorkspaces(
  session: Session,
  { query, workspace: idOrName, limit }: PassageRequest,
): Promise<{ passages: PassageMatch[]; note: string | undefined }> {
  const { workspaces, omitted } = await workspacesFor(session.deps, session.caller, idOrName)
  const lists: Found[][] = []
  const missingPhrases: string[][] = []
  for (let start = 0; start < workspaces.length; start += MAX_CONCURRENT_SEARCHES) {
    session.signal.throwIfAborted()
    const batch = workspaces.slice(start, start + MAX_CONCURRENT_SEARCHES)
    const results = await Promise.all(
      batch.map((workspace) => searchWorkspace(session, workspace, { query, limit })),
    )
    lists.push(...results.map(({ passages }) => passages))
    missingPhrases.push(...results.map((one) => one.missing))
  }
  const nameOf = new Map(workspaces.map(({ id, name }) => [id, name]))
  const passages = mergeWorkspaces(query, lists)
    .slice(0, limit)
    .map(({ workspaceId, chunk }) => ({
      ...toMatch(session, workspaceId, chunk),
      workspace: nameOf.get(workspaceId) ?? workspaceId,
      workspaceId,
    }))
  const notes = [
    ...(omitted
      ? [
          `Only the first ${workspaces.length} workspaces were searched; name one of the other ${omitted} in workspace.`,
        ]
      : []),
    ...missingEverywhere(missingPhrases).map(
      (phrase) => `No passage has “${phrase}”; these have words of it.`,
    ),
  ]
  return { passages, note: notes.length ? notes.join(' ') : undefined }
}

/** The phrases that none of the workspaces has. */
const missingEverywhere = ([first = [], ...others]: readonly string[][]): string[] =>
  first.filter((phrase) => others.every((missingPhrases) => missingPhrases.includes(phrase)))

async function searchWorkspace(
  { depsOf, caller }: Session,
  workspace: ReadableWorkspace,
  request: Omit<PassageRequest, 'workspace'>,
): Promise<{ passages: Found[]; missing: string[] }> {
  const { results, missing } = await searchWithMissing(depsOf(workspace.id), caller, workspace.id, request)
  return { passages: results.data.map((chunk) => ({ workspaceId: workspace.id, chunk })), missing }
}

function toMatch({ deps }: Session, workspaceId: string, chunk: Chunk) {
  const { id, document_id: documentId, document_title: title, page, text } = chunk
  return {
    document: documentId ?? '',
    chunk: id,
    title: title ?? '',
    page: page ?? undefined,
    text,
    url: documentUrl(deps.settings, workspaceId, { document_id: documentId, chunk_id: id, page }),
  }
}
