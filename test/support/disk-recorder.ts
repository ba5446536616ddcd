// Records what this process does to the files of a folder: the calls of `fs` that PGlite and the engine use are replaced by ones that
// note each call. Must be imported before those are.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import type { DiskEvent } from './disk-model.ts'

export interface Recording {
  events: DiskEvent[]
}

/** @param slowMs how much longer an fdatasync takes than it does here, so that a cut finds many of them half done */
export function recordDisk(folder: string, slowMs: number): Recording {
  const events: DiskEvent[] = []
  const paths = new Map<number, string>()
  let syncs = 0
  const inside = (path: unknown): string | undefined => {
    const name = relative(folder, String(path))
    return name.startsWith('..') ? undefined : name || '.'
  }
  /** Replaces a call by one that notes it after it has succeeded. */
  function wrap<K extends keyof typeof fs>(name: K, note: (args: unknown[], result: unknown) => void): void {
    const original = fs[name] as unknown as (...args: unknown[]) => unknown
    const replacement = (...args: unknown[]): unknown => {
      const result = original(...args)
      note(args, result)
      return result
    }
    Object.assign(fs, { [name]: replacement })
  }
  const onPath = (type: 'create' | 'unlink' | 'mkdir' | 'rmdir') => (args: unknown[]) => {
    const path = inside(args[0])
    if (path !== undefined) events.push({ type, path })
  }
  const onFile = (note: (path: string, args: unknown[], result: unknown) => void) => {
    return (args: unknown[], result: unknown) => {
      const path = paths.get(Number(args[0]))
      if (path !== undefined) note(path, args, result)
    }
  }

  wrap('openSync', ([path], fd) => {
    const name = inside(path)
    if (name !== undefined) paths.set(Number(fd), name)
  })
  wrap('closeSync', ([fd]) => void paths.delete(Number(fd)))
  wrap(
    'writeSync',
    onFile((path, [, from, offset, , at], bytesWritten) => {
      const view = from as Uint8Array
      const bytes = Buffer.from(view.slice(Number(offset), Number(offset) + Number(bytesWritten)))
      events.push({ type: 'write', path, bytes, at: Number(at) })
    }),
  )
  wrap(
    'ftruncateSync',
    onFile((path, [, size]) => events.push({ type: 'truncate', path, size: Number(size) })),
  )
  wrap('truncateSync', ([given, size]) => {
    const path = inside(given)
    if (path !== undefined) events.push({ type: 'truncate', path, size: Number(size) })
  })
  wrap('writeFileSync', onPath('create'))
  /** What is written to a file without a name is lost in any case. */
  const forget = (path: string) => {
    for (const [fd, name] of paths) if (name === path) paths.delete(fd)
  }
  const onUnlink = onPath('unlink')
  wrap('unlinkSync', (args) => {
    onUnlink(args)
    forget(inside(args[0]) ?? '')
  })
  wrap('mkdirSync', onPath('mkdir'))
  wrap('rmdirSync', onPath('rmdir'))
  wrap('renameSync', ([from, to]) => {
    const [path, target] = [inside(from), inside(to)]
    if (path === undefined || target === undefined) return
    events.push({ type: 'rename', path, to: target })
    forget(target)
    for (const [fd, name] of paths) if (name === path) paths.set(fd, target)
  })
  const onSync = onFile((path) => events.push({ type: 'sync', path }))
  wrap('fsyncSync', onSync)
  wrap('fdatasyncSync', onSync)

  const fdatasync = fs.fdatasync
  const recorded = (fd: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    syncs += 1
    const id = syncs
    const path = paths.get(fd)
    if (path !== undefined) events.push({ type: 'sync begins', path, id })
    fdatasync(fd, (error) =>
      setTimeout(() => {
        if (!error && path !== undefined) events.push({ type: 'sync ends', path, id })
        done(error)
      }, slowMs),
    )
  }
  Object.assign(fs, { fdatasync: recorded })
  syncBuiltinESMExports()
  return { events }
}
