// The lock of a data directory, because two engines on one directory would lose acknowledged rows without any error, and PGlite has
// no lock of its own. A lock does not expire: it is replaced only if its process is dead.

import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/** The content of a lock file. `socket_dir` is the folder of the engine's Unix socket, or null while there is none. */
export interface LockContent extends ProcessIdentity {
  nonce: string
  started_at: string
  socket_dir: string | null
}

export interface Lock {
  readonly content: LockContent
  /** The lock of a dead process that this one replaced. */
  readonly previous: LockContent | undefined
  /** Releases the lock; safe to call twice. */
  release(): void
}

/** Another living process has the lock. */
export class LockHeld extends Error {
  readonly holder: LockContent
  constructor(path: string, holder: LockContent) {
    super(`${path} is held by process ${holder.pid}`)
    this.holder = holder
  }
}

/**
 * Takes the lock at `path`, and replaces the lock of a dead process. The file is written under another name and then linked to
 * `path`, so no reader sees half of it.
 * @throws LockHeld when a living process has the lock
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

/** The content of the lock at `path`, even if its process is dead. Undefined if there is no lock. */
export function readLock(path: string): LockContent | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockContent
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(
      `${path} is not a readable lock file; if no Kenning runs on this directory, delete that file`,
      {
        cause: error,
      },
    )
  }
}

/** The content of the lock at `path` if its process is alive. */
export function lockHolder(path: string): LockContent | undefined {
  const content = readLock(path)
  return content && isAlive(content) ? content : undefined
}

// To replace a dead lock, a process first takes `<path>.after-<nonce of the dead lock>`. If several processes see the same dead
// lock, one of them gets it. A process that comes late finds the lock changed and begins again. Renaming is atomic, so the
// lock is never absent while a process owns it.
function acquire(path: string, draft: string): LockContent | undefined {
  for (;;) {
    if (tryLink(draft, path)) return undefined
    const current = readLock(path)
    if (!current) continue
    if (isAlive(current)) throw new LockHeld(path, current)
    const takeoverPath = `${path}.after-${current.nonce}`
    acquire(takeoverPath, draft)
    if (readLock(path)?.nonce === current.nonce) {
      renameSync(takeoverPath, path)
      return current
    }
    unlinkSync(takeoverPath)
  }
}

function tryLink(draft: string, path: string): boolean {
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
