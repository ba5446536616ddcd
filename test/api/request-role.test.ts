// The role of requests on a server: created if that is permitted, refused if the policies do not bind it. On the embedded
// engine, which has one session and one user, only the policies are checked.

import { randomBytes, randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { termHash } from '../../src/index/weights.ts'
import { REQUEST_ROLE } from '../../src/ports/db/actor.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { migrate } from '../../src/ports/db/migrate.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { prepared } from '../../src/ports/db/prepared.sql.ts'
import { prepareRequestRole, RequestRoleUnusable } from '../../src/ports/db/request-role.ts'
import { selectCandidates, selectRanked } from '../../src/search/candidates/candidates.sql.ts'
import { readRanking } from '../../src/search/memory/memory.ts'
import { selectBest } from '../../src/search/memory/ranking.ts'
import { selectPassages } from '../../src/search/passage.sql.ts'
import { findPassages } from '../../src/search/search.ts'
import { ON_CITUS, type TestDatabase, testDatabase } from '../support/database.ts'
import { staleViews, workspaceTables } from '../support/isolation.sql.ts'
import { keptPlan } from '../support/plan.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection, { max: 3 })
})
afterAll(async () => {
  await db.close()
  await database.close()
})

test('every table whose rows belong to a workspace has a policy: SELECT isolate_by_workspace(…) in its migration', async () => {
  const tables = await workspaceTables(db)
  expect(tables.length).toBeGreaterThan(25)
  expect(tables.filter(({ guarded }) => !guarded).map(({ name }) => name)).toEqual([])
})

test('the `visible_` views have the columns of their tables', async () => {
  expect(await staleViews(db)).toEqual([])
})

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** An account with a workspace of one document. */
async function placed() {
  const caller = await someone(db)
  const id = await workspaceFor(db, caller)
  await putDocument(db, id, randomUUID(), pages(['pump']))
  await settle(db, id)
  return { caller, account: caller.userId, id }
}

/** One document and chunk each: the planner then expects one row of any workspace, and every index costs the same. */
async function insertSmallWorkspaces(on: Db, count: number): Promise<void> {
  await on.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash, language,
      chunk_count, has_tables, uploaded_at)
    SELECT md5('w' || n)::uuid, md5('d' || n)::uuid, md5('v' || n)::uuid, 'a', 'A', 'a', 'upload', 'text', 'h', 'en', 1,
      false, now()
    FROM generate_series(1, ${count}::int) AS n`)
  await on.rows(sql`
    INSERT INTO version (workspace_id, id, document_id, state, folded, settled)
    SELECT workspace_id, version_id, id, 'live', 1, true FROM document WHERE path = 'a'`)
  await on.rows(sql`
    INSERT INTO chunk (workspace_id, version_id, chunk_no, id, document_id, type, text, heading, language, lex, terms, words)
    SELECT workspace_id, version_id, 0, id, id, 'text', 'a', '', 'en', '{1:1}/1000000000', '{1}', '{a}'
    FROM document WHERE path = 'a'`)
  await on.rows(sql`
    INSERT INTO term_stat (workspace_id, term, word, df) SELECT workspace_id, 1, 'a', 1 FROM document WHERE path = 'a'`)
  await on.rows(raw('ANALYZE'))
}

describe.runIf(process.env.DATABASE_URL)('the role of requests', () => {
  const say = (text: string) => db.rows(raw(text))

  /** The error of a start while the role is not bound. */
  const refusal = () => prepareRequestRole(db).then(() => 'accepted', String)

  test('is bound by every policy, and preparing it again changes nothing', async () => {
    expect(await refusal()).toBe('accepted')
    expect(await Promise.all([refusal(), refusal()])).toEqual(['accepted', 'accepted'])
  })

  test('is refused if a policy is disabled, and the table is named', async () => {
    await say('ALTER TABLE edge DISABLE ROW LEVEL SECURITY')
    expect(await refusal()).toMatch(/does not bind the role kenning_app on edge:.*NOSUPERUSER NOBYPASSRLS/s)
    await say('ALTER TABLE edge ENABLE ROW LEVEL SECURITY')
  })

  test('is refused if it owns a table, since policies do not bind owners', async () => {
    await say(`ALTER TABLE edge OWNER TO ${REQUEST_ROLE}`)
    expect(await refusal()).toMatch(/on edge:/)
    await say('ALTER TABLE edge OWNER TO CURRENT_USER')
    expect(await refusal()).toBe('accepted')
  })

  test('is bound in kept plans too: each actor in turn reads its own rows', async () => {
    const [one, other] = await Promise.all([0, 1].map(placed))
    if (!one || !other) throw new Error('two are needed')
    const connection = openDb(database.session, { max: 1 })
    // Without a condition, like a room with a bug; on the table, on its view, and as an UPDATE.
    const statements = [
      prepared(sql`SELECT DISTINCT workspace_id AS id FROM chunk WHERE chunk_no >= ${0} ORDER BY 1`),
      prepared(sql`SELECT DISTINCT workspace_id AS id FROM visible_chunk WHERE chunk_no >= ${0} ORDER BY 1`),
      prepared(sql`UPDATE document SET pages = ${3} RETURNING workspace_id AS id`),
    ]
    for (const statement of statements) {
      const all = [one.id, other.id].sort().map((id) => ({ id }))
      const whole = async () => (await connection.rows<{ id: string }>(statement)).map(({ id }) => ({ id }))
      // The plan is made first by the owner, whom no policy binds.
      expect((await whole()).sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(all)
      for (let turn = 0; turn < 8; turn++)
        for (const { id, account } of [one, other]) {
          const own = connection.as({ account })
          expect(await own.rows(statement)).toEqual([{ id }])
          expect(await own.tx((tx) => tx.rows(statement))).toEqual([{ id }])
        }
      expect(await connection.as({ account: one.account, workspaceIds: [other.id] }).rows(statement)).toEqual(
        [],
      )
      expect(await whole()).toHaveLength(2)
    }
    const plans = await connection.rows(
      sql`SELECT generic_plans > 0 AS prepared FROM pg_prepared_statements WHERE starts_with(statement, '/* prepared */')`,
    )
    // A node of a Citus plans what is sent to it with the values.
    if (!ON_CITUS) expect(plans).toEqual(statements.map(() => ({ prepared: true })))
    await connection.close()
  })

  // For the same reason there is none on a Citus.
  test.skipIf(ON_CITUS)(
    'the kept plans of a search look up rows by keys, however large the workspace is',
    async () => {
      const { id, account, caller } = await placed()
      await insertSmallWorkspaces(db, 2000)
      const connection = openDb(database.session, { max: 1 })
      const own = connection.as({ account })
      const needs = { db: own, log: silent, embedder: async () => ({ kind: 'none' as const }) }
      // In a workspace this small a search uses no candidates, and reads no passage by its id.
      const hash = termHash('pump')
      const meaning = {
        strength: 'weak' as const,
        weight: 0.1,
        space: { id: 1, dimensions: 1, index: null },
        vector: '[1]',
      }
      const wanted = {
        filter: {},
        phrases: [],
        queryVector: `{${hash}:1}/1000000000`,
        chunks: 1,
        limit: 9,
        resultCount: 9,
      }
      const termFilter = { oneOf: [hash], allOf: [] }
      for (let turn = 0; turn < 8; turn++) {
        expect(await findPassages(needs, caller, id, { query: 'pump', limit: 3 })).toHaveLength(1)
        for (const weighed of [undefined, { query: meaning, factor: 0.3 }]) {
          const { hits } = await selectCandidates(own, id, { ...wanted, termFilter, meaning: weighed })
          expect(await selectPassages(own, id, [hits[0]?.chunk_id ?? ''], 1)).toEqual(hits)
          const ranking = (await readRanking(own, id))?.value ?? { segments: [], live: new Set<string>() }
          const query = { terms: Int32Array.of(hash), weights: Float32Array.of(1) }
          const best = selectBest(ranking, { query, limit: 9 })
          expect((await selectRanked(own, id, best, { ...wanted, meaning: weighed })).hits).toEqual(hits)
        }
      }
      const named = await connection.rows<{ name: string; parameters: number }>(
        sql`SELECT name, cardinality(parameter_types) AS parameters FROM pg_prepared_statements
        WHERE starts_with(statement, '/* prepared */')`,
      )
      const plans = await own.tx(async (tx) => {
        await tx.rows(raw('SET LOCAL plan_cache_mode = force_generic_plan'))
        const found: string[] = []
        for (const { name, parameters } of named) found.push(await keptPlan(tx, name, parameters))
        return found
      })
      const reads = plans
        .flatMap((plan) => plan.split('\n'))
        .filter((line) => / of (chunk|document|version|term_stat)\b/.test(line))
      expect(reads.length).toBeGreaterThan(10)
      // By a value found before, except for the few versions whose terms are not counted yet.
      const isLookedUp = (line: string): boolean =>
        / = \w+\.\w+\)/.test(line) || / by version_unsettled /.test(line)
      expect(reads.filter((line) => !isLookedUp(line))).toEqual([])
      await connection.close()
    },
  )

  test('is granted the tables of a later migration', async () => {
    await say("CREATE TABLE later (workspace_id uuid); SELECT isolate_by_workspace('later')")
    expect(await refusal()).toBe('accepted')
    expect(await db.as({ account: crypto.randomUUID() }).rows(raw('SELECT * FROM later'))).toEqual([])
    await say('CREATE TABLE forgotten (workspace_id uuid)')
    expect(await refusal()).toMatch(/on forgotten:/)
    await say('DROP TABLE later, forgotten')
  })
})

describe.runIf(process.env.DATABASE_URL)('a user of DATABASE_URL that is no superuser', () => {
  const user = `kenning_test_${randomBytes(6).toString('hex')}`
  let server: Db
  let url: string

  beforeAll(async () => {
    server = openDb({ url: process.env.DATABASE_URL ?? '' }, { max: 1 })
    await server.rows(raw(`CREATE ROLE ${user} LOGIN`))
    await server.rows(raw(`CREATE DATABASE ${user} OWNER ${user}`))
    const own = new URL(process.env.DATABASE_URL ?? '')
    own.pathname = `/${user}`
    const inside = openDb({ url: own.href }, { max: 1 })
    await inside.rows(raw('CREATE EXTENSION vector')) // only a superuser may create it
    await inside.close()
    own.username = user
    own.password = ''
    url = own.href
  })
  afterAll(async () => {
    await server.rows(raw(`DROP DATABASE IF EXISTS ${user} WITH (FORCE)`))
    await server.rows(raw(`DROP ROLE ${user}`))
    await server.close()
  })

  test('is told what an administrator has to run, and can start once that is done', async () => {
    const db = openDb({ url }, { max: 2 })
    await migrate(db)
    const refused = await prepareRequestRole(db).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RequestRoleUnusable)
    expect(String(refused)).toContain(`GRANT ${REQUEST_ROLE} TO "${user}";`)
    await server.rows(raw(`GRANT ${REQUEST_ROLE} TO "${user}"`))
    await prepareRequestRole(db)
    expect(
      await db.as({ account: crypto.randomUUID() }).rows(raw('SELECT current_user::text AS role')),
    ).toEqual([{ role: REQUEST_ROLE }])
    await db.close()
  })
})
