// Deleting a workspace deletes all its rows in every table and none of another workspace.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { putScope } from '../../src/documents/scopes.ts'
import { graphDocument, graphTask } from '../../src/graph/task.ts'
import { removeUnreferencedPages } from '../../src/ingest/sweep.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import { openDiskCache, pagesFolder } from '../../src/ports/cache/disk-cache.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { TaskLost } from '../../src/work/handler.ts'
import { claimTask, insertTask, type Task } from '../../src/work/queue.sql.ts'
import { PURGED_TABLES } from '../../src/workspaces/purge.sql.ts'
import { purgeWorkspace } from '../../src/workspaces/purge.ts'
import { markDeleted, removeMembersAndQueuePurge } from '../../src/workspaces/workspaces.sql.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import type { WorkDeps } from '../support/ingest.ts'

let database: TestDatabase
let db: Db
let deps: WorkDeps
const folder = mkdtempSync(join(tmpdir(), 'kenning-purge-'))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  const parse = () => Promise.reject(new Error('nothing to parse here'))
  deps = {
    db,
    blobs: await openDiskBlobs(folder),
    log: quiet,
    parser: { parse },
    embedder: async () => ({ kind: 'none' as const }),
  }
})
afterAll(async () => {
  await db.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const tablesWithWorkspace = async (): Promise<string[]> => {
  const rows = await db.rows<{ table_name: string }>(sql`
    SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`)
  return rows.map((row) => row.table_name)
}

test('the list of purged tables is whole', async () => {
  expect([...PURGED_TABLES, 'task'].sort()).toEqual(await tablesWithWorkspace())
})

/** A workspace with a document, its graph, a job, a thread and a member. */
async function furnish(): Promise<string> {
  const [id, version, document, account] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  await db.rows(
    sql`INSERT INTO account (id, email, email_key, password_hash) VALUES (${account}, ${account}, ${account}, '')`,
  )
  await db.rows(sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${account}, 'owner')`)
  await db.rows(
    sql`INSERT INTO version (workspace_id, id, document_id, state) VALUES (${id}, ${version}, ${document}, 'live')`,
  )
  await db.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash, language,
      chunk_count, has_tables, uploaded_at)
    VALUES (${id}, ${document}, ${version}, 'a.md', 'a', 'a', 'upload', 'markdown', ${version}, 'en', 1, false, now())`)
  await db.rows(sql`
    INSERT INTO chunk (workspace_id, version_id, chunk_no, id, document_id, type, text, heading, language, lex, terms, words)
    VALUES (${id}, ${version}, 0, ${randomUUID()}, ${document}, 'text',
      'Ingrid Solheim works for Halden Harbour Ltd. Ingrid Solheim lives in Norway.', '', 'en', '{1:1}/1000000000', '{1}', '{a}')`)
  await db.rows(sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${id}, 1, 'a', 1)`)
  await db.rows(sql`INSERT INTO job (workspace_id, id, created_by) VALUES (${id}, ${version}, ${account})`)
  await db.rows(
    sql`INSERT INTO thread (workspace_id, id, principal) VALUES (${id}, ${randomUUID()}, 'user:x')`,
  )
  await insertTask(db, graphTask(id, { document_id: document }))
  await graphDocument(deps, await claimed(), new AbortController().signal)
  return id
}

async function claimed(): Promise<Task> {
  const task = await claimTask(db, 'w')
  if (!task) throw new Error('nothing to claim')
  return task
}

async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesWithWorkspace()) {
    const [row] = await db.rows<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM ${raw(table)} WHERE workspace_id = ${workspaceId}`,
    )
    if (row?.n) counts[table] = row.n
  }
  return counts
}

test('everything of the deleted workspace is deleted, everything of the other stays', async () => {
  const [gone, kept] = [await furnish(), await furnish()]
  const before = await rowsOf(kept)
  expect(before.mention).toBeGreaterThan(0)
  await db.rows(sql`UPDATE workspace SET deleted_at = now() WHERE id = ${gone}`)
  await insertTask(db, { workspaceId: gone, kind: 'purge', priority: 'background', subject: {} })
  await purgeWorkspace(deps, await claimed(), new AbortController().signal)
  expect(await rowsOf(gone)).toEqual({})
  expect(await db.rows(sql`SELECT 1 FROM workspace WHERE id = ${gone}`)).toEqual([])
  expect(await rowsOf(kept)).toEqual(before)
})

test('a purge whose task was taken over deletes nothing more: the id may be that of an import by then', async () => {
  const id = await furnish()
  await db.tx(async (tx) => {
    await markDeleted(tx, id)
    await removeMembersAndQueuePurge(tx, id)
  })
  const stalled = await claimed()
  const before = await rowsOf(id)
  const lost = (task: Task, on: Db = db) =>
    expect(purgeWorkspace({ ...deps, db: on }, task, new AbortController().signal)).rejects.toThrow(TaskLost)
  // Before its first step.
  const taken = { ...stalled, attempt: stalled.attempt - 1 }
  await lost(taken)
  expect(await rowsOf(id)).toEqual(before)
  // Between its last step and its end.
  let rows: Record<string, number> = before
  const tx: Db['tx'] = async (work, options) => {
    const answer = await db.tx(work, options)
    rows = await rowsOf(id)
    if (Object.keys(rows).join() === 'task' && answer === true)
      await db.rows(sql`UPDATE task SET attempt = attempt + 1 WHERE id = ${stalled.id}`)
    return answer
  }
  await lost(stalled, { ...db, tx })
  expect(await db.rows(sql`SELECT 1 FROM workspace WHERE id = ${id}`)).toHaveLength(1)
  await purgeWorkspace(deps, { ...stalled, attempt: stalled.attempt + 1 }, new AbortController().signal)
  expect(await rowsOf(id)).toEqual({})
})

test('F-15: a graph task under way while its workspace is purged leaves nothing behind', async () => {
  const id = await furnish()
  const [{ document_id } = { document_id: '' }] = await db.rows<{ document_id: string }>(
    sql`SELECT id AS document_id FROM document WHERE workspace_id = ${id}`,
  )
  await db.rows(sql`UPDATE document SET version_id = ${randomUUID()} WHERE workspace_id = ${id}`)
  await insertTask(db, graphTask(id, { document_id }))
  const task = await claimed()
  const run = graphDocument(
    { ...deps, db: after(/FROM chunk /, () => purge(id)) },
    task,
    new AbortController().signal,
  )
  await expect(run).rejects.toThrow()
  expect(await rowsOf(id)).toEqual({})
})

test('F-15: a scope made while its workspace is purged leaves nothing behind', async () => {
  const id = await furnish()
  const [{ account_id: userId } = { account_id: '' }] = await db.rows<{ account_id: string }>(
    sql`SELECT account_id FROM member WHERE workspace_id = ${id}`,
  )
  const caller: Caller = { auth: 'session', id: userId, userId, scopes: [] }
  // Between the question for access and the transaction.
  const cut = after(/role_in/, () => purge(id))
  const scope = { description: '', document_ids: [], folders: ['a'] }
  await expect(putScope({ db: cut }, caller, { workspaceId: id, name: 'Mine' }, scope)).rejects.toMatchObject(
    { status: 404 },
  )
  expect(await rowsOf(id)).toEqual({})
})

test('what a parser wrote to the cache while its workspace was being deleted is deleted by the purge', async () => {
  const id = await furnish()
  const dropped: string[] = []
  const cache = {
    get: async () => undefined,
    put: async () => {},
    drop: async (at: string) => void dropped.push(at),
    folders: async () => [],
  }
  await db.tx(async (tx) => {
    await markDeleted(tx, id)
    await removeMembersAndQueuePurge(tx, id)
  })
  await purgeWorkspace({ ...deps, cache }, await claimed(), new AbortController().signal)
  expect(dropped).toEqual([`pages/${id}`])
})

test('cache entries of unreferenced files are deleted by the hourly sweep', async () => {
  const id = await furnish()
  const [{ hash } = { hash: '' }] = await db.rows<{ hash: string }>(
    sql`SELECT content_hash AS hash FROM document WHERE workspace_id = ${id}`,
  )
  const cache = openDiskCache(join(folder, 'cache'), { maxBytes: 2 ** 20, maxUnusedMs: 1e9 })
  const keys = [
    `${pagesFolder(id, hash)}/1.png`,
    `${pagesFolder(id, 'replaced')}/pdf-1.json`,
    `${pagesFolder(randomUUID(), hash)}/1.png`,
  ]
  for (const key of keys) await cache.put(key, Buffer.from('kept'))
  await removeUnreferencedPages({ db, cache })
  const left = await Promise.all(keys.map(async (key) => (await cache.get(key)) !== undefined))
  expect(left).toEqual([true, false, false])
  expect(await cache.folders('pages')).toEqual([id])
})

/** Deletes the workspace and everything of it. */
async function purge(id: string): Promise<void> {
  await db.tx(async (tx) => {
    await markDeleted(tx, id)
    await removeMembersAndQueuePurge(tx, id)
  })
  await purgeWorkspace(deps, await claimed(), new AbortController().signal)
}

/** The database, with something else happening just after the first statement of that kind. */
function after(statement: RegExp, happen: () => Promise<void>): Db {
  let done = false
  return {
    ...db,
    rows: async <T extends object>(query: Sql) => {
      const rows = await db.rows<T>(query)
      if (!done && statement.test(query.text)) {
        done = true
        await happen()
      }
      return rows
    },
  }
}
