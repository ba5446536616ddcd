// Neighbourhoods of hubs: how much of the graph a request reads is bounded.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import type { Db } from '../ports/db/db.ts'
import { openDb } from '../ports/db/postgres.ts'
import { selectRelations } from './graph.sql.ts'
import { entityId } from './names.ts'

const LEAVES = 1100
const LIMIT = 1000
const workspace = randomUUID()
const id = (name: string): string => entityId(workspace, name)

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  const leaves = Array.from({ length: LEAVES }, (_, i) => id(`leaf ${i}`))
  const ends = Array.from({ length: LEAVES }, (_, i) => id(`end ${i}`))
  // The hub has more evidence for the first leaves; each leaf leads to an end, the first to all of them.
  await db.rows(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    SELECT ${workspace}::uuid, r.id, 'k', 'n', 'n', 'other', 1, 1, '{}', '{}', '{}'
    FROM unnest(${[id('hub'), ...leaves, ...ends]}::uuid[]) AS r (id)`)
  await db.rows(sql`
    INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
    SELECT ${workspace}::uuid, ${id('hub')}::uuid, 'knows', r.id, CASE WHEN r.n <= 1000 THEN 2 ELSE 1 END
    FROM unnest(${leaves}::uuid[]) WITH ORDINALITY AS r (id, n)
    UNION ALL SELECT ${workspace}::uuid, l.id, 'owns', e.id, 5
    FROM unnest(${leaves}::uuid[]) WITH ORDINALITY AS l (id, n)
    JOIN unnest(${ends}::uuid[]) WITH ORDINALITY AS e (id, n) ON e.n = l.n
    UNION ALL SELECT ${workspace}::uuid, ${leaves[0]}::uuid, 'part_of', e.id, 1 FROM unnest(${ends}::uuid[]) AS e (id)`)
})
afterAll(async () => {
  await db?.close()
  await database?.close()
})

const relations = (depth: number, limit = LIMIT) =>
  selectRelations(db, workspace, { entityId: id('hub'), direction: 'out', depth, limit })

test('one step: the relations with most evidence', async () => {
  const found = await relations(1)
  expect(found).toHaveLength(LIMIT)
  expect(new Set(found.map(({ evidence_count }) => evidence_count))).toEqual(new Set([2]))
})

test('two steps start at the ends with most evidence and read a limited number of each', async () => {
  const read = await relations(2, LIMIT)
  expect(read).toHaveLength(LIMIT)
  expect(new Set(read.map(({ type }) => type))).toEqual(new Set(['owns']))
  // The ends of the weakest leaves are not reached through them.
  const weak = new Set(Array.from({ length: LEAVES - LIMIT }, (_, i) => id(`end ${LIMIT + i}`)))
  expect(read.filter(({ entity }) => weak.has(entity.id))).toEqual([])
  expect(await relations(2)).toEqual(read)
})

test('the order does not depend on the limit', async () => {
  const few = await relations(1, 10)
  expect(few).toEqual((await relations(1)).slice(0, 10))
})
