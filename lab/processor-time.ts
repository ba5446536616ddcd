// Processor time of processes of this machine, the database server's too where it is one of them.

import { readFile } from 'node:fs/promises'
import type { Db } from '../src/ports/db/db.ts'
import { processTree } from '../test/support/service.ts'
import { servingProcess } from './speed/bare.sql.ts'

const TICKS_A_SECOND = 100

export const secondsOf = ({ ticks }: { ticks: number }): number => ticks / TICKS_A_SECOND

/** Seconds of a process, of those below it, and of theirs that have ended. */
export const treeSeconds = (root: number): number =>
  processTree(root).reduce((sum, row) => sum + secondsOf(row), 0)

/**
 * The first process of the server, whose children serve connections; undefined where it is not to be seen here: on another
 * machine, in a container of its own, or the embedded engine. Another program may have the number of a process elsewhere, so
 * ours has to name our database, as PostgreSQL's do in their titles.
 */
export async function serverHere(db: Db): Promise<number | undefined> {
  const { pid, database } = await servingProcess(db)
  const title = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
  if (!title.startsWith('postgres: ') || !title.includes(` ${database} `)) return undefined
  const parent = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1]
  return parent === undefined ? undefined : Number(parent)
}
