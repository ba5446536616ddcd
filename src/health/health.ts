// Checks each part of the service for administrators. The result is one sentence for each part, with the remedy if something is
// wrong. Checks that need the settings of the machine are in `kenning doctor`.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { selectBackups } from '../backup/backups.sql.ts'
import type { Backup, PartHealth, ServiceHealth } from '../contract/health.ts'
import { countEmbedded } from '../embed/progress.sql.ts'
import { failureSentence } from '../ingest/failures.ts'
import { failureOfStatus, problemOfServer } from '../models/servers.ts'
import { getLanguageModel } from '../models/settings.ts'
import { type AppliedMigration, appliedMigrations } from '../ports/db/migrate.sql.ts'
import { factsOf } from '../ports/db/requirements.ts'
import type { Deps } from '../ports/deps.ts'
import { EmbeddingFailed } from '../ports/embedder/embedder.ts'
import { endpointOf } from '../ports/llm/endpoint.ts'
import { getJson, OutboundFailed } from '../ports/outbound/outbound.ts'
import { selectQueue } from '../work/queue.sql.ts'
import { sizeText } from './finding.ts'
import { countFiles, selectWorkers, sizeOfFiles, type WorkerRow } from './health.sql.ts'
import { queueFinding } from './queue.ts'
import { cachedCheck } from './remember.ts'

type HealthDeps = Pick<
  Deps,
  'db' | 'blobs' | 'seal' | 'settings' | 'mayConnect' | 'embedder' | 'localEmbedder' | 'reranker'
>

// Workers report every minute, and a slow clean-up can delay a report.
const MAX_REPORT_AGE_SECONDS = 300
const REQUEST_TIMEOUT_MS = 8000
const MAX_CHECKED_BACKUPS = 20
const GIGABYTE = 2 ** 30
// The warning begins here, because the largest upload (20 files of 100 MB) may not fit into less.
const MIN_FREE_BYTES = 2 * GIGABYTE
const MIN_USABLE_BYTES = GIGABYTE / 4
const MAX_BACKUP_AGE_DAYS = 7
const DAY_MS = 24 * 3_600_000

type Part = Omit<PartHealth, 'check'>
const ok = (message: string): Part => ({ status: 'ok', message })
const warning = (message: string): Part => ({ status: 'warning', message })
const problem = (message: string): Part => ({ status: 'problem', message })

/** @param version of Kenning. @throws ApiError 403 */
export async function getHealth(
  deps: HealthDeps,
  admin: SessionUser,
  version: string,
): Promise<ServiceHealth> {
  requireAdmin(admin)
  const { db, blobs } = deps
  const facts = await factsOf(db)
  const migrations = await db.rows<AppliedMigration>(appliedMigrations)
  const workers = await selectWorkers(db, MAX_REPORT_AGE_SECONDS)
  const queue = await selectQueue(db)
  const files = await countFiles(db, failureSentence.cancelled)
  const space = await blobs.space().catch(() => undefined)
  const backups = await selectBackups(db, MAX_CHECKED_BACKUPS)
  const [model, embeddings, reranker] = await Promise.all([
    modelPart(deps, admin),
    embedderPart(deps),
    rerankerPart(deps),
  ])
  const { check: _check, ...queuePart } = queueFinding(queue)
  const parts: PartHealth[] = [
    { check: 'database', ...ok(`PostgreSQL ${facts.version}, ${sizeText(facts.size)}`) },
    { check: 'workers', ...workersPart(workers, version) },
    { check: 'reading', ...readingPart(files) },
    { check: 'queue', ...queuePart },
    { check: 'disk', ...diskPart(space?.free, workers) },
    { check: 'language model', ...model },
    { check: 'embeddings', ...embeddings },
    { check: 'reranker', ...reranker },
    { check: 'text recognition', ...ocrPart(workers) },
    { check: 'backup', ...backupPart(backups, Date.now()) },
  ]
  return {
    status: worstStatus(parts),
    parts,
    queue: queue.map(({ oldest_s, ...row }) => ({ ...row, oldest_seconds: Math.round(oldest_s) })),
    workers: workers.map(({ ocr: _ocr, ...worker }) => worker),
    disk: { free: space?.free ?? null, database: facts.size, files: await sizeOfFiles(db) },
    versions: {
      kenning: version,
      node: process.versions.node,
      postgres: facts.version,
      pgvector: facts.installed ?? 'none',
      schema: migrations.at(-1)?.name ?? 'none',
    },
  }
}

const worstStatus = (parts: readonly PartHealth[]): PartHealth['status'] =>
  (['problem', 'warning'] as const).find((status) => parts.some((part) => part.status === status)) ?? 'ok'

/** Pure. */
export function workersPart(workers: readonly WorkerRow[], version: string): Part {
  if (workers.length === 0)
    return problem(
      'no worker has reported for five minutes, so nothing is read: start one, or look at the log of the service',
    )
  const workerOfOtherVersion = workers.find((worker) => worker.version !== version)
  if (workerOfOtherVersion)
    return warning(
      `a worker on ${workerOfOtherVersion.machine} runs version ${workerOfOtherVersion.version}, and this process ${version}: finish the update`,
    )
  const machines = [...new Set(workers.map(({ machine }) => machine))]
  return ok(`${workers.length === 1 ? 'one runs' : `${workers.length} run`}, on ${machines.join(', ')}`)
}

export function readingPart({ read, failed }: { read: number; failed: number }): Part {
  if (read + failed === 0) return ok('no file was uploaded in the last day')
  const text = `${read === 1 ? '1 file was' : `${read} files were`} read in the last day`
  if (failed === 0) return ok(text)
  const advice = `${text}, and ${failed} could not be: see the failed files below`
  return failed > read ? problem(advice) : warning(advice)
}

export function diskPart(free: number | undefined, workers: readonly WorkerRow[]): Part {
  const spaces = [
    ...(free === undefined ? [] : [{ location: 'for files', free }]),
    ...workers.flatMap(({ machine, disk_free }) =>
      disk_free === null ? [] : [{ location: `on ${machine}`, free: disk_free }],
    ),
  ].sort((a, b) => a.free - b.free)
  const [least] = spaces
  if (!least) return warning('the free space cannot be seen: look at the log of the service')
  const text = `${sizeText(least.free)} free ${least.location}`
  if (least.free >= MIN_FREE_BYTES) return ok(text)
  const advice = `only ${text}: make room, or move the data folder`
  return least.free < MIN_USABLE_BYTES ? problem(advice) : warning(advice)
}

export function backupPart(backups: readonly Backup[], now: number): Part {
  const lastGood = backups.find(({ state }) => state === 'done')
  const lastEnded = backups.find(({ state }) => state === 'done' || state === 'failed')
  if (lastEnded?.state === 'failed') return problem(`the last one failed: ${lastEnded.error}`)
  if (!lastGood?.finished_at)
    return warning('none was ever made here: make one under Health, or with kenning backup FOLDER')
  const days = Math.floor((now - Date.parse(lastGood.finished_at)) / DAY_MS)
  if (days > MAX_BACKUP_AGE_DAYS) return warning(`the last one is ${days} days old: make another`)
  return ok(days === 0 ? 'made within a day' : `the last one is ${days === 1 ? 'a day' : `${days} days`} old`)
}

/** Checks the server with a request for its list of models, which costs nothing. */
async function modelPart(deps: HealthDeps, admin: SessionUser): Promise<Part> {
  const language = await getLanguageModel(deps, admin)
  const { source, url, model } = language
  if (source === 'none' || url === null)
    return ok('none: questions are answered with quotations; choose one under Models')
  if (language.problem) return problem(language.problem)
  const host = new URL(url).host
  if (source === 'environment') {
    const failure = await getJson(endpointOf(url, undefined).beside('models'), REQUEST_TIMEOUT_MS).then(
      // The key is not sent here, so a server that needs one may refuse the request.
      ({ status }) =>
        language.has_key && (status === 401 || status === 403)
          ? undefined
          : failureOfStatus(host, status)?.message,
      reasonOf,
    )
    return failure === undefined
      ? ok(`${model} at ${host}, which answers`)
      : problem(`${failure}: check KENNING_LLM_URL and the server`)
  }
  const failure = await problemOfServer(deps, admin, 'language', url)
  return failure
    ? problem(failure.field ? `${failure.message} Change it under Models.` : failure.message)
    : ok(`${model} at ${host}, which answers`)
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundFailed || error instanceof EmbeddingFailed) return error.message
  throw error
}

async function embedderPart(deps: HealthDeps): Promise<Part> {
  const embedder = await deps.embedder()
  if (embedder.kind === 'none') return ok('none: searches go by words alone')
  const { model } = embedder
  const refilling = refillText(await countEmbedded(deps.db, model.id))
  if (embedder.kind === 'builtin') return ok(`${model.id}: the model of the package${refilling}`)
  const part = await cachedCheck(model, async () => {
    const failure = await model
      .embed(['ok'], 'query', AbortSignal.timeout(REQUEST_TIMEOUT_MS))
      .then(() => undefined, reasonOf)
    return failure === undefined
      ? ok(`${model.id} answers`)
      : problem(
          `${failure.replace(/\.$/, '')}: searches go by words alone meanwhile; check the server of the embeddings`,
        )
  })
  return part.status === 'ok' ? { ...part, message: `${part.message}${refilling}` } : part
}

/**
 * How many passages have vectors of the model; empty if all have. A new model begins without vectors, and a workspace is searched
 * by words alone until all its passages have vectors.
 */
export const refillText = ({ chunks, embedded }: { chunks: number; embedded: number }): string =>
  embedded >= chunks
    ? ''
    : `; ${embedded.toLocaleString('en')} of ${chunks.toLocaleString('en')} passages have its vectors, and a workspace is searched with them once all of its own have`

async function rerankerPart(deps: HealthDeps): Promise<Part> {
  const reranker = await deps.reranker()
  if (!reranker) return ok('none: searches keep their own order')
  return cachedCheck(reranker, async () => {
    const scores = await reranker.score('tides', ['tides', 'trains'])
    return scores
      ? ok('answers')
      : warning('does not answer: searches keep their own order meanwhile; check its server')
  })
}

function ocrPart(workers: readonly WorkerRow[]): Part {
  if (workers.length === 0) return warning('not known without a worker')
  return ok([...new Set(workers.map(({ ocr }) => ocr))].join('; '))
}
