// Removes files to which nothing refers any more. They are left by a crash, a replaced version or a deletion.

import { PAGES, pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteUnnamedPictures } from './pictures/pictures.sql.ts'
import { selectUnnamed, selectUnnamedIn } from './sweep.sql.ts'
import { deleteOldVersions } from './versions/versions.sql.ts'

const UNNAMED_FOR_MS = 3_600_000

/** Removes staged files of uploads that died. */
export const removeStaged = ({ blobs }: Pick<Deps, 'blobs'>): Promise<unknown> => blobs.sweep(UNNAMED_FOR_MS)

/** Deletes replaced files that can no longer be restored. The next sweep removes their blobs. */
export const removeOldVersions = ({ db }: Pick<Deps, 'db'>): Promise<unknown> => deleteOldVersions(db)

/** Deletes pictures and their words of files that no longer exist. */
export const removeUnnamedPictures = ({ db }: Pick<Deps, 'db'>): Promise<unknown> => deleteUnnamedPictures(db)

/** Removes blobs to which no document and no waiting file refers. Only old ones, because a running upload has no row yet. */
export async function removeUnnamedBlobs(deps: Pick<Deps, 'db' | 'blobs'>): Promise<void> {
  let batch: string[] = []
  const settle = async (): Promise<void> => {
    for (const hash of await selectUnnamed(deps.db, batch)) await deps.blobs.remove(hash, UNNAMED_FOR_MS)
    batch = []
  }
  for await (const hash of deps.blobs.kept(UNNAMED_FOR_MS)) if (batch.push(hash) >= 500) await settle()
  if (batch.length) await settle()
}

// Other folders were made by somebody else.
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Removes drawn pages and parsed results of files to which their workspace no longer refers. Deleting a document drops them at
 * once. The others belong to a replaced version, or were written by a task that was just running.
 */
export async function removeUnnamedPages({
  db,
  cache,
}: Pick<Deps, 'db'> & { cache?: Pick<Deps['cache'], 'folders' | 'drop'> }): Promise<void> {
  for (const workspaceId of (await cache?.folders(PAGES)) ?? []) {
    if (!isUuid.test(workspaceId)) continue
    const hashes = (await cache?.folders(pagesFolder(workspaceId))) ?? []
    const unnamed = await selectUnnamedIn(db, workspaceId, hashes)
    for (const hash of unnamed) await cache?.drop(pagesFolder(workspaceId, hash))
    if (unnamed.length === hashes.length) await cache?.drop(pagesFolder(workspaceId))
  }
}
