// Finds the workspaces that a tool call names by id or name. Without a name they are all that the caller can read.

import type { Caller } from '../auth/caller.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import { isId, isWholeId } from './ids.ts'
import {
  type ObjectKind,
  selectObjects,
  selectReadableWorkspaces,
  type WorkspaceRow,
} from './workspaces.sql.ts'

export interface ReadableWorkspace extends WorkspaceRow {
  /** What results say of it: its name, if the caller has several workspaces and the call names none of them. */
  label: { workspace?: string }
}

type McpDeps = Pick<Deps, 'db'>

// Names are compared here instead of in SQL, so that case is folded as everywhere else.
export const MAX_WORKSPACES = 1000
/** The most workspaces that one call searches if it names none. */
const DEFAULT_MAX_WORKSPACES = 25
const MAX_NAMES_IN_ERRORS = 10

/** The workspaces that the caller can read, oldest first. */
async function readableWorkspaces(deps: McpDeps, caller: Caller): Promise<ReadableWorkspace[]> {
  const rows = await selectReadableWorkspaces(deps.db, caller.userId, caller.workspaceIds, MAX_WORKSPACES)
  return rows.map((row) => ({ ...row, label: rows.length > 1 ? { workspace: row.name } : {} }))
}

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
  if (idOrName !== undefined)
    return { workspaces: [{ ...workspaceNamed(workspaces, idOrName), label: {} }], omitted: 0 }
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

/** An object with the workspace that holds it. */
export interface ReadableObject {
  id: string
  workspace: ReadableWorkspace
}

interface ObjectName {
  kind: ObjectKind
  /** The id, or the first digits of it. */
  id: string
  /** Of the workspace. */
  idOrName: string | undefined
}

/** The document, entity or conversation with this id. Undefined if there is none. @throws ApiError 422 if digits fit several */
export async function findObject(
  deps: McpDeps,
  caller: Caller,
  { kind, id: digits, idOrName }: ObjectName,
): Promise<ReadableObject | undefined> {
  const workspaces = await readableWorkspaces(deps, caller)
  const searchedWorkspaces =
    idOrName === undefined ? workspaces : [{ ...workspaceNamed(workspaces, idOrName), label: {} }]
  // The first digits of a conversation could be those of another person's, whose id must not be told.
  if (!isId(digits) || (kind === 'thread' && !isWholeId(digits))) return undefined
  const workspaceIds = searchedWorkspaces.map((workspace) => workspace.id)
  const objects = await selectObjects(deps.db, kind, { digits, workspaceIds, limit: MAX_NAMES_IN_ERRORS })
  const [object, ...others] = objects
  if (others.length > 0) {
    const ids = objects.map(({ id }) => id).join(', ')
    throw new ApiError(
      422,
      'invalid_request',
      `Several ids begin with ${inQuotes(digits)}. Give one of them whole: ${ids}.`,
    )
  }
  const workspace = searchedWorkspaces.find(({ id }) => id === object?.workspace_id)
  return object && workspace && { id: object.id, workspace }
}

/** As `findObject`. @throws ApiError 404 */
export async function objectNamed(deps: McpDeps, caller: Caller, name: ObjectName): Promise<ReadableObject> {
  const object = await findObject(deps, caller, name)
  if (object) return object
  const { kind, id, idOrName } = name
  throw noSuchObject(`${nounOfKind[kind]} ${inQuotes(id)}`, idOrName, howToFind[kind])
}

/** @param what a noun with the name that was given @param advice a sentence */
export const noSuchObject = (what: string, workspace: string | undefined, advice: string): ApiError => {
  const condition = workspace === undefined ? 'that you can read' : `in the workspace ${inQuotes(workspace)}`
  return new ApiError(404, 'not_found', `There is no ${what} ${condition}. ${advice}`)
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
  const sameName = workspaces.filter(({ name }) => fold(name.trim()) === key)
  const sameDigits = isId(key) ? workspaces.filter(({ id }) => id.startsWith(key)) : []
  const [workspace, ...otherWorkspaces] = sameName.length > 0 ? sameName : sameDigits
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

export const inQuotes = (text: string): string => `"${text.slice(0, 100)}"`

function namesOf(workspaces: readonly ReadableWorkspace[]): string {
  const names = workspaces.slice(0, MAX_NAMES_IN_ERRORS).map(({ name }) => inQuotes(name))
  const omittedCount = workspaces.length - names.length
  return names.join(', ') + (omittedCount > 0 ? ` and ${omittedCount} more (list_workspaces)` : '')
}
