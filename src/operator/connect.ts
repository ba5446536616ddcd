// The database for an operator's command: the server's, or the embedded one, whether or not the service is running.

import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { DbConnection } from '../ports/db/connection.ts'
import { clusterFolder } from '../ports/db/embedded/directory.ts'
import { lockHolder } from '../ports/db/embedded/lock.ts'
import { lockFile, startEngine } from '../processes/engine.ts'
import type { Output } from './output.ts'

export interface Connected {
  connection: DbConnection
  /** For the pool: an embedded engine that is ready accepts a connection sooner or later, however busy the machine is. */
  connectTimeoutMs: number
  close: () => Promise<void>
}

const SERVER_CONNECT_MS = 10_000
const nothing = async (): Promise<void> => {}
const silent = { info() {}, warn() {}, error() {} }

/** Reports of a start go beside the result. */
export const progressTo =
  ({ complain }: Pick<Output, 'complain'>) =>
  (doing: string): void =>
    complain(`${doing}\n`)

/** The running service's engine, or one that is started for this command; undefined before the first start. */
export async function connectDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  output: Pick<Output, 'complain'>,
): Promise<Connected | undefined> {
  if (databaseUrl)
    return { connection: { url: databaseUrl }, connectTimeoutMs: SERVER_CONNECT_MS, close: nothing }
  const running = lockHolder(lockFile(dataDir))
  if (running?.socket_dir)
    return { connection: { socketDir: running.socket_dir }, connectTimeoutMs: 0, close: nothing }
  if (!existsSync(clusterFolder(dataDir))) return undefined
  const engine = await startEngine({ dataDir, log: silent, onProgress: progressTo(output) })
  return { connection: { socketDir: engine.socketDir }, connectTimeoutMs: 0, close: engine.stop }
}
