// The embedded database's folder in a data directory. The first start creates it under another name and renames it when it
// is complete: PGlite can never open the half-made folder of an interrupted start.

import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sync } from './sync-tree.ts'

const clusterVersion = '18'
const draftPrefix = 'pg.new-'

/** The cluster's folder in a data directory. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'pg')

/**
 * Creates the cluster if it does not exist; `onCreate` is called before. The caller holds the engine's lock. A child process does the work, running this
 * process's own module with the arguments `initialise <folder>`: a process that has created a cluster keeps 130 MB more
 * memory than one that has only opened it.
 */
export async function ensureCluster(dataDir: string, onCreate: () => void): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(draftPrefix)) removeFolder(join(dataDir, name))
  }
  const folder = clusterFolder(dataDir)
  if (hasCluster(folder)) return
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(
      `${folder} is not empty, but is not a database: move it away, or set another KENNING_DATA_DIR`,
    )
  }
  onCreate()
  const draft = join(dataDir, `${draftPrefix}${process.pid}`)
  await runInitialiser(draft)
  renameSync(draft, folder)
  await sync(dataDir)
}

function removeFolder(folder: string) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Whether `folder` is a cluster. @throws Error when it is one that this version cannot open */
function hasCluster(folder: string): boolean {
  const file = join(folder, 'PG_VERSION')
  if (!existsSync(file)) return false
  const version = readFileSync(file, 'utf8').trim()
  if (version === clusterVersion) return true
  throw new Error(
    `${folder} was written by PostgreSQL ${version}, but this version of Kenning reads ${clusterVersion}: ` +
      'start the version of Kenning that wrote it, or set another KENNING_DATA_DIR',
  )
}

async function runInitialiser(folder: string): Promise<void> {
  const self = process.argv[1]
  if (self === undefined) throw new Error('the engine must be started from its module')
  const child = fork(self, ['initialise', folder], { execArgv: process.execArgv })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code === 0) return
  removeFolder(folder)
  throw new Error(`the embedded database could not be created in ${folder} (exit code ${code})`)
}
