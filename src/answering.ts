// Opens what answering questions needs: the migrated database and the models. `app.ts` adds the rest of a service. Questions
// to a folder without a service load only this, in a third of the time.

import { setTimeout as sleep } from 'node:timers/promises'
import { cursorKey } from './auth/cursor.ts'
import type { Config } from './config.ts'
import { openMemoryCache } from './ports/cache/memory-cache.ts'
import { makeDataDir } from './ports/data-dir.ts'
import type { DbConnection, DbOptions } from './ports/db/connection.ts'
import type { Db } from './ports/db/db.ts'
import { isConnectTimeout } from './ports/db/db-errors.ts'
import { explainDatabase, placeOf } from './ports/db/explain.ts'
import { migrate } from './ports/db/migrate.ts'
import { readMigrations } from './ports/db/migrations.ts'
import { openDb } from './ports/db/postgres.ts'
import { prepareRequestRole } from './ports/db/request-role.ts'
import { factsOf } from './ports/db/requirements.ts'
import type { ConfiguredModels, ConfiguredServer, Deps, Log } from './ports/deps.ts'
import type { Embedder } from './ports/embedder/embedder.ts'
import { type EmbedderSettings, openEmbedder } from './ports/embedder/open.ts'
import { openChatModel } from './ports/llm/llm.ts'
import { useNetwork } from './ports/outbound/network.ts'
import { rerankServer } from './ports/rerank/rerank.ts'
import type { StartContext } from './processes/role.ts'

export type AnsweringDeps = Pick<
  Deps,
  'db' | 'memory' | 'embedder' | 'localEmbedder' | 'llm' | 'reranker' | 'log' | 'settings' | 'cursorKey'
>

// Per process. The embedded engine serves one statement at a time, so more would only queue; a server with the usual limit of
// 100 connections has room for several machines.
const DATABASE_CLIENTS = 10
const MIGRATION_REPORT_MS = 5000
const REACH_REPORT_MS = 1000
const ENGINE_POLL_MS = 50
// Rankings in memory (docs/decisions/0022-search-speed.md). The database scores smaller workspaces completely in the time of
// two page reads. After fewer than three searches it is unknown whether more will follow. Reading what a document changed
// takes some 20 ms on a quiet machine; a search by the database alone takes 15 ms in 60,000 chunks.
const MEMORY = { minSize: 3000, minRequests: 3, restMs: 5000, waitMs: 100 }

export async function openAnswering(
  config: Config,
  log: Log,
  startContext: Partial<StartContext> = {},
  limits: Pick<DbOptions, 'connectTimeoutMs' | 'applicationName'> = {},
): Promise<AnsweringDeps> {
  useNetwork(config.network)
  const connection = connectionOf(config)
  await migrateOnce(connection, log, { ...startContext, isEngineStarting: config.child !== undefined })
  const db = openDb(connection, {
    max: DATABASE_CLIENTS,
    ...limits,
    onConnectionLost: (error) => log.warn({ err: error }, 'lost a connection to the database'),
    replica: replicaOf(config, log),
  })
  try {
    return await answeringOn(db, config, log, startContext)
  } catch (error) {
    // Open connections would keep the process alive for a while.
    await db.close().catch(() => undefined)
    throw error
  }
}

async function answeringOn(
  db: Db,
  config: Config,
  log: Log,
  { onProgress }: Partial<StartContext>,
): Promise<AnsweringDeps> {
  // Row-level security does not apply to the embedded engine, whose only session is a superuser's.
  if (config.databaseUrl) await untilConnected(() => prepareRequestRole(db), onProgress)
  makeDataDir(config.dataDir)
  const settings = {
    baseUrl: config.baseUrl,
    siteUrl: config.siteUrl,
    origin: config.origin,
    askPerHour: config.askPerHour,
    llmFallback: config.llmFallback,
    dataDir: config.dataDir,
    backupDir: config.backupDir,
    signup: config.signup,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    company: config.company,
    sources: { ...config.sources, environment: config.programEnvironment },
    privateNetworks: config.privateNetworks,
    sourceHours: config.sourceHours,
    consoleDir: undefined,
  }
  const llm = config.llm && openChatModel(config.llm)
  const embedder = openEmbedder(embedderSettings(config), log)
  const reranker = config.rerank && rerankServer(config.rerank, log)
  return {
    db,
    memory: openMemoryCache({
      ...MEMORY,
      maxBytes: config.searchMemoryMb * 2 ** 20,
      onError: (error) => log.warn({ err: error }, 'a workspace could not be kept in memory'),
    }),
    embedder: async () => embedder,
    localEmbedder: embedder,
    llm: async () => llm,
    reranker: async () => reranker,
    log,
    settings: { ...settings, models: modelsOfEnvironment(config, embedder) },
    cursorKey: await untilConnected(() => cursorKey(db), onProgress),
  }
}

export const embedderSettings = ({ embedder, dataDir }: Config): EmbedderSettings => ({
  ...embedder,
  dataDir,
})

function modelsOfEnvironment(config: Config, embedder: Embedder): ConfiguredModels {
  const { llm, rerank, ocrServer, graphTokens } = config
  const { choice, server, onnxModel } = config.embedder
  const isEmbedderSet = choice !== 'auto' || server !== undefined || onnxModel !== undefined
  return {
    language: llm && { ...withoutKey(llm), contextTokens: llm.contextTokens },
    embeddings: !isEmbedderSet
      ? undefined
      : server && (choice === 'auto' || choice === 'openai')
        ? withoutKey(server)
        : {
            url: undefined,
            model: embedder.kind === 'none' ? undefined : embedder.model.id,
            hasKey: false,
          },
    reranker: rerank && withoutKey(rerank),
    ocr: ocrServer && withoutKey(ocrServer),
    graphTokens,
  }
}

const withoutKey = ({
  url,
  model,
  key,
}: {
  url: string
  model?: string | undefined
  key: string | undefined
}): ConfiguredServer => ({ url, model, hasKey: key !== undefined })

const replicaOf = ({ readDatabaseUrl: url }: Config, log: Log): DbOptions['replica'] =>
  url === undefined
    ? undefined
    : {
        url,
        onChange: (isUsed, reason) => {
          if (isUsed) log.info({}, 'reads go to the replica')
          else log.warn({ err: reason }, 'reads go to the primary: the replica is away or behind')
        },
      }

/**
 * Repeats a statement of the start while no connection is free in time. The database was reached before, so the machine is
 * only busy, and the start continues.
 */
export async function untilConnected<T>(
  work: () => Promise<T>,
  onProgress?: StartContext['onProgress'],
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isConnectTimeout(error)) throw error
      // The supervisor ends a start that reports nothing for long.
      onProgress?.('waiting for the database …')
    }
  }
}

/**
 * Migrates the database, or waits for the process that does, and for a server that does not answer. With a million chunks an index
 * takes minutes, so `onMigrating` is called regularly, which shows the supervisor that the process is not hanging.
 */
async function migrateOnce(
  connection: DbConnection,
  log: Log,
  {
    onMigrating,
    onProgress,
    signal,
    isEngineStarting,
  }: Partial<StartContext> & { isEngineStarting: boolean },
): Promise<void> {
  const isServer = 'url' in connection
  // The embedded engine accepts no connections while it builds an index.
  const db = openDb(connection, { max: 1, connectTimeoutMs: 0 })
  let migration: string | undefined
  const reportReach = (): void => {
    const waitMessage = `waiting for the database${isServer ? ` at ${placeOf(connection.url)}` : ''} …`
    log.info({}, waitMessage)
    onProgress?.(waitMessage)
    timer = setTimeout(reportReach, MIGRATION_REPORT_MS)
  }
  const reportMigration = (): void => {
    log.info(
      { migration },
      'the database is being created or migrated, which may take minutes with many documents',
    )
    onMigrating?.()
    timer = setTimeout(reportMigration, MIGRATION_REPORT_MS)
  }
  let timer = setTimeout(reportReach, REACH_REPORT_MS)
  try {
    if (isEngineStarting && !isServer) await untilListening(db, signal)
    await migrate(db, readMigrations(), {
      onReached: () => {
        clearTimeout(timer)
        timer = setTimeout(reportMigration, MIGRATION_REPORT_MS)
      },
      onApply: (name) => {
        migration = name
      },
      onWait: (name) => log.warn({ migration: name }, 'this migration waits for a lock; trying again'),
      ...(signal && { signal }),
    })
  } catch (error) {
    throw isServer ? explainDatabase(error, connection.url) : error
  } finally {
    clearTimeout(timer)
    await db.close()
  }
}

/** The supervisor starts API and worker together with the engine, so that they load while it opens the database. */
async function untilListening(db: Db, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    try {
      await factsOf(db)
      return
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException
      if (syscall !== 'connect' || !['ENOENT', 'ECONNREFUSED'].includes(code ?? '')) throw error
    }
    await sleep(ENGINE_POLL_MS, undefined, { signal })
  }
}

export function connectionOf(config: Config): DbConnection {
  if (config.databaseUrl) return { url: config.databaseUrl }
  if (config.child?.socketDir) return { socketDir: config.child.socketDir }
  throw new Error(
    'No database: set DATABASE_URL, or start Kenning with `kenning serve`, which runs the embedded one.',
  )
}
