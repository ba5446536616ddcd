// `kenning backup FOLDER` writes a backup while the service runs.

import { readdir } from 'node:fs/promises'
import { recordBackup } from '../../backup/backups.ts'
import { writeBackup } from '../../backup/write.ts'
import type { Config } from '../../config.ts'
import { messageOf } from '../../health/finding.ts'
import { openBlobs } from '../../ports/blobs/open.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { useNetwork } from '../../ports/outbound/network.ts'
import { connectDatabase } from '../connect.ts'
import type { Output } from '../output.ts'
import { onlyFolder } from './arguments.ts'

export const BACKUP_USAGE = `Usage: kenning backup FOLDER

Writes a backup of everything into a new folder: accounts, workspaces, documents, graph, conversations, uploaded files. The service
may go on running; with the embedded database it waits while the rows are written, some 10 s for 10,000 passages.
What can be made again is left out (pictures of pages, results of parsing).

The folder holds all that the service knows, and the key of its sealed secrets: keep it as safe as the service.
Restore it with: kenning restore FOLDER. Check it with: kenning verify FOLDER.
Exit code: 0 when the backup was written, 1 when it failed, 2 for wrong use.
`

type BackupSettings = Pick<Config, 'databaseUrl' | 'dataDir' | 'blobs' | 'network'>

export async function backUp(
  config: BackupSettings,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const folder = onlyFolder(args)
  if (folder === undefined) {
    output.complain(BACKUP_USAGE)
    return 2
  }
  const entries = await readdir(folder).catch(() => [])
  if (entries.length > 0) {
    output.complain(`${folder} is not empty. Name a new folder.\n`)
    return 2
  }
  const database = await connectDatabase(config, output)
  if (!database) {
    output.complain(
      `There is nothing to back up in ${config.dataDir} yet: Kenning was never started there.\n`,
    )
    return 1
  }
  const { connection, connectTimeoutMs } = database
  const db = openDb(connection, { max: 2, applicationName: 'kenning backup', connectTimeoutMs })
  try {
    useNetwork(config.network)
    const blobs = await openBlobs(config.blobs, config.dataDir)
    const manifest = await writeBackup(db, { blobs, dataDir: config.dataDir }, folder, {
      onTable: ({ name, rows }) => {
        if (rows > 10_000) output.complain(`${name}: ${rows.toLocaleString('en')} rows\n`)
      },
    })
    await recordBackup(db, folder).catch((error: unknown) =>
      output.complain(
        `The backup was made. It is not listed under Health, since the database does not take it: ${messageOf(error)}\n`,
      ),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    output.print(
      `${folder}: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables and ` +
        `${manifest.blobs.length.toLocaleString('en')} files.\n`,
    )
    return 0
  } finally {
    await db.close()
    await database.close()
  }
}
