// Finds the document that a model names by id, address or title.

import { listDocuments } from '../documents/documents.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import { findDocuments } from '../search/find-documents.ts'
import { cutText } from './budget.ts'
import { parsePlace, shortId } from './ids.ts'
import type { Session } from './tool.ts'
import {
  findObject,
  inQuotes,
  noSuchObject,
  type ReadableObject,
  type ReadableWorkspace,
  workspacesFor,
} from './workspaces.ts'

// Titles read per workspace that contain the given one.
const MAX_TITLE_MATCHES = 50

export interface ReadableDocument extends ReadableObject {
  /** The passage that the name is about: its id, or the first digits of it. */
  chunk?: string
}

/** @throws ApiError 404 that names the nearest titles; 422 with the ids if several documents have the title */
export async function documentNamed(
  session: Session,
  name: string,
  idOrName: string | undefined,
): Promise<ReadableDocument> {
  const { deps, caller } = session
  const place = parsePlace(name)
  if (place) {
    const id = { kind: 'document', id: place.document, idOrName } as const
    const document = await findObject(deps, caller, id)
    if (document) return place.chunk === undefined ? document : { ...document, chunk: place.chunk }
  }
  const { workspaces } = await workspacesFor(deps, caller, idOrName)
  const matches = await titled(session, workspaces, name)
  const [match, ...otherMatches] = matches
  if (match && otherMatches.length === 0) return match
  if (match) {
    const ids = matches.slice(0, 10).map(({ id }) => shortId(id))
    throw new ApiError(
      422,
      'invalid_request',
      `Several documents have this title. Give the id of one: ${ids.join(', ')}.`,
    )
  }
  const nearest = place ? [] : await nearestTo(session, workspaces, name)
  const advice = 'Use an id that search, search_passages or list_documents returned.'
  const nearestTitles = `The nearest titles are ${nearest.join(', ')}. Else look with list_documents.`
  throw noSuchObject(`document ${inQuotes(name)}`, idOrName, nearest.length > 0 ? nearestTitles : advice)
}

/** The documents with exactly this title. */
async function titled(
  { depsOf, caller, signal }: Session,
  workspaces: readonly ReadableWorkspace[],
  title: string,
): Promise<ReadableDocument[]> {
  const matches: ReadableDocument[] = []
  for (const workspace of workspaces) {
    signal.throwIfAborted()
    const { data } = await listDocuments(depsOf(workspace.id), caller, workspace.id, {
      q: title,
      limit: MAX_TITLE_MATCHES,
    })
    const sameTitle = data.filter((document) => fold(document.title.trim()) === fold(title.trim()))
    matches.push(...sameTitle.map(({ id }) => ({ workspace, id })))
  }
  return matches
}

const MAX_NEAREST_TITLES = 3

/** Titles that have words of the name, with their ids; the best of each workspace in turn. */
async function nearestTo(
  { depsOf, caller, signal }: Session,
  workspaces: readonly ReadableWorkspace[],
  name: string,
): Promise<string[]> {
  const lists: string[][] = []
  for (const workspace of workspaces) {
    signal.throwIfAborted()
    const query = { q: name, limit: MAX_NEAREST_TITLES }
    const { data } = await findDocuments(depsOf(workspace.id), caller, workspace.id, query)
    lists.push(data.map(({ id, title }) => `${inQuotes(cutText(title, 50))} (${shortId(id)})`))
  }
  const ranks = Array.from({ length: MAX_NEAREST_TITLES }, (_, rank) => rank)
  return ranks.flatMap((rank) => lists.flatMap((list) => list[rank] ?? [])).slice(0, MAX_NEAREST_TITLES)
}
