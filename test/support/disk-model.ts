// A disk that loses power: what a program wrote, synced and renamed, and which of that is there after a cut at any moment.
//
// What was synced is there. Of what was not, each write is there, is not, or is torn at sectors of 512 bytes, whatever became of
// others; names in a folder come in their order, as a journal writes them. A sync of a new file brings its name, too.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Paths are relative to the folder that is recorded. An fdatasync makes durable what was written before it began. */
export type DiskEvent =
  | { type: 'create' | 'unlink' | 'mkdir' | 'rmdir'; path: string }
  | { type: 'rename'; path: string; to: string }
  | { type: 'write'; path: string; bytes: Buffer; at: number }
  | { type: 'truncate'; path: string; size: number }
  | { type: 'sync'; path: string }
  | { type: 'sync begins' | 'sync ends'; path: string; id: number }
  | { type: 'acknowledged'; id: number }

type Change = { at: number; bytes: Buffer } | { size: number }

interface Inode {
  /** What is on the disk. */
  durable: Buffer
  /** What is not, in its order, by the number of the event. */
  pending: { no: number; change: Change }[]
}

interface NameChange {
  inode: Inode | undefined
  apply(names: Map<string, Inode | undefined>): void
}

/** A random number from 0 to 1. */
export type Random = () => number

export interface Disk {
  /** What happens next. */
  play(event: DiskEvent): void
  /** Writes into the folder `to` what is there when the power fails now. */
  cut(to: string, random: Random): void
}

const SECTOR = 512

function afterChange(content: Buffer, change: Change): Buffer {
  const end = 'size' in change ? change.size : Math.max(content.length, change.at + change.bytes.length)
  const next = end === content.length ? content : Buffer.concat([content.subarray(0, end)], end)
  if ('bytes' in change) change.bytes.copy(next, change.at)
  return next
}

/** A write of which some sectors have not reached the disk. */
function tornChanges({ at, bytes }: { at: number; bytes: Buffer }, random: Random): Change[] {
  const pieces: Change[] = []
  for (let from = 0; from < bytes.length; from += SECTOR)
    if (random() < 0.5) pieces.push({ at: at + from, bytes: bytes.subarray(from, from + SECTOR) })
  return pieces
}

/** @param base the folder as it was before the first event, all of it on the disk */
export function diskOf(base: string): Disk {
  let no = 0
  const names = new Map<string, Inode>()
  /** What the disk has under a name, where that differs from `base`; undefined: nothing. */
  const durableNames = new Map<string, Inode | undefined>()
  const pendingNames = new Map<string, NameChange[]>()
  const startedSyncs = new Map<number, { inode: Inode; no: number }>()

  function inodeAt(path: string): Inode {
    const knownInode = names.get(path)
    if (knownInode) return knownInode
    const inode = { durable: readFileSync(join(base, path)), pending: [] }
    names.set(path, inode)
    durableNames.set(path, inode)
    return inode
  }
  function note(path: string, change: NameChange): void {
    const folder = dirname(path)
    pendingNames.set(folder, [...(pendingNames.get(folder) ?? []), change])
  }
  function settle(inode: Inode, upTo: number): void {
    for (const { change } of inode.pending.filter((one) => one.no <= upTo))
      inode.durable = afterChange(inode.durable, change)
    inode.pending = inode.pending.filter((one) => one.no > upTo)
    for (const [folder, changes] of pendingNames) {
      const at = changes.findLastIndex((one) => one.inode === inode)
      settleNames(folder, at + 1)
    }
  }
  function settleNames(folder: string, count: number): void {
    const changes = pendingNames.get(folder) ?? []
    for (const change of changes.slice(0, count)) change.apply(durableNames)
    pendingNames.set(folder, changes.slice(count))
  }

  return {
    play(event) {
      no += 1
      switch (event.type) {
        case 'create': {
          const inode: Inode = { durable: Buffer.alloc(0), pending: [] }
          names.set(event.path, inode)
          note(event.path, { inode, apply: (on) => on.set(event.path, inode) })
          break
        }
        case 'unlink':
          names.delete(event.path)
          note(event.path, { inode: undefined, apply: (on) => on.set(event.path, undefined) })
          break
        case 'rename': {
          const inode = inodeAt(event.path)
          names.delete(event.path)
          names.set(event.to, inode)
          note(event.to, {
            inode: undefined,
            apply: (on) => on.set(event.path, undefined).set(event.to, inode),
          })
          break
        }
        case 'write':
          inodeAt(event.path).pending.push({ no, change: event })
          break
        case 'truncate':
          inodeAt(event.path).pending.push({ no, change: event })
          break
        case 'sync':
          if (!names.has(event.path) && pendingNames.has(event.path))
            settleNames(event.path, Number.POSITIVE_INFINITY)
          else if (names.has(event.path)) settle(inodeAt(event.path), no)
          break
        case 'sync begins':
          startedSyncs.set(event.id, { inode: inodeAt(event.path), no })
          break
        case 'sync ends': {
          const sync = startedSyncs.get(event.id)
          if (sync) settle(sync.inode, sync.no)
          break
        }
      }
    },
    cut(to, random) {
      rmSync(to, { recursive: true, force: true })
      cpSync(base, to, { recursive: true })
      const namesOnDisk = new Map(durableNames)
      for (const changes of pendingNames.values()) {
        const count = Math.floor(random() * (changes.length + 1))
        for (const change of changes.slice(0, count)) change.apply(namesOnDisk)
      }
      for (const [path, inode] of namesOnDisk) {
        const file = join(to, path)
        if (!inode) rmSync(file, { force: true })
        else {
          if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, afterCut(inode, random), { mode: 0o600 })
        }
      }
    },
  }
}

function afterCut({ durable, pending }: Inode, random: Random): Buffer {
  // A copy: changes are written into the buffer.
  let content: Buffer = pending.length > 0 ? Buffer.from(durable) : durable
  // Sometimes all or nothing of it, as when the cut comes long after or right after.
  const share = random() < 0.5 ? random() : Math.round(random())
  for (const { change } of pending) {
    if (random() >= share) continue
    const pieces = 'bytes' in change && random() < 0.3 ? tornChanges(change, random) : [change]
    for (const piece of pieces) content = afterChange(content, piece)
  }
  return content
}
