// F-07, after Jepsen's set test: clients add documents while API, worker, parsers and engine are killed and paused at random; the
// same with two services on a PostgreSQL of their own, which is killed, paused and restarted too. And F-04, where all that happens
// happens to the PostgreSQL. In the end everything that was acknowledged is there once, and what was not is there once or not at all.
// KENNING_SET_SECONDS: for how long (a minute); KENNING_TEST_SEED: other moments.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { drawIndex, type Random, seededRandom } from '../../src/eval/measure/random.ts'
import type { DbConnection } from '../../src/ports/db/connection.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { makeClient } from '../support/client.ts'
import { runningEngine } from '../support/database.ts'
import { FULL, thorough } from '../support/full.ts'
import { type OwnPostgres, ownPostgres, POSTGRES_IS_HERE } from '../support/own-postgres.ts'
import { quickService } from '../support/quick-service.ts'
import { roles } from '../support/roles.ts'
import { processTree, type Service, startService } from '../support/service.ts'
import { expectAsCalm, expectEachOnce, newLedger, reader, writer } from '../support/set.ts'

const SECONDS = Number(process.env.KENNING_SET_SECONDS ?? 60)
const SEED = Number(process.env.KENNING_TEST_SEED) || 20261126
const CLIENTS = 8
const AWAY_SECONDS = [10, 60]
const FULL_HOUSE_MS = 5000

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

/** Also one that has ended, until its parent has heard of it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Does something to what is there, and says what it was. */
type Strike = (random: Random) => Promise<string | undefined>

async function paused(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(ms)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

const pauseOf = (random: Random): number => 1000 + random() * 7000

/** Kills or pauses a process of that role, of any of the services. */
const atProcess =
  (role: string, services: readonly Service[]): Strike =>
  async (random) => {
    const [pauses, ms, which] = [random() < 0.3, pauseOf(random), random()]
    const found = services
      .flatMap(({ child }) => processTree(child.pid ?? 0))
      .filter((row) => roles[role]?.(row))
    const pid = found[drawIndex(() => which, found.length)]?.pid
    if (pid === undefined) return undefined
    if (pauses) await paused([pid], ms)
    else signal(pid, 'SIGKILL')
    return `${role} ${pauses ? 'paused' : 'killed'}`
  }

/** One strike after the other, for the time of the test and until there were enough; returns how often each. */
async function chaos(strikes: readonly Strike[]): Promise<Record<string, number>> {
  const random = seededRandom(SEED)
  const done: Record<string, number> = {}
  const end = Date.now() + SECONDS * 1000
  for (let count = 0; Date.now() < end || count <= SECONDS / 15; ) {
    await sleep(500 + random() * 3000)
    const what = await strikes[drawIndex(random, strikes.length)]?.(random)
    if (!what) continue
    done[what] = (done[what] ?? 0) + 1
    count++
  }
  return done
}

/** Clients of all services at once, while the strikes happen to them. */
async function expectSetSurvives(
  services: readonly [Service, ...Service[]],
  strikes: readonly Strike[],
  database: () => DbConnection,
): Promise<void> {
  const [service] = services
  const { id } = await makeClient(service.base, service.token).post<Workspace>('/workspaces', { name: 'set' })
  const ledger = newLedger()
  let isCalm = false
  const isOver = (): boolean => isCalm && ledger.acknowledged.size > CLIENTS
  const writers = Array.from({ length: CLIENTS }, (_, no) =>
    writer(services[no % services.length] ?? service, id, no, ledger, isOver),
  )
  const struck = chaos(strikes).finally(() => {
    isCalm = true
  })
  const [done, read] = await Promise.all([struck, reader(service, id, isOver), ...writers])
  const told = `seed ${SEED}: ${ledger.acknowledged.size} acknowledged, ${ledger.unknown.size} unknown, ${read} read, ${JSON.stringify(done)}`
  console.log(told)
  const titles = await expectEachOnce(service, id, ledger, told)
  const db = openDb(database(), { max: 2 })
  await expectAsCalm(service, db, id, titles).finally(() => db.close())
}

thorough(
  'F-07: whatever is killed or paused, what was acknowledged is there once',
  async () => {
    const service = await quickService()
    onTestFinished(() => service.remove())
    const strikes = Object.keys(roles).map((role) => atProcess(role, [service]))
    await expectSetSurvives([service], strikes, () => runningEngine(service.dataDir))
  },
  SECONDS * 1000 + 3_600_000,
)

const HAS_POSTGRES = FULL && POSTGRES_IS_HERE
const NAME = 'restarted'

/** All of it killed, and started again after so long. */
async function kill({ restart, processes }: OwnPostgres, awayMs = 0): Promise<void> {
  const all = processes()
  for (const pid of all) signal(pid, 'SIGKILL')
  // Who starts it waits for the one before to end.
  while (all.some(isThere)) await sleep(50)
  await sleep(awayMs)
  await restart('immediate')
}

/** Takes all connections that the server has left; returns what gives them back. */
async function takeConnections(url: string): Promise<() => Promise<void>> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      taken.push(client)
    } catch (error) {
      expect((error as { code?: string }).code).toBe(TOO_MANY_CONNECTIONS)
      return async () => void (await Promise.all(taken.map((one) => one.end())))
    }
  }
}

const TOO_MANY_CONNECTIONS = '53300'

/** Whatever may happen to a server: all of it killed, one session of it, stopped in good order or at once, paused. */
function atPostgres(server: OwnPostgres): Strike[] {
  const { restart, processes } = server
  const killed: Strike = async () => {
    await kill(server)
    return 'PostgreSQL killed'
  }
  const session: Strike = async (random) => {
    const [, ...others] = processes()
    // The server ends all others of its processes, and goes through its log.
    signal(others[drawIndex(random, others.length)] ?? 0, 'SIGKILL')
    return 'process of PostgreSQL killed'
  }
  const restarted: Strike = async (random) => {
    const mode = random() < 0.5 ? 'fast' : 'immediate'
    await restart(mode)
    return `PostgreSQL restarted (${mode})`
  }
  const stopped: Strike = async (random) => {
    await paused(processes(), pauseOf(random))
    return 'PostgreSQL paused'
  }
  return [killed, session, restarted, stopped]
}

test.runIf(HAS_POSTGRES)(
  'F-07: the same with two APIs and two workers on a PostgreSQL that is killed, paused and restarted too',
  async () => {
    const server = await ownPostgres(NAME)
    const one = await startService({ env: { DATABASE_URL: server.url } })
    onTestFinished(() => one.remove())
    const two = await startService({ dataDir: one.dataDir, env: { DATABASE_URL: server.url } })
    onTestFinished(async () => void (await two.stop()))
    const services = [one, two] as const
    const own = ['api', 'worker', 'parser'].map((role) => atProcess(role, services))
    // As often the server as everything else.
    await expectSetSurvives(services, [...own, ...atPostgres(server)], () => ({ url: server.url }))
  },
  SECONDS * 1000 + 3_600_000,
)

/** Searches until it is over, and counts what was answered and what was refused. */
async function searcher(
  service: Service,
  workspaceId: string,
  token: string,
  counts: { answered: number; refused: number },
  isOver: () => boolean,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: 'the mark of an entry', limit: 5 })
  while (!isOver()) {
    const url = `${service.base}/workspaces/${workspaceId}/search`
    const answer = await fetch(url, { method: 'POST', headers, body })
    const text = await answer.text()
    if (answer.status === 200) counts.answered++
    else {
      expect([answer.status, answer.headers.has('retry-after')], text).toEqual([503, true])
      counts.refused++
    }
    await sleep(50)
  }
}

test.runIf(HAS_POSTGRES)(
  'F-04: PostgreSQL restarted under load, killed, away, and without a connection left: all goes on by itself, and nothing is lost',
  async () => {
    const server = await ownPostgres(NAME)
    const { url, restart } = server
    const service = await startService({ env: { DATABASE_URL: url } })
    onTestFinished(() => service.remove())
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'set' })
    const ledger = newLedger()
    const searches = { answered: 0, refused: 0 }
    let over = false
    const isOver = (): boolean => over
    const processes = () =>
      processTree(service.child.pid ?? 0).flatMap((row) => (roles.parser?.(row) ? [] : [row.pid]))
    const before = processes()
    /** Both go on from here. */
    const untilMore = async (): Promise<void> => {
      const wanted = [ledger.acknowledged.size + CLIENTS, searches.answered + 5] as const
      await expect
        .poll(() => ledger.acknowledged.size >= wanted[0] && searches.answered >= wanted[1])
        .toBe(true)
    }
    const clients = Promise.all([
      ...Array.from({ length: CLIENTS }, (_, no) => writer(service, id, no, ledger, isOver)),
      searcher(service, id, await service.token(), searches, isOver),
    ])
    const storm = async (): Promise<void> => {
      for (const mode of ['fast', 'immediate', 'fast', 'immediate']) {
        await untilMore()
        await restart(mode)
      }
      for (const seconds of AWAY_SECONDS) {
        await untilMore()
        await kill(server, seconds * 1000)
      }
      await untilMore()
      const giveBack = await takeConnections(url)
      await sleep(FULL_HOUSE_MS)
      await giveBack()
      await untilMore()
    }
    await Promise.race([storm(), clients]).finally(() => {
      over = true
    })
    await clients
    expect(searches.refused).toBeGreaterThan(0)
    // The service met each restart without one of its own.
    expect(processes()).toEqual(before)
    const told = `${ledger.acknowledged.size} acknowledged, ${ledger.unknown.size} unknown, ${JSON.stringify(searches)} searches`
    console.log(told)
    const titles = await expectEachOnce(service, id, ledger, told)
    const db = openDb({ url }, { max: 2 })
    await expectAsCalm(service, db, id, titles).finally(() => db.close())
  },
)
