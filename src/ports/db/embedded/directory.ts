// The embedded database's place in a data directory. A first start makes it in a folder beside and renames that when
// it is whole, so that an interrupted one leaves nothing to trip over (a half-made PGlite folder aborts for ever).

import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const clusterVersion = '18'
const draftPrefix = 'pg.new-'

/** The cluster's folder in a data directory. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'pg')

/**
 * Makes the cluster unless it is there. The caller holds the engine's lock. The work is done by a child process that
 * runs this process's own module with the arguments `initialise <folder>`: a process that has made a cluster keeps
 * 130 MB more than one that only opened it.
 */
export async function ensureCluster(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(draftPrefix)) removeFolder(join(dataDir, name))
  }
  const folder = clusterFolder(dataDir)
  if (hasCluster(folder)) return
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(
      `${folder} is not empty and holds no database: move it away, or use another data directory`,
    )
  }
  const draft = join(dataDir, `${draftPrefix}${process.pid}`)
  await runInitialiser(draft)
  renameSync(draft, folder)
}

function removeFolder(folder: string) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Whether `folder` holds a cluster; throws when it is one that this version cannot open. */
function hasCluster(folder: string): boolean {
  const file = join(folder, 'PG_VERSION')
  if (!existsSync(file)) return false
  const version = readFileSync(file, 'utf8').trim()
  if (version === clusterVersion) return true
  throw new Error(
    `${folder} was written by PostgreSQL ${version}, this version of Kenning reads ${clusterVersion}: ` +
      'start the version that wrote it and export, or use another data directory',
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
  throw new Error(`the embedded database could not be made in ${folder} (exit code ${code})`)
}
