// A worker of its own process that stops itself (SIGSTOP) before the first statement that matches, as a machine that
// hangs does; continued from outside, it goes on where it was. Told to stop, it says how many files it parsed and ends.
// Arguments: connection, data directory, name, pattern.

import { join } from 'node:path'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import { openDiskCache } from '../../src/ports/cache/disk-cache.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openPool } from '../../src/reader/pool.ts'
import { runWorker } from '../../src/work/worker.ts'
import { work } from './ingest.ts'

const [connection = '', dataDir = '', name = '', pattern = ''] = process.argv.slice(2)
const db = openDb(JSON.parse(connection))
const log = { debug() {}, info() {}, warn() {}, error() {} }
const stopController = new AbortController()
let stopped = false

const stoppingAt = (inner: Queryable): Queryable => ({
  rows: (statement) => {
    if (!stopped && new RegExp(pattern).test(statement.text)) {
      stopped = true
      process.kill(process.pid, 'SIGSTOP')
    }
    return inner.rows(statement)
  },
})
const ownDb: Db = { ...db, ...stoppingAt(db), tx: (work) => db.tx((tx) => work(stoppingAt(tx))) }

const pool = openPool({ size: 1, cacheDir: dataDir, log })
let parsedCount = 0
const parser: Pick<typeof pool, 'parse'> = {
  parse: (job) => {
    parsedCount++
    return pool.parse(job)
  },
}
const deps = {
  db: ownDb,
  blobs: await openDiskBlobs(dataDir),
  cache: openDiskCache(join(dataDir, 'cache'), { maxBytes: 2 ** 25, maxUnusedMs: 3_600_000 }),
  log,
  parser,
  embedder: async () => ({ kind: 'none' as const }),
}
process.on('message', () => stopController.abort())
await runWorker(deps, work, { name, concurrency: 1, signal: stopController.signal })
await pool.close()
await db.close()
process.send?.(parsedCount)
process.disconnect()
