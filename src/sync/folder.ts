// A folder of this machine as a source, and how it is watched.

import { constants, watch } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { type CollectOptions, collect, collectFolder, type LocalFile } from './collect.ts'
import { notFoundFailure, SyncFailed } from './failure.ts'
import type { Source, SourceFile } from './source.ts'

// Two writes within this time may give a file the same timestamps. So the bytes of a younger file are compared.
const CLOCK_TICK_MS = 2000
const QUIET_PERIOD_MS = 1000

export async function folderSource(folder: string, options: CollectOptions): Promise<Source> {
  const realFolder = await realpath(folder).catch(() => {
    throw notFoundFailure(`There is no folder ${folder}.`)
  })
  if (!(await stat(realFolder)).isDirectory()) throw notFoundFailure(`${folder} is not a folder.`)
  return {
    label: basename(realFolder) || realFolder,
    // Another machine may have a folder of the same name with other files in it.
    identity: `folder ${hostname()} ${realFolder}`,
    list: async () => listFolder(realFolder, options),
    watch: (onChange, signal) => watchFolder(realFolder, onChange, signal),
  }
}

/** A source with a single file. */
export async function fileSource(file: string): Promise<Source> {
  const list = async () => {
    const { files } = await collect([file], '/')
    return { files: files.map((file) => asSourceFile(file, true)), notes: [] }
  }
  return { label: basename(file), identity: `file ${hostname()} ${file}`, list }
}

async function listFolder(folder: string, options: CollectOptions) {
  const { files, unreadable } = await collectFolder(folder, options).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof SyncFailed) throw error
    throw new SyncFailed(
      `${error.path ?? folder} cannot be read (${error.code ?? error.message}); nothing was changed.`,
    )
  })
  const [firstUnreadable] = unreadable
  const notes =
    firstUnreadable === undefined
      ? []
      : [`Left out: ${unreadable.length} files of kinds that are not read, such as ${firstUnreadable}.`]
  return { files: files.map((file) => asSourceFile(file, options.links !== false)), notes }
}

function asSourceFile(
  { file, path, bytes, modifiedMs, statusChangedMs, inode }: LocalFile,
  followLinks: boolean,
): SourceFile {
  const isOldEnough = Math.max(modifiedMs, statusChangedMs) < Date.now() - CLOCK_TICK_MS
  return {
    path,
    bytes,
    mark: isOldEnough ? `${bytes} ${modifiedMs} ${statusChangedMs} ${inode}` : undefined,
    // A link may have taken the file's place since it was listed.
    read: () => readFile(file, followLinks ? {} : { flag: constants.O_RDONLY | constants.O_NOFOLLOW }),
  }
}

/** Reports changes when there were none for a second, because programs write files in several steps. */
function watchFolder(folder: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const watcher = watch(folder, { recursive: true, signal }, () => {
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET_PERIOD_MS)
    })
    watcher.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const limit =
        error.code === 'ENOSPC' ? ' The system watches too few files (fs.inotify.max_user_watches).' : ''
      if (signal.aborted) resolve()
      else
        reject(
          new SyncFailed(`${folder} cannot be watched (${error.code}).${limit} Use --every 10m instead.`),
        )
    })
    watcher.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
