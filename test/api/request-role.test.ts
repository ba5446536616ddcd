// What a server must give before it is served from: the role that requests take, made where that is allowed, refused
// where the policies do not bind it. On the embedded engine, which has one session and one user, only the policies.

import { randomBytes } from 'node:crypto'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REQUEST_ROLE } from '../../src/ports/db/actor.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { migrate } from '../../src/ports/db/migrate.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { prepareRequestRole, RequestRoleUnusable } from '../../src/ports/db/request-role.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { staleViews, workspaceTables } from '../support/isolation.sql.ts'

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

test('the views of requests have the columns of their tables', async () => {
  expect(await staleViews(db)).toEqual([])
})

describe.runIf(process.env.DATABASE_URL)('the role of requests', () => {
  const say = (text: string) => db.rows(raw(text))

  /** Not bound: what the start says then. */
  const refusal = () => prepareRequestRole(db).then(() => 'accepted', String)

  test('is bound by every policy, and prepared again without a change', async () => {
    expect(await refusal()).toBe('accepted')
    expect(await Promise.all([refusal(), refusal()])).toEqual(['accepted', 'accepted'])
  })

  test('is refused when a policy is off, with the table', async () => {
    await say('ALTER TABLE edge DISABLE ROW LEVEL SECURITY')
    expect(await refusal()).toMatch(/does not bind the role kenning_app on edge:.*NOSUPERUSER NOBYPASSRLS/s)
    await say('ALTER TABLE edge ENABLE ROW LEVEL SECURITY')
  })

  test('is refused when it owns a table: an owner passes', async () => {
    await say(`ALTER TABLE edge OWNER TO ${REQUEST_ROLE}`)
    expect(await refusal()).toMatch(/on edge:/)
    await say('ALTER TABLE edge OWNER TO CURRENT_USER')
    expect(await refusal()).toBe('accepted')
  })

  test('is given what a later migration needs', async () => {
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
    await inside.rows(raw('CREATE EXTENSION vector')) // a superuser's to make
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

  test('is told what an administrator is to run, and served once that is done', async () => {
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
