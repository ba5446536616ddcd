// The ranking equals a BM25 written here, on random documents, also after replacing and deleting, whether their
// frequencies are folded or not (design/search.md: candidates, then one exact score).

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/auth/caller.ts'
import { retireDocument } from '../../src/documents/documents.sql.ts'
import { chunkDocument } from '../../src/ingest/chunk/chunk.ts'
import { foldStep, selectUnsettled, sweepStep } from '../../src/ingest/work/fold.sql.ts'
import { insertChunks, insertVersion, publishVersion } from '../../src/ingest/work/index.sql.ts'
import { analyse } from '../../src/language/analyse.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { selectFrequencies } from '../../src/search/search.sql.ts'
import { findPassages } from '../../src/search/search.ts'
import { lexicalSide, termHash } from '../../src/search/weights.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Db
const caller: Caller = { auth: 'session', id: randomUUID(), userId: randomUUID(), scopes: ['knowledge:read'] }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash) VALUES (${caller.userId}, 'a@b.c', 'a@b.c', '')`)
})
afterAll(async () => {
  await db.close()
  await database.close()
})

async function workspace(): Promise<string> {
  const id = randomUUID()
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  await db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${caller.userId}, 'viewer')`,
  )
  return id
}

const vocabulary = 'pump valve motor harbour lease notice rudder cleat mooring winch'.split(' ')
const title = 'paper'

/** Writes a version as the pipeline does and publishes it; returns its chunk texts by id. */
async function put(workspaceId: string, documentId: string, texts: string[]): Promise<Map<string, string>> {
  const key = { workspaceId, documentId, versionId: randomUUID() }
  const blocks = texts.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 }))
  const chunks = chunkDocument(documentId, { blocks }).map((chunk) => ({ ...chunk, language: 'en' as const }))
  await insertVersion(db, key)
  const rows = chunks.map((chunk, i) => ({
    ...chunk,
    ...lexicalSide({ ...chunk, title }),
    chunk_no: i,
    html: null,
    boxes: null,
  }))
  if (rows.length) await insertChunks(db, key, rows)
  await db.tx((tx) =>
    publishVersion(tx, key, {
      path: documentId,
      title,
      title_key: title,
      kind: 'text',
      content_hash: key.versionId,
      language: 'en',
      pages: null,
      chunk_count: chunks.length,
      has_tables: false,
      uploaded_at: new Date(),
    }),
  )
  return new Map(chunks.map(({ id, text }) => [id, text]))
}

async function settle(workspaceId: string, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const version = await selectUnsettled(db, workspaceId)
    if (!version) return
    if (version.state === 'live' || version.folded > 0) await foldStep(db, workspaceId, version.id)
    else await sweepStep(db, workspaceId, version.id)
  }
}

/** BM25 with k1 1.2, b .75, length 120, title counted three times, pairs at .25: written apart from the product. */
function reference(chunks: Map<string, string>, query: string): Map<string, number> {
  const bags = new Map([...chunks].map(([id, text]) => [id, bag(text)]))
  const scores = new Map<string, number>()
  const weights = new Map(
    [...analyse(query, 'en')].map(({ term, kind }) => [term, kind === 'pair' ? 0.25 : 1]),
  )
  for (const [term, weight] of weights) {
    const df = [...bags.values()].filter(({ counts }) => counts.has(term)).length
    const idf = Math.log(1 + (bags.size - df + 0.5) / (df + 0.5))
    for (const [id, { counts, length }] of bags) {
      const tf = counts.get(term) ?? 0
      if (tf === 0) continue
      const score = (weight * idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / 120))
      scores.set(id, (scores.get(id) ?? 0) + score)
    }
  }
  return scores
}

function bag(text: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>()
  let length = 0
  for (const [part, times] of [
    [title, 3],
    [text, 1],
  ] as const) {
    for (const { term, kind } of analyse(part, 'en')) {
      counts.set(term, (counts.get(term) ?? 0) + times)
      if (kind === 'word') length += times
    }
  }
  return { counts, length }
}

const text = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 30 })
  .map((words) => words.join(' '))
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ put: fc.nat(3), texts: fc.array(text, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ settle: fc.integer({ min: 1, max: 6 }) }) },
)

test('search equals the reference after every change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), text, async (changes, query) => {
      const id = await workspace()
      const documents = Array.from({ length: 4 }, () => randomUUID())
      const live = new Map<string, Map<string, string>>()
      for (const step of changes) {
        if ('put' in step) {
          const documentId = documents[step.put] ?? ''
          live.set(documentId, await put(id, documentId, step.texts))
        } else if ('remove' in step) {
          const documentId = documents[step.remove] ?? ''
          await db.tx((tx) => retireDocument(tx, id, documentId))
          live.delete(documentId)
        } else await settle(id, step.settle)
        const chunks = new Map([...live.values()].flatMap((texts) => [...texts]))
        await expectSame(id, chunks, query)
      }
    }),
    { numRuns: 40 },
  )
})

async function expectSame(workspaceId: string, chunks: Map<string, string>, query: string): Promise<void> {
  const found = await findPassages({ db }, caller, workspaceId, { query, limit: 20 })
  const wanted = reference(chunks, query)
  for (const { chunk_id, score } of found) expect(score).toBeCloseTo(wanted.get(chunk_id) ?? 0, 3)
  // Near-duplicates are left out, so the order is compared among those found, and the best is always there.
  const order = found.map(({ score }) => score)
  expect([...order].sort((a, b) => b - a)).toEqual(order)
  const best = Math.max(0, ...wanted.values())
  expect(found[0]?.score ?? 0).toBeCloseTo(best, 3)
}

test('frequencies are the same before, while and after they are folded', async () => {
  const id = await workspace()
  const many = Array.from({ length: 12_000 }, (_, i) => `term${i}x`)
  const documentId = randomUUID()
  // Two documents share every tenth term; 12,000 terms take three batches to fold.
  for (const document of [documentId, randomUUID()]) {
    const own = document === documentId ? many : many.filter((_, i) => i % 10 === 0)
    await put(id, document, [
      own.slice(0, 390).join(' '),
      ...chunked(own.slice(390), 390).map((part) => part.join(' ')),
    ])
  }
  const probes = [0, 10, 11, 5000, 11_990, 11_999].map((i) => termHash(`term${i}x`))
  const expected = [2, 2, 1, 2, 2, 1]
  const frequencies = async (): Promise<number[]> => {
    const rows = await selectFrequencies(db, id, probes)
    return probes.map((term) => rows.find((row) => row.term === term)?.df ?? -1)
  }
  for (let step = 0; step < 8; step++) {
    expect(await frequencies()).toEqual(expected)
    await settle(id, 1)
  }
  await db.tx((tx) => retireDocument(tx, id, documentId))
  for (let step = 0; step < 60; step++) {
    expect(await frequencies()).toEqual([1, 1, 0, 1, 1, 0])
    await settle(id, 1)
  }
  expect(await selectUnsettled(db, id)).toBeUndefined()
  const [left] = await db.rows(
    sql`SELECT count(*)::int AS n FROM chunk WHERE workspace_id = ${id} AND document_id = ${documentId}`,
  )
  expect(left).toEqual({ n: 0 })
})

const chunked = <Item>(items: Item[], size: number): Item[][] =>
  items.length ? [items.slice(0, size), ...chunked(items.slice(size), size)] : []

test('a quoted phrase is required, whatever ranks above it', async () => {
  const id = await workspace()
  const many = Array.from({ length: 60 }, (_, i) => `notice lease notice lease motor${i} notice`)
  await put(id, randomUUID(), [
    ...many,
    'a long tale of winches in which the lease notice stands once among other words',
  ])
  const found = await findPassages({ db }, caller, id, { query: '"the  Lease notice"', limit: 5 })
  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining('the lease notice stands')])
})

test('near-duplicates do not crowd out the rest', async () => {
  const id = await workspace()
  for (let i = 0; i < 30; i++) await put(id, randomUUID(), ['pump valve motor rudder cleat winch mooring'])
  await put(id, randomUUID(), ['pump repairs are paid by the harbour'])
  const found = await findPassages({ db }, caller, id, { query: 'pump valve motor', limit: 2 })
  expect(found.map(({ text }) => text)).toEqual([
    'pump valve motor rudder cleat winch mooring',
    'pump repairs are paid by the harbour',
  ])
})
