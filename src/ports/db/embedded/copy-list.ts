// Lists the automatic copies of the embedded database in a data folder (daily-copy.ts makes them).

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const COPY_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d$/

export const copiesFolder = (dataDir: string): string => join(dataDir, 'copies')

/** The copies of a data folder, the newest first. */
export function copiesOf(dataDir: string): string[] {
  const folder = copiesFolder(dataDir)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => COPY_NAME.test(name)) : []
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/** When the copy at this path was made, in epoch milliseconds. */
export const madeAt = (copy: string): number =>
  Date.parse(`${copy.slice(-16).replace(/T(\d\d)-(\d\d)$/, 'T$1:$2')}:00Z`)

/** The advice for a database that cannot be opened. */
export function adviceFor(dataDir: string): string {
  const [copy] = copiesOf(dataDir)
  if (copy === undefined)
    return 'There is no automatic copy of it. Restore a backup with `kenning restore FOLDER` into another KENNING_DATA_DIR.'
  return (
    `The last automatic copy is of ${new Date(madeAt(copy)).toISOString().slice(0, 16).replace('T', ' ')} UTC. To go back to it: ` +
    `kenning restore ${copy} (the database as it is now is kept beside it).`
  )
}
