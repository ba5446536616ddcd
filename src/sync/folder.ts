// A folder of this machine as a source, and how it is watched.

import { constants, watch } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { type CollectOptions, collect, collectFolder, type LocalFile } from './collect.ts'
import { nothingThere, SyncFailed } from './failure.ts'
import type { Source, SourceFile } from './source.ts'

// A file that is written twice within a tick of the clock has the same times: until then its bytes are compared.
const TICK_MS = 2000
const QUIET_MS = 1000

export async function folderSource(folder: string, options: CollectOptions): Promise<Source> {
  const real = await realpath(folder).catch(() => {
    throw nothingThere(`There is no folder ${folder}.`)
  })
  if (!(await stat(real)).isDirectory()) throw nothingThere(`${folder} is not a folder.`)
  return {
    label: basename(real) || real,
    // Another machine may have a folder of the same name with other files in it.
    identity: `folder ${hostname()} ${real}`,
    list: async () => listFolder(real, options),
    watch: (onChange, signal) => watchFolder(real, onChange, signal),
  }
}

/** One file, as if it lay alone in its folder. */
export async function fileSource(file: string): Promise<Source> {
  const list = async () => {
    const { files } = await collect([file], '/')
    return { files: files.map((file) => asSourceFile(file, true)), notes: [] }
  }
  return { label: basename(file), identity: `file ${hostname()} ${file}`, list }
}

export async function listFolder(folder: string, options: CollectOptions) {
  const { files, unreadable } = await collectFolder(folder, options).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof SyncFailed) throw error
    throw new SyncFailed(
      `${error.path ?? folder} cannot be read (${error.code ?? error.message}); nothing was changed.`,
    )
  })
  const [first] = unreadable
  const notes =
    first === undefined
      ? []
      : [`Left out: ${unreadable.length} files of kinds that are not read, such as ${first}.`]
  return { files: files.map((file) => asSourceFile(file, options.links !== false)), notes }
}

function asSourceFile({ file, path, bytes, changed, touched, inode }: LocalFile, links: boolean): SourceFile {
  const isSettled = Math.max(changed, touched) < Date.now() - TICK_MS
  return {
    path,
    bytes,
    mark: isSettled ? `${bytes} ${changed} ${touched} ${inode}` : undefined,
    // A link may have taken the file's place since it was listed.
    read: () => readFile(file, links ? {} : { flag: constants.O_RDONLY | constants.O_NOFOLLOW }),
  }
}

/** Changes are told once they have been quiet for a second: programs write files in several steps. */
function watchFolder(folder: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const watcher = watch(folder, { recursive: true, signal }, () => {
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET_MS)
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
