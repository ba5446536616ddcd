// A process for the test of power cuts. `run FOLDER FILE` serves the database in FOLDER to clients that write, records what
// happens to its files, and writes that to FILE. `open` opens each folder that it is sent and answers with what is in it.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serialize } from 'node:v8'
import pg from 'pg'
import type { DiskEvent } from './disk-model.ts'
import { recordDisk } from './disk-recorder.ts'

/** What a client was told: this row has this version, or none. */
export interface Acknowledgement {
  key: string
  version: number | undefined
}

export interface Run {
  events: DiskEvent[]
  /** By the `id` of the event. */
  acknowledgements: Acknowledgement[][]
  /** Keys whose deletion was sent, by the number of events until then. */
  deletions: [key: string, since: number][]
}

/** What a database has after a cut. */
export interface Content {
  rows: [key: string, version: number][]
  /** The numbers of rows that background work has written. */
  background: number[]
  /** Whether the index has what the table has. */
  isIndexSound: boolean
}

const SLOW_MS = 15
const LANES = 4
const [mode = '', folder = '', file = '', turns = '0'] = process.argv.slice(2)

const tables = `
  CREATE TABLE ledger (key text PRIMARY KEY, version int NOT NULL, body text NOT NULL);
  CREATE INDEX ledger_version ON ledger (version);
  CREATE TABLE background (no int PRIMARY KEY, body text NOT NULL)`

async function run(): Promise<void> {
  const { events } = recordDisk(folder, SLOW_MS)
  // What is replaced must not have been imported before.
  const { openCluster } = await import('../../src/ports/db/embedded/cluster.ts')
  const { serveEngine } = await import('../../src/ports/db/embedded/protocol/server.ts')
  const { BACKGROUND_NAME } = await import('../../src/ports/db/db.ts')
  const fail = (error: unknown): never => {
    throw error
  }
  const { db, log } = await openCluster(folder, { onFileAccess() {}, onFailure: fail })
  await db.exec(tables)
  await db.exec('CHECKPOINT')
  const socketDir = `${file}.sockets`
  const server = await serveEngine({
    engine: {
      run: (unit, onRawData) => db.runExclusive(() => db.execProtocolRawStream(unit, { onRawData })),
      inTransaction: () => db.isInTransaction(),
    },
    log,
    socketPath: join(socketDir, '.s.PGSQL.5432'),
    parameters: { server_version: '18.6', client_encoding: 'UTF8' },
    onBroken: fail,
  })
  const acknowledgements: Acknowledgement[][] = []
  const deletions: [string, number][] = []
  const acknowledge = (...all: Acknowledgement[]): void => {
    events.push({ type: 'acknowledged', id: acknowledgements.length })
    acknowledgements.push(all)
  }
  const connect = async (name: string): Promise<pg.Client> => {
    const client = new pg.Client({
      host: socketDir,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      application_name: name,
    })
    await client.connect()
    return client
  }
  const body = (turn: number): string => randomBytes(turn % 9 === 0 ? 12_000 : 20 + turn * 3).toString('hex')

  async function lane(number: number): Promise<void> {
    const client = await connect('kenning')
    const insert = (key: string, turn: number) =>
      client.query('INSERT INTO ledger VALUES ($1, 0, $2)', [key, body(turn)])
    for (let turn = 0; turn < Number(turns); turn += 1) {
      const key = `${number}.${turn}`
      const earlier = `${number}.${turn - 3}`
      if (turn % 6 === 3) {
        const { rows } = await client.query(
          'UPDATE ledger SET version = version + 1 WHERE key = $1 RETURNING version',
          [earlier],
        )
        acknowledge({ key: earlier, version: rows[0].version })
      } else if (turn % 6 === 4) {
        deletions.push([earlier, events.length])
        await client.query('DELETE FROM ledger WHERE key = $1', [earlier])
        acknowledge({ key: earlier, version: undefined })
      } else if (turn % 6 === 5) {
        const keys = ['a', 'b', 'c'].map((part) => `${key}${part}`)
        await client.query('BEGIN')
        for (const part of keys) await insert(part, turn)
        await client.query('COMMIT')
        acknowledge(...keys.map((part) => ({ key: part, version: 0 })))
      } else {
        await insert(key, turn)
        acknowledge({ key, version: 0 })
      }
    }
    await client.end()
  }

  let isDone = false
  async function background(): Promise<void> {
    const client = await connect(BACKGROUND_NAME)
    for (let no = 0; !isDone; no += 1) {
      await client.query('INSERT INTO background VALUES ($1, $2)', [no, body(no % 400)])
      if (no % 40 === 10) await client.query('CREATE TABLE passing AS SELECT * FROM background')
      if (no % 40 === 30) await client.query('DROP TABLE passing')
      await delay(1)
    }
    await client.end()
  }
  async function housekeeping(): Promise<void> {
    while (!isDone) {
      await delay(150)
      await server.runAlone(async () => void (await db.query('CHECKPOINT')))
      await delay(150)
      await server.runAlone(async () => void (await db.query('VACUUM ledger')))
    }
  }

  const backgroundWork = [background(), housekeeping()]
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  isDone = true
  await Promise.all(backgroundWork)
  writeFileSync(file, serialize({ events, acknowledgements, deletions } satisfies Run))
}

async function contentOf(path: string): Promise<Content> {
  const { openCluster } = await import('../../src/ports/db/embedded/cluster.ts')
  const { db } = await openCluster(path, {
    onFileAccess() {},
    onFailure(error) {
      throw error
    },
  })
  try {
    const all = async (sql: string) =>
      (await db.query<{ key: string; version: number; no: number }>(sql)).rows
    const rows = await all('SELECT key, version, length(body) FROM ledger ORDER BY key')
    const background = await all('SELECT no, length(body) FROM background ORDER BY no')
    await db.exec('SET enable_seqscan = off')
    const rowsByIndex = await all("SELECT key, version FROM ledger WHERE key >= '' ORDER BY key")
    const byVersion = await all('SELECT key, version FROM ledger WHERE version >= 0 ORDER BY key')
    const text = (some: { key: string; version: number }[]) =>
      some.map(({ key, version }) => `${key} ${version}`).join()
    await db.query("INSERT INTO ledger VALUES ('later', 0, '')")
    return {
      rows: rows.map(({ key, version }) => [key, version]),
      background: background.map(({ no }) => no),
      isIndexSound: text(rows) === text(rowsByIndex) && text(rows) === text(byVersion),
    }
  } finally {
    await db.close()
  }
}

if (mode === 'run') {
  await run()
  process.exit(0)
}
process.on('message', (path: string) => {
  contentOf(path).then(
    (content) => process.send?.({ content }),
    (error) => process.send?.({ error: String(error?.message ?? error) }),
  )
})
