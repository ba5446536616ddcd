// The database for an operator's command: the server, or the embedded one, whether or not the service is running.

import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { DbConnection } from '../ports/db/connection.ts'
import { clusterFolder } from '../ports/db/embedded/directory.ts'
import { lockHolder } from '../ports/db/embedded/lock.ts'
import { lockFile, startEngine } from '../processes/engine.ts'
import { type Output, silentLog } from './output.ts'

interface OperatorConnection {
  connection: DbConnection
  /**
   * How long the pool waits for a connection; 0 means no limit. There is no limit for an embedded engine, which accepts every
   * connection in the end, even on a busy machine.
   */
  connectTimeoutMs: number
  close: () => Promise<void>
}

const SERVER_CONNECT_MS = 10_000
const doNothing = async (): Promise<void> => {}

/** Reports the steps of a start on standard error, so that they do not mix with the result. */
export const progressTo =
  ({ complain }: Pick<Output, 'complain'>) =>
  (step: string): void =>
    complain(`${step}\n`)

/**
 * The server of DATABASE_URL, otherwise the engine of the running service, otherwise an engine that is started for this command.
 * Undefined if the embedded database does not exist yet.
 */
export async function connectDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  output: Pick<Output, 'complain'>,
): Promise<OperatorConnection | undefined> {
  if (databaseUrl)
    return { connection: { url: databaseUrl }, connectTimeoutMs: SERVER_CONNECT_MS, close: doNothing }
  const holder = lockHolder(lockFile(dataDir))
  if (holder?.socket_dir)
    return { connection: { socketDir: holder.socket_dir }, connectTimeoutMs: 0, close: doNothing }
  if (!existsSync(clusterFolder(dataDir))) return undefined
  const engine = await startEngine({ dataDir, log: silentLog, onProgress: progressTo(output) })
  return { connection: { socketDir: engine.socketDir }, connectTimeoutMs: 0, close: engine.stop }
}
