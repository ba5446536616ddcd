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

// Each search takes a connection, and other requests need some too.
const MAX_CONCURRENT_SEARCHES = 4

/** Passages, best first, and what was not searched, in words. */
export async function searchWorkspaces(
  session: Session,
  { query, workspace, limit }: PassageRequest,
): Promise<{ passages: PassageMatch[]; note: string | undefined }> {
  const { workspaces: places, omitted } = await workspacesFor(session.deps, session.caller, workspace)
  const lists: Found[][] = []
  const missingPhrases: string[][] = []
  for (let start = 0; start < places.length; start += MAX_CONCURRENT_SEARCHES) {
    session.signal.throwIfAborted()
    const batch = places.slice(start, start + MAX_CONCURRENT_SEARCHES)
    const results = await Promise.all(batch.map((place) => searchWorkspace(session, place, { query, limit })))
    lists.push(...results.map(({ passages }) => passages))
    missingPhrases.push(...results.map((one) => one.missing))
  }
  const nameOf = new Map(places.map(({ id, name }) => [id, name]))
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
          `Only the first ${places.length} workspaces were searched; name one of the other ${omitted} in workspace.`,
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
  { depsOf: within, caller }: Session,
  place: ReadableWorkspace,
  request: Omit<PassageRequest, 'workspace'>,
): Promise<{ passages: Found[]; missing: string[] }> {
  const { results, missing } = await searchWithMissing(within(place.id), caller, place.id, request)
  return { passages: results.data.map((chunk) => ({ workspaceId: place.id, chunk })), missing }
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
