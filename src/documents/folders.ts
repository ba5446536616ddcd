// The folders in which the documents of a workspace lie (extension). A folder exists as long as the path of a document names it.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Folder } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'
import { selectFolders } from './folders.sql.ts'

/** A workspace may have as many folders as documents. A person does not look through more of them than this. */
const MAX_FOLDERS = 5_000

/** The folders with the number of documents in each and below it, sorted by path. If there are too many, the deepest are left out. */
export async function listFolders(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<{ data: Folder[] }> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return { data: withAncestors(await selectFolders(deps.db, workspaceId), MAX_FOLDERS) }
}

/** The given folders and all folders around them, each with the documents below it, at most `limit`. */
export function withAncestors(folders: readonly Folder[], limit: number): Folder[] {
  const counts = new Map<string, number>()
  for (const { path, document_count } of folders)
    for (const folder of [...ancestorsOf(path), path])
      counts.set(folder, (counts.get(folder) ?? 0) + document_count)
  const level = (path: string): number => path.split('/').length
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return [...counts]
    .map(([path, document_count]) => ({ path, document_count }))
    .sort((a, b) => level(a.path) - level(b.path) || order(a.path, b.path))
    .slice(0, limit)
    .sort((a, b) => order(a.path, b.path))
}

/** The folders around a folder, the outermost first. */
function ancestorsOf(path: string): string[] {
  const steps = path.split('/')
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'))
}

/** A folder in the form that the paths of documents have: without a slash at either end. Empty for the root. */
export const normaliseFolder = (folder: string): string =>
  folder
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '')
