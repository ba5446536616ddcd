// Makes dist/cluster, which a first start unpacks (src/ports/db/embedded/cluster-archive.ts): a migrated cluster that was stopped
// cleanly. Kept in node_modules/.cache for the next build, since it takes 15 s of processor time.

import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import {
  type ArchiveIndex,
  archiveKey,
  CONTROL_FILE,
  checksumOffset,
  DATA_FILE,
  INDEX_FILE,
  isLog,
} from '../src/ports/db/embedded/cluster-archive.ts'
import { clusterFolder } from '../src/ports/db/embedded/directory.ts'
import { migrate } from '../src/ports/db/migrate.ts'
import { openDb } from '../src/ports/db/postgres.ts'
import { startEngine } from '../src/processes/engine.ts'

const PAGE = 8192
const LONG_HEADER = 40 // XLogLongPageHeaderData
const SYSTEM_ID_IN_LOG = 24
// ControlFileData: state (1 is a clean stop) and the position of the last checkpoint in the log.
const STATE = 16
const STOPPED = 1
const CHECKPOINT = 32

// dist/scripts/make-cluster.js, two folders below the project.
const project = fileURLToPath(new URL('../../', import.meta.url))
const silent = { info() {}, warn() {}, error() {} }

async function main(): Promise<void> {
  const target = join(project, 'dist/cluster')
  const own = readFileSync(fileURLToPath(import.meta.url))
  const key = archiveKey()
  const name = `cluster-${createHash('sha256').update(key).update(own).digest('hex').slice(0, 16)}`
  const cache = join(project, 'node_modules/.cache/kenning', name)
  if (!existsSync(cache)) await make(cache, key)
  rmSync(target, { recursive: true, force: true })
  cpSync(cache, target, { recursive: true })
}

async function make(cache: string, key: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-cluster-'))
  const draft = `${cache}.draft-${process.pid}`
  try {
    const engine = await startEngine({ dataDir, log: silent, withoutArchive: true })
    try {
      const db = openDb({ socketDir: engine.socketDir }, { max: 1, connectTimeoutMs: 0 })
      await migrate(db).finally(() => db.close())
    } finally {
      await engine.stop()
    }
    mkdirSync(draft, { recursive: true })
    pack(clusterFolder(dataDir), draft, key)
    // Another build may have made the same meanwhile.
    if (!existsSync(cache)) renameSync(draft, cache)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function pack(folder: string, into: string, key: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    isFolder: entry.isDirectory(),
    path: relative(folder, join(entry.parentPath, entry.name)),
  }))
  const paths = (isFolder: boolean) =>
    entries.filter((entry) => entry.isFolder === isFolder).map(({ path }) => path)
  const files = paths(false)
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(folder, path)) }))
  const control = files.find(({ path }) => path === CONTROL_FILE)?.bytes
  if (!control) throw new Error('the cluster has no pg_control')
  for (const { path, bytes } of files) if (isLog(path)) emptyLog(bytes, control)
  const data = brotliCompressSync(Buffer.concat(files.map(({ bytes }) => bytes)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  const index: ArchiveIndex = {
    key,
    sha256: createHash('sha256').update(data).digest('hex'),
    // Outer folders first.
    folders: paths(true).sort(),
    files: files.map(({ path, bytes }) => ({ path, size: bytes.length })),
  }
  writeFileSync(join(into, DATA_FILE), data)
  writeFileSync(join(into, INDEX_FILE), JSON.stringify(index))
}

/** Leaves of the log only what a start after a clean stop reads: the header of the segment, and the last checkpoint. */
function emptyLog(log: Buffer, control: Buffer): void {
  checksumOffset(control)
  const state = control.readUInt32LE(STATE)
  const checkpoint = Number(control.readBigUInt64LE(CHECKPOINT) % BigInt(log.length))
  const isOfCluster = log.compare(control, 0, 8, SYSTEM_ID_IN_LOG, SYSTEM_ID_IN_LOG + 8) === 0
  if (state !== STOPPED || !isOfCluster) throw new Error('the cluster was not stopped cleanly')
  const page = checkpoint - (checkpoint % PAGE)
  log.fill(0, LONG_HEADER, page)
}

if (dirname(fileURLToPath(import.meta.url)).endsWith('dist/scripts')) await main()
