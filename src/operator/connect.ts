// The database for an operator's command: the server's, or the embedded one, whether or not the service is running.

import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { clusterFolder } from '../ports/db/embedded/directory.ts'
import { lockHolder } from '../ports/db/embedded/lock.ts'
import type { DbConnection } from '../ports/db/postgres.ts'
import { lockFile, startEngine } from '../processes/engine.ts'

export interface Connected {
  connection: DbConnection
  close: () => Promise<void>
}

const nothing = async (): Promise<void> => {}
const silent = { info() {}, warn() {}, error() {} }

/** The running service's engine, or one that is started for this command; undefined before the first start. */
export async function connectDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Connected | undefined> {
  if (databaseUrl) return { connection: { url: databaseUrl }, close: nothing }
  const running = lockHolder(lockFile(dataDir))
  if (running?.socket_dir) return { connection: { socketDir: running.socket_dir }, close: nothing }
  if (!existsSync(clusterFolder(dataDir))) return undefined
  const engine = await startEngine({ dataDir, log: silent })
  return { connection: { socketDir: engine.socketDir }, close: engine.stop }
}
