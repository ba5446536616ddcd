// The embedding task: queued by every fold, one per workspace; a purge at the same time leaves nothing behind.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { embedRound } from '../../src/embed/round.ts'
import { finishEmbed, queueEmbed, queueEmbeds } from '../../src/embed/task.sql.ts'
import { embedWorkspace } from '../../src/embed/task.ts'
import { foldTask, foldWorkspace } from '../../src/ingest/fold.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openEmbedder } from '../../src/ports/embedder/open.ts'
import { claimTask, followClock, insertTask, type Task } from '../../src/work/queue.sql.ts'
import { PURGED_TABLES, purgeBatch } from '../../src/workspaces/purge.sql.ts'
import { markDeleted } from '../../src/workspaces/workspaces.sql.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import type { WorkDeps } from '../support/ingest.ts'
import { bareWorkspace, publish } from '../support/publish.ts'
import { vectorCounts } from '../support/vectors.sql.ts'

let database: TestDatabase
let db: Db
let deps: WorkDeps
const folder = mkdtempSync(join(tmpdir(), 'kenning-embed-'))
const log = { debug() {}, info() {}, warn() {}, error() {} }
const never = new AbortController().signal

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  const ofPackage = openEmbedder(
    { choice: 'sentence', server: undefined, onnxModel: undefined, dataDir: folder },
    log,
  )
  const parse = () => Promise.reject(new Error('nothing to parse here'))
  deps = { db, blobs: await openDiskBlobs(folder), log, parser: { parse }, embedder: async () => ofPackage }
})
afterAll(async () => {
  await db.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await db.rows(sql`DELETE FROM task`)
})

const words = ['harbour', 'mooring', 'rudder', 'vessel', 'anchor', 'quay', 'sail']
const texts = Array.from(
  { length: 60 },
  (_, i) => `The ${words[i % 7]} and the ${words[(i + 1) % 7]} of berth ${i}.`,
)

async function claimed(): Promise<Task> {
  const task = await claimTask(db, 'w')
  if (!task) throw new Error('nothing to claim')
  return task
}
const embedTasks = () => db.rows<{ subject: object }>(sql`SELECT subject FROM task WHERE kind = 'embed'`)

test('folding queues an embedding task, which embeds the workspace and ends', async () => {
  const id = await bareWorkspace(db)
  await publish(db, id, randomUUID(), texts)
  await insertTask(db, foldTask(id))
  await foldWorkspace(deps, await claimed(), never)
  // A round ends after ten seconds; on a busy machine one is not enough.
  do {
    const task = await claimed()
    expect(task.kind).toBe('embed')
    await embedWorkspace(deps, task, never)
  } while ((await embedTasks()).length > 0)
  expect(await vectorCounts(db, id)).toMatchObject({ embedded: 60, spaces: 1 })
  expect(await db.rows(sql`SELECT 1 FROM task`)).toEqual([])
})

test('asked for at a start whose clock was an hour ahead, it does not wait for that hour', async () => {
  const id = await bareWorkspace(db)
  await publish(db, id, randomUUID(), texts)
  await queueEmbed(db, id)
  await db.rows(sql`UPDATE task SET created_at = now() - interval '1 day'`)
  await queueEmbeds(db)
  await db.rows(sql`
    UPDATE task SET created_at = created_at + interval '1 hour', run_after = run_after + interval '1 hour'
    WHERE workspace_id = ${id}`)
  await followClock(db)
  const [task] = await db.rows<{ due: boolean }>(sql`
    SELECT run_after <= now() AS due FROM task WHERE workspace_id = ${id}`)
  expect(task).toEqual({ due: true })
  await db.rows(sql`DELETE FROM task`)
})

test('queued twice it runs once; queued while running it passes over the workspace again', async () => {
  const id = await bareWorkspace(db)
  await publish(db, id, randomUUID(), texts)
  await queueEmbed(db, id)
  await queueEmbed(db, id)
  await queueEmbeds(db)
  expect((await db.rows(sql`SELECT 1 FROM task WHERE workspace_id = ${id}`)).length).toBe(1)
  await db.rows(sql`DELETE FROM task WHERE workspace_id <> ${id}`)
  const task = await claimed()
  const meanwhile: Db = {
    ...db,
    tx: async (work) => {
      await queueEmbed(db, id)
      return db.tx(work)
    },
  }
  await embedWorkspace({ ...deps, db: meanwhile }, task, never)
  expect(await embedTasks()).toMatchObject([{ subject: { again: true } }])
  expect(await claimTask(db, 'other')).toMatchObject({ kind: 'embed', failures: 0 })
  // Whoever was taken over ends nothing.
  expect(await finishEmbed(db, task)).toBe(false)
})

test('a purge at any moment of a round leaves nothing behind', async () => {
  for (let moment = 1; moment <= 25; moment += 4) {
    const id = await bareWorkspace(db)
    await publish(db, id, randomUUID(), texts)
    let left = moment
    const purge = async (): Promise<void> => {
      await db.tx((tx) => markDeleted(tx, id))
      while (!(await purgeBatch(db, id)));
    }
    const count = async <T>(result: T): Promise<T> => {
      left -= 1
      if (left === 0) await purge()
      return result
    }
    const interrupted: Db = {
      ...db,
      rows: async (statement) => count(await db.rows(statement)),
      tx: async (work) => count(await db.tx(work)),
    }
    await embedRound({ ...deps, db: interrupted }, id, { signal: never, until: Number.POSITIVE_INFINITY })
    if (left > 0) await purge()
    for (const table of PURGED_TABLES) {
      const rows = await db.rows(sql`SELECT 1 FROM ${raw(table)} WHERE workspace_id = ${id}`)
      expect([moment, table, rows.length]).toEqual([moment, table, 0])
    }
  }
})
