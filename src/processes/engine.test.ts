import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { templateDirectory } from '../../test/support/database.ts'
import { FULL, thorough } from '../../test/support/full.ts'
import { program } from '../../test/support/program.ts'
import { startup } from '../../test/support/startup.ts'
import { isAlive } from '../ports/db/embedded/process-identity.ts'
import { message } from '../ports/db/embedded/protocol/wire.ts'
import type { ChildLog } from './child.ts'
import { DataDirectoryInUse, type Engine, lockFile, startEngine } from './engine.ts'
import { forkModule } from './module.ts'

const log: ChildLog = { info: () => {}, warn: () => {}, error: () => {} }
const folder = mkdtempSync(join(tmpdir(), 'kenning-engine-'))
const dataDir = join(folder, 'data')
let engine: Engine

/** Copies a prepared database. Creating one takes 5 s of processor time, and only one test here is about that. */
const copyDatabase = async (to: string): Promise<void> =>
  cpSync(await templateDirectory(), to, { recursive: true })

const connect = (max = 10) =>
  new pg.Pool({ host: engine.socketDir, port: 5432, user: 'postgres', database: 'postgres', max })

beforeAll(async () => {
  await copyDatabase(dataDir)
  engine = await startEngine({ dataDir, log, askEveryMs: 200, silentLimitMs: 15_000 })
})
afterAll(async () => {
  await engine.stop()
  rmSync(folder, { recursive: true })
})

function pidOf(engine: Engine): number {
  const pid = engine.pid()
  if (pid === undefined) throw new Error('the engine is between two lives') // and pid 0 would be our own group
  return pid
}

/** What must be true of the database in the end, recorded outside of it. */
interface Ledger {
  committed: Set<string>
  wrong: string[]
}

type Step = (pool: pg.Pool, ledger: Ledger, tag: string) => Promise<void>

const insert = 'INSERT INTO ledger (tag, payload) VALUES ($1, $2)'

async function expectFailure(ledger: Ledger, code: string, run: () => Promise<unknown>) {
  const failure = await run().then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  )
  if (failure !== code) ledger.wrong.push(`expected ${code}, got ${failure}`)
}

/** Ten ways in which a client behaves. Each checks its own answers. */
const steps: Record<string, Step> = {
  async select(pool, ledger, tag) {
    const { rows } = await pool.query('SELECT $1::text AS tag, $2::int + 1 AS next', [tag, tag.length])
    if (rows[0].tag !== tag || rows[0].next !== tag.length + 1) ledger.wrong.push(`select ${tag}`)
  },
  async manyParameters(pool, ledger, tag) {
    const values = Array.from({ length: 1 + ((tag.length * 37) % 600) }, (_, index) => index)
    const { rows } = await pool.query(
      `SELECT ${values.map((_, index) => `$${index + 1}::int`).join(' + ')} AS sum`,
      values,
    )
    if (rows[0].sum !== values.reduce((sum, value) => sum + value, 0)) ledger.wrong.push(`sum ${tag}`)
  },
  async insert(pool, ledger, tag) {
    await pool.query(insert, [tag, ''])
    ledger.committed.add(tag)
  },
  async large(pool, ledger, tag) {
    const text = randomBytes(200_000).toString('hex')
    const { rows } = await pool.query('SELECT md5($1::text) AS sum, $1::text AS text', [text])
    if (rows[0].text !== text || rows[0].sum !== createHash('md5').update(text).digest('hex')) {
      ledger.wrong.push(`large ${tag}`)
    }
  },
  async errors(pool, ledger, tag) {
    await expectFailure(ledger, '22012', () => pool.query('SELECT $1::int / 0', [1]))
    await expectFailure(ledger, '42601', () => pool.query('SELECT FROM WHERE'))
    await expectFailure(ledger, '22P02', () => pool.query('SELECT $1::uuid', [tag]))
    await expectFailure(ledger, '23505', () => pool.query(`${insert}, ($1, $2)`, [tag, '']))
  },
  async commits(pool, ledger, tag) {
    const client = await pool.connect()
    await client.query('BEGIN')
    for (const part of ['x', 'y', 'z']) await client.query(insert, [`${tag}${part}`, part])
    await client.query('COMMIT')
    client.release()
    for (const part of ['x', 'y', 'z']) ledger.committed.add(`${tag}${part}`)
  },
  async rollsBack(pool, _ledger, tag) {
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query(insert, [`${tag}-rolled back`, ''])
    await client.query('ROLLBACK')
    client.release()
  },
  async failsInside(pool, ledger, tag) {
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query(insert, [`${tag}-failed`, ''])
    await expectFailure(ledger, '22012', () => client.query('SELECT 1 / 0'))
    await expectFailure(ledger, '25P02', () => client.query('SELECT 1'))
    const { command } = await client.query('COMMIT')
    if (command !== 'ROLLBACK') ledger.wrong.push(`commit of a failed transaction: ${command}`)
    client.release()
  },
  async killed(_pool, _ledger, tag) {
    const client = new pg.Client({
      host: engine.socketDir,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
    })
    client.on('error', () => {})
    await client.connect()
    await client.query('BEGIN')
    await client.query(insert, [`${tag}-killed`, ''])
    const last = client.query(insert, [`${tag}-killed too`, '']).catch(() => {})
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    await last
  },
  async pipelined(_pool, ledger, tag) {
    const answers = await pipeline(Array.from({ length: 12 }, (_, index) => index + 1))
    const wanted = Array.from({ length: 12 }, (_, index) => String(((index + 1) * (index + 2)) / 2))
    if (answers.join() !== wanted.join()) ledger.wrong.push(`pipeline ${tag}: ${answers.join()}`)
  },
}

const cstring = (text: string) => Buffer.from(`${text}\0`)
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 0xffff)])

/** Parse, Bind, Execute, Sync for `SELECT $1 + … + $n` with the values 1 to n. */
function extended(count: number): Buffer {
  const values = Array.from({ length: count }, (_, index) => Buffer.from(String(index + 1)))
  const sql = `SELECT (${values.map((_, index) => `$${index + 1}::int`).join(' + ')})::text`
  const bound = values.flatMap((value) => [int32(value.length), value])
  return Buffer.concat([
    message('P', Buffer.concat([cstring(''), cstring(sql), int16(0)])),
    message('B', Buffer.concat([cstring(''), cstring(''), int16(0), int16(count), ...bound, int16(0)])),
    message('E', Buffer.concat([cstring(''), int32(0)])),
    message('S'),
  ])
}

/** Sends all messages in one write and returns everything until the server disconnects. */
async function conversation(messages: Buffer[]): Promise<Buffer> {
  const socket = createConnection({ path: join(engine.socketDir, '.s.PGSQL.5432') })
  socket.write(Buffer.concat(messages))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Sends all statements at once, then Terminate, and returns the first column of every row. */
async function pipeline(counts: number[]): Promise<string[]> {
  const stream = await conversation([startup('user', 'postgres'), ...counts.map(extended), message('X')])
  const found: string[] = []
  for (let at = 0; at < stream.length; at += 1 + stream.readUInt32BE(at + 1)) {
    if (stream[at] !== 0x44) continue // D, a row: column count, then length and text
    found.push(stream.toString('utf8', at + 11, at + 11 + stream.readUInt32BE(at + 7)))
  }
  return found
}

describe('the embedded engine behind its socket', () => {
  const TURNS = FULL ? 100 : 30
  test('hundreds of mixed statements of ten concurrent clients: no wrong answer, no row lost or duplicated', async () => {
    const pool = connect(10)
    await pool.query('CREATE TABLE ledger (tag text PRIMARY KEY, payload text NOT NULL)')
    const ledger: Ledger = { committed: new Set(), wrong: [] }
    const kinds = Object.values(steps)
    await Promise.all(
      Array.from({ length: 20 }, async (_, lane) => {
        for (let turn = 0; turn < TURNS; turn += 1) {
          const step = kinds[(turn * 7 + lane * 3) % kinds.length]
          await step?.(pool, ledger, `${lane}.${turn}${'.'.repeat((turn * lane) % 17)}`)
        }
      }),
    )
    expect(ledger.wrong).toEqual([])
    const { rows } = await pool.query<{ tag: string }>('SELECT tag FROM ledger')
    expect(new Set(rows.map((row) => row.tag))).toEqual(ledger.committed)
    expect(ledger.committed.size).toBeGreaterThan(5 * TURNS)
    expect(engine.restarts()).toBe(0)
    await pool.end()
  })

  test('COPY FROM STDIN is an error of its statement, not the end of the engine', async () => {
    const pool = connect(1)
    await expect(pool.query('COPY pg_class FROM STDIN')).rejects.toThrow(/not served by the embedded engine/)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })

  test('encryption is declined and the client then served; strangers and oversized statements are rejected', async () => {
    const ask = (...bytes: number[]) => Buffer.from([0, 0, 0, 8, ...bytes])
    const asked = [ask(4, 210, 22, 47), ask(4, 210, 22, 48), startup('user', 'postgres'), message('X')]
    const answer = await conversation(asked)
    expect(answer.subarray(0, 2).toString()).toBe('NN')
    expect(answer.subarray(-6)).toEqual(Buffer.from('Z\0\0\0\x05I'))
    expect((await conversation([Buffer.from('GET / HTTP/1.1\r\n\r\n')])).toString()).toMatch(/FATAL.*at most/)
    const huge = Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])
    expect((await conversation([startup('user', 'postgres'), huge])).toString()).toMatch(
      /C54000.*bytes at most/,
    )
    expect(engine.restarts()).toBe(0)
  })

  test('a statement too deep for the stack is an error, and the next one is answered', async () => {
    const pool = connect(1)
    const sum = Array.from({ length: 20_000 }, () => '$1::int').join(' + ')
    await expect(pool.query(`SELECT ${sum}`, [1])).rejects.toMatchObject({ code: '54001' })
    const json = '['.repeat(100_000) + ']'.repeat(100_000)
    await expect(pool.query('SELECT $1::jsonb', [json])).rejects.toMatchObject({ code: '54001' })
    await expect(pool.query('SELECT $1::uuid', ['x'])).rejects.toMatchObject({ code: '22P02' })
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(engine.restarts()).toBe(0)
    await pool.end()
  })

  test('statistics and the log are kept in order without autovacuum', async () => {
    const pool = connect(1)
    await pool.query('CREATE TABLE kept (id serial, body text)')
    const state = async () =>
      (
        await pool.query(
          "SELECT reltuples, redo_lsn FROM pg_class, pg_control_checkpoint() WHERE relname = 'kept'",
        )
      ).rows[0]
    const before = await state()
    expect(before.reltuples).toBe(-1)
    for (let batch = 0; batch < 35; batch += 1) {
      await pool.query(
        'INSERT INTO kept (body) SELECT repeat(md5(g::text), 40) FROM generate_series(1, 2000) g',
      )
    }
    let now = before
    while (now.reltuples < 60_000 || now.redo_lsn === before.redo_lsn) {
      await delay(200)
      now = await state()
    }
    await pool.end()
  })

  // The limit is scaled. The transaction lasts four times as long as a silent engine may live, which in the full suite is two
  // minutes.
  const LIMIT_MS = FULL ? 30_000 : 400
  test('a transaction longer than the limit of silence is let to its end; requests that wait for it are answered then', async () => {
    await copyDatabase(join(folder, 'patience'))
    const own = await startEngine({
      dataDir: join(folder, 'patience'),
      log,
      askEveryMs: LIMIT_MS / 20,
      silentLimitMs: LIMIT_MS,
    })
    const at = { host: own.socketDir, port: 5432, user: 'postgres', database: 'postgres' }
    const [owner, others] = [new pg.Client(at), new pg.Pool({ ...at, max: 5 })]
    onTestFinished(async () => {
      await Promise.all([owner.end(), others.end()])
      await own.stop()
    })
    await owner.connect()
    await owner.query('CREATE TABLE long (n int)')
    const pid = own.pid()
    await owner.query('BEGIN')
    await owner.query('INSERT INTO long VALUES (0)')
    const waiting = Array.from({ length: 5 }, () => others.query('SELECT count(*)::int AS n FROM long'))
    let statements = 1
    for (const began = performance.now(); performance.now() - began < 4 * LIMIT_MS; statements += 1) {
      await owner.query('INSERT INTO long VALUES ($1)', [statements])
      await delay(LIMIT_MS / 20)
    }
    await owner.query('COMMIT')
    const counts = (await Promise.all(waiting)).map(({ rows }) => rows[0].n)
    expect(counts).toEqual(Array(5).fill(statements))
    expect([own.pid(), own.restarts()]).toEqual([pid, 0])
  })

  thorough('one statement longer than the limit that writes is let to its end', async () => {
    const pool = connect(1)
    const [pid, restarts] = [engine.pid(), engine.restarts()]
    const began = performance.now()
    await pool.query('CREATE TABLE bulk (body text)')
    // The limit is 15 s.
    for (let rows = 100_000; performance.now() - began < 40_000; rows *= 2)
      await pool.query(
        `INSERT INTO bulk SELECT string_agg(md5(g::text || i), '') FROM generate_series(1, ${rows}) g, generate_series(1, 30) i GROUP BY g`,
      )
    await pool.query('DROP TABLE bulk')
    expect([engine.pid(), engine.restarts()]).toEqual([pid, restarts])
    await pool.end()
  })

  thorough('a statement that never ends and touches no file does not outlive the limit', async () => {
    const pool = connect(1)
    pool.on('error', () => {})
    const before = engine.restarts()
    await expect(pool.query('SELECT pg_sleep(600)')).rejects.toThrow()
    while (engine.restarts() === before || !(await answers(pool))) await delay(50)
    await pool.end()
  })

  thorough('F-03: an engine that stops answering is killed and started again', async () => {
    const before = engine.restarts()
    const pool = connect(1)
    pool.on('error', () => {})
    process.kill(pidOf(engine), 'SIGSTOP')
    while (engine.restarts() === before || !(await answers(pool))) await delay(50)
    await pool.end()
  })

  thorough('an engine that makes an index for a migration is left alone', async () => {
    await copyDatabase(join(folder, 'patient'))
    const patient = await startEngine({
      dataDir: join(folder, 'patient'),
      log,
      askEveryMs: 100,
      silentLimitMs: 1500,
    })
    const pid = patient.pid() ?? 0
    expect(pid).toBeGreaterThan(0)
    patient.setMigrating(true)
    process.kill(pid, 'SIGSTOP')
    await delay(3000)
    process.kill(pid, 'SIGCONT')
    const pool = new pg.Pool({
      host: patient.socketDir,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      max: 1,
    })
    pool.on('error', () => {})
    expect(await answers(pool)).toBe(true)
    expect([patient.restarts(), patient.pid()]).toEqual([0, pid])
    await pool.end()
    await patient.stop()
  })
})

const answers = (pool: pg.Pool) =>
  pool.query('SELECT 1').then(
    () => true,
    () => false,
  )

const KILLS = FULL ? 5 : 2
const beaten = join(folder, 'beaten')
const acknowledged = new Set<string>()
test(`F-03: kill -9 in the middle of writes, ${KILLS} times: every acknowledged row is there, on the same socket`, async () => {
  // Each round has a new engine on the same folder, because one that dies again and again is restarted with a growing delay.
  if (!existsSync(beaten)) await copyDatabase(beaten)
  const own = await startEngine({ dataDir: beaten, log, askEveryMs: 200, silentLimitMs: 15_000 })
  const pool = new pg.Pool({
    host: own.socketDir,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    max: 4,
  })
  pool.on('error', () => {})
  let writing = false
  onTestFinished(async () => {
    writing = false
    await pool.end()
    await own.stop()
  })
  await pool.query('CREATE TABLE IF NOT EXISTS acknowledged (id text PRIMARY KEY)')
  const before = acknowledged.size
  for (let kill = 0; kill < KILLS; kill += 1) {
    writing = true
    const lanes = [0, 1, 2, 3].map(async () => {
      while (writing) {
        const id = randomUUID()
        const done = pool.query('INSERT INTO acknowledged VALUES ($1)', [id])
        await done.then(
          () => acknowledged.add(id),
          () => delay(20),
        )
      }
    })
    await delay(300)
    process.kill(pidOf(own), 'SIGKILL')
    while (own.restarts() <= kill || !(await answers(pool))) await delay(50)
    writing = false
    await Promise.all(lanes)
  }
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM acknowledged')
  const present = new Set(rows.map((row) => row.id))
  expect([...acknowledged].filter((id) => !present.has(id))).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(before)
  // The index contains what the table contains.
  const counts = await pool.query(`
    SET enable_seqscan = off; SELECT count(*)::int AS n FROM acknowledged WHERE id >= '';
    SET enable_seqscan = on; SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
    SELECT count(*)::int AS n FROM acknowledged WHERE id >= ''`)
  const found = (counts as unknown as pg.QueryResult<{ n: number }>[]).flatMap((one) => one.rows)
  expect(found).toEqual([{ n: rows.length }, { n: rows.length }])
})

describe('the data directory', () => {
  test('F-08: refuses a second process and names the first', async () => {
    const second = startEngine({ dataDir, log })
    await expect(second).rejects.toThrow(DataDirectoryInUse)
    await expect(second).rejects.toThrow(`${dataDir} is in use by Kenning process ${process.pid}`)
    const pool = connect(1)
    expect(await answers(pool)).toBe(true)
    await pool.end()
  })

  test('whose owner was killed: its engine ends by itself, and even a frozen one does not outlive a new start', async () => {
    const orphaned = join(folder, 'orphaned')
    const module = program('engine-owner')
    await copyDatabase(orphaned)
    for (const frozen of [false, true]) {
      const owner = forkModule(module, { args: [orphaned] })
      const [told] = (await once(owner, 'message')) as [{ pid: number; socketDir: string }]
      if (frozen) process.kill(told.pid, 'SIGSTOP')
      owner.kill('SIGKILL')
      await once(owner, 'exit')
      if (frozen) {
        const next = await startEngine({ dataDir: orphaned, log })
        expect(existsSync(told.socketDir)).toBe(false)
        await next.stop()
      }
      while (isAlive({ pid: told.pid, started: null })) await delay(50)
    }
    expect(readdirSync(orphaned)).toEqual(['pg'])
  })

  thorough('an interrupted first start leaves nothing that breaks the next one', async () => {
    const fresh = join(folder, 'fresh')
    const engineModule = new URL('../ports/db/embedded/engine.ts', import.meta.url)
    const sockets = mkdtempSync(join(folder, 'sockets-'))
    const child = forkModule(engineModule, {
      args: [fresh, sockets, JSON.stringify({ withoutArchive: true })],
    })
    const drafts = () =>
      existsSync(fresh) ? readdirSync(fresh).filter((name) => name.startsWith('pg.new-')) : []
    while (drafts().length === 0) await delay(10)
    await delay(500)
    child.kill('SIGKILL')
    expect(existsSync(join(fresh, 'pg'))).toBe(false)
    const next = await startEngine({ dataDir: fresh, log })
    expect(drafts()).toEqual([])
    await next.stop()
    expect(readdirSync(fresh)).toEqual(['pg'])
    expect(existsSync(next.socketDir)).toBe(false)
    expect(existsSync(lockFile(fresh))).toBe(false)
  })

  test('a folder that is no database is left alone, with a clear reason', async () => {
    const foreign = join(folder, 'foreign')
    mkdirSync(join(foreign, 'pg'), { recursive: true })
    writeFileSync(join(foreign, 'pg', 'letter.txt'), 'dear')
    await expect(startEngine({ dataDir: foreign, log })).rejects.toThrow(
      /is not empty, but is not a database/,
    )
    expect(readdirSync(join(foreign, 'pg'))).toEqual(['letter.txt'])
    expect(existsSync(lockFile(foreign))).toBe(false)
  })

  test('the socket is for its owner only', () => {
    expect(statSync(engine.socketDir).mode & 0o777).toBe(0o700)
  })
})
