// Uploads, replacements and deletions in any order, processed late or concurrently: a path has its last accepted upload, and
// nothing exists twice.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { embedWorkspace } from '../../src/embed/task.ts'
import { graphDocument } from '../../src/graph/task.ts'
import { foldWorkspace } from '../../src/ingest/fold.ts'
import { readPictures } from '../../src/ingest/pictures/pictures.ts'
import { ingestFile } from '../../src/ingest/pipeline.ts'
import { deleteDocument } from '../../src/ingest/remove.ts'
import { uploadFiles } from '../../src/ingest/uploads.ts'
import { openAdmission } from '../../src/ports/admission/admission.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import { openDiskCache } from '../../src/ports/cache/disk-cache.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { claimTask, releaseTask, type Task } from '../../src/work/queue.sql.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { runs } from '../support/full.ts'
import type { WorkDeps } from '../support/ingest.ts'

let database: TestDatabase
let db: Db
let deps: WorkDeps
let pool: ParserPool
const folder = mkdtempSync(join(tmpdir(), 'kenning-versions-'))
const log = { debug() {}, info() {}, warn() {}, error() {} }
const cache = openDiskCache(join(folder, 'cache'), { maxBytes: 2 ** 20, maxUnusedMs: 1e6 })
const caller: Caller = { auth: 'session', id: randomUUID(), userId: randomUUID(), scopes: [] }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  pool = openPool({ size: 1, cacheDir: folder, log })
  deps = {
    db,
    blobs: await openDiskBlobs(folder),
    log,
    parser: pool,
    embedder: async () => ({ kind: 'none' as const }),
  }
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash) VALUES (${caller.userId}, 'a@b.c', 'a@b.c', '')`)
})
afterAll(async () => {
  await pool.close()
  await db.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function workspace(): Promise<string> {
  const id = randomUUID()
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  await db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${caller.userId}, 'owner')`,
  )
  return id
}

/** Whatever stands at their paths is to be replaced. */
async function upload(workspaceId: string, files: Record<string, string>) {
  async function* parts() {
    for (const [filename, text] of Object.entries(files))
      yield { filename, stream: Readable.from([Buffer.from(text)]) }
  }
  return uploadFiles({ ...deps, admission: openAdmission() }, caller, workspaceId, {
    parts: parts(),
    onConflict: 'replace',
  })
}

type Run = (deps: WorkDeps, task: Task, signal: AbortSignal) => Promise<void>
const handlers: Record<string, Run> = {
  ingest: ingestFile,
  graph: graphDocument,
  fold: foldWorkspace,
  embed: embedWorkspace,
  pictures: readPictures,
  purge: () => Promise.reject(new Error('nothing to purge here')),
}

/** Claims up to `most` tasks and works on them at the same time. */
async function work(most: number): Promise<number> {
  const tasks: Task[] = []
  for (let task = await claimTask(db, 'w'); task; task = await claimTask(db, 'w')) {
    tasks.push(task)
    if (tasks.length >= most) break
  }
  await Promise.all(
    tasks.map((task) =>
      handlers[task.kind]?.(deps, task, new AbortController().signal).catch(() =>
        releaseTask(db, task, 0, false),
      ),
    ),
  )
  return tasks.length
}

async function rest(): Promise<void> {
  while ((await work(4)) > 0);
}

/** Path and text of every document, from its chunks. */
async function library(workspaceId: string): Promise<Record<string, string>> {
  const rows = await db.rows<{ path: string; text: string }>(sql`
    SELECT d.path, string_agg(c.text, ' ' ORDER BY c.chunk_no) AS text
    FROM document d JOIN chunk c ON c.workspace_id = d.workspace_id AND c.version_id = d.version_id
    WHERE d.workspace_id = ${workspaceId} GROUP BY d.path`)
  return Object.fromEntries(rows.map(({ path, text }) => [path, text]))
}

const path = fc.constantFrom('a.txt', 'b.txt')
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ upload: path, text: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ work: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: path }) },
)

test('the last accepted upload of a path wins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const id = await workspace()
      const wanted: Record<string, string> = {}
      for (const now of steps) {
        if ('upload' in now) {
          const text = `The ${now.upload} for May 202${now.text}.`
          const job = await upload(id, { [now.upload]: text })
          expect(job.status).toBe('queued')
          wanted[now.upload] = text
        } else if ('work' in now) await work(now.work)
        else {
          await rest()
          const [document] = await db.rows<{ id: string }>(sql`
            SELECT id FROM document WHERE workspace_id = ${id} AND path = ${now.remove}`)
          if (document)
            await deleteDocument({ db, cache }, caller, { workspaceId: id, documentId: document.id })
          delete wanted[now.remove]
        }
      }
      await rest()
      expect(await library(id)).toEqual(wanted)
      const left = await db.rows(sql`
        SELECT 1 FROM job_file WHERE workspace_id = ${id} AND status NOT IN ('done', 'failed')`)
      expect(left).toEqual([])
      // Each text says a month, so every version is about something; what a swept one was about is gone with it.
      const about = await db.rows(sql`
        SELECT count(*) FILTER (WHERE v.id IS NULL)::int AS left,
          count(DISTINCT v.id) FILTER (WHERE v.state = 'live')::int AS live
        FROM version_subject s
        LEFT JOIN version v ON v.workspace_id = s.workspace_id AND v.id = s.version_id
        WHERE s.workspace_id = ${id}`)
      expect(about).toEqual([{ left: 0, live: Object.keys(wanted).length }])
    }),
    { numRuns: runs(25, 8) },
  )
})

test('the same bytes at two new paths are one document, also when both are worked on at once', async () => {
  const id = await workspace()
  await upload(id, { 'x.txt': 'Twice the same.', 'y.txt': 'Twice the same.' })
  await rest()
  expect(Object.values(await library(id))).toEqual(['Twice the same.'])
})

test('a path that other bytes take over keeps its document, though a copy of them lies elsewhere', async () => {
  const id = await workspace()
  await upload(id, { 'p.txt': 'Old text.', 'q.txt': 'New text.' })
  await rest()
  await upload(id, { 'p.txt': 'New text.' })
  await rest()
  expect(await library(id)).toEqual({ 'p.txt': 'New text.', 'q.txt': 'New text.' })
})

test('what was replaced before its turn came is not read any more', async () => {
  const id = await workspace()
  const old = await upload(id, { 's.txt': 'The scan of hours.' })
  const waiting = await claimTask(db, 'w')
  await upload(id, { 's.txt': 'The letter.' })
  await rest()
  if (!waiting) throw new Error('nothing claimed')
  const parser = { ...pool, parse: () => Promise.reject(new Error('is read')) }
  await ingestFile({ ...deps, parser }, waiting, new AbortController().signal)
  expect(await library(id)).toEqual({ 's.txt': 'The letter.' })
  expect(await db.rows(sql`SELECT status, error FROM job_file WHERE job_id = ${old.id}`)).toEqual([
    { status: 'done', error: null },
  ])
})

test('a graph read before a replacement does not win over the one after it', async () => {
  const id = await workspace()
  await upload(id, {
    'm.txt': 'Ingrid Solheim works for Halden Harbour Ltd. Ingrid Solheim lives in Norway.',
  })
  await rest()
  const [before] = await db.rows<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM entity WHERE workspace_id = ${id}`,
  )
  expect(before?.n).toBeGreaterThan(0)
  await upload(id, { 'm.txt': 'nothing worth a name here.' })
  await rest()
  expect(await db.rows(sql`SELECT name FROM entity WHERE workspace_id = ${id}`)).toEqual([])
})

test('a graph dropped late leaves that of the same path uploaded again', async () => {
  const id = await workspace()
  const text = 'Ingrid Solheim works for Halden Harbour Ltd. Ingrid Solheim lives in Norway.'
  const names = () => db.rows(sql`SELECT name FROM entity WHERE workspace_id = ${id} ORDER BY name`)
  await upload(id, { 'm.txt': text })
  await rest()
  const wanted = await names()
  expect(wanted.length).toBeGreaterThan(0)
  const [document] = await db.rows<{ id: string }>(sql`SELECT id FROM document WHERE workspace_id = ${id}`)
  await deleteDocument({ db, cache }, caller, { workspaceId: id, documentId: document?.id ?? '' })
  let drop = await claimTask(db, 'slow')
  while (drop && drop.kind !== 'graph') drop = await claimTask(db, 'slow')
  if (!drop) throw new Error('nothing to drop')
  const slow: Db = {
    ...db,
    rows: async <T extends object>(statement: Sql) => {
      const rows = await db.rows<T>(statement)
      if (/FROM document\s+WHERE/.test(statement.text)) {
        expect(rows).toEqual([])
        await upload(id, { 'm.txt': text })
        await rest()
      }
      return rows
    },
  }
  await graphDocument({ ...deps, db: slow }, drop, new AbortController().signal)
  expect(await names()).toEqual(wanted)
})
