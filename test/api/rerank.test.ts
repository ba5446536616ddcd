// Search with a server that reranks: the real app, a scripted server.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { rerankServer } from '../../src/ports/rerank/rerank.ts'
import { search } from '../../src/search/search.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'
import { type RerankingServer, rerankingServer, type Script } from '../support/rerank-server.ts'

let database: TestDatabase
let db: Db
let server: RerankingServer
let caller: Caller & { userId: string }
let id: string
const log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  server = await rerankingServer()
  caller = await someone(db)
  id = await workspaceFor(db, caller)
  const texts = Array.from({ length: 60 }, (_, n) => `harbour notice${n} word${n} ${'filler '.repeat(n)}`)
  await putDocument(db, id, randomUUID(), pages([...texts, `harbour ${'x '.repeat(30)} best of all`]))
  await settle(db, id)
})
afterAll(async () => {
  await server.close()
  await db.close()
  await database.close()
})
beforeEach(() => {
  server.requests.length = 0
  server.next.length = 0
})

async function ask(timeoutMs: number | undefined, query = 'harbour', limit = 5): Promise<string[]> {
  const reranker =
    timeoutMs === undefined
      ? undefined
      : rerankServer({ url: server.url, model: 'm', key: undefined, timeoutMs, pauseMs: 0 }, log)
  const settings = { siteUrl: '', consoleDir: undefined }
  const deps = {
    db,
    log,
    embedder: async () => ({ kind: 'none' as const }),
    reranker: async () => reranker,
    settings,
  }
  return (await search(deps, caller, id, { query, limit })).data.map(({ text }) => text)
}

test('the best of the fifty that were read comes first, the others keep their order', async () => {
  const before = await ask(undefined)
  const after = await ask(30_000)
  expect(before.join()).not.toContain('best of all')
  expect(after[0]).toContain('best of all')
  expect(after.slice(1)).toEqual(before.slice(0, 4))
  expect(server.requests.map(({ body }) => body.documents?.length)).toEqual([50])
})

test('nothing found: the reranker is not called', async () => {
  expect(await ask(30_000, 'zebra')).toEqual([])
  expect(server.requests).toEqual([])
})

const failures: [string, Script][] = [
  ['429', { status: 429 }],
  ['silence', 'silence'],
  ['the wrong number', { answer: () => '{"results":[{"index":0,"relevance_score":1}]}' }],
  [
    'NaN',
    {
      answer: (scores) =>
        JSON.stringify({ results: scores.map((_, index) => ({ index, relevance_score: Number.NaN })) }),
    },
  ],
]

test.each(failures)('F-17: %s: the order without it', async (_, script) => {
  server.next.push(script)
  expect(await ask(script === 'silence' ? 200 : 30_000)).toEqual(await ask(undefined))
  if (script !== 'silence') expect(server.next).toEqual([])
})
