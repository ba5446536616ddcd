// Removes stored files to which nothing refers any more: after a crash, the end of a replaced version, or a deletion.

import { PAGES, pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteUnreferencedPictures } from './pictures/pictures.sql.ts'
import { selectUnreferenced, selectUnreferencedIn } from './sweep.sql.ts'
import { deleteOldVersions } from './versions/versions.sql.ts'

const MIN_AGE_MS = 3_600_000
/** How long a file that could not be read stays stored, so that it can be tried again. */
export const FAILED_FILE_DAYS = 7

/** Removes the staged files of interrupted uploads. */
export const removeStagedFiles = ({ blobs }: Pick<Deps, 'blobs'>): Promise<unknown> => blobs.sweep(MIN_AGE_MS)

/** Deletes replaced files that can no longer be restored. The next sweep removes their blobs. */
export const removeOldVersions = ({ db }: Pick<Deps, 'db'>): Promise<unknown> => deleteOldVersions(db)

/** Deletes the pictures of files that no longer exist, with their words. */
export const removeUnreferencedPictures = ({ db }: Pick<Deps, 'db'>): Promise<unknown> =>
  deleteUnreferencedPictures(db)

/** Removes blobs to which nothing refers. New blobs stay, because a running upload has no rows yet. */
export async function removeUnreferencedBlobs(deps: Pick<Deps, 'db' | 'blobs'>): Promise<void> {
  let batch: string[] = []
  const removeBatch = async (): Promise<void> => {
    for (const hash of await selectUnreferenced(deps.db, batch, FAILED_FILE_DAYS))
      await deps.blobs.remove(hash, MIN_AGE_MS)
    batch = []
  }
  for await (const hash of deps.blobs.storedHashes(MIN_AGE_MS))
    if (batch.push(hash) >= 500) await removeBatch()
  if (batch.length) await removeBatch()
}

// Folders with other names are not Kenning's and stay.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Removes page images and parsing results of files to which their workspace no longer refers. Deleting a document removes its
 * images at once. Others belong to replaced versions, or were written by a task that was running at that moment.
 */
export async function removeUnreferencedPages({
  db,
  cache,
}: Pick<Deps, 'db'> & { cache?: Pick<Deps['cache'], 'folders' | 'drop'> }): Promise<void> {
  for (const workspaceId of (await cache?.folders(PAGES)) ?? []) {
    if (!UUID.test(workspaceId)) continue
    const hashes = (await cache?.folders(pagesFolder(workspaceId))) ?? []
    const unreferencedHashes = await selectUnreferencedIn(db, workspaceId, hashes)
    for (const hash of unreferencedHashes) await cache?.drop(pagesFolder(workspaceId, hash))
    if (unreferencedHashes.length === hashes.length) await cache?.drop(pagesFolder(workspaceId))
  }
}
