// The embedded database's folder in a data directory. The first start creates the folder under another name, and renames it when
// the cluster is complete. So PGlite never opens the incomplete folder of an interrupted start.

import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sync, syncTree } from '../../sync.ts'
import { findArchive, unpackCluster } from './cluster-archive.ts'
import { adviceFor, copiesOf } from './copy-list.ts'

const CLUSTER_VERSION = '18'
const DRAFT_PREFIX = 'pg.new-'
const REPLACED_PREFIX = 'pg.replaced-'

/** The cluster's folder in a data directory. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'pg')

/** The folder of a complete copy that `restoreCopy` is about to put in place of the cluster. */
export const restoredFolder = (dataDir: string): string => join(dataDir, 'pg.restored')

interface Creation {
  /** Called before a cluster is created. */
  onCreate: () => void
  /** Create the cluster without the build's archive, which already contains the migrations. */
  withoutArchive: boolean
}

/**
 * Creates the cluster if it does not exist: from the archive of the build, otherwise by `initialise` (engine.ts). The caller must
 * have the engine's lock.
 */
export async function ensureCluster(dataDir: string, { onCreate, withoutArchive }: Creation): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(DRAFT_PREFIX)) removeFolder(join(dataDir, name))
  }
  const folder = clusterFolder(dataDir)
  const completeCopy = restoredFolder(dataDir)
  if (hasCluster(folder)) {
    // If a complete copy exists beside a cluster, a restore was interrupted before it changed anything. It can be repeated.
    removeFolder(completeCopy)
    return
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const advice = copiesOf(dataDir).length > 0 ? `. ${adviceFor(dataDir)}` : ''
    throw new Error(
      `${folder} is not empty, but is not a database: move it away, or set another KENNING_DATA_DIR${advice}`,
    )
  }
  if (existsSync(completeCopy)) {
    renameSync(completeCopy, folder)
    await sync(dataDir)
    return
  }
  requireNoReplacedDatabase(dataDir)
  onCreate()
  const draft = join(dataDir, `${DRAFT_PREFIX}${process.pid}`)
  if (withoutArchive || !(await unpackInto(draft))) await runInitialiser(draft)
  await syncTree(draft)
  renameSync(draft, folder)
  await sync(dataDir)
}

/** @throws Error if there is a database that a restore replaced. A new empty database would look as if all data were lost. */
function requireNoReplacedDatabase(dataDir: string): void {
  const replacedName = readdirSync(dataDir)
    .filter((name) => name.startsWith(REPLACED_PREFIX))
    .sort()
    .pop()
  if (replacedName === undefined) return
  const replacedPath = join(dataDir, replacedName)
  throw new Error(
    `There is no database in ${clusterFolder(dataDir)}, but one in ${replacedPath}, which a restore replaced: rename that folder to ` +
      'pg to use it again, or move it out of the data folder to begin with an empty database',
  )
}

/** Resolves to false if there is no archive for these versions, or if the archive is damaged. */
async function unpackInto(draft: string): Promise<boolean> {
  try {
    const archive = findArchive()
    if (archive) await unpackCluster(archive, draft)
    return archive !== undefined
  } catch (error) {
    removeFolder(draft)
    const { code, message } = error as NodeJS.ErrnoException
    // Creating a cluster would fail for the same reason, for example because the disk is full.
    if (code !== undefined && code !== 'ENOENT') throw error
    console.error(`engine: the prepared database cannot be used, so one is created: ${message}`)
    return false
  }
}

function removeFolder(folder: string) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Whether `folder` is a cluster. @throws Error if it is a cluster that this version cannot open */
function hasCluster(folder: string): boolean {
  const file = join(folder, 'PG_VERSION')
  if (!existsSync(file)) return false
  const version = readFileSync(file, 'utf8').trim()
  if (version === CLUSTER_VERSION) return true
  throw new Error(
    `${folder} was written by PostgreSQL ${version}, but this version of Kenning reads ${CLUSTER_VERSION}: ` +
      'start the version of Kenning that wrote it, or set another KENNING_DATA_DIR',
  )
}

/**
 * Creates the cluster in a child process, which runs this process's own module with the arguments `initialise <folder>`. A
 * process that has created a cluster keeps 130 MB more memory than one that has only opened it.
 */
async function runInitialiser(folder: string): Promise<void> {
  const self = process.argv[1]
  if (self === undefined) throw new Error('process.argv[1] is missing: start engine.ts as the main module')
  const child = fork(self, ['initialise', folder], { execArgv: process.execArgv })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code === 0) return
  removeFolder(folder)
  throw new Error(`the embedded database could not be created in ${folder} (exit code ${code})`)
}
