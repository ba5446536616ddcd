// The engine's database thread: PGlite, the socket server and the housekeeping. A thread because it needs a larger stack
// (see engine.ts), and so that the engine's process can act while a long statement runs.

import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { openCluster } from './cluster.ts'
import { reportedParameters } from './engine.sql.ts'
import { startHousekeeping } from './housekeeping.ts'
import { behind, keepCopy } from './keep-copy.ts'
import { type ProtocolServer, serveEngine } from './protocol/server.ts'

/** What the thread does: create a cluster and end, or serve one on a socket. */
export type ThreadTask = { make: string } | { serve: string; socketPath: string }

/** To the thread: disconnect the clients that are still there after `lingerMs`, close the database, end. */
export interface StopThread {
  lingerMs: number
}

/** From the thread. After `broken` it cannot be used any more; after `closed` it may be terminated. */
export type ThreadReport =
  | { type: 'copying' | 'ready' | 'closed' }
  | { type: 'broken' | 'trouble'; message: string }

const housekeepingEveryMs = 5000
// A large database takes longer to copy than an engine may take to start.
const copyReportMs = 5000

const report = (message: ThreadReport) => parentPort?.postMessage(message)
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function make(folder: string) {
  mkdirSync(folder, { mode: 0o700 })
  const db = await openCluster(folder)
  await db.close()
}

/** Opens the cluster; one that this version is going to migrate is copied first. */
async function openUpgradable(folder: string): Promise<PGlite> {
  const db = await openCluster(folder)
  const upgrade = await behind(db)
  if (upgrade === undefined) return db
  await db.close()
  const timer = setInterval(() => report({ type: 'copying' }), copyReportMs)
  try {
    await keepCopy(folder, upgrade.version, upgrade.newest)
  } finally {
    clearInterval(timer)
  }
  return openCluster(folder)
}

async function serve(folder: string, socketPath: string) {
  const db = await openUpgradable(folder)
  const server = await serveEngine({
    engine: {
      run: (unit, onRawData) => db.runExclusive(() => db.execProtocolRawStream(unit, { onRawData })),
      inTransaction: () => db.isInTransaction(),
    },
    socketPath,
    parameters: await serverParameters(db),
    onBroken: (error) => report({ type: 'broken', message: error.message }),
  })
  const engine = {
    query: <T>(sql: string) => db.query<T>(sql),
    between: server.between,
    waiting: server.waiting,
  }
  const stopHousekeeping = startHousekeeping(engine, housekeepingEveryMs, (error) =>
    report({ type: 'trouble', message: `housekeeping: ${textOf(error)}` }),
  )
  report({ type: 'ready' })
  await stopped(server)
  stopHousekeeping()
  await server.close()
  await db.close()
}

/** Resolves when the thread is to stop and its clients are gone, or their time is up. */
async function stopped(server: ProtocolServer) {
  let deadline = Number.POSITIVE_INFINITY
  await new Promise<void>((resolve) => {
    parentPort?.on('message', ({ lingerMs }: StopThread) => {
      deadline = Math.min(deadline, performance.now() + lingerMs)
      resolve()
    })
  })
  while (server.clients() > 0 && performance.now() < deadline) await delay(50)
}

async function serverParameters(db: PGlite): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; setting: string }>(reportedParameters)
  return Object.fromEntries(rows.map((row) => [row.name, row.setting]))
}

const task: ThreadTask = workerData
if ('make' in task) await make(task.make)
else await serve(task.serve, task.socketPath)
report({ type: 'closed' })
