// Moves documents to other folders (extension, docs/decisions/0003-document-identity.md). A document keeps its id, so its versions,
// citations and links stay, and the scopes that list it. Scopes that name a folder name its new path. The text is not read again,
// because nothing that is indexed contains the folder.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { MAX_MOVED_DOCUMENTS, MAX_MOVED_SCOPES } from '../contract/limits.ts'
import type { DocumentMove, MovedDocuments, MovedFolder, MovedScope } from '../contract/moves.ts'
import { titleKey } from '../documents/documents.ts'
import { normaliseFolder } from '../documents/folders.ts'
import { type ApiError, invalid, invalidField, notFound } from '../errors.ts'
import { claimKey, storeResult } from '../idempotency/idempotency.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import {
  listInScopes,
  type MovableRow,
  selectMovable,
  selectScopesOf,
  selectTakenBy,
  selectWaitingPaths,
  updatePaths,
  updateScopeFolders,
  updateTitle,
  updateWaitingFiles,
} from './move.sql.ts'
import { freeTitle, MAX_PATH_CHARACTERS, namesInTitle, uploadPath } from './names.ts'
import { lockWorkspace } from './publish.sql.ts'
import { documentIdsFor } from './versions/document-ids.ts'

type MoveDeps = Pick<Deps, 'db'>

/**
 * Moves the documents to the folder, all of them or none. Their files keep their names, and with `below` their paths below that
 * folder. The scopes that have exactly the given `folders` get back their `previous_folders`; all others stay as they are.
 * @throws ApiError 403; 404 also if one of them does not exist; 422 for a folder that is no relative path, a path that another
 * document or a waiting file has, a document of a source, one that is not in `below`, and a scope that would name the root
 */
export async function moveDocuments(
  deps: MoveDeps,
  caller: Caller,
  workspaceId: string,
  { document_ids, folder, below, scopes }: DocumentMove,
  key?: string,
): Promise<MovedDocuments> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const target = requireFolder(folder, 'folder')
  const ids = [...new Set(document_ids)]
  const source = below === undefined ? undefined : requireFolder(below, 'below')
  const scopeChanges = (scopes ?? []).map(scopeChangeBack)
  const request = {
    workspaceId,
    key,
    operation: 'move documents',
    request: { ids, folder: target, below: source, scopes },
  }
  return onceForKey(deps, caller, request, async (tx) => {
    const documents = await selectMovable(tx, workspaceId, { ids })
    if (documents.length < ids.length) throw notFound()
    const elsewhere = source ? documents.find(({ path }) => !path.startsWith(`${source}/`)) : undefined
    if (elsewhere)
      throw invalidField({
        loc: ['body', 'below'],
        msg: `“${elsewhere.path}” is not in this folder`,
        type: 'not_below',
        input: below,
        ctx: { path: elsewhere.path },
      })
    const newPathOf = (path: string): string =>
      joined(target, source === undefined ? path.slice(path.lastIndexOf('/') + 1) : pathBelow(source, path))
    const order = {
      workspaceId,
      documents,
      newPathOf,
      from: source,
      to: target,
      field: 'folder',
      input: folder,
    }
    const result = await move(tx, caller, order)
    if (scopeChanges.length > 0)
      await recordScopes(tx, caller, workspaceId, await updateScopeFolders(tx, workspaceId, scopeChanges))
    return result
  })
}

/**
 * Moves or renames a folder. The documents below it keep their places in it.
 * @throws ApiError 403; 404 also for a folder without documents; 422 as `moveDocuments`, and for a destination in the folder itself
 */
export async function moveFolder(
  deps: MoveDeps,
  caller: Caller,
  workspaceId: string,
  { folder, to }: { folder: string; to: string },
  key?: string,
): Promise<MovedFolder> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const source = requireFolder(folder, 'folder')
  if (source === '')
    throw invalid(['body', 'folder'], 'The folder must not be the root', 'value_error', folder)
  const target = requireFolder(to, 'to')
  if (target.startsWith(`${source}/`))
    throw invalid(['body', 'to'], 'A folder cannot be moved into itself', 'value_error', to)
  const request = { workspaceId, key, operation: 'move folder', request: { source, target } }
  return onceForKey(deps, caller, request, async (tx) => {
    const selection = { folder: source, limit: MAX_MOVED_DOCUMENTS + 1 }
    const documents = await selectMovable(tx, workspaceId, selection)
    if (documents.length === 0) throw notFound()
    if (documents.length > MAX_MOVED_DOCUMENTS)
      throw invalidField({
        loc: ['body', 'folder'],
        msg: `At most ${MAX_MOVED_DOCUMENTS} documents a request; move the folders below it`,
        type: 'too_long',
        ctx: { max_length: MAX_MOVED_DOCUMENTS },
      })
    const newPathOf = (path: string): string => joined(target, pathBelow(source, path))
    const order = { workspaceId, documents, newPathOf, from: source, to: target, field: 'to', input: to }
    const result = await move(tx, caller, order)
    if (target === source) return { ...result, scopes: [] }
    const documentIds = documents.map(({ id }) => id)
    const scopes = await moveScopes(tx, caller, workspaceId, { folder: source, to: target, documentIds })
    return { ...result, scopes: scopes.slice(0, MAX_MOVED_SCOPES) }
  })
}

/**
 * Makes the scopes that name the folder, or one below it, name its new path, and returns those whose change can be undone, sorted
 * by name. No scope can name the root: if the folder has come to the root (`to` is empty), the scopes that name the folder itself
 * list its documents instead. These are not returned.
 */
async function moveScopes(
  tx: Queryable,
  caller: Caller,
  workspaceId: string,
  { folder, to, documentIds }: { folder: string; to: string; documentIds: readonly string[] },
): Promise<MovedScope[]> {
  const scopes = await selectScopesOf(tx, workspaceId, folder)
  const changes = scopes.map((scope) => ({
    ...scope,
    newFolders: foldersAfterMove(scope.folders, folder, to),
  }))
  const names = scopes.filter(({ folders }) => to === '' && folders.includes(folder)).map(({ name }) => name)
  if (names.length > 0) await listInScopes(tx, workspaceId, { names, documentIds })
  if (changes.length > 0)
    await recordScopes(tx, caller, workspaceId, await updateScopeFolders(tx, workspaceId, changes))
  return changes
    .filter(({ name }) => !names.includes(name))
    .map(({ name, folders, newFolders }) => ({ name, folders: newFolders, previous_folders: folders }))
}

/** The folders that a scope names after the move of a folder, sorted. */
const foldersAfterMove = (folders: readonly string[], folder: string, to: string): string[] =>
  [
    ...new Set(
      folders.map((path) =>
        path === folder ? to : path.startsWith(`${folder}/`) ? joined(to, pathBelow(folder, path)) : path,
      ),
    ),
  ]
    .filter((path) => path !== '')
    .sort()

/** @throws ApiError 422 for a scope that would name the root */
const scopeChangeBack = ({ name, folders, previous_folders }: MovedScope, index: number) => ({
  name,
  folders,
  newFolders: previous_folders.map((folder, no) => {
    const path = normaliseFolder(folder)
    if (path) return path
    const loc = ['body', 'scopes', String(index), 'previous_folders', String(no)]
    throw invalid(loc, 'The folder must not be empty or the root', 'value_error', folder)
  }),
})

async function recordScopes(
  tx: Queryable,
  caller: Caller,
  workspaceId: string,
  names: readonly string[],
): Promise<void> {
  const entry = { action: 'scope_set', actor: actorOf(caller), workspaceIds: [workspaceId] } as const
  for (const name of names) await record(tx, { ...entry, subject: name })
}

/** Locks the workspace and moves. With the key of an earlier request it returns what that one returned, and moves nothing. */
async function onceForKey<Result extends MovedDocuments>(
  deps: MoveDeps,
  caller: Caller,
  {
    workspaceId,
    key,
    operation,
    request,
  }: { workspaceId: string; key: string | undefined; operation: string; request: object },
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const ofWorkspace = `${operation} ${workspaceId}`
  return deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const claim = { key, operation: ofWorkspace, request, result: '', workspaceId }
    const earlierResult = await claimKey(tx, caller, claim)
    if (earlierResult !== '') return JSON.parse(earlierResult) as Result
    const result = await work(tx)
    await storeResult(tx, caller, { key, operation: ofWorkspace, result: JSON.stringify(result) })
    return result
  })
}

/** @param folder is empty for the root */
const pathBelow = (folder: string, path: string): string =>
  folder === '' ? path : path.slice(folder.length + 1)

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/**
 * A folder in the form that the paths of uploads have. A space at its end belongs to its name. Empty for the root.
 * @throws ApiError 422
 */
function requireFolder(folder: string, field: string): string {
  if (folder.trim() === '') return ''
  const path = uploadPath(`${folder}/x`)
  if (path !== undefined) return path.slice(0, -'/x'.length)
  const msg =
    folder.length > MAX_PATH_CHARACTERS - '/x'.length
      ? 'The folder is too long'
      : 'The folder must be a relative path without ..'
  throw invalid(['body', field], msg, 'value_error', folder)
}

interface MoveOrder {
  workspaceId: string
  documents: readonly MovableRow[]
  newPathOf: (path: string) => string
  /** The folders that the activity log names. Without `from` it names the folder of the documents, if they have one in common. */
  from: string | undefined
  to: string
  /** The field of the request that errors name, and its value. */
  field: string
  input: string
}

async function move(
  tx: Queryable,
  caller: Caller,
  { workspaceId, documents, newPathOf, from, to, field, input }: MoveOrder,
): Promise<MovedDocuments> {
  const all = documents.map((document) => ({ ...document, newPath: newPathOf(document.path) }))
  const refuse = (msg: string, type: string, path: string): ApiError =>
    invalidField({ loc: ['body', field], msg, type, input, ctx: { path } })
  const moving = all.filter(({ path, newPath }) => path !== newPath)
  for (const { newPath } of moving) {
    if (newPath.length > MAX_PATH_CHARACTERS)
      throw refuse(`With this folder the path “${newPath}” would be too long`, 'value_error', newPath)
    if (uploadPath(newPath) !== newPath)
      throw refuse(`“${newPath}” cannot be the path of a document`, 'value_error', newPath)
  }
  const pathsOfAll = new Set<string>()
  for (const { newPath } of all) {
    if (pathsOfAll.has(newPath))
      throw refuse(`Two of the documents would be “${newPath}”`, 'name_repeated', newPath)
    pathsOfAll.add(newPath)
  }
  const moves = moving.map(({ id, path, newPath }) => ({ id, path: newPath, previousPath: path }))
  for (const { path, source } of moving)
    if (source !== null)
      throw refuse(`The source “${source}” decides where “${path}” is`, 'source_decides', path)
  const takenBy = moves.length > 0 ? await selectTakenBy(tx, workspaceId, moves) : new Map()
  for (const { path } of moves) {
    const owner = takenBy.get(path)
    if (owner === 'document') throw refuse(`Another document is “${path}”`, 'name_taken', path)
    if (owner === 'file') throw refuse(`A file that is still read is “${path}”`, 'name_taken', path)
  }
  if (moves.length > 0) {
    await updatePaths(tx, workspaceId, moves)
    await renewWaitingFiles(
      tx,
      workspaceId,
      moves.map(({ id }) => id),
    )
    for (const document of moving) document.title = await renewTitle(tx, workspaceId, document)
    const oldFolder = from ?? folderOfAll(moves.map(({ previousPath }) => previousPath))
    const entry = {
      action: 'documents_moved',
      actor: actorOf(caller),
      workspaceIds: [workspaceId],
      detail: {
        documents: moves.length,
        ...(oldFolder !== undefined && { from: oldFolder }),
        to,
      },
    } as const
    await record(tx, moves.length === 1 ? { ...entry, subject: moves[0]?.id } : entry)
  }
  return {
    data: all.map(({ id, title, path, newPath }) => ({ id, title, path: newPath, previous_path: path })),
  }
}

/** The folder in which all the paths are. Empty for the root, undefined if they are in several folders. */
function folderOfAll(paths: readonly string[]): string | undefined {
  const folders = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  return folders.size === 1 ? [...folders][0] : undefined
}

/** Gives a document whose title was made with its old path another one. Returns its title. */
async function renewTitle(
  tx: Queryable,
  workspaceId: string,
  { id, title, path, newPath }: MovableRow & { newPath: string },
): Promise<string> {
  const names = namesInTitle(title, path)
  if (!names) return title
  const newTitle = await freeTitle(tx, { workspaceId, documentId: id }, names, newPath)
  await updateTitle(tx, workspaceId, { id, title: newTitle, titleKey: titleKey(newTitle) })
  return newTitle
}

/**
 * Uploads that wait for the old path of a moved document become other documents, unless they are revisions of it and it was uploaded
 * with this name, or replaced by a later upload with `replace` (`settleFile`).
 */
async function renewWaitingFiles(
  tx: Queryable,
  workspaceId: string,
  movedIds: readonly string[],
): Promise<void> {
  const paths = await selectWaitingPaths(tx, workspaceId, movedIds)
  if (paths.length === 0) return
  const pathIds = await documentIdsFor(tx, workspaceId, paths)
  const files = pathIds.map(({ documentId }, index) => ({ path: paths[index] ?? '', documentId }))
  await updateWaitingFiles(tx, workspaceId, files)
}
