// What holds on Citus beyond what all API tests say: where rows are, who can log in to a node, what a node shows, that the
// command can be run again, and that a workspace is served while it moves. Only with `npm run test:citus`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBackup } from '../../src/backup/write.ts'
import { selectDocumentEntities } from '../../src/graph/document-entities.sql.ts'
import { readBackup } from '../../src/operator/backup/restore.ts'
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from '../../src/operator/distribute/layout.ts'
import { distributeDatabase } from '../../src/operator/distribute.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import { REQUEST_ROLE } from '../../src/ports/db/actor.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { inWorkspace, prepared } from '../../src/ports/db/prepared.sql.ts'
import { moveToOwnShard, portOf } from '../support/citus-nodes.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { everyRow } from '../support/every-row.ts'
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
    expect(distributed.map(({ name }) => name).sort()).toEqual([...DISTRIBUTED_TABLES].sort())
    expect(new Set(distributed.map(({ group }) => group)).size).toBe(1)
    expect(placed.filter(({ kind }) => kind === 'reference').map(({ name }) => name)).toEqual([
      ...REFERENCE_TABLES,
    ])
    const held = await db.rows<{ port: number }>(sql`
      SELECT DISTINCT nodeport AS port FROM citus_shards s
      WHERE s.table_name = 'document'::regclass AND s.shardid IN (
        SELECT get_shard_id_for_distribution_column('document', w) FROM unnest(${mine}::uuid[]) AS w)`)
    expect(held.map(({ port }) => port).sort()).toEqual(ports.slice(1).sort())
  })

  test('how many chunks are beside those of a workspace is what the planner knows of its shard', async () => {
    await db.rows(raw('ANALYZE chunk'))
    const shards = await db.rows<{ shard: string }>(sql`
      SELECT get_shard_id_for_distribution_column('chunk', w)::text AS shard FROM unnest(${mine}::uuid[]) AS w`)
    for (const [no, id] of mine.entries()) {
      // As a search asks, with a table of the node.
      const statement = sql`
        SELECT chunks_beside(${id}) AS beside, (SELECT count(*) FROM version WHERE workspace_id = ${id}) AS own`
      const beside = shards.filter(({ shard }) => shard === shards[no]?.shard).length
      expect(await db.rows(statement)).toEqual([{ beside, own: 1 }])
      expect(await db.as({ account: caller.userId, workspaceIds: [id] }).rows(statement)).toEqual([
        { beside, own: 1 },
      ])
    }
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
      expect(shards.length).toBeGreaterThan(DISTRIBUTED_TABLES.length)
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
    const own = db.as({ account: caller.userId, workspaceIds: [mine[1] ?? ''] })
    expect(await own.rows(sql`SELECT DISTINCT workspace_id AS id FROM chunk`)).toEqual([{ id: mine[1] }])
    expect(await own.rows(sql`SELECT text FROM chunk WHERE workspace_id = ${mine[2]}`)).toEqual([])
    await expect(
      own.rows(sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${mine[2]}, 1, 'x', 1)`),
    ).rejects.toThrow(/row-level security/)
    expect(
      await selectDocumentEntities(own, mine[2] ?? '', caller.userId, {
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
    expect(await distributeDatabase(operator, { isConfirmed: false }, output)).toBe(0)
    expect(said.join('')).not.toMatch(/distribute \w+ by workspace|copy/)
    expect(said.at(-1)).toMatch(/Nothing was changed/)
    expect(await distributeDatabase(operator, { isConfirmed: true, password }, output)).toBe(0)
    await operator.close()
    db = openDb(database.connection)
    expect(await db.rows(sql`SELECT count(*)::int AS count FROM chunk`)).toEqual([{ count: 8 }])
  })

  test('a snapshot is of one moment on all nodes', async () => {
    const id = mine[4] ?? ''
    const writeBoth = async (tx: Queryable, term: number): Promise<void> => {
      await tx.rows(sql`
        INSERT INTO invitation (id, hash, invited_by, expires_at)
        VALUES (gen_random_uuid(), ${Buffer.from(`both ${term}`)}, ${caller.userId}, now())`)
      await tx.rows(
        sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${id}, ${term}, 'both', 1)`,
      )
    }
    const counted = async (tx: Queryable, table: Sql): Promise<number | undefined> =>
      (await tx.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM ${table}`))[0]?.count
    const here = sql`invitation`
    const there = sql`term_stat WHERE word = 'both'`
    await db.tx((tx) => writeBoth(tx, 1))
    let finish = (): void => {}
    const isToFinish = new Promise<void>((resolve) => {
      finish = resolve
    })
    let written = (): void => {}
    const isWritten = new Promise<void>((resolve) => {
      written = resolve
    })
    const writing = db.tx(async (tx) => {
      await writeBoth(tx, 2)
      written()
      await isToFinish
    })
    await isWritten
    let began = false
    const reading = db.tx(
      async (tx) => {
        began = true
        const first = await counted(tx, here)
        await db.tx((other) => writeBoth(other, 3))
        return [first, await counted(tx, there), await counted(tx, here)]
      },
      { snapshot: true },
    )
    // It waits for who has written on one node, and is to write on another one.
    const isWaiting = async (): Promise<boolean> =>
      (await db.rows(sql`SELECT 1 FROM pg_locks WHERE mode = 'ShareLock' AND NOT granted`)).length > 0
    while (!began && !(await isWaiting())) await sleep(5)
    finish()
    await writing
    expect(await reading).toEqual([2, 2, 2])
    expect([await counted(db, here), await counted(db, there)]).toEqual([3, 3])
  })

  test('a backup comes back on one PostgreSQL with every row and id', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
    // Rows of documents alone: whatever file they name is this one.
    writeFileSync(join(folder, 'original'), 'of each')
    const blobs = { ...(await openDiskBlobs(folder)), open: async () => join(folder, 'original') }
    const files = { blobs, dataDir: folder }
    const name = `${nameOf()}_one`
    await db.rows(raw(`CREATE DATABASE ${name}`))
    const url = new URL('url' in database.connection ? database.connection.url : '')
    url.pathname = `/${name}`
    const one = openDb({ url: url.href }, { max: 1 })
    try {
      const written = await writeBackup(db, files, join(folder, 'backup'))
      await readBackup(one, files, join(folder, 'backup'), written)
      const rows = await everyRow(one)
      expect(rows).toEqual(await everyRow(db))
      expect(rows.chunk).toHaveLength(mine.length)
    } finally {
      await one.close()
      await db.rows(raw(`DROP DATABASE IF EXISTS ${name}`))
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a workspace moves to a shard of its own on another node while rows come and change, and loses nothing', async () => {
    const id = mine[3] ?? ''
    let stop = false
    let written = 0
    const writing = (async () => {
      for (; !stop; written++) {
        const term = 1000 + written
        await db.rows(
          sql`INSERT INTO term_stat (workspace_id, term, word, df) VALUES (${id}, ${term}, 'w', 1)`,
        )
        await db.rows(sql`UPDATE term_stat SET df = 2 WHERE workspace_id = ${id} AND term = ${term}`)
      }
    })()
    const before = await portOf(db, id)
    const other = ports.slice(1).find((port) => port !== before) ?? 0
    await moveToOwnShard(db, id, other)
    stop = true
    await writing
    const held = await db.rows(sql`
      SELECT count(*)::int AS count, sum(df)::int AS sum FROM term_stat WHERE workspace_id = ${id} AND word = 'w'`)
    expect(held).toEqual([{ count: written, sum: 2 * written }])
    expect(written).toBeGreaterThan(0)
    expect(await portOf(db, id)).toBe(other)
    // Triggers and policies have moved too.
    await putDocument(db, id, '00000000-0000-4000-9000-0000000000ff', pages(['Another one']))
    expect(
      await db.rows(
        sql`SELECT sum(documents)::int AS documents FROM workspace_language WHERE workspace_id = ${id}`,
      ),
    ).toEqual([{ documents: 2 }])
    const own = db.as({ account: caller.userId, workspaceIds: [mine[0] ?? ''] })
    expect(await own.rows(sql`SELECT 1 FROM chunk WHERE workspace_id = ${id}`)).toEqual([])
  })

  test('the node of a workspace keeps the plan of a prepared statement, also after the workspace has moved', async () => {
    const id = mine[5] ?? ''
    const kept = sql`(SELECT count(*)::int FROM pg_prepared_statements WHERE name LIKE 'kenning %')`
    const shown = prepared(sql`
      SELECT v.state, v.created_at, v.folded, NULL::int AS none, ARRAY[1, NULL]::int8[] AS many, true AS yes, ARRAY[true, NULL, false] AS flags, '{"a": [1]}'::jsonb AS data,
        '\\x00ff'::bytea AS bytes, ${'"quoted", \\ and ü'}::text AS said, ${['a,b', null, '"']}::text[] AS list,
        ${Buffer.from([0, 255])}::bytea AS given, ${kept} AS kept, d.title
      FROM version v JOIN visible_document d ON d.workspace_id = ${id} AND d.version_id = v.id
      WHERE ${inWorkspace(sql`v.workspace_id`, id)} ORDER BY v.id`)
    const own = openDb(database.connection, { max: 1 })
    const as = (workspace: string | undefined) =>
      own.as({ account: caller.userId, workspaceIds: [workspace ?? ''] })
    // Sent by the service itself, it teaches nothing.
    expect(await own.rows(shown)).toHaveLength(1)
    const [sent] = await as(id).rows<{ kept: number }>(shown)
    expect(sent).toMatchObject({
      kept: 0,
      none: null,
      many: [1, null],
      yes: true,
      flags: [true, null, false],
      data: { a: [1] },
      bytes: Buffer.from([0, 255]),
      said: '"quoted", \\ and ü',
      list: ['a,b', null, '"'],
      given: Buffer.from([0, 255]),
    })
    for (let n = 0; n < 8; n++) expect(await as(id).rows(shown)).toEqual([{ ...sent, kept: 1 }])
    // The policies of the shard bind it.
    expect(await as(mine[6]).rows(shown)).toEqual([])
    const before = await portOf(db, id)
    await moveToOwnShard(db, id, ports.slice(1).find((port) => port !== before) ?? 0)
    for (let n = 0; n < 8; n++)
      expect(await as(id).rows(shown)).toEqual([{ ...sent, kept: expect.any(Number) }])
    await own.close()
  })

  test('a node forgets what it was asked least often, however long ago it prepared the rest', async () => {
    const id = mine[7] ?? ''
    const own = openDb(database.connection, { max: 1 })
    const acting = own.as({ account: caller.userId, workspaceIds: [id] })
    const often = prepared(sql`
      SELECT v.state, (SELECT count(*)::int FROM pg_prepared_statements WHERE name LIKE 'kenning %') AS kept,
        (SELECT max(prepare_time)::text FROM pg_prepared_statements WHERE statement LIKE '%asked often%') AS since
      FROM version v WHERE v.workspace_id = ${id}`)
    for (let n = 0; n < 5; n++) await acting.rows(often)
    const [before] = await acting.rows<{ kept: number; since: string }>(often)
    expect(before).toMatchObject({ kept: 1, since: expect.any(String) })
    const once = await acting.rows(sql`
      SELECT run_kept(${id}, format('SELECT ARRAY[$1::text, %L]', n), '{once}') AS cells
      FROM generate_series(1, 300) AS n, (SELECT count(*) FROM workspace_space WHERE workspace_id = ${id}) node`)
    expect(once).toHaveLength(300)
    expect(await acting.rows(often)).toEqual([{ ...before, kept: 201 }])
    await own.close()
  })

  test('what nodes cannot be asked in this way is sent as it is', async () => {
    const id = mine[6] ?? ''
    const own = openDb(database.connection, { max: 1 })
    const ofCoordinator = prepared(sql`
      SELECT v.folded, (SELECT count(*)::int FROM workspace) AS workspaces FROM version v WHERE v.workspace_id = ${id}`)
    for (let n = 0; n < 3; n++)
      expect(await own.as({ account: caller.userId, workspaceIds: [id] }).rows(ofCoordinator)).toEqual([
        { folded: expect.any(Number), workspaces: 1 },
      ])
    await own.close()
  })
})
