// The engine's database thread: PGlite, the socket server and the housekeeping. It is a thread because it needs a larger stack
// (see engine.ts), and so that the engine's process can react while a long statement runs.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { type Cluster, openCluster } from './cluster.ts'
import { adviceFor } from './copy-list.ts'
import { type CopySettings, startCopies } from './daily-copy.ts'
import type { DurableFilesOptions } from './durable-files.ts'
import { probeStatement, reportedParameters } from './engine.sql.ts'
import { startHousekeeping } from './housekeeping.ts'
import { keepCopy, pendingUpgrade } from './keep-copy.ts'
import { type ProtocolServer, serveEngine } from './protocol/server.ts'
import { ACTIVITY } from './pulse.ts'

/** What the thread does: create a cluster and end, or serve a cluster on a socket. */
export type ThreadTask =
  | { make: string }
  | {
      serve: string
      socketPath: string
      activity: Int32Array<SharedArrayBuffer>
      /** The settings of automatic copies (default none). */
      copies?: CopySettings | undefined
    }

/** A message to the thread: disconnect the clients that are still connected after `lingerMs`, close the database, then end. */
export interface StopThread {
  type: 'stop'
  lingerMs: number
}

/** A message to the thread. `probe`: report `alive` when the session has shown that it works. */
export type ThreadCommand = StopThread | { type: 'probe' }

/** A message from the thread. After `broken` the thread cannot be used any more, and after `closed` it may be terminated. */
export type ThreadReport =
  | { type: 'copying' | 'ready' | 'alive' | 'closed' }
  | { type: 'broken' | 'trouble'; message: string }

const HOUSEKEEPING_MS = 5000
// Copying a large database takes longer than the time limit for the start of an engine. These reports extend the limit.
const COPY_REPORT_MS = 5000

const report = (message: ThreadReport) => parentPort?.postMessage(message)
/** PGlite throws plain objects too, such as `{name: 'ExitStatus', message, status}`. */
const textOf = (error: unknown) => String(Object(error).message ?? error)

const reportBroken = (error: unknown) => report({ type: 'broken', message: textOf(error) })

async function createCluster(folder: string) {
  mkdirSync(folder, { mode: 0o700 })
  const { db } = await openCluster(folder, { onFileAccess() {}, onFailure: reportBroken })
  await db.close()
}

/** Opens the cluster. If this version will migrate the database, makes a copy of it first. */
async function openUpgradable(folder: string, options: DurableFilesOptions): Promise<Cluster> {
  const cluster = await openCluster(folder, options).catch((error) => {
    throw new Error(
      `The database in ${folder} cannot be opened: ${textOf(error)}. ${adviceFor(dirname(folder))}`,
      { cause: error },
    )
  })
  const upgrade = await pendingUpgrade(cluster.db)
  if (upgrade === undefined) return cluster
  await cluster.db.close()
  const timer = setInterval(() => report({ type: 'copying' }), COPY_REPORT_MS)
  try {
    await keepCopy(folder, upgrade.version, upgrade.newest)
  } finally {
    clearInterval(timer)
  }
  return openCluster(folder, options)
}

async function serve({
  serve: folder,
  socketPath,
  activity,
  copies,
}: Extract<ThreadTask, { serve: string }>) {
  const { db, log } = await openUpgradable(folder, {
    onFileAccess: () => void Atomics.add(activity, ACTIVITY.files, 1),
    onFailure: reportBroken,
  })
  const server = await serveEngine({
    engine: {
      run: async (unit, onRawData) => {
        await db.runExclusive(() => db.execProtocolRawStream(unit, { onRawData }))
        Atomics.add(activity, ACTIVITY.units, 1)
      },
      inTransaction: () => db.isInTransaction(),
    },
    log,
    socketPath,
    parameters: await serverParameters(db),
    onBroken: reportBroken,
  })
  let isLogKept = false
  const engine = {
    query: <T>(sql: string) => db.query<T>(sql),
    runAlone: server.runAlone,
    waitingUnits: server.waitingUnits,
    isLogKept: () => isLogKept,
    keepLog: (isKept: boolean) => {
      isLogKept = isKept
    },
  }
  const stopHousekeeping = startHousekeeping(engine, HOUSEKEEPING_MS, (error) =>
    report({ type: 'trouble', message: `housekeeping: ${textOf(error)}` }),
  )
  const stopCopies = copies
    ? startCopies(dirname(folder), engine, copies, (error) =>
        report({ type: 'trouble', message: textOf(error) }),
      )
    : () => {}
  parentPort?.on('message', ({ type }: ThreadCommand) => {
    if (type === 'probe')
      void server
        .probe(async () => void (await db.query(probeStatement)))
        .then(() => report({ type: 'alive' }))
  })
  report({ type: 'ready' })
  await untilStopped(server)
  stopHousekeeping()
  stopCopies()
  await server.close()
  await db.close()
}

/** Resolves after the request to stop, when all clients have disconnected or their time is over. */
async function untilStopped(server: ProtocolServer) {
  let deadline = Number.POSITIVE_INFINITY
  await new Promise<void>((resolve) => {
    parentPort?.on('message', (command: ThreadCommand) => {
      if (command.type !== 'stop') return
      deadline = Math.min(deadline, performance.now() + command.lingerMs)
      resolve()
    })
  })
  while (server.clientCount() > 0 && performance.now() < deadline) await delay(50)
}

async function serverParameters(db: PGlite): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; setting: string }>(reportedParameters)
  return Object.fromEntries(rows.map((row) => [row.name, row.setting]))
}

const task: ThreadTask = workerData
if ('make' in task) await createCluster(task.make)
else await serve(task)
report({ type: 'closed' })
