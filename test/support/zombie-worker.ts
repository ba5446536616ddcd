// A worker of its own process that stops itself (SIGSTOP) before the first statement that matches, as a machine that
// hangs does; continued from outside, it goes on where it was. Arguments: connection, data directory, name, pattern.

import { createParserPool } from '../../src/ingest/parse/pool.ts'
import { runWorker } from '../../src/ingest/work/worker.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'

const [connection = '', dataDir = '', name = '', pattern = ''] = process.argv.slice(2)
const db = openDb(JSON.parse(connection))
const log = { debug() {}, info() {}, warn() {}, error() {} }
const stopping = new AbortController()
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
const own: Db = { ...db, ...stoppingAt(db), tx: (work) => db.tx((tx) => work(stoppingAt(tx))) }

const parser = createParserPool({ size: 1, cacheDir: dataDir, log })
const deps = {
  db: own,
  blobs: await openDiskBlobs(dataDir),
  log,
  parser,
  embedder: { kind: 'none' as const },
}
process.on('message', () => stopping.abort())
await runWorker(deps, { name, concurrency: 1, signal: stopping.signal })
await parser.close()
await db.close()
process.disconnect()
