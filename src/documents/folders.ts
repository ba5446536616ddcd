// The folders of the documents of a workspace (extension). A folder exists as long as the path of a document contains it.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Folders } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { selectFolders } from './folders.sql.ts'

// A workspace may have as many folders as documents. Nobody looks through more folders, or deeper ones.
const MAX_FOLDERS = 5_000
const MAX_LEVELS = 20

/**
 * The folders, sorted by path, with the number of documents in each folder and the folders below it. If there are too many, the
 * deepest are left out.
 */
export async function listFolders(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Folders> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return foldersAtMost(deps.db, workspaceId, MAX_FOLDERS)
}

/** @param limit for tests */
export async function foldersAtMost(db: Queryable, workspaceId: string, limit: number): Promise<Folders> {
  const folders = await selectFolders(db, workspaceId, { levels: MAX_LEVELS, limit: limit + 1 })
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const listed = folders.slice(0, limit).sort((a, b) => order(a.path, b.path))
  return { data: listed, has_more: folders.length > limit }
}

/** A folder in the form that the paths of documents have: without a slash at either end. Empty for the root. */
export const normaliseFolder = (folder: string): string =>
  folder
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '')
