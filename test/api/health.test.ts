// The health of the service, backups that administrators begin, and files of all workspaces that could not be read.

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import type { SessionUser } from '../../src/accounts/sessions.sql.ts'
import type { WorkDeps } from '../../src/app.ts'
import { recordBackup } from '../../src/backup/backups.ts'
import { problemsOf } from '../../src/backup/check.ts'
import type { Backup, Backups, FailedFileOfService, ServiceHealth } from '../../src/contract/health.ts'
import { reopenFile } from '../../src/health/health.sql.ts'
import { getHealth } from '../../src/health/health.ts'
import { reportWorker } from '../../src/health/workers.ts'
import { buildServer } from '../../src/http/server.ts'
import { removeUnreferencedBlobs } from '../../src/ingest/sweep.ts'
import { upsertModel } from '../../src/models/models.sql.ts'
import { openaiModel } from '../../src/ports/embedder/openai.ts'
import { rerankServer } from '../../src/ports/rerank/rerank.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { claimNetworkBound } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { embeddingsServer } from '../support/embeddings-server.ts'
import { ageBlobs, drain, runTask, upload } from '../support/ingest.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { putDocument } from '../support/put.sql.ts'
import { rerankingServer } from '../support/rerank-server.ts'
import { makeAdmin } from '../support/rows.sql.ts'

let folder: string
let app: TestApp
let admin: Person
let owner: Person
let cookie: string
let workspace: string
let pool: ParserPool
let deps: WorkDeps
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-backups-'))
  mkdirSync(join(folder, 'backups'))
  app = await testApp({ backupDir: join(folder, 'backups') })
  admin = await app.person()
  owner = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  cookie = await app.cookie(admin)
  workspace = await app.workspace(owner, 'Granite')
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const table of [sql`backup`, sql`worker_report`, sql`task`])
    await app.deps.db.rows(sql`DELETE FROM ${table}`)
})

const sessionOf = (person: Person) => ({ id: person.id, admin: true }) as unknown as SessionUser

async function call<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  { headers = { cookie }, to = app.server }: { headers?: Record<string, string>; to?: FastifyInstance } = {},
): Promise<{ status: number; body: T }> {
  const answer = await to.inject({
    method,
    url: `/account${path}`,
    headers: { origin: app.deps.settings.origin, 'sec-fetch-site': 'same-origin', ...headers },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json<T>() : (undefined as T) }
}

const health = async (): Promise<ServiceHealth> => (await call<ServiceHealth>('GET', '/health')).body
const partOf = ({ parts }: ServiceHealth, name: string) => parts.find(({ check }) => check === name)
const backups = async (): Promise<Backups> => (await call<Backups>('GET', '/backups')).body
const failedFiles = async (): Promise<FailedFileOfService[]> =>
  (await call<{ data: FailedFileOfService[] }>('GET', '/failed-files')).body.data

const silentLog: WorkDeps['log'] = { debug() {}, info() {}, warn() {}, error() {} }

/** Runs the backup that waits, as a worker does. */
async function runBackup(more: Partial<WorkDeps> = {}): Promise<void> {
  const task = await claimNetworkBound(app.deps.db, 'calm', { kinds: ['backup'] })
  if (!task) throw new Error('no backup waits')
  await runTask({ ...deps, ...more }, task)
}

test('each part has its state in words; without a worker that is a problem', async () => {
  const before = await health()
  expect(partOf(before, 'workers')).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('no worker has reported'),
  })
  expect(before.status).toBe('problem')
  const report = {
    name: 'w1',
    machine: 'heron',
    version: manifest.version,
    ocr: async () => 'Tesseract, for eng',
  }
  await reportWorker({ ...app.deps, report })
  const after = await health()
  expect(partOf(after, 'workers')).toMatchObject({ status: 'ok', message: 'one runs, on heron' })
  expect(partOf(after, 'text recognition')?.message).toBe('Tesseract, for eng')
  expect(partOf(after, 'database')?.message).toMatch(/^PostgreSQL \d+/)
  expect(partOf(after, 'language model')?.message).toContain('quotations')
  expect(partOf(after, 'backup')).toMatchObject({ status: 'warning' })
  expect(after.versions).toMatchObject({ kenning: manifest.version, node: process.versions.node })
  expect(after.versions.schema).toMatch(/^\d{4}_/)
  expect(after.disk.free).toBeGreaterThan(0)
  await reportWorker({ ...app.deps, report: { ...report, name: 'w2', version: '0.0.1' } })
  expect(partOf(await health(), 'workers')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('0.0.1'),
  })
})

test('servers that may be paid for each request are asked once for many looks; after a failure at every look', async () => {
  const server = await rerankingServer()
  const vectors = await embeddingsServer(8)
  const reranker = rerankServer(
    { url: server.url, model: 'm', key: undefined, timeoutMs: 30_000, pauseMs: 0 },
    app.deps.log,
  )
  const model = openaiModel({ url: vectors.url, model: 'm', key: undefined, queryTimeoutMs: 30_000 })
  const to = await buildServer({
    ...app.deps,
    reranker: async () => reranker,
    embedder: async () => ({ kind: 'model', model, find: () => undefined }),
  })
  const look = async () => (await call<ServiceHealth>('GET', '/health', undefined, { to })).body
  server.next = [{ status: 503 }]
  vectors.next = [{ status: 503 }]
  const failed = await look()
  expect(partOf(failed, 'reranker')?.status).toBe('warning')
  expect(partOf(failed, 'embeddings')?.status).toBe('problem')
  for (let i = 0; i < 3; i++) {
    const health = await look()
    expect(partOf(health, 'reranker')?.message).toBe('answers')
    expect(partOf(health, 'embeddings')?.message).toMatch(/^openai:m answers/)
  }
  expect([server.requests.length, vectors.requests.length]).toEqual([2, 2])
  await to.close()
  await server.close()
  await vectors.close()
})

test('a worker that has not reported for long does not run', async () => {
  await reportWorker({
    ...app.deps,
    report: { name: 'w', machine: 'm', version: '1', ocr: async () => 'none' },
  })
  await app.deps.db.rows(sql`UPDATE worker_report SET seen_at = now() - interval '6 minutes'`)
  expect((await health()).workers).toEqual([])
})

test('a backup is begun, made by a worker, read again, and is the last one; it holds everything but itself', async () => {
  await upload(deps, owner, workspace, { 'rules.md': '# Rules\n\nTwelve berths.' })
  await drain(deps)
  expect(await backups()).toEqual({ data: [], refusal: null })
  const { status, body } = await call<Backup>('POST', '/backups')
  expect([status, body.state]).toEqual([202, 'queued'])
  expect((await call('POST', '/backups')).status).toBe(422)
  await runBackup()
  const [made] = (await backups()).data
  expect(made).toMatchObject({ id: body.id, state: 'done', error: null, step: null, progress: 1 })
  expect(made?.size).toBeGreaterThan(1000)
  expect(made?.folder?.startsWith(join(folder, 'backups'))).toBe(true)
  expect(await problemsOf(made?.folder ?? '')).toEqual([])
  expect(readdirSync(join(made?.folder ?? '', 'tables'))).not.toContain('backup.ndjson.gz')
  expect(partOf(await health(), 'backup')).toMatchObject({ status: 'ok', message: 'made within a day' })
  expect((await call('POST', '/backups')).status).toBe(202)
  await runBackup()
  expect((await backups()).data).toHaveLength(2)
})

test('where it cannot be made, the reason is said: no folder here, none at the worker, one that cannot be written', async () => {
  const without = await buildServer({
    ...app.deps,
    settings: { ...app.deps.settings, backupDir: undefined },
  })
  expect(await call('POST', '/backups', undefined, { to: without })).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('KENNING_BACKUP_DIR') } },
  })
  expect((await call<Backups>('GET', '/backups', undefined, { to: without })).body.refusal).toContain(
    'KENNING_BACKUP_DIR',
  )
  await without.close()
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  await recordBackup(app.deps.db, folder)
  for (const [backupDir, reason] of [
    [undefined, 'has none'],
    [join(folder, 'not-mounted'), 'does not exist'],
    [join(file, 'backups'), 'cannot be written'],
  ] as const) {
    await call('POST', '/backups')
    if (backupDir === undefined) {
      // Another worker may have the folder, so the task waits for it for a while.
      await runBackup({ settings: { ...app.deps.settings, backupDir } })
      expect((await backups()).data[0]?.state).toBe('queued')
      await app.deps.db.rows(
        sql`UPDATE task SET run_after = now(), subject = jsonb_set(subject, '{busy,times}', '19')`,
      )
    }
    // That a task is given up is logged as an error.
    await runBackup({ settings: { ...app.deps.settings, backupDir }, log: silentLog })
    const [last, before] = (await backups()).data
    expect(last).toMatchObject({ state: 'failed', error: expect.stringContaining(reason) })
    expect(before).toBeDefined()
    expect(partOf(await health(), 'backup')).toMatchObject({ status: 'problem' })
  }
})

test('what was left by an attempt that died is replaced; a restored task without its row ends', async () => {
  const { body } = await call<Backup>('POST', '/backups')
  const name = `kenning-${body.created_at.slice(0, 19).replaceAll(':', '-')}-${body.id.slice(0, 8)}`
  mkdirSync(join(folder, 'backups', `${name}-0`, 'tables', 'stray'), { recursive: true })
  await runBackup()
  const [made] = (await backups()).data
  expect(made?.folder).toBe(join(folder, 'backups', `${name}-1`))
  expect(readdirSync(join(folder, 'backups'))).not.toContain(`${name}-0`)
  await call('POST', '/backups')
  await app.deps.db.rows(sql`DELETE FROM backup`)
  await runBackup()
  expect(await app.deps.db.rows(sql`SELECT 1 FROM task WHERE kind = 'backup'`)).toEqual([])
})

test('an attempt that was taken over leaves the finished backup of the next one', async () => {
  const { db, blobs } = app.deps
  await call('POST', '/backups')
  const [slow] = [await claimNetworkBound(db, 'slow', { kinds: ['backup'] })]
  if (!slow) throw new Error('no backup waits')
  const stop = new AbortController()
  let resume: () => void = () => {}
  const paused = new Promise<void>((resolve) => {
    resume = resolve
  })
  let reached: () => void = () => {}
  const isPaused = new Promise<void>((resolve) => {
    reached = resolve
  })
  const pausing = {
    ...blobs,
    storedHashes: async function* (age: number) {
      reached()
      await paused
      yield* blobs.storedHashes(age)
    },
  } as typeof blobs
  const slowAttempt = runTask({ ...deps, blobs: pausing }, slow, stop.signal)
  await isPaused
  await db.rows(sql`UPDATE task SET lease_until = now() - interval '1 second'`)
  await runBackup()
  stop.abort(new Error('the lease was lost'))
  resume()
  await slowAttempt
  const [made] = (await backups()).data
  expect(made).toMatchObject({ state: 'done', is_checked: true, folder: expect.stringMatching(/-2$/) })
  expect(await problemsOf(made?.folder ?? '')).toEqual([])
})

test('a check of a backup ends with the signal', async () => {
  await call('POST', '/backups')
  await runBackup()
  const [made] = (await backups()).data
  const stopped = problemsOf(made?.folder ?? '', AbortSignal.abort(new Error('the worker stops')))
  await expect(stopped).rejects.toThrow('the worker stops')
})

test('whoever is no administrator any more queues no file again and lists none', async () => {
  await upload(deps, owner, workspace, { 'broken.pdf': Buffer.from('%PDF-1.7 nothing of a PDF') })
  await drain(deps)
  const [file] = await failedFiles()
  const { workspace_id, job_id, file_no } = file as FailedFileOfService
  const id = { workspace_id, job_id, file_no }
  expect(await app.deps.db.tx((tx) => reopenFile(tx, owner.id, id))).toBe(false)
  expect(await app.deps.db.tx((tx) => reopenFile(tx, admin.id, id))).toBe(true)
  await app.deps.db.rows(sql`DELETE FROM job_file WHERE job_id = ${job_id}`)
})

test.each([402, 429, 503])('a language model whose server answers %i has a problem', async (status) => {
  const server = createServer((_, response) => response.writeHead(status).end())
  const url = `${await listenOnLoopback(server)}/v1`
  const { settings } = app.deps
  const language = { url, model: 'heron', hasKey: true, contextTokens: undefined }
  const byEnvironment = { ...app.deps, settings: { ...settings, models: { ...settings.models, language } } }
  expect(partOf(await getHealth(byEnvironment, sessionOf(admin), '1'), 'language model')).toMatchObject({
    status: 'problem',
    message: expect.stringContaining(String(status)),
  })
  await app.deps.db.tx((tx) =>
    upsertModel(tx, admin.id, {
      role: 'language',
      revision: randomUUID(),
      url,
      model: 'heron',
      context_tokens: null,
      dimensions: null,
      key: null,
    }),
  )
  const bySettings = { ...app.deps, mayConnect: () => true }
  const part = partOf(await getHealth(bySettings, sessionOf(admin), '1'), 'language model')
  await app.deps.db.rows(sql`DELETE FROM model_setting`)
  await closeNow(server)
  expect(part).toMatchObject({ status: 'problem', message: expect.stringContaining(String(status)) })
})

test('failed files of all workspaces: names for members only; one that is stored is read again', async () => {
  await upload(deps, owner, workspace, { 'secret-plan.pdf': Buffer.from('%PDF-1.7 nothing of a PDF') })
  await drain(deps)
  const [file] = await failedFiles()
  expect(file).toMatchObject({
    workspace_id: workspace,
    workspace: null,
    filename: null,
    owners: [owner.email],
    can_retry: true,
  })
  expect(JSON.stringify(await failedFiles())).not.toContain('secret-plan')
  expect(partOf(await health(), 'reading')?.message).toContain('could not be')
  // The hourly clean-up leaves its bytes.
  ageBlobs(app.deps.settings.dataDir)
  await removeUnreferencedBlobs(app.deps)
  await app.member(workspace, admin, 'viewer')
  expect((await failedFiles())[0]).toMatchObject({ workspace: 'Granite', filename: 'secret-plan.pdf' })
  const { workspace_id, job_id, file_no } = file as FailedFileOfService
  const retry = { workspace_id, job_id, file_no }
  expect((await call('POST', '/failed-files/retry', retry)).status).toBe(204)
  expect(await failedFiles()).toEqual([])
  // It waits, and is not queued twice.
  expect((await call('POST', '/failed-files/retry', retry)).status).toBe(404)
  expect(await drain(deps)).toBeGreaterThan(0)
  expect(await failedFiles()).toHaveLength(1)
  await app.deps.db.rows(sql`UPDATE job_file SET finished_at = now() - interval '8 days'`)
  await removeUnreferencedBlobs(app.deps)
  expect((await failedFiles())[0]?.can_retry).toBe(false)
  expect((await call('POST', '/failed-files/retry', retry)).status).toBe(422)
})

test('administrators alone: no member, no viewer, no token or key, nobody of another site', async () => {
  const viewer = await app.person()
  await app.member(workspace, viewer, 'viewer')
  const callers = [
    [{ cookie: await app.cookie(owner) }, 403],
    [{ cookie: await app.cookie(viewer) }, 403],
    [{ authorization: `Bearer ${await app.token(admin)}` }, 401],
    [{ authorization: `Bearer ${await app.token(admin, { scopes: [] })}` }, 401],
    [{}, 401],
  ] as const
  const retry = { workspace_id: workspace, job_id: 'x', file_no: 0 }
  for (const [headers, status] of callers) {
    for (const path of ['/health', '/backups', '/failed-files'])
      expect((await call('GET', path, undefined, { headers: { ...headers } })).status).toBe(status)
    expect((await call('POST', '/backups', undefined, { headers: { ...headers } })).status).toBe(status)
    expect((await call('POST', '/failed-files/retry', retry, { headers: { ...headers } })).status).toBe(
      status,
    )
  }
  const elsewhere = { cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
  expect((await call('POST', '/backups', undefined, { headers: elsewhere })).status).toBe(403)
  expect(await backups()).toEqual({ data: [], refusal: null })
})

// The last one: its document has no file, and a backup before it would miss one.
test('of a model that is new at its address it is said how many passages have its vectors', async () => {
  const vectors = await embeddingsServer(8)
  const model = openaiModel({ url: vectors.url, model: 'new', key: undefined, queryTimeoutMs: 30_000 })
  const block = { kind: 'paragraph' as const, text: 'The gauge is checked in May.', page: 1 }
  await putDocument(app.deps.db, workspace, randomUUID(), [block], { title: 'Gauges' })
  const to = await buildServer({
    ...app.deps,
    embedder: async () => ({ kind: 'model', model, find: () => undefined }),
  })
  const { body } = await call<ServiceHealth>('GET', '/health', undefined, { to })
  expect(partOf(body, 'embeddings')).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^openai:new answers; 0 of \d+ passages have its vectors/),
  })
  await to.close()
  await vectors.close()
})
