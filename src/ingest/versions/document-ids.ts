// The ids of documents. A document keeps its id when it is moved, so a path alone does not say which id a document has
// (docs/decisions/0003-document-identity.md).

import type { Queryable } from '../../ports/db/db.ts'
import { documentIdOf } from '../names.ts'
import { selectIdUse } from './document-ids.sql.ts'

/** The id of the document that is at a path, or of a document that would be new there. */
export interface PathId {
  documentId: string
  /** Whether no document is at the path. */
  isNew: boolean
}

// After the first number, which most paths get. A name that is uploaded and moved away each day soon has hundreds.
const NUMBERS_PER_QUERY = 50

/**
 * The id for each path: that of the document that is there now, otherwise the first id of the path that no other document has,
 * neither in the workspace nor in the trash. A document that was at the path when it was put into the trash does not count, so that
 * a deleted file that is uploaded again has its old id. The answer holds as long as the workspace is locked.
 */
export async function documentIdsFor(
  db: Queryable,
  workspaceId: string,
  paths: readonly string[],
): Promise<PathId[]> {
  const ids = new Map<string, PathId>()
  const uniquePaths = [...new Set(paths)]
  for (let from = 1, count = 1; ids.size < uniquePaths.length; from += count, count = NUMBERS_PER_QUERY) {
    const candidates = uniquePaths
      .filter((path) => !ids.has(path))
      .flatMap((path) =>
        Array.from({ length: count }, (_, no) => ({ path, id: documentIdOf(workspaceId, path, from + no) })),
      )
    const uses = await selectIdUse(db, workspaceId, candidates)
    for (const [index, { path, id }] of candidates.entries()) {
      if (ids.has(path)) continue
      const { id_at_path: idAtPath = null, is_taken: isTaken = false } = uses[index] ?? {}
      if (idAtPath !== null) ids.set(path, { documentId: idAtPath, isNew: false })
      else if (!isTaken) ids.set(path, { documentId: id, isNew: true })
    }
  }
  return paths.map((path) => ids.get(path) as PathId)
}

/** The id for one path. */
export async function documentIdFor(db: Queryable, workspaceId: string, path: string): Promise<PathId> {
  const [pathId] = await documentIdsFor(db, workspaceId, [path])
  return pathId as PathId
}
