// The lock of a data directory: two engines on one directory lose acknowledged rows without any error
// (145 of 2,000; PGlite has no lock of its own), so exactly one process holds `kenning.lock` and no age frees it.

import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/** What a lock file says. `socket_dir` is where the engine's Unix socket lies, null while there is none. */
export interface LockContent extends ProcessIdentity {
  nonce: string
  started_at: string
  socket_dir: string | null
}

export interface Lock {
  readonly content: LockContent
  /** What a dead process had left in this lock, when this one took it over. */
  readonly previous: LockContent | undefined
  /** Frees the lock; safe to call twice. */
  release(): void
}

/** Another living process holds the lock. */
export class LockHeld extends Error {
  readonly holder: LockContent
  constructor(path: string, holder: LockContent) {
    super(`${path} is held by process ${holder.pid}`)
    this.holder = holder
  }
}

/**
 * Takes the lock file at `path` or throws `LockHeld`. A lock whose process is dead is taken over.
 * The file appears whole (link of a written file), so no reader sees half of it.
 */
export function takeLock(path: string, socketDir: string | null = null): Lock {
  const content: LockContent = {
    ...ownIdentity(),
    nonce: randomBytes(6).toString('hex'),
    started_at: new Date().toISOString(),
    socket_dir: socketDir,
  }
  const draft = `${path}.draft-${content.nonce}`
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    const previous = acquire(path, draft)
    return { content, previous, release: () => release(path, content.nonce) }
  } finally {
    unlinkSync(draft)
  }
}

/** Who holds the lock at `path`, dead or alive; undefined when there is none. */
export function readLock(path: string): LockContent | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockContent
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(
      `${path} cannot be read as a lock; if no Kenning runs on this directory, delete that file`,
      {
        cause: error,
      },
    )
  }
}

/** The living holder of the lock at `path`, if there is one. */
export function lockHolder(path: string): LockContent | undefined {
  const content = readLock(path)
  return content && isAlive(content) ? content : undefined
}

// The right to follow a dead holder is itself a lock, named after the dead one's nonce. Of many starters that saw
// the same dead lock one gets it; a late one finds the lock changed and begins again. The renames are atomic, so at
// no time is the lock absent while someone owns it.
function acquire(path: string, draft: string): LockContent | undefined {
  for (;;) {
    if (linked(draft, path)) return undefined
    const current = readLock(path)
    if (!current) continue
    if (isAlive(current)) throw new LockHeld(path, current)
    const succession = `${path}.after-${current.nonce}`
    acquire(succession, draft)
    if (readLock(path)?.nonce === current.nonce) {
      renameSync(succession, path)
      return current
    }
    unlinkSync(succession)
  }
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function release(path: string, nonce: string) {
  if (readLock(path)?.nonce === nonce) unlinkSync(path)
}
