// Finds the workspaces that a tool call names by id or name. Without a name they are all that the caller can read.

import type { Caller } from '../auth/caller.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type ObjectKind,
  type ReadableWorkspace,
  selectReadableWorkspaces,
  selectWorkspaceOf,
} from './workspaces.sql.ts'

export type { ReadableWorkspace } from './workspaces.sql.ts'

type McpDeps = Pick<Deps, 'db'>

// Names are compared here instead of in SQL, so that case is folded as everywhere else.
export const MAX_WORKSPACES = 1000
/** The most workspaces that one call searches if it names none. */
const DEFAULT_MAX_WORKSPACES = 25
const MAX_NAMES_IN_ERRORS = 10

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/** The workspaces that the caller can read, oldest first. */
const readableWorkspaces = (deps: McpDeps, caller: Caller): Promise<ReadableWorkspace[]> =>
  selectReadableWorkspaces(deps.db, caller.userId, caller.workspaceIds, MAX_WORKSPACES)

/**
 * The workspaces that a call is about.
 * @param idOrName id or name; without one the first `maxWorkspaces` that are not empty
 * @throws ApiError 404 that lists the names
 */
export async function workspacesFor(
  deps: McpDeps,
  caller: Caller,
  idOrName: string | undefined,
  maxWorkspaces = DEFAULT_MAX_WORKSPACES,
): Promise<{ workspaces: ReadableWorkspace[]; omitted: number }> {
  const workspaces = await readableWorkspaces(deps, caller)
  if (idOrName !== undefined) return { workspaces: [workspaceNamed(workspaces, idOrName)], omitted: 0 }
  const nonEmpty = workspaces.filter((workspace) => !workspace.isEmpty)
  return {
    workspaces: nonEmpty.slice(0, maxWorkspaces),
    omitted: Math.max(0, nonEmpty.length - maxWorkspaces),
  }
}

/** The workspace to write to: the named one, or the only one in which the caller may write. @throws ApiError 404, 422 */
export async function workspaceToWrite(
  deps: McpDeps,
  caller: Caller,
  idOrName: string | undefined,
): Promise<ReadableWorkspace> {
  const workspaces = await readableWorkspaces(deps, caller)
  if (idOrName !== undefined) return workspaceNamed(workspaces, idOrName)
  const [workspace, ...otherWorkspaces] = workspaces.filter(({ role }) => role !== 'viewer')
  if (workspace && otherWorkspaces.length === 0) return workspace
  const message = workspace
    ? `You can write to several workspaces: ${namesOf([workspace, ...otherWorkspaces])}. Name one in \`workspace\`.`
    : 'There is no workspace that you can write to. Create one first.'
  throw new ApiError(422, 'invalid_request', message)
}

/** The workspace of a document, entity or conversation. @throws ApiError 404 */
export async function workspaceOf(
  deps: McpDeps,
  caller: Caller,
  { kind, id, idOrName }: { kind: ObjectKind; id: string; idOrName: string | undefined },
): Promise<ReadableWorkspace> {
  const workspaces = await readableWorkspaces(deps, caller)
  const searchedWorkspaces = idOrName === undefined ? workspaces : [workspaceNamed(workspaces, idOrName)]
  const ids = searchedWorkspaces.map((workspace) => workspace.id)
  const workspaceId = isUuid(id) ? await selectWorkspaceOf(deps.db, kind, id, ids) : undefined
  const workspace = searchedWorkspaces.find((candidate) => candidate.id === workspaceId)
  if (workspace) return workspace
  const condition = idOrName === undefined ? 'that you can read' : `in the workspace ${inQuotes(idOrName)}`
  throw new ApiError(
    404,
    'not_found',
    `There is no ${nounOfKind[kind]} ${inQuotes(id)} ${condition}. ${howToFind[kind]}`,
  )
}

const nounOfKind: Record<ObjectKind, string> = {
  document: 'document',
  entity: 'entity',
  thread: 'conversation',
}

const howToFind: Record<ObjectKind, string> = {
  document: 'Use an id that search, search_passages or list_documents returned.',
  entity: 'Use find_entities to get its id.',
  thread: 'Leave thread_id out to start a new conversation.',
}

function workspaceNamed(workspaces: readonly ReadableWorkspace[], idOrName: string): ReadableWorkspace {
  const key = fold(idOrName.trim())
  const byId = workspaces.find(({ id }) => id === key)
  if (byId) return byId
  const [workspace, ...otherWorkspaces] = workspaces.filter(({ name }) => fold(name.trim()) === key)
  if (workspace && otherWorkspaces.length === 0) return workspace
  if (workspace) {
    const ids = [workspace, ...otherWorkspaces].map(({ id }) => id).slice(0, MAX_NAMES_IN_ERRORS)
    const message = `Several workspaces are called ${inQuotes(idOrName)}. Give the id of one: ${ids.join(', ')}.`
    throw new ApiError(422, 'invalid_request', message)
  }
  const ownNames = workspaces.length ? `Yours are ${namesOf(workspaces)}.` : 'You have none yet.'
  throw new ApiError(
    404,
    'not_found',
    `There is no workspace ${inQuotes(idOrName)} that you can read. ${ownNames}`,
  )
}

const inQuotes = (text: string): string => `"${text.slice(0, 100)}"`

function namesOf(workspaces: readonly ReadableWorkspace[]): string {
  const names = workspaces.slice(0, MAX_NAMES_IN_ERRORS).map(({ name }) => inQuotes(name))
  const omittedCount = workspaces.length - names.length
  return names.join(', ') + (omittedCount > 0 ? ` and ${omittedCount} more (list_workspaces)` : '')
}
