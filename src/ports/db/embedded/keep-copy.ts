// Keeps a copy of the embedded database from before an upgrade. Migrations cannot be undone, so the way back to the previous
// version is to restore this copy. Only the last one is kept.

import { constants } from 'node:fs'
import { cp, lstat, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { readMigrations } from '../migrations.ts'
import { migrationTable } from './engine.sql.ts'

const COPY_PREFIX = 'before-upgrade-'
const DRAFT_PREFIX = `${COPY_PREFIX}new-`

/**
 * The numbers of the last migration of the database (`version`) and of the code (`newest`). Undefined for a database that is new or
 * up to date.
 */
export async function pendingUpgrade(
  db: Pick<PGlite, 'query'>,
): Promise<{ version: number; newest: number } | undefined> {
  const { rows } = await db.query<{ exists: boolean }>(migrationTable.exists)
  if (!rows[0]?.exists) return undefined
  const { rows: versionRows } = await db.query<{ version: number | null }>(migrationTable.lastVersion)
  const version = versionRows[0]?.version ?? undefined
  const newest = readMigrations().at(-1)?.version ?? 0
  return version !== undefined && version < newest ? { version, newest } : undefined
}

/**
 * Copies the folder of a database that is not open to `pg.before-upgrade-NNNN-to-NNNN` beside it, completely or not at all.
 * On file systems that share blocks between copies (reflink), the copy takes no space. If an upgrade was interrupted, its copy is
 * kept, and no other one is made.
 * @throws Error that says how much space is missing
 */
export async function keepCopy(folder: string, version: number, newest: number): Promise<void> {
  const [parent, name] = [dirname(folder), basename(folder)]
  const copiesAndDrafts = (await readdir(parent)).filter((entry) =>
    entry.startsWith(`${name}.${COPY_PREFIX}`),
  )
  for (const draft of copiesAndDrafts.filter((entry) => entry.startsWith(`${name}.${DRAFT_PREFIX}`)))
    await remove(join(parent, draft))
  if (copiesAndDrafts.some((copy) => isOfInterruptedUpgrade(copy, version))) return
  const bytes = await sizeOf(folder)
  const { bavail, bsize } = await statfs(parent)
  if (bavail * bsize < bytes) {
    throw new Error(
      `The upgrade keeps a copy of the database, for which ${parent} has no room: make ${megabytes(bytes - bavail * bsize)} MB more room ` +
        'there, or start the previous version.',
    )
  }
  const draft = join(parent, `${name}.${DRAFT_PREFIX}${process.pid}`)
  await cp(folder, draft, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    errorOnExist: true,
    force: false,
  })
  const [from, to] = [version, newest].map((number) => String(number).padStart(4, '0'))
  const copy = `${name}.${COPY_PREFIX}${from}-to-${to}`
  await remove(join(parent, copy))
  await rename(draft, join(parent, copy))
  for (const olderCopy of copiesAndDrafts.filter((one) => one !== copy)) await remove(join(parent, olderCopy))
}

/** Whether the upgrade that made this copy stopped before its last migration. */
function isOfInterruptedUpgrade(copy: string, version: number): boolean {
  const [, from, to] = /(\d+)-to-(\d+)$/.exec(copy) ?? []
  return from !== undefined && Number(from) < version && version < Number(to)
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })
const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  let bytes = 0
  for (const name of names) bytes += (await lstat(join(folder, name))).size
  return bytes
}
