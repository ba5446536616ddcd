// Checks each part of the service for administrators. The result is one sentence for each part, with the remedy if something is
// wrong. Checks that need the settings of the machine are in `kenning doctor`.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { selectBackups } from '../backup/backups.sql.ts'
import type { Backup, PartHealth, PartSentence, ServiceHealth } from '../contract/health.ts'
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
import { countFiles, selectWorkers, sizeOfFiles, type WorkerRow } from './health.sql.ts'
import { queueFinding } from './queue.ts'
import { cachedCheck } from './remember.ts'
import { type Part, partOf, sentence } from './sentences.ts'

type HealthDeps = Pick<
  Deps,
  'db' | 'blobs' | 'seal' | 'settings' | 'mayConnect' | 'embedder' | 'localEmbedder' | 'reranker'
>

// A worker reports every minute. Its sweeps run one after another, so a slow one can delay the report.
const MAX_REPORT_AGE_SECONDS = 300
const REQUEST_TIMEOUT_MS = 8000
const MAX_CHECKED_BACKUPS = 20
const GIBIBYTE = 2 ** 30
// The warning begins here, because the largest upload (20 files of 100 MB) may not fit into less.
const WARNING_BELOW_BYTES = 2 * GIBIBYTE
const PROBLEM_BELOW_BYTES = GIBIBYTE / 4
const MAX_BACKUP_AGE_DAYS = 7
const DAY_MS = 24 * 3_600_000

const ok = (...sentences: PartSentence[]): Part => partOf('ok', ...sentences)
const warning = (...sentences: PartSentence[]): Part => partOf('warning', ...sentences)
const problem = (...sentences: PartSentence[]): Part => partOf('problem', ...sentences)

/**
 * The health of each part of the service, with its queue, workers, disk and versions.
 * @param version of Kenning
 * @throws ApiError 403
 */
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
    { check: 'database', ...ok(sentence('database', { version: facts.version, bytes: facts.size })) },
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

/** Whether workers have reported, and whether all of them run this version. */
export function workersPart(workers: readonly WorkerRow[], version: string): Part {
  if (workers.length === 0) return problem(sentence('no_worker'))
  const workerOfOtherVersion = workers.find((worker) => worker.version !== version)
  if (workerOfOtherVersion) {
    const { machine, version: workerVersion } = workerOfOtherVersion
    return warning(sentence('other_version', { machine, worker_version: workerVersion, version }))
  }
  const machines = [...new Set(workers.map(({ machine }) => machine))].join(', ')
  const count = workers.length
  return ok(count === 1 ? sentence('one_worker', { machines }) : sentence('workers', { count, machines }))
}

export function readingPart({ read, failed }: { read: number; failed: number }): Part {
  if (read + failed === 0) return ok(sentence('no_upload'))
  const readFiles = read === 1 ? sentence('one_file_read') : sentence('files_read', { count: read })
  if (failed === 0) return ok(readFiles)
  const failedFiles = sentence('files_failed', { count: failed })
  return failed > read ? problem(readFiles, failedFiles) : warning(readFiles, failedFiles)
}

export function diskPart(free: number | undefined, workers: readonly WorkerRow[]): Part {
  const spaces = [
    ...(free === undefined ? [] : [{ free }]),
    ...workers.flatMap(({ machine, disk_free }) =>
      disk_free === null ? [] : [{ machine, free: disk_free }],
    ),
  ].sort((a, b) => a.free - b.free)
  const [least] = spaces
  if (!least) return warning(sentence('unknown_space'))
  const bytes = least.free
  const isEnough = bytes >= WARNING_BELOW_BYTES
  const space =
    'machine' in least
      ? sentence(isEnough ? 'space_on_machine' : 'little_space_on_machine', { bytes, machine: least.machine })
      : sentence(isEnough ? 'space_for_files' : 'little_space_for_files', { bytes })
  if (isEnough) return ok(space)
  return bytes < PROBLEM_BELOW_BYTES ? problem(space) : warning(space)
}

export function backupPart(backups: readonly Backup[], now: number): Part {
  const lastDoneBackup = backups.find(({ state }) => state === 'done')
  const lastEnded = backups.find(({ state }) => state === 'done' || state === 'failed')
  if (lastEnded?.state === 'failed')
    return problem(sentence('backup_failed', { reason: lastEnded.error ?? '' }))
  if (!lastDoneBackup?.finished_at) return warning(sentence('no_backup'))
  const days = Math.floor((now - Date.parse(lastDoneBackup.finished_at)) / DAY_MS)
  if (days > MAX_BACKUP_AGE_DAYS) return warning(sentence('old_backup', { days }))
  if (days > 1) return ok(sentence('backup', { days }))
  return ok(sentence(days === 0 ? 'backup_today' : 'backup_yesterday'))
}

/** Checks the server with a request for its list of models, which costs nothing. */
async function modelPart(deps: HealthDeps, admin: SessionUser): Promise<Part> {
  const language = await getLanguageModel(deps, admin)
  const { source, url, model } = language
  if (source === 'none' || url === null) return ok(sentence('no_model'))
  if (language.problem) return problem(sentence('reported', { reason: language.problem }))
  const host = new URL(url).host
  const answers = ok(sentence('model_answers', { model: model ?? '', host }))
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
      ? answers
      : problem(sentence('model_fails_of_environment', { reason: failure }))
  }
  const failure = await problemOfServer(deps, admin, 'language', url)
  if (!failure) return answers
  const type = failure.field ? 'model_fails_of_settings' : 'reported'
  return problem(sentence(type, { reason: failure.message }))
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundFailed || error instanceof EmbeddingFailed) return error.message
  throw error
}

async function embedderPart(deps: HealthDeps): Promise<Part> {
  const embedder = await deps.embedder()
  if (embedder.kind === 'none') return ok(sentence('no_embeddings'))
  const { model } = embedder
  const backfill = backfillSentences(await countEmbedded(deps.db, model.id))
  if (embedder.kind === 'builtin') return ok(sentence('builtin_embeddings', { model: model.id }), ...backfill)
  const part = await cachedCheck(model, async () => {
    const failure = await model
      .embed(['ok'], 'query', AbortSignal.timeout(REQUEST_TIMEOUT_MS))
      .then(() => undefined, reasonOf)
    return failure === undefined
      ? ok(sentence('embeddings_answer', { model: model.id }))
      : problem(sentence('embeddings_fail', { reason: failure.replace(/\.$/, '') }))
  })
  return part.status === 'ok' ? ok(...part.sentences, ...backfill) : part
}

/**
 * A sentence about the progress of the backfill, none if it is complete. A model that was not used before has no vectors, and a
 * workspace is searched without vectors until all of its chunks have them.
 */
export const backfillSentences = ({
  chunks,
  embedded,
}: {
  chunks: number
  embedded: number
}): PartSentence[] => (embedded >= chunks ? [] : [sentence('refilling', { embedded, chunks })])

async function rerankerPart(deps: HealthDeps): Promise<Part> {
  const reranker = await deps.reranker()
  if (!reranker) return ok(sentence('no_reranker'))
  return cachedCheck(reranker, async () => {
    const scores = await reranker.score('tides', ['tides', 'trains'])
    return scores ? ok(sentence('reranker_answers')) : warning(sentence('reranker_silent'))
  })
}

function ocrPart(workers: readonly WorkerRow[]): Part {
  if (workers.length === 0) return warning(sentence('unknown_recognition'))
  return ok(...[...new Set(workers.map(({ ocr }) => ocr))].map((reason) => sentence('reported', { reason })))
}
