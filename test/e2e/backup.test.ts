// F-19, the commands: a backup of a running service, written while files come in, are read and are deleted, and restored elsewhere.
// What was acknowledged before is there once, what was still to be read is read there, and it all holds what a workspace holds that
// was given the same files in peace. What a backup holds is tested in test/api/backup.test.ts.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { raw } from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import type { Document, Job, Page, Workspace } from '../../src/contract/resources.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { startEngine } from '../../src/processes/engine.ts'
import { makeClient, type Reply } from '../support/client.ts'
import { runningEngine, testLog } from '../support/database.ts'
import { FULL, thorough } from '../support/full.ts'
import { ownPostgres, POSTGRES_IS_HERE } from '../support/own-postgres.ts'
import { type Service, startService } from '../support/service.ts'
import {
  expectAsCalm,
  expectEachOnce,
  formOf,
  type Ledger,
  newLedger,
  reader,
  titleOf,
  uploadedTo,
} from '../support/set.ts'

const run = promisify(execFile)

// So many documents wait to be read at any moment, and so many come in one upload.
const BACKLOG = 80
const BATCH = 20
// The backup begins when so many could be found, and so many of them have been deleted.
const FOUND = 20
const DELETED = 3

/** Where a service is. */
interface Place {
  dataDir: string
  /** Of a server, else the embedded engine is in that folder. */
  url?: string | undefined
}

const environmentOf = ({ url }: Place): Record<string, string> =>
  url === undefined ? {} : { DATABASE_URL: url }

/** Its database, while the service runs or does not. */
async function lookInto<Result>({ dataDir, url }: Place, work: (db: Db) => Promise<Result>): Promise<Result> {
  const engine = url === undefined ? await startEngine({ dataDir, log: testLog }) : undefined
  const db = openDb(engine ? { socketDir: engine.socketDir } : { url: url ?? '' }, { max: 2 })
  try {
    return await work(db)
  } finally {
    await db.close()
    await engine?.stop()
  }
}

/** Sent again where it is refused: the embedded engine waits while rows are written into the backup. */
async function untilTaken<Body>(call: () => Promise<Reply<Body>>): Promise<Body> {
  for (;;) {
    const { status, headers, body } = await call()
    if (status < 400) return body
    expect([status, headers.has('retry-after')], JSON.stringify(body)).toEqual([503, true])
    await sleep(1000)
  }
}

/** What clients were told before the backup began. */
interface Before {
  uploaded: string[]
  deleted: string[]
}

/** And in all. */
interface Told {
  before: Before
  ledger: Ledger
  deleted: string[]
}

/** Uploads and deletes until it is over; from the moment that there is enough of everything `begin` runs beside it. */
async function whileInUse(service: Service, workspaceId: string, begin: () => Promise<void>): Promise<Told> {
  const client = makeClient(service.base, service.token)
  const ledger = newLedger()
  const deleted: string[] = []
  let isOver = false
  const at = `/workspaces/${workspaceId}`
  const foundNow = async (): Promise<number> =>
    (await untilTaken(() => client.call<Workspace>('GET', at))).document_count
  const uploader = async (): Promise<void> => {
    for (let no = 0; !isOver; ) {
      const waiting = ledger.acknowledged.size - (await foundNow()) - deleted.length
      for (let batch = 0; batch * BATCH < BACKLOG - waiting; batch++) {
        const titles = Array.from({ length: BATCH }, () => titleOf(0, no++))
        const job = await untilTaken(() => client.form<Job>(`${at}/files`, formOf(titles)))
        for (const title of titles) ledger.acknowledged.set(title, job.id)
      }
      await sleep(50)
    }
  }
  const deleter = async (): Promise<void> => {
    while (!isOver) {
      const page = await untilTaken(() => client.call<Page<Document>>('GET', `${at}/documents?limit=1`))
      const [first] = page.data
      if (first) {
        await untilTaken(() => client.call('DELETE', `${at}/documents/${first.id}`))
        deleted.push(first.title)
      }
      await sleep(200)
    }
  }
  const clients = Promise.all([uploader(), deleter()])
  const beside = async (): Promise<Before> => {
    while ((await foundNow()) + deleted.length < FOUND || deleted.length < DELETED) await sleep(50)
    const known = { uploaded: [...ledger.acknowledged.keys()], deleted: [...deleted] }
    await begin()
    return known
  }
  const known = beside().finally(() => {
    isOver = true
  })
  await Promise.race([known, clients])
  await clients
  return { before: await known, ledger, deleted }
}

/** Of the service at `from`, which is stopped, to `to`, which is empty. */
async function expectRestored(from: Place, to: Place, refusal: RegExp): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const backup = join(folder, 'backup')
  const kenning = async (place: Place, ...args: string[]): Promise<string> => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      KENNING_DATA_DIR: place.dataDir,
      ...environmentOf(place),
    }
    return (await run(process.execPath, ['dist/src/main.js', ...args], { env })).stdout
  }
  const first = await startService({ dataDir: from.dataDir, env: environmentOf(from) })
  onTestFinished(async () => void (await first.stop()))
  const { id } = await makeClient(first.base, first.token).post<Workspace>('/workspaces', {
    name: 'Contracts',
  })
  const { before, ledger, deleted } = await whileInUse(first, id, async () => {
    expect(await kenning(from, 'backup', backup)).toMatch(/rows of \d+ tables and \d+ files/)
  })
  expect(await kenning(from, 'verify', backup)).toMatch(/is complete/)
  await expect(kenning(from, 'restore', backup)).rejects.toThrow(refusal)
  await kenning(to, 'restore', backup)
  await first.stop()

  const { all, waiting } = await lookInto(to, (db) => uploadedTo(db, id))
  expect(before.uploaded.filter((title) => !all.includes(title))).toEqual([])
  expect(waiting.length, 'nothing was still to be read').toBeGreaterThan(0)

  const second = await startService({ dataDir: to.dataDir, env: environmentOf(to) })
  onTestFinished(async () => void (await second.stop()))
  const client = makeClient(second.base, second.token)
  expect(await client.get<Workspace>(`/workspaces/${id}`)).toMatchObject({ id, name: 'Contracts' })
  let isOver = false
  const reading = reader(second, id, () => isOver)
  const restored = newLedger()
  for (const title of all) {
    const job = ledger.acknowledged.get(title)
    // Acknowledged in the moment of the backup, its client had not heard of it yet.
    if (job !== undefined) restored.acknowledged.set(title, job)
    else restored.unknown.add(title)
  }
  const told =
    `before the backup ${before.uploaded.length} uploads and ${before.deleted.length} deletions were acknowledged; in it are ${all.length} and ` +
    `at most ${deleted.length}, and ${waiting.length} files still to be read`
  console.log(told)
  for (const title of deleted) {
    restored.unknown.add(title)
    restored.acknowledged.delete(title)
  }
  const titles = await expectEachOnce(second, id, restored, told).finally(() => {
    isOver = true
  })
  await reading
  expect(titles.filter((title) => before.deleted.includes(title))).toEqual([])
  const gone = all.filter((title) => !titles.includes(title))
  expect(gone.filter((title) => !deleted.includes(title))).toEqual([])
  const db = openDb(to.url === undefined ? runningEngine(to.dataDir) : { url: to.url }, { max: 2 })
  await expectAsCalm(second, db, id, titles, { deleted: gone }).finally(() => db.close())
}

/** Two folders, which go when the test ends. */
function twoFolders(): [string, string] {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-places-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return [join(folder, 'first'), join(folder, 'second')]
}

thorough(
  'F-19: backup in use, verify, restore, start: what was acknowledged is there once, and what waited is read',
  async () => {
    const [first, second] = twoFolders()
    await expectRestored({ dataDir: first }, { dataDir: second }, /Kenning is running on/)
  },
)

test.runIf(FULL && POSTGRES_IS_HERE)(
  'F-19: the same on PostgreSQL, to another database of the server',
  async () => {
    const { url } = await ownPostgres('backed-up')
    const other = new URL(url)
    other.pathname = '/restored'
    const db = openDb({ url }, { max: 1 })
    await db.rows(raw('CREATE DATABASE restored')).finally(() => db.close())
    const [first, second] = twoFolders()
    await expectRestored(
      { dataDir: first, url },
      { dataDir: second, url: other.href },
      /The database is in use/,
    )
  },
)
