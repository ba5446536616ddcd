// The engine's files on disk: PGlite's own layer (NODEFS of Emscripten), made safe against power failures. NODEFS has no `fsync`,
// and its `rename` removes the target first, so that an interruption loses both files.
//
// A sync of the write-ahead log does not block the database: it is only recorded as a request. One sync in Node's thread pool then
// serves all requests that arrived before it began (group commit). `whenSynced` resolves when a commit may be acknowledged. The
// database believes that a requested sync is done. So before it changes any other file, all requested syncs are done synchronously.

import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Reports when commits are on disk, and starts the syncs. */
export interface LogSync {
  /** The number of the last sync of the log that the database has requested. */
  lastRequest(): number
  /**
   * Resolves when the sync request number `upTo` and all earlier ones are done. Undefined if they are done already. Rejects if the
   * disk has failed, because then nobody knows what is on disk.
   */
  whenSynced(upTo: number): Promise<void> | undefined
  /** Starts a sync soon, for commits that no client waits for. */
  syncSoon(): void
}

export interface DurableFilesOptions {
  /** Called whenever the database reads, writes or syncs a file. */
  onFileAccess(): void
  /** Called when the disk refuses a write or a sync. The database must then stop. */
  onFailure(error: unknown): void
}

// A sync for a commit that no client waits for is tried this long after its request, as on a server with synchronous_commit off.
const MAX_SYNC_DELAY_MS = 200

/** The files of a database in `folder`, as PGlite's option `fs`. */
export function durableFiles(
  folder: string,
  { onFileAccess, onFailure }: DurableFilesOptions,
): { files: NodeFS; log: LogSync } {
  const log = logSync(onFailure)
  const files = new NodeFS(folder)
  const init = files.init.bind(files)
  files.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options)
    // The tables of operations exist only in the Emscripten module, so they are replaced when it starts.
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      (emscriptenModule: unknown) => replaceOperations(emscriptenModule as Emscripten, log, onFileAccess),
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
  return { files, log }
}

interface FsNode {
  name: string
  parent: FsNode
}

interface FsStream {
  node: FsNode
  /** The file descriptor of Node. */
  nfd: number
}

type Operation = (...args: never[]) => unknown

/** The part of Emscripten's module that is used here. */
interface Emscripten {
  FS: {
    ErrnoError: new (code: number) => Error
    lookupNode(parent: FsNode, name: string): FsNode
    destroyNode(node: FsNode): void
    filesystems: {
      NODEFS: {
        node_ops: Record<string, Operation>
        stream_ops: Record<string, Operation>
        realPath(node: FsNode): string
        tryFSOperation<T>(work: () => T): T
      }
    }
  }
}

// Emscripten's number, not the one of Linux.
const ENODEV = 43
// Matches the name of a segment of the write-ahead log: `000000010000000000000001`.
const SEGMENT = /^[0-9A-F]{24}$/
const isLogSegment = (node: FsNode): boolean => node.parent.name === 'pg_wal' && SEGMENT.test(node.name)
const isTemporary = (node: FsNode): boolean => node.parent.name === 'pgsql_tmp'

/** Replaces file operations of one Emscripten module. Each module has its own tables of operations. */
function replaceOperations({ FS }: Emscripten, log: LogSyncControl, onFileAccess: () => void): void {
  const { NODEFS } = FS.filesystems
  const { node_ops, stream_ops } = NODEFS
  const withPreparation = (
    prepare: (...args: never[]) => void,
    operation: Operation | undefined,
  ): Operation => {
    if (operation === undefined)
      throw new Error(
        'this version of PGlite lacks a file operation that Kenning replaces (durable-files.ts)',
      )
    return (...args) => {
      prepare(...args)
      return operation(...args)
    }
  }
  const syncLog = (): void => NODEFS.tryFSOperation(log.syncNow)
  // These operations change files or folders in another way than by writing.
  for (const name of ['setattr', 'mknod', 'unlink', 'rmdir', 'symlink'])
    node_ops[name] = withPreparation(syncLog, node_ops[name])
  stream_ops.setattr = withPreparation(syncLog, stream_ops.setattr)
  stream_ops.read = withPreparation(onFileAccess, stream_ops.read)
  stream_ops.write = withPreparation(({ node }: FsStream) => {
    onFileAccess()
    if (!isLogSegment(node) && !isTemporary(node)) syncLog()
  }, stream_ops.write)
  stream_ops.fsync = ({ node, nfd }: FsStream) => {
    onFileAccess()
    if (isLogSegment(node)) NODEFS.tryFSOperation(() => log.request(NODEFS.realPath(node)))
    else NODEFS.tryFSOperation(() => fsyncSync(nfd))
    return 0
  }
  node_ops.rename = (node: FsNode, folder: FsNode, name: string) => {
    syncLog()
    const target = `${NODEFS.realPath(folder)}/${name}`
    NODEFS.tryFSOperation(() => renameSync(NODEFS.realPath(node), target))
    // Emscripten may have a node for the file that was replaced. If it has none, `lookupNode` makes one. In both cases it must go.
    FS.destroyNode(FS.lookupNode(folder, name))
    node.name = name
  }
  // PostgreSQL maps files only to ask for an early write before a sync, which is optional. Emscripten would read each such file
  // into memory.
  stream_ops.mmap = () => {
    throw new FS.ErrnoError(ENODEV)
  }
}

interface Waiter {
  upTo: number
  resolve(): void
  reject(error: unknown): void
}

type LogSyncControl = LogSync & {
  /** Requests a sync of a segment of the log, without waiting for it. */
  request(path: string): void
  /** Does all requested syncs before it returns. */
  syncNow(): void
}

function logSync(onFailure: (error: unknown) => void): LogSyncControl {
  let requestCount = 0
  let lastSyncedRequest = 0
  // The file descriptors to sync, by path. They are opened here, because the database may close its own at any time.
  let unsyncedFiles = new Map<string, number>()
  let syncingFiles: number[] = []
  let syncTimer: NodeJS.Timeout | undefined
  let waiters: Waiter[] = []
  let failure: { error: unknown } | undefined

  function fail(error: unknown): void {
    failure ??= { error }
    for (const waiter of waiters) waiter.reject(error)
    waiters = []
    onFailure(error)
  }

  /** `syncNow` may finish requests that a running sync also covers, and that sync finishes later with a lower number. */
  function finish(upTo: number): void {
    lastSyncedRequest = Math.max(lastSyncedRequest, upTo)
    const [readyWaiters, otherWaiters] = [
      waiters.filter((waiter) => waiter.upTo <= lastSyncedRequest),
      waiters.filter((waiter) => waiter.upTo > lastSyncedRequest),
    ]
    waiters = otherWaiters
    for (const waiter of readyWaiters) waiter.resolve()
  }

  /** Starts one sync for all requests so far. Does nothing while a sync is running, because its end starts the next one. */
  function sync(): void {
    clearTimeout(syncTimer)
    syncTimer = undefined
    if (syncingFiles.length > 0 || failure || unsyncedFiles.size === 0) return
    const upTo = requestCount
    syncingFiles = [...unsyncedFiles.values()]
    unsyncedFiles = new Map()
    let remainingFiles = syncingFiles.length
    for (const file of syncingFiles) {
      fdatasync(file, (error) => {
        if (error) return fail(error)
        remainingFiles -= 1
        if (remainingFiles > 0) return
        syncingFiles.forEach(closeSync)
        syncingFiles = []
        finish(upTo)
        if (waiters.length > 0) sync()
        else if (unsyncedFiles.size > 0) syncSoon()
      })
    }
  }

  function syncSoon(): void {
    if (lastSyncedRequest < requestCount) syncTimer ??= setTimeout(sync, MAX_SYNC_DELAY_MS).unref()
  }

  return {
    lastRequest: () => requestCount,
    whenSynced(upTo) {
      if (failure) return Promise.reject(failure.error)
      if (upTo <= lastSyncedRequest) return undefined
      return new Promise((resolve, reject) => {
        waiters.push({ upTo, resolve, reject })
        sync()
      })
    },
    syncSoon,
    request(path) {
      if (failure) throw failure.error
      if (!unsyncedFiles.has(path)) unsyncedFiles.set(path, openSync(path, 'r+'))
      requestCount += 1
    },
    syncNow() {
      if (failure) throw failure.error
      if (lastSyncedRequest === requestCount) return
      try {
        for (const file of [...syncingFiles, ...unsyncedFiles.values()]) fdatasyncSync(file)
      } catch (error) {
        fail(error)
        throw error
      }
      for (const file of unsyncedFiles.values()) closeSync(file)
      unsyncedFiles = new Map()
      finish(requestCount)
    },
  }
}
