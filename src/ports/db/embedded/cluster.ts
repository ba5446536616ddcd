// Opens the embedded PostgreSQL: PGlite 0.5.14 (PostgreSQL 18.6) with pgvector. Only the engine's database thread imports this
// file, because PGlite loads a 9 MB WebAssembly module and takes 230 MB of memory.

import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { type DurableFilesOptions, durableFiles, type LogSync } from './durable-files.ts'

// shared_buffers: searches were fastest with 64MB, and the process takes 110 MB less memory than with 128MB, the default.
// default_statistics_target: ANALYZE of 30,000 rows took 130 ms with 25, and 430 ms with 100, the default. max_connections: only
// internal slots, because all clients share one session. max_stack_depth: see engine.ts.
const SETTINGS = [
  'shared_buffers=64MB',
  'max_connections=5',
  'min_wal_size=32MB',
  'max_wal_size=128MB',
  'default_statistics_target=25',
  'max_stack_depth=500kB',
]

// The default of wal_sync_method is fdatasync, which does nothing in Emscripten.
const DURABILITY_SETTINGS = ['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on']
const FSYNC_OFF = '-F'

export interface Cluster {
  db: PGlite
  log: LogSync
}

/**
 * Opens the cluster in `folder`. If the folder is empty, it first creates a cluster there (about 4 s). `ensureCluster` creates one
 * so that an interruption leaves no incomplete cluster.
 */
export async function openCluster(folder: string, options: DurableFilesOptions): Promise<Cluster> {
  const { files, log } = durableFiles(folder, options)
  const db = await PGlite.create({
    fs: files,
    startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== FSYNC_OFF),
    extensions: { vector },
    postgresqlconf: [...SETTINGS, ...DURABILITY_SETTINGS],
  })
  return { db, log }
}
