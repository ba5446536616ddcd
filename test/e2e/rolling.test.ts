// F-18: a rolling deploy. The API and worker of the version before the newest migration, built from this repository's history, serve
// clients; the API and worker of this version start on the same database, migrate it, and serve beside them; then the old ones are
// stopped. No request fails but by 503 with Retry-After, and in the end the workspace holds what it should.
// KENNING_ROLLING_BACK: from how many migrations back (1).

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { pendingMigrations } from '../../src/ports/db/migrate.ts'
import { type Migration, readMigrations } from '../../src/ports/db/migrations.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { type Client, makeClient } from '../support/client.ts'
import { FULL } from '../support/full.ts'
import { heldFiles } from '../support/holdings.sql.ts'
import { ownPostgres, POSTGRES_IS_HERE } from '../support/own-postgres.ts'
import { type Service, startService } from '../support/service.ts'
import {
  contentOf,
  expectAsCalm,
  expectEachOnce,
  fill,
  newLedger,
  type Part,
  partNames,
  reader,
  titleOf,
} from '../support/set.ts'
import { KINDS, openTraffic } from '../support/traffic.ts'

const BACK = Number(process.env.KENNING_ROLLING_BACK ?? 1)
/** Answers of each kind, from each API, before the next step of the deploy. */
const EACH = 10
/** Documents of no client, read by each version in peace. */
const PEACE = Array.from({ length: 6 }, (_, no) => titleOf(80, no))
/** Equal whatever the versions read in a file. */
const ALWAYS: Part[] = ['files', 'versions', 'tasks']
/** By name, and as versions before wrote them. */
const ERRORS: readonly unknown[] = ['error', 'fatal', 50, 60]

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

const own = readMigrations()
const before = own.slice(0, -BACK)
const newer = own.slice(-BACK)

/** The commit before the newer migrations; undefined where the history does not have it. */
function commitBefore(): string | undefined {
  try {
    const path = `migrations/${newer[0]?.name}`
    const commit = git('log', '-1', '--diff-filter=A', '--format=%H', '--', path)
    return git('rev-parse', '--verify', '--quiet', `${commit}^`)
  } catch {
    return undefined
  }
}

/** The version of a commit, built beside the packages of today. */
function build(commit: string): { main: string; migrations: Migration[] } {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-before-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const compiler = resolve('node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', 'tsconfig.build.json', '--noCheck']
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  return {
    main: join(folder, 'dist/src/main.js'),
    migrations: readMigrations(join(folder, 'migrations')),
  }
}

/** What it holds of the same files, which nothing else happens to. */
async function inPeace(client: Client, db: Db): Promise<Record<Part, object[]>> {
  const { id } = await client.post<Workspace>('/workspaces', { name: 'in peace' })
  await fill(client, id, PEACE)
  return contentOf(client, db, id)
}

/** Its worker's name has the number of the process that started it. */
const isOf = (service: Service, worker: string): boolean => worker.includes(`:${service.child.pid}:`)

const errorsOf = (service: Service): string[] =>
  service
    .output()
    .split('\n')
    // The last may still be on its way.
    .filter(
      (line) => /^\{.*\}$/.test(line) && ERRORS.includes((JSON.parse(line) as { level: unknown }).level),
    )

test.runIf(FULL && POSTGRES_IS_HERE)(
  'F-18: a rolling deploy over the newest migration: both versions serve beside each other, and nothing fails or is lost',
  async ({ skip }) => {
    const commit = commitBefore()
    if (commit === undefined) {
      const why = `NO ROLLING DEPLOY WAS TESTED: the history of this checkout does not reach the commit before ${newer[0]?.name}`
      console.warn(`!!! ${why} !!!`)
      skip(why)
      return
    }
    const version = build(commit)
    // The step is the one that it says it is.
    expect(version.migrations).toEqual(before)

    const server = await ownPostgres('rolling')
    const env = { DATABASE_URL: server.url, KENNING_ASK_PER_HOUR: '1000000' }
    const old = await startService({ main: version.main, env })
    onTestFinished(() => old.remove())
    const db = openDb({ url: server.url }, { max: 2 })
    onTestFinished(() => db.close())
    const client = makeClient(old.base, old.token)
    const asBefore = await inPeace(client, db)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'rolled' })

    const ledger = newLedger()
    const traffic = openTraffic(id, ledger)
    let isOver = false
    let oldIsOut = false
    const untilAnswered = async (...services: Service[]): Promise<void> => {
      const wanted = services.flatMap((service) =>
        KINDS.map((kind) => ({ service, kind, count: traffic.answered(service, kind) + EACH })),
      )
      await expect
        .poll(() => wanted.filter(({ service, kind, count }) => traffic.answered(service, kind) < count))
        .toEqual([])
    }
    /** Until each worker has had files that each API had acknowledged. */
    const untilMixed = async (one: Service, other: Service): Promise<void> => {
      const services = [one, other]
      const missing = new Set(services.flatMap((by) => services.map((from) => `${by.base} of ${from.base}`)))
      while (missing.size > 0) {
        for (const { worker, job_id } of await heldFiles(db)) {
          const by = services.find((service) => isOf(service, worker))
          missing.delete(`${by?.base} of ${traffic.acknowledgedBy(job_id)?.base}`)
        }
        await sleep(5)
      }
    }
    const isHolding = async (service: Service): Promise<boolean> =>
      (await heldFiles(db)).some(({ worker }) => isOf(service, worker))

    traffic.putIn(old)
    const clients = Promise.all([traffic.run(() => isOver), reader(old, id, () => oldIsOut)])

    const deploy = async (): Promise<Service> => {
      await untilAnswered(old)
      expect(await pendingMigrations(db)).toEqual(newer.map(({ name }) => name))
      // One address for both, as a proxy has it.
      const young = await startService({ dataDir: old.dataDir, env: { ...env, KENNING_BASE_URL: old.base } })
      onTestFinished(async () => void (await young.stop()))
      expect(await pendingMigrations(db)).toEqual([])
      const again = startService({ main: version.main, dataDir: old.dataDir, env })
      await expect(again).rejects.toThrow(/written by a newer Kenning/)
      // Those that run have not noticed.
      await untilAnswered(old)
      traffic.putIn(young)
      await untilAnswered(old, young)
      await untilMixed(old, young)
      for (const service of [old, young]) expect(traffic.jobsOfOthers(service)).toBeGreaterThan(0)
      oldIsOut = true
      await traffic.takeOut(old)
      while (!(await isHolding(old))) await sleep(5)
      expect(errorsOf(old)).toEqual([])
      expect(await old.stop()).toBe(0)
      // What it was reading is given back at once.
      expect(await isHolding(old)).toBe(false)
      await untilAnswered(young)
      return young
    }
    const deploying = deploy().finally(() => {
      isOver = true
      oldIsOut = true
    })
    await Promise.race([deploying, clients])
    const young = await deploying
    await clients

    const countsOf = (service: Service): string =>
      KINDS.map((kind) => `${traffic.answered(service, kind)} ${kind}`).join(', ')
    const told =
      `from ${commit.slice(0, 8)} over ${newer.map(({ name }) => name).join(', ')}: ${ledger.acknowledged.size} documents, ` +
      `${traffic.deleted.length} deletions; the old API answered ${countsOf(old)}; the new one ${countsOf(young)}; ` +
      `${traffic.refused()} refused with 503 and Retry-After`
    console.log(told)
    const titles = await expectEachOnce(young, id, ledger, told)
    expect(titles.filter((title) => traffic.deleted.includes(title))).toEqual([])
    // The versions may read the same file differently. What they read alike is equal, whichever of them read it.
    const asNow = await inPeace(makeClient(young.base, young.token), db)
    const parts = partNames(asNow).filter((name) => isDeepStrictEqual(asNow[name], asBefore[name]))
    console.log(`equal between the versions: ${parts.join(', ')}`)
    expect(parts).toEqual(expect.arrayContaining(ALWAYS))
    await expectAsCalm(young, db, id, titles, { deleted: traffic.deleted, parts })
    expect(errorsOf(young)).toEqual([])
  },
)
