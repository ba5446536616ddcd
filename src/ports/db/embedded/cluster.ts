// Opens the embedded PostgreSQL: PGlite 0.5.14 (PostgreSQL 18.6) with pgvector. Only the engine's database thread imports
// it, because it loads a 9 MB WebAssembly module and takes 230 MB of memory.

import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { type DurableFilesOptions, durableFiles, type LogSync } from './durable-files.ts'

// Measured by shared_buffers, with a 75 MB database: idle resident memory, and the p50 of an exact vector scan of 30k rows:
// 128MB (default) 344 MB, 18.4 ms; 64MB 234 MB, 16.9 ms; 32MB 222 MB, 22.9 ms; 16MB 180 MB, 23.3 ms (GIN 9.3, 8.2, 10.3, 13.2
// ms). So it is 64MB. The engine's process idles at 250 to 270 MB and had 360 MB after 20 MB results. ANALYZE of those 30k rows
// took, by statistics target: 10 92 ms, 25 130 ms, 50 250 ms, 100 (default) 430 ms. max_connections counts inner slots only,
// because all clients share one session. For max_stack_depth see engine.ts.
const settings = [
  'shared_buffers=64MB',
  'max_connections=5',
  'min_wal_size=32MB',
  'max_wal_size=128MB',
  'default_statistics_target=25',
  'max_stack_depth=500kB',
]

// `fdatasync`, the default, does nothing in Emscripten, which lacks it.
const durability = ['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on']
const FSYNC_OFF = '-F'

export interface Cluster {
  db: PGlite
  log: LogSync
}

/** Opens the cluster in `folder`, after creating it if the folder is empty (about 4 s). `ensureCluster` creates one safely. */
export async function openCluster(folder: string, options: DurableFilesOptions): Promise<Cluster> {
  const { files, log } = durableFiles(folder, options)
  const db = await PGlite.create({
    fs: files,
    startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== FSYNC_OFF),
    extensions: { vector },
    postgresqlconf: [...settings, ...durability],
  })
  return { db, log }
}
