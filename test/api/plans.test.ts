// The plans of search's statements as readable snapshots: a lost index shows. Without costs and row counts, on a table
// large enough that every planner prefers the index, with fresh statistics and sequential scans discouraged.

import { randomUUID } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { selectEndingWords, selectFrequencies, selectSimilarWords } from '../../src/search/query/query.sql.ts'
import { phrasesOf } from '../../src/search/query/query.ts'
import { selectCandidates, selectLandings, selectPassages } from '../../src/search/search.sql.ts'
import { termHash } from '../../src/search/weights.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'

let database: TestDatabase
let db: Db
/** As a request has it: on a server behind the policies, where an index by && or an expression is easily lost. */
let own: Db
let id: string

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  const caller = await someone(db)
  // Most of the table in one workspace, as where candidates by term are asked for (search/candidates.ts).
  for (const documents of [1, 5]) {
    id = await workspaceFor(db, caller)
    for (let document = 0; document < documents; document++) {
      const texts = Array.from({ length: 500 }, (_, n) => `common item${document * 500 + n} word${n % 50}`)
      await putDocument(db, id, randomUUID(), pages(texts))
    }
    await settle(db, id)
  }
  await insertNames(db)
  await db.rows(raw('ANALYZE'))
  own = db.as({ account: caller.userId, among: [id] })
})
afterAll(async () => {
  await db.close()
  await database.close()
})

/** Each chunk names one of 400 people. */
async function insertNames(on: Db): Promise<void> {
  await on.rows(sql`
    INSERT INTO document_graph (workspace_id, version_id, document_id, state, settled)
    SELECT workspace_id, id, document_id, 'live', true FROM version`)
  await on.rows(sql`
    INSERT INTO mention (workspace_id, version_id, chunk_no, mention_no, entity_id, key, surface, own, type,
      start_at, end_at)
    SELECT workspace_id, version_id, chunk_no, 0, md5((chunk_no % 400)::text)::uuid, 'k', 's', true, 'person', 0, 1
    FROM chunk`)
  await on.rows(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    SELECT DISTINCT workspace_id, entity_id, 'k', 's', 's', 'person', 10, 2, '{}'::text[], '{}'::text[], '{}'::text[]
    FROM mention`)
}

/** Which indexes the statements of `ask` use, in the order of their plans, and what is read without one. */
async function accessOf(ask: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  return own.tx(async (tx) => {
    await tx.rows(raw('SET LOCAL enable_seqscan = off'))
    await tx.rows(raw('SET LOCAL plan_cache_mode = force_custom_plan'))
    const found: string[] = []
    const explaining: Queryable = {
      rows: async <T extends object>(statement: Sql): Promise<T[]> => {
        const plan = await tx.rows<{ 'QUERY PLAN': string }>(sql`EXPLAIN (COSTS OFF) ${statement}`)
        for (const line of plan.map((row) => row['QUERY PLAN'])) found.push(...accessIn(line))
        return tx.rows<T>(statement)
      },
    }
    await ask(explaining)
    return [...new Set(found)].sort()
  })
}

/** `chunk by chunk_terms` of one line of a plan. */
function accessIn(line: string): string[] {
  const index = /Index (?:Only )?Scan(?: Backward)? using (\w+) on (\w+)/.exec(line)
  if (index) return [`${index[2]} by ${index[1]}`]
  const bitmap = /Bitmap Index Scan on (\w+)/.exec(line)
  if (bitmap) return [`bitmap of ${bitmap[1]}`]
  const whole = /Seq Scan on (\w+)/.exec(line)
  if (whole) return [`all of ${whole[1]}`]
  const made = /Function Scan on (\w+)/.exec(line)
  return made ? [`rows of ${made[1]}`] : []
}

const hashes = ['common', 'item7'].map(termHash)
const side = `{${hashes
  .toSorted((a, b) => a - b)
  .map((hash) => `${hash}:1`)
  .join(',')}}/1000000000`
const open = { filter: {}, phrases: [], side, meaning: undefined, limit: 200 }

test('frequencies read one row a term', async () => {
  expect(await accessOf((tx) => selectFrequencies(tx, id, hashes))).toContain('term_stat by term_stat_pkey')
})

test('words spelled alike come from the indexes on first and last letters', async () => {
  const access = await accessOf((tx) =>
    selectSimilarWords(tx, id, [{ start: 'item7', end: 'tem79', length: 6 }]),
  )
  expect(access.join()).toMatch(/term_stat_start/)
  expect(access.join()).toMatch(/term_stat_end/)
  const ending = await accessOf((tx) => selectEndingWords(tx, id, ['tem79']))
  expect(ending.join()).toMatch(/term_stat_end/)
})

/** What the function does inside, under its own settings: a plan of its own that EXPLAIN of its caller does not show. */
async function accessInside(held: Sql): Promise<string[]> {
  const [made] = await db.rows<{ source: string; settings: string[] }>(
    sql`SELECT prosrc AS source, proconfig AS settings FROM pg_proc
        WHERE oid = 'chunks_holding(uuid, integer[], text[])'::regprocedure`,
  )
  expect(made?.source).toContain('c.lex FROM visible_chunk c WHERE ')
  expect(made?.source).toContain(' OFFSET 0) k WHERE k.workspace_id = $1')
  expect(made?.settings).toEqual(['enable_seqscan=off'])
  return accessOf((tx) =>
    tx.rows(sql`
      SELECT k.* FROM (
        SELECT c.workspace_id, c.version_id, c.chunk_no, c.id, c.lex FROM visible_chunk c WHERE ${held} OFFSET 0
      ) k WHERE k.workspace_id = ${id}`),
  )
}

test('candidates by term come from the GIN index, none is scored twice', async () => {
  const holding = { oneOf: [termHash('item7')], allOf: [hashes] }
  const access = await accessOf((tx) => selectCandidates(tx, id, { ...open, holding }))
  expect(access).toContain('rows of chunks_holding')
  expect(access.filter((line) => line.startsWith('all of') || line.startsWith('chunk by'))).toEqual([])
  for (const held of [
    sql`c.terms && ${hashes}::int[]`,
    sql`c.terms @> ${hashes}::int[] OR c.terms && ${hashes}::int[]`,
  ])
    expect(await accessInside(held)).toEqual(['bitmap of chunk_terms'])
})

test('a phrase is looked for in the chunks that hold its words', async () => {
  const phrases = phrasesOf('"common item7"')
  const wanted = { ...open, phrases, holding: { oneOf: [], allOf: phrases[0]?.terms ?? [] } }
  const access = await accessOf((tx) => selectCandidates(tx, id, wanted))
  expect(access).toContain('rows of chunks_holding')
  expect(access.filter((line) => line.startsWith('all of'))).toEqual([])
  expect((await selectCandidates(own, id, wanted)).length).toBe(1)
})

test('a scan reads the chunks of the workspace alone', async () => {
  const access = await accessOf((tx) => selectCandidates(tx, id, { ...open, holding: undefined }))
  expect(access.join()).toMatch(/chunk_(pkey|id)/)
  expect(access.filter((line) => line.startsWith('all of') || line.includes('chunk_terms'))).toEqual([])
})

test('an entity filter is driven from its mentions', async () => {
  const [row] = await db.rows<{ id: string }>(sql`SELECT md5('7')::uuid AS id`)
  const filter = { entityIds: [row?.id ?? ''] }
  const access = await accessOf((tx) => selectCandidates(tx, id, { ...open, filter, holding: undefined }))
  expect(access.join()).toMatch(/mention_entity/)
  expect(access.filter((line) => line.startsWith('all of'))).toEqual([])
})

test('passages and second hops are read by id', async () => {
  const [row] = await db.rows<{ chunk_id: string; document_id: string }>(
    sql`SELECT id AS chunk_id, document_id FROM chunk WHERE workspace_id = ${id} ORDER BY id LIMIT 1`,
  )
  const stone = { chunk_id: row?.chunk_id ?? '', document_id: row?.document_id ?? '', side }
  const passages = await accessOf((tx) => selectPassages(tx, id, [stone.chunk_id]))
  expect(passages.join()).toMatch(/chunk_id/)
  const wanted = { ...open, stones: [stone], documents: 5, limit: 200 }
  const access = await accessOf((tx) => selectLandings(tx, id, wanted))
  for (const index of ['chunk_id', 'mention_pkey', 'mention_entity'])
    expect(access.join()).toMatch(new RegExp(index))
  expect(access.filter((line) => line.startsWith('all of'))).toEqual([])
})
