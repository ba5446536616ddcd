// Row-level security (docs/decisions/0017-row-level-security.md): with the access checks of the code removed, requests on a server
// still read and write nothing of another workspace. The embedded engine has no row-level security, so nothing runs there.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type * as access from '../../src/auth/access.ts'
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { ON_CITUS } from '../support/database.ts'
import { fill } from '../support/filled.ts'
import {
  askPlainly,
  giveAway,
  join,
  leave,
  plant,
  tamper,
  workspacesIn,
  workspaceTables,
} from '../support/isolation.sql.ts'
import { setRole } from '../support/rows.sql.ts'
import { type Contents, pathOf, validBody } from '../support/world.ts'

const wall = vi.hoisted(() => ({ first: true }))
vi.mock('../../src/auth/access.ts', async (load) => {
  const real = await load<typeof access>()
  const requireWorkspace: typeof access.requireWorkspace = (...given) =>
    wall.first ? real.requireWorkspace(...given) : Promise.resolve('owner')
  return { ...real, requireWorkspace }
})

let app: TestApp
let pool: ParserPool
let me: Person
let mine: Contents
let theirs: Contents
/** The database bound to me, as in a request. */
let own: Db
let tables: { name: string; key: string; guarded: boolean }[]

const onServer = describe.runIf(process.env.DATABASE_URL)
if (process.env.DATABASE_URL) {
  beforeAll(async () => {
    app = await testApp()
    pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
    me = await app.person()
    const note = (text: string) => [{ name: 'note.md', text }]
    mine = await fill(app, pool, me, note('# Mine\n\nIngrid Solheim works for Halden Harbour Ltd.\n'))
    const quarry = '# Theirs\n\nOtto Zaffre leases the harbour of Zaffre Quarry Ltd.\n'
    theirs = await fill(app, pool, await app.person(), note(quarry))
    own = app.deps.db.as({ account: me.id })
    tables = await workspaceTables(app.deps.db)
  })
  afterAll(async () => {
    await pool.close()
    await app.close()
  })
}

const refused = { code: '42501' } // insufficient_privilege: also of a policy's WITH CHECK

onServer('statements that name no workspace', () => {
  test('see only rows of my workspace, in every table', async () => {
    const filled: string[] = []
    for (const { name, key } of tables) {
      const all = await workspacesIn(app.deps.db, name, key)
      if (all.includes(theirs.workspace_id)) filled.push(name)
      expect(await workspacesIn(own, name, key), name).toEqual(all.filter((id) => id === mine.workspace_id))
    }
    // Otherwise there would have been nothing to see.
    expect(filled).toEqual(
      expect.arrayContaining([
        'chunk',
        'document',
        'entity',
        'idempotency',
        'job',
        'member',
        'mention',
        'scope',
        'turn',
      ]),
    )
    expect(filled.length).toBeGreaterThan(18)
  })

  test('see nothing of my workspace either while another one is addressed', async () => {
    const elsewhere = await app.workspace(me)
    const there = app.deps.db.as({ account: me.id, workspaceIds: [elsewhere] })
    for (const { name, key } of tables.filter(({ name }) => name !== 'idempotency')) {
      expect(
        (await workspacesIn(there, name, key)).filter((id) => id !== elsewhere),
        name,
      ).toEqual([])
    }
  })

  test('see nothing for an account without workspaces, or a key without any', async () => {
    for (const actor of [{ account: crypto.randomUUID() }, { account: me.id, workspaceIds: [] }]) {
      for (const { name, key } of tables.filter(({ name }) => name !== 'idempotency'))
        expect(await workspacesIn(app.deps.db.as(actor), name, key), name).toEqual([])
    }
  })

  test('update and delete nothing of theirs', async () => {
    for (const { name, key } of tables)
      expect(await tamper(own, name, key, theirs.workspace_id), name).toBe(0)
  })

  test('insert nothing there, and do not make me a member', async () => {
    await expect(plant(own, theirs.workspace_id)).rejects.toMatchObject(refused)
    await expect(join(own, theirs.workspace_id, me.id)).rejects.toMatchObject(refused)
    // Citus lets nobody move a row to another workspace.
    const moved = ON_CITUS ? { code: '0A000', message: expect.stringContaining('partition value') } : refused
    await expect(giveAway(own, mine.workspace_id, theirs.workspace_id)).rejects.toMatchObject(moved)
  })

  test('accept only UUIDs as the ids of an actor', () => {
    expect(() => app.deps.db.as({ account: `' OR true --` })).toThrow(/UUID/)
    expect(() => app.deps.db.as({ account: me.id, workspaceIds: [`{${me.id}}`] })).toThrow(/UUID/)
  })

  test('lose a workspace with the role in it: the next statement does not see it', async () => {
    const guest = await app.person()
    const asGuest = app.deps.db.as({ account: guest.id })
    await setRole(app.deps.db, mine.workspace_id, guest.id, 'viewer')
    expect(await workspacesIn(asGuest, 'document', 'workspace_id')).toEqual([mine.workspace_id])
    await leave(own, mine.workspace_id, guest.id)
    expect(await workspacesIn(asGuest, 'document', 'workspace_id')).toEqual([])
  })

  test('cannot read passwords, tokens and other secrets', async () => {
    for (const table of [
      'session',
      'access_token',
      'token_grant',
      'password_reset',
      'installation',
      'account_identity',
    ])
      await expect(askPlainly(own, `SELECT 1 FROM ${table}`), table).rejects.toMatchObject(refused)
    await expect(askPlainly(own, 'SELECT password_hash FROM account')).rejects.toMatchObject(refused)
    await expect(askPlainly(own, 'SELECT hash FROM api_key')).rejects.toMatchObject(refused)
  })

  test('leave the connection as it was, whether they succeed or fail', async () => {
    const db = openDb(app.connection, { max: 1 })
    const bound = db.as({ account: me.id })
    const who = `SELECT current_user = session_user AS is_owner, current_setting('kenning.account', true) AS account`
    const inside = await askPlainly(bound, who)
    expect(inside).toEqual([{ is_owner: false, account: me.id }])
    await expect(askPlainly(bound, 'SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' })
    await expect(bound.tx((tx) => askPlainly(tx, 'SELECT 1 / 0'))).rejects.toMatchObject({ code: '22012' })
    expect(await bound.tx((tx) => askPlainly(tx, who))).toEqual(inside)
    expect(await askPlainly(db, who)).toEqual([{ is_owner: true, account: '' }])
    await db.close()
  })
})

onServer('rooms that ask nobody for access', () => {
  /** The rows of their workspace, as the owner of the tables counts them. */
  const held = async (): Promise<number[]> => {
    const counts: number[] = []
    for (const { name, key } of tables) {
      const [row] = await askPlainly(
        app.deps.db,
        `SELECT count(*)::int AS count FROM ${name} WHERE ${key} = '${theirs.workspace_id}'`,
      )
      counts.push((row as { count: number }).count)
    }
    return counts
  }

  /** My request for something of theirs. */
  const trespass = async (server: TestApp['server'], id: EndpointId, token: string) => {
    const { payload, body, headers } = validBody(id)
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
    return server.inject({
      method: endpoints[id].method,
      url: pathOf(id, theirs),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { payload: sent }),
    })
  }
  const THEIRS = /Harbour|Zaffre|Theirs|note\.md/

  beforeAll(() => {
    wall.first = false
  })
  afterAll(() => {
    wall.first = true
  })

  test('show and change nothing of theirs, on any route', async () => {
    const token = await app.token(me)
    const before = await held()
    const ok: string[] = []
    for (const id of Object.keys(endpoints) as EndpointId[]) {
      const answer = await trespass(app.server, id, token)
      expect(answer.body, id).not.toMatch(THEIRS)
      if (answer.statusCode < 300) ok.push(id)
    }
    // The rooms answered, with nothing.
    expect(ok).toEqual(expect.arrayContaining(['listDocuments', 'search', 'listEntities', 'getThemes']))
    expect(await held()).toEqual(before)
    // What they tried to write was refused by the database, which is an internal error.
    app.errors.length = 0
  })

  test('would show them without row-level security', async () => {
    const { db } = app.deps
    const open = await buildServer({ ...app.deps, db: { ...db, as: () => db } })
    const token = await app.token(me)
    for (const id of ['listDocuments', 'search', 'listEntities', 'getEntity', 'readDocument'] as const) {
      const answer = await trespass(open, id, token)
      expect([answer.statusCode, THEIRS.test(answer.body)], id).toEqual([200, true])
    }
    await open.close()
  })
})
