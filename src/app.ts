// The composition root: only this file and answering.ts open ports and connect the folders of src/. It starts the two roles, api
// and worker.

import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { type LoggerOptions, pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { seedAccounts } from './accounts/accounts.ts'
import { openPasswords } from './accounts/password-hash.ts'
import { deleteExpiredSignIns } from './accounts/sessions.ts'
import {
  type AnsweringDeps,
  connectionOf,
  embedderSettings,
  openAnswering,
  untilConnected,
} from './answering.ts'
import { deleteOldImports } from './archive/imports.sql.ts'
import { type ImportDeps, importHandler, removeImportFolders } from './archive/run.ts'
import { type SuggestionDeps, suggestionsHandler } from './ask/suggested-questions.ts'
import { deleteOldBackups, selectBackupAge } from './backup/backups.sql.ts'
import { type BackupDeps, backupHandler } from './backup/task.ts'
import type { Config } from './config.ts'
import { deleteOldUse } from './documents/use.sql.ts'
import { countUse } from './documents/use.ts'
import { queueEmbeds } from './embed/task.sql.ts'
import { type EmbedDeps, embedWorkspace, queueForgotten } from './embed/task.ts'
import { type GraphDeps, graphDocument } from './graph/task.ts'
import { type ReportDeps, reportWorker } from './health/workers.ts'
import { findConsoleFolder } from './http/console.ts'
import { serveWorkerHealth } from './http/worker-health.ts'
import { sweepKeys } from './idempotency/idempotency.sql.ts'
import { foldAbandoned, foldWorkspace } from './ingest/fold.ts'
import { fileHandler, picturesHandler, warnOfMissingGraph } from './ingest/handlers.ts'
import { openParsers, type Parsers } from './ingest/parsers.ts'
import {
  removeOldVersions,
  removeStagedFiles,
  removeUnreferencedBlobs,
  removeUnreferencedPages,
  removeUnreferencedPictures,
} from './ingest/sweep.ts'
import type { IngestDeps } from './ingest/task.ts'
import { deleteExpiredDocuments } from './ingest/trash.ts'
import {
  openCurrentEmbedder,
  openCurrentModel,
  openCurrentOcr,
  openCurrentReranker,
  openGraphTokens,
} from './models/current.ts'
import { deleteExpiredGrants } from './oauth/tokens.ts'
import { openAdmission } from './ports/admission/admission.ts'
import { BlobsAway } from './ports/blobs/blobs.ts'
import { checkBlobs, openBlobs } from './ports/blobs/open.ts'
import { openDiskCache } from './ports/cache/disk-cache.ts'
import { openCompany } from './ports/company/company.ts'
import type { DbOptions } from './ports/db/connection.ts'
import { BACKGROUND_NAME } from './ports/db/db.ts'
import type { Deps, Log } from './ports/deps.ts'
import type { Embedder } from './ports/embedder/embedder.ts'
import type { ChatModel } from './ports/llm/llm.ts'
import { openMail } from './ports/mail/mail.ts'
import { measuredChat, measuredEmbedder, measuredOcr, measuredReranker } from './ports/metrics/measured.ts'
import {
  type CollectedMetrics,
  collectMetrics,
  type Metrics,
  type MetricsServer,
  serveMetrics,
} from './ports/metrics/metrics.ts'
import { type OcrServer, ocrServer } from './ports/ocr/ocr-server.ts'
import { publicAnd } from './ports/outbound/guard.ts'
import { useNetwork } from './ports/outbound/network.ts'
import { openUntrustedJson } from './ports/outbound/untrusted-json.ts'
import type { Reranker } from './ports/rerank/rerank.ts'
import { openSeal } from './ports/seal.ts'
import { collectSpans, span, type Tracer, timeParts, traceFields } from './ports/trace/trace.ts'
import { portInUse } from './processes/free-port.ts'
import { LOG_FORM, logStream } from './processes/log-stream.ts'
import type { StartContext } from './processes/role.ts'
import {
  configuredOcr,
  fairnessLimits,
  openPool,
  type ParserPool,
  type PoolOptions,
  requireLanguageData,
} from './reader/reader.ts'
import { queueDueSources, removeSourceFolders, type SourceDeps, sourceHandler } from './sources/run.ts'
import { modelOfNobody } from './spending/metered-model.ts'
import { deliver, queueDeliveries, removeOldDeliveries } from './webhooks/deliver.ts'
import type { Work } from './work/handler.ts'
import { keepLeasesInThread } from './work/leases.ts'
import { followClock, selectQueue } from './work/queue.sql.ts'
import { runWorker } from './work/worker.ts'
import { type PurgeDeps, purgeWorkspace } from './workspaces/purge.ts'
import { deleteExpiredWorkspaces } from './workspaces/trash.ts'

/** A running role. */
interface Running {
  stop(): Promise<void>
}

// At most four parsers: the worker's thread cannot serve more (556 pages take 0.9 s of its time and 4.9 s of theirs), and each
// may use 1 GB. With two cores or more at least two, because parser and worker wait for each other half of the time (556 pages take
// 10.2 s with two parsers and 11.7 s with one; searches at the same time become 10 % slower with two).
const PARSER_PROCESSES = Math.min(
  4,
  Math.max(Math.min(2, availableParallelism()), availableParallelism() - 1),
)
// One more than the parsers, so that the next file is ready when one finishes.
const MAX_CONCURRENT_TASKS = Math.max(3, PARSER_PROCESSES + 1)
// More tasks may run while others only write, so that a large file being written does not leave the parsers idle
// (work/capacity.ts).
const EXTRA_WRITING_SLOTS = 3
// These processes render pages of documents for the API, in 0.1 to 1 s a page, and read the text of earlier versions, one version
// at a time. A process takes 60 to 200 MB.
const RENDERER_PROCESSES = 2
// About 2,000 pages at 250 KB; pages that were not viewed for a day are deleted.
const PAGE_CACHE = { maxBytes: 512 * 2 ** 20, maxUnusedMs: 24 * 3_600_000 }
// No user waits for a worker. Giving up work because the database is slow would make it slower, since the work is repeated.
const WORKER_CONNECT_MS = 60_000
// Errors may be each other's cause in a cycle.
const MAX_CAUSES = 5

/** Logger options that redact secrets in headers and document text that database errors quote. */
export const logOptions = (level: string, role: string): LoggerOptions => ({
  ...LOG_FORM,
  level,
  base: { role },
  // The ids of the trace that shows the request or task of the line.
  mixin: () => traceFields(),
  redact: ['req.headers.authorization', 'req.headers.cookie'],
  serializers: { err: (error: unknown) => loggedError(error, MAX_CAUSES) },
})

const makeLog = (config: Config, role: string): Log =>
  pino(logOptions(config.logLevel, role), logStream(process.stdout))

/** Leaves out the message of a PostgreSQL error: it may quote values of a row ("Failing row contains (…)"). */
function loggedError(error: unknown, depth: number): object {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { code, severity, routine, table, constraint } = error as Record<string, unknown>
  const { message, stack } = error as { message?: unknown; stack?: unknown }
  if (typeof severity === 'string' && typeof code === 'string') {
    return { type: 'DatabaseError', code, routine, table, constraint, stack: framesOf(message, stack) }
  }
  const { name, cause, errors } = error as { name?: unknown; cause?: unknown; errors?: unknown }
  return {
    type: name,
    message,
    code,
    stack,
    ...(cause === undefined || !depth ? {} : { cause: loggedError(cause, depth - 1) }),
    ...(Array.isArray(errors) && depth
      ? { errors: errors.map((inner) => loggedError(inner, depth - 1)) }
      : {}),
  }
}

/** The stack without the message at its start; undefined if it does not start with the message. */
function framesOf(message: unknown, stack: unknown): string | undefined {
  if (typeof message !== 'string' || typeof stack !== 'string') return undefined
  const head = `: ${message}\n`
  const headStart = stack.indexOf(head)
  return headStart < 0 ? undefined : stack.slice(headStart + head.length).trimStart()
}

type OpenedDeps = Deps & {
  pages: ParserPool
  metrics: MetricsServer | undefined
  tracer: Tracer | undefined
}

/**
 * Opens what both roles need: what answering needs, files, mail. The caller has to close `pages`, which starts a process
 * when the first page is rendered. If something cannot be opened, everything opened before is closed.
 */
export async function openDeps(
  config: Config,
  log: Log,
  startContext: Partial<StartContext> = {},
  { role = 'api', ...limits }: Pick<DbOptions, 'connectTimeoutMs'> & { role?: 'api' | 'worker' } = {},
): Promise<OpenedDeps> {
  useNetwork(config.network)
  await requireBlobs(config, log)
  const openPorts: { close(): Promise<void> }[] = []
  try {
    const tracer = await openTraces(config, role, log)
    if (tracer) openPorts.push(tracer)
    const answeringDeps = await openAnswering(config, log, startContext, {
      ...limits,
      ...(role === 'worker' && { applicationName: BACKGROUND_NAME }),
    })
    openPorts.push(answeringDeps.db)
    const blobs = await openBlobs(config.blobs, config.dataDir)
    const metrics = await openMetrics(config, role, { db: answeringDeps.db, blobs })
    if (metrics) openPorts.push(metrics)
    return await completeDeps({ ...answeringDeps, blobs }, { config, log, metrics, tracer })
  } catch (error) {
    for (const resource of openPorts.reverse()) await resource.close().catch(() => undefined)
    throw error
  }
}

async function completeDeps(
  answeringDeps: AnsweringDeps & Pick<Deps, 'blobs'>,
  { config, log, metrics, tracer }: { config: Config; log: Log } & Pick<OpenedDeps, 'metrics' | 'tracer'>,
): Promise<OpenedDeps> {
  const isMeasured = metrics !== undefined || tracer !== undefined
  const mayConnect = publicAnd(config.privateNetworks)
  const seal = await openSeal(config.dataDir)
  const models = openModels(
    { ...answeringDeps, seal, mayConnect },
    config,
    isMeasured ? { metrics } : undefined,
  )
  return {
    ...answeringDeps,
    ...models,
    settings: { ...answeringDeps.settings, consoleDir: findConsoleFolder() },
    cache: openDiskCache(join(config.dataDir, 'cache'), PAGE_CACHE),
    metrics,
    tracer,
    clientMetadata: openUntrustedJson(),
    mayConnect,
    seal,
    // No text recognition here: a scan would occupy for minutes a core that answers requests.
    pages: openPool({
      size: RENDERER_PROCESSES,
      cacheDir: config.dataDir,
      log,
      ocr: { languages: [] },
      observe: observeChild,
    }),
    company: config.company && openCompany(config.company),
    mail: config.mail && (await openMail(config.mail.url, config.mail.from)),
    passwords: openPasswords(),
    admission: openAdmission(),
    use: undefined,
  }
}

/**
 * The models that the environment sets; for those that it does not set, the ones chosen in the console, which may change at any
 * time.
 * @param measurement undefined: calls are neither counted nor traced
 */
function openModels(
  deps: AnsweringDeps & Pick<Deps, 'seal' | 'mayConnect'>,
  config: Config,
  measurement: { metrics: Metrics | undefined } | undefined,
): Pick<Deps, 'embedder' | 'llm' | 'reranker' | 'graphTokens'> {
  const { language, embeddings, reranker } = deps.settings.models
  const wrapChat = (model: ChatModel): ChatModel =>
    measurement ? measuredChat(model, measurement.metrics) : model
  const wrapReranker = (model: Reranker): Reranker =>
    measurement ? measuredReranker(model, measurement.metrics) : model
  const wrapEmbedder = (model: Embedder): Embedder =>
    measurement ? measuredEmbedder(model, measurement.metrics) : model
  const local = { embedder: deps.localEmbedder, settings: embedderSettings(config) }
  return {
    llm: language ? wrapOnce(deps.llm, wrapChat) : openCurrentModel(deps, wrapChat),
    embedder: embeddings
      ? always(wrapEmbedder(deps.localEmbedder))
      : openCurrentEmbedder(deps, local, wrapEmbedder),
    reranker: reranker ? wrapOnce(deps.reranker, wrapReranker) : openCurrentReranker(deps, wrapReranker),
    graphTokens: openGraphTokens(deps),
  }
}

/** Returns the current model wrapped. It wraps a model again only when another one has become current. */
function wrapOnce<T extends object>(
  current: () => Promise<T | undefined>,
  wrap: (model: T) => T,
): () => Promise<T | undefined> {
  let last: { model: T; wrapper: T } | undefined
  return async () => {
    const model = await current()
    if (model && last?.model !== model) last = { model, wrapper: wrap(model) }
    return model && last?.wrapper
  }
}

const always =
  <T>(value: T) =>
  async (): Promise<T> =>
    value

/** A parser process does not write traces, so the process that waits for it records the run as a span. */
export const observeChild: NonNullable<PoolOptions['observe']> = ({ kind, work: childWork }, run) =>
  span(`parser: ${childWork}`, { 'kenning.file.kind': kind }, async (span) => {
    const outcome = await run()
    if ('died' in outcome) span.fail(outcome.died)
    else if (!('done' in outcome)) span.set({ 'kenning.outcome': Object.keys(outcome)[0] })
    return outcome
  })

/** A store that cannot be reached at the moment does not prevent the start. @throws Error if the store refuses access */
async function requireBlobs({ blobs }: Config, log: Log): Promise<void> {
  await checkBlobs(blobs).catch((error: Error) => {
    if (!(error.cause instanceof BlobsAway)) throw error
    log.warn({}, error.message)
  })
}

/** Collects traces if a collector is configured. Otherwise even the code for it is not loaded. */
async function openTraces(config: Config, role: 'api' | 'worker', log: Log): Promise<Tracer | undefined> {
  if (!config.traces) return undefined
  const { openTracer } = await import('./ports/trace/otlp.ts')
  const tracer = openTracer({ ...config.traces, role, version: manifest.version, log })
  collectSpans(tracer)
  return tracer
}

/** Serves the metrics of this process: the worker's on the port after the API's. */
async function openMetrics(
  config: Config,
  role: 'api' | 'worker',
  deps: Pick<Deps, 'db' | 'blobs'>,
): Promise<MetricsServer | undefined> {
  if (!config.metrics) return undefined
  const { host, port } = config.metrics
  const address = { host, port: role === 'worker' ? port + 1 : port }
  const metrics = metricsOfRole(role, deps)
  timeParts(metrics.part)
  return serveMetrics(address, metrics).catch((error: unknown) => {
    throw listenFailure(error, address, 'KENNING_METRICS')
  })
}

/** The metrics of a role. Both roles report the queue of all processes, so that it is visible when no worker is left. */
export const metricsOfRole = (
  role: 'api' | 'worker',
  { db, blobs }: Pick<Deps, 'db' | 'blobs'>,
): CollectedMetrics =>
  collectMetrics(role, {
    connections: () => db.connections(),
    queue: () => selectQueue(db),
    backupAge: () => selectBackupAge(db),
    disk: () => blobs.space(),
  })

/** Serves HTTP. @throws when the port is in use or the database cannot be reached */
export async function startApi(config: Config, startContext: Partial<StartContext> = {}): Promise<Running> {
  const log = makeLog(config, 'api')
  // Loaded while the database is opened, which takes as long. The worker does not load it, which saves 45 MB.
  const serverModule = import('./http/server.ts')
  const deps = await openDeps(config, log, startContext)
  // If listening fails, everything is closed: open connections would keep the process alive.
  return await listenWith(deps, { config, log, serverModule, startContext }).catch(async (error: unknown) => {
    await closeDeps(deps)
    throw error
  })
}

async function listenWith(
  deps: OpenedDeps,
  {
    config,
    log,
    serverModule,
    startContext,
  }: {
    config: Config
    log: Log
    serverModule: Promise<typeof import('./http/server.ts')>
    startContext: Partial<StartContext>
  },
): Promise<Running> {
  const { setupToken } = await untilConnected(() => seedAccounts(deps, config.admin), startContext.onProgress)
  const use = countUse({ db: deps.db, log })
  const { buildServer } = await serverModule
  const server = await buildServer({ ...deps, use })
  const close = async (): Promise<void> => {
    await server.close()
    await use.close()
  }
  await server.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await close()
    throw listenFailure(error, config, 'KENNING')
  })
  log.info({ baseUrl: config.baseUrl }, 'listening')
  for (const warning of config.warnings) log.warn({}, warning)
  if (setupToken) printSetupToken(config, setupToken)
  return {
    stop: async () => {
      await close()
      await closeDeps(deps)
    },
  }
}

async function closeDeps({ pages, metrics, tracer, db }: OpenedDeps): Promise<void> {
  await pages.close()
  await metrics?.close()
  await tracer?.close()
  await db.close()
}

/**
 * An error that explains why the server cannot listen on its address.
 * @param setting the prefix of the settings to name: `KENNING` for KENNING_PORT and KENNING_HOST
 */
export function listenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
  setting: string,
): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return new Error(portInUse(host, port, `${setting}_PORT`))
  if (code === 'EACCES')
    return new Error(`Not permitted to listen on port ${port}. Set ${setting}_PORT to a port above 1023.`)
  if (code === 'EADDRNOTAVAIL')
    return new Error(`${host} is not an address of this machine. Check ${setting}_HOST.`)
  return error
}

/** Prints the only secret that is ever printed; it becomes invalid with the first account. */
function printSetupToken(config: Config, setupToken: string): void {
  process.stdout.write(
    `\n  There is no account yet. Open this link to create the first one; it works once:\n\n` +
      `    ${config.siteUrl}/setup?token=${setupToken}\n\n` +
      `  Or without a browser:\n\n` +
      `    curl -X POST ${config.siteUrl}/account -H 'content-type: application/json' \\\n` +
      `      -d '{"email":"you@example.org","password":"at least 12 characters","setup_token":"${setupToken}"}'\n\n`,
  )
}

/** The dependencies of network-bound tasks. */
export type NetworkDeps = Pick<
  SourceDeps,
  'cache' | 'settings' | 'seal' | 'admission' | 'sourceLimits' | 'timeSliceMs'
> &
  Pick<Deps, 'mayConnect'>

/** The dependencies of all tasks. */
export type WorkDeps = IngestDeps &
  GraphDeps &
  EmbedDeps &
  PurgeDeps &
  NetworkDeps &
  ImportDeps &
  BackupDeps &
  SuggestionDeps &
  ReportDeps

/** What workers do: the handler of each kind of task, and periodic clean-up. */
export const work: Work<WorkDeps> = {
  handlers: {
    ingest: fileHandler,
    fold: { run: foldWorkspace },
    graph: { run: graphDocument, giveUp: { write: warnOfMissingGraph } },
    embed: { run: embedWorkspace },
    pictures: picturesHandler,
    purge: { run: purgeWorkspace },
    source: sourceHandler,
    notice: { run: queueDeliveries },
    delivery: { run: deliver },
    import: importHandler,
    backup: backupHandler,
    suggest: suggestionsHandler,
  },
  atStart: [({ db }) => queueEmbeds(db)],
  sweeps: [
    { everyMinutes: 1, run: reportWorker },
    { everyMinutes: 1, run: ({ db }) => followClock(db) },
    { everyMinutes: 1, run: foldAbandoned },
    { everyMinutes: 1, run: queueForgotten },
    { everyMinutes: 1, run: removeStagedFiles },
    { everyMinutes: 1, run: queueDueSources },
    { everyMinutes: 60, run: removeOldVersions },
    { everyMinutes: 60, run: removeUnreferencedBlobs },
    { everyMinutes: 60, run: removeUnreferencedPages },
    { everyMinutes: 60, run: removeUnreferencedPictures },
    { everyMinutes: 60, run: removeSourceFolders },
    { everyMinutes: 60, run: removeImportFolders },
    { everyMinutes: 60, run: ({ db }) => deleteOldImports(db) },
    { everyMinutes: 60, run: removeOldDeliveries },
    { everyMinutes: 60, run: deleteExpiredSignIns },
    { everyMinutes: 60, run: deleteExpiredGrants },
    { everyMinutes: 60, run: ({ db }) => sweepKeys(db) },
    { everyMinutes: 24 * 60, run: deleteExpiredDocuments },
    { everyMinutes: 24 * 60, run: deleteExpiredWorkspaces },
    { everyMinutes: 24 * 60, run: ({ db }) => deleteOldUse(db) },
    { everyMinutes: 24 * 60, run: ({ db }) => deleteOldBackups(db) },
  ],
}

/** Parsers that recognise text with this server; without one, with Tesseract. */
function parsersWith(
  server: OcrServer | undefined,
  config: Config,
  { log, metrics, tracer }: Pick<OpenedDeps, 'log' | 'metrics' | 'tracer'>,
): Parsers {
  const ocr = configuredOcr(config.ocrLanguages, config.dataDir, server)
  const byServer = server && ocrServer(server)
  const recognise = byServer && { recognise: metrics || tracer ? measuredOcr(byServer, metrics) : byServer }
  const pool = { cacheDir: config.dataDir, log, ocr, observe: observeChild, ...recognise }
  return {
    parser: openPool({ size: PARSER_PROCESSES, ...pool }),
    fairnessParser: openPool({ size: 1, ...pool, limits: fairnessLimits }),
  }
}

/** A description of what recognises text, for the health page of administrators. */
const ocrSummary = (server: OcrServer | undefined, languages: readonly string[]): string => {
  if (server) return `the server at ${new URL(server.url).host}`
  return languages.length > 0 ? `Tesseract: ${languages.join(', ')}` : 'none: pictures of text are not read'
}

/** Claims and runs tasks. @throws when it is started by itself and the port of its health checks is in use */
export async function startWorker(config: Config, startContext?: Partial<StartContext>): Promise<Running> {
  const ocr = configuredOcr(config.ocrLanguages, config.dataDir, config.ocrServer)
  requireLanguageData(ocr)
  const log = makeLog(config, 'worker')
  const deps = await openDeps(config, log, startContext, {
    connectTimeoutMs: WORKER_CONNECT_MS,
    role: 'worker',
  })
  // Started beside the API, the supervisor watches it instead.
  const health = config.child
    ? undefined
    : await serveWorkerHealth(deps.db, config).catch(async (error: unknown) => {
        await closeDeps(deps)
        throw listenFailure(error, config, 'KENNING')
      })
  const currentOcr = config.ocrServer ? async () => config.ocrServer : openCurrentOcr(deps)
  const parsers = openParsers(currentOcr, (server) => parsersWith(server, config, deps))
  // Without `pictures` the text in pictures inside documents is not read (KENNING_PICTURE_TEXT).
  const allowedFunctions = ({ parse, backlog, settings, pictures }: ParserPool) =>
    config.pictureText ? { parse, backlog, settings, pictures } : { parse, backlog, settings }
  const allowedParsers = async () => {
    const { parser, fairnessParser } = await parsers.current()
    return { parser: allowedFunctions(parser), fairnessParser: allowedFunctions(fairnessParser) }
  }
  const stopController = new AbortController()
  const options = {
    name: config.workerName,
    concurrency: MAX_CONCURRENT_TASKS,
    extraSlots: EXTRA_WRITING_SLOTS,
    fairnessSlots: true,
    leases: keepLeasesInThread(connectionOf(config), log),
    signal: stopController.signal,
  }
  const graphModel = async () => {
    const budget = await deps.graphTokens()
    const llm = budget > 0 ? await deps.llm() : undefined
    return llm && { llm: modelOfNobody(deps, llm), budget }
  }
  const report = {
    name: config.workerName,
    machine: hostname(),
    version: manifest.version,
    ocr: async () => ocrSummary(await currentOcr(), ocr.languages),
  }
  const workDeps = { ...deps, ...(await allowedParsers()), parsers: allowedParsers, graphModel, report }
  const working = runWorker(workDeps, work, options)
  return {
    stop: async () => {
      stopController.abort()
      await working
      await parsers.close()
      await health?.close()
      await closeDeps(deps)
    },
  }
}
