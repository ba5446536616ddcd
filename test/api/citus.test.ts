// What holds on Citus beyond what all API tests say: where rows are, who can log in to a node, what a node shows, that the
// command can be run again, and that a workspace is served while it moves. Only with `npm run test:citus`.

import { connect } from 'node:net'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectMentioned } from '../../src/graph/document-entities.sql.ts'
import { DISTRIBUTED, REFERENCE } from '../../src/operator/distribute/layout.ts'
import { distributeDatabase } from '../../src/operator/distribute.ts'
import { REQUEST_ROLE } from '../../src/ports/db/actor.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { pages, putDocument, settle, someone, workspaceFor } from '../support/put.sql.ts'

const ports = (process.env.KENNING_CITUS_PORTS ?? '').split(',').filter(Boolean).map(Number)
const password = process.env.KENNING_NODE_PASSWORD ?? ''

describe.skipIf(ports.length === 0)('Citus', () => {
  let database: TestDatabase
  let db: Db
  let caller: Awaited<ReturnType<typeof someone>>
  const mine: string[] = []
  beforeAll(async () => {
    database = await testDatabase()
    db = openDb(database.connection)
    caller = await someone(db)
    for (let n = 0; n < 8; n++) {
      const id = await workspaceFor(db, caller, `00000000-0000-4000-8000-00000000000${n}`)
      mine.push(id)
      await putDocument(db, id, `00000000-0000-4000-9000-00000000000${n}`, pages([`Secret of number ${n}`]))
      await settle(db, id)
    }
  })
  afterAll(async () => {
    await db.close()
    await database.close()
  })

  const nameOf = (): string =>
    new URL('url' in database.connection ? database.connection.url : '').pathname.slice(1)

  /** Logs in to a node as the role of requests, from an address of this machine. */
  async function logIn(port: number, from: string, secret: string): Promise<pg.Client> {
    const socket = () => {
      // pg calls connect() itself; the local address has to be given then.
      const made = connect({ host: '127.0.0.1', port, localAddress: from })
      Object.assign(made, { connect: () => made })
      return made
    }
    const client = new pg.Client({ user: REQUEST_ROLE, password: secret, database: nameOf(), stream: socket })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  test('all rows of a workspace are on one node, and every node has some', async () => {
    const placed = await db.rows<{ name: string; kind: string; group: number }>(sql`
      SELECT table_name::text AS name, citus_table_type AS kind, colocation_id AS group FROM citus_tables`)
    const distributed = placed.filter(({ kind }) => kind === 'distributed')
    expect(distributed.map(({ name }) => name).sort()).toEqual([...DISTRIBUTED].sort())
    expect(new Set(distributed.map(({ group }) => group)).size).toBe(1)
    expect(placed.filter(({ kind }) => kind === 'reference').map(({ name }) => name)).toEqual([...REFERENCE])
    const held = await db.rows<{ port: number }>(sql`
      SELECT DISTINCT nodeport AS port FROM citus_shards s
      WHERE s.table_name = 'document'::regclass AND s.shardid IN (
        SELECT get_shard_id_for_distribution_column('document', w) FROM unnest(${mine}::uuid[]) AS w)`)
    expect(held.map(({ port }) => port).sort()).toEqual(ports.slice(1).sort())
  })

  test('the role of requests logs in to a worker from a node only, with the password of nodes, and nowhere else', async () => {
    const [coordinator = 0, ...workers] = ports
    for (const worker of workers) {
      await expect(logIn(worker, '127.0.0.9', password)).rejects.toThrow(/pg_hba.conf rejects/)
      await expect(logIn(worker, '127.0.0.1', 'a guess of somebody')).rejects.toThrow(
        /password authentication failed/,
      )
      const node = await logIn(worker, '127.0.0.1', password)
      expect((await node.query('SELECT session_user AS who')).rows).toEqual([{ who: REQUEST_ROLE }])
      await node.end()
    }
    await expect(logIn(coordinator, '127.0.0.1', password)).rejects.toThrow(/pg_hba.conf rejects/)
  })

  test('a node shows that role the rows of the workspaces that were said, of every table, and without any none', async () => {
    const [, ...workers] = ports
    let shown = 0
    for (const worker of workers) {
      const shards = await db.rows<{ name: string }>(sql`
        SELECT shard_name AS name FROM citus_shards WHERE nodeport = ${worker} AND citus_table_type = 'distributed'`)
      expect(shards.length).toBeGreaterThan(DISTRIBUTED.length)
      const node = await logIn(worker, '127.0.0.1', password)
      for (const { name } of shards) {
        expect((await node.query(`SELECT 1 FROM "${name}"`)).rows, name).toEqual([])
        await node.query('BEGIN')
        await node.query(`SET LOCAL kenning.workspaces = '{${mine[0]}}'`)
        const { rows } = await node.query<{ workspace_id: string }>(`SELECT workspace_id FROM "${name}"`)
        expect(
          rows.filter(({ workspace_id: id }) => id !== mine[0]),
          name,
        ).toEqual([])
        shown += rows.length
        await node.query('COMMIT')
      }
      await node.end()
    }
    expect(shown).toBeGreaterThan(0)
  })

  test('a request is shown its own workspace by the nodes, also by a statement that forgets it', async () => {
    const own = db.as({ account: caller.userId, among: [mine[1] ?? ''] })
    expect(await own.rows(sql`SELECT DISTINCT workspace_id AS id FROM chunk`)).toEqual([{ id: mine[1] }])
    expect(await own.rows(sql`SELECT text FROM chunk WHERE workspace_id = ${mine[2]}`)).toEqual([])
    await expect(
      own.rows(sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${mine[2]}, 1, 'x', 1)`),
    ).rejects.toThrow(/row-level security/)
    expect(
      await selectMentioned(own, mine[2] ?? '', caller.userId, {
        page: undefined,
        after: undefined,
        limit: 9,
      }),
    ).toEqual([])
  })

  test('documents are counted by the triggers of their shards', async () => {
    const counted = await db.rows(sql`
      SELECT workspace_id AS id, sum(documents)::int AS documents FROM workspace_language
      WHERE workspace_id = ANY (${mine}::uuid[]) GROUP BY 1 ORDER BY 1`)
    expect(counted).toEqual(mine.map((id) => ({ id, documents: 1 })))
  })

  test('the command says what it would do, and can be run again', async () => {
    const said: string[] = []
    const output = { print: (text: string) => said.push(text), complain: (text: string) => said.push(text) }
    await db.close()
    const operator = openDb(database.connection, { max: 1, applicationName: 'kenning distribute' })
    expect(await distributeDatabase(operator, { isMeant: false }, output)).toBe(0)
    expect(said.join('')).not.toMatch(/distribute \w+ by workspace|copy/)
    expect(said.at(-1)).toMatch(/Nothing was changed/)
    expect(await distributeDatabase(operator, { isMeant: true, password }, output)).toBe(0)
    await operator.close()
    db = openDb(database.connection)
    expect(await db.rows(sql`SELECT count(*)::int AS count FROM chunk`)).toEqual([{ count: 8 }])
  })

  test('a workspace gets a node of its own while it is written to, and loses nothing', async () => {
    const id = mine[3] ?? ''
    let stop = false
    let written = 0
    const writing = (async () => {
      for (; !stop; written++)
        await db.rows(
          sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${id}, ${1000 + written}, 'w', 1)`,
        )
    })()
    await db.rows(
      sql`SELECT isolate_tenant_to_new_shard('document', ${id}::uuid, 'CASCADE', 'force_logical')`,
    )
    const [place] = await db.rows<{ shard: number; port: number }>(sql`
      SELECT shardid AS shard, nodeport AS port FROM citus_shards
      WHERE shardid = get_shard_id_for_distribution_column('document', ${id}::uuid)`)
    const other = ports.slice(1).find((port) => port !== place?.port) ?? 0
    await db.rows(sql`
      SELECT citus_move_shard_placement(${place?.shard}::bigint, '127.0.0.1', ${place?.port}::int, '127.0.0.1', ${other}::int,
        'force_logical')`)
    stop = true
    await writing
    const [held] = await db.rows<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM term_stat WHERE workspace_id = ${id} AND word = 'w'`)
    expect([written > 0, held?.count]).toEqual([true, written])
    const [now] = await db.rows<{ port: number }>(sql`
      SELECT nodeport AS port FROM citus_shards
      WHERE shardid = get_shard_id_for_distribution_column('document', ${id}::uuid)`)
    expect(now?.port).toBe(other)
    // Triggers and policies have moved too.
    await putDocument(db, id, '00000000-0000-4000-9000-0000000000ff', pages(['Another one']))
    expect(
      await db.rows(
        sql`SELECT sum(documents)::int AS documents FROM workspace_language WHERE workspace_id = ${id}`,
      ),
    ).toEqual([{ documents: 2 }])
    const own = db.as({ account: caller.userId, among: [mine[0] ?? ''] })
    expect(await own.rows(sql`SELECT 1 FROM chunk WHERE workspace_id = ${id}`)).toEqual([])
  })
})
