// Many workspaces on a Citus while a worker node is killed and comes back, and while a workspace moves to another node: everything
// that was acknowledged is there once, nobody is shown anything of another workspace, and workspaces of the other node are
// served all the time. Only with `npm run test:citus`, where no other test uses the nodes meanwhile.
// KENNING_CITUS_WORKSPACES: how many (200). KENNING_TEST_SEED: other requests.

import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Answer,
  Document,
  Job,
  JobProgress,
  Page,
  SearchResults,
  Workspace,
} from '../../src/contract/resources.ts'
import { seededRandom } from '../../src/eval/measure/random.ts'
import { DISTRIBUTED_TABLES } from '../../src/operator/distribute/layout.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { moveToOwnShard, portOf } from '../support/citus-nodes.ts'
import { type Client, makeClient, type Reply } from '../support/client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Service, startService } from '../support/service.ts'

const ports = (process.env.KENNING_CITUS_PORTS ?? '').split(',').filter(Boolean).map(Number)
const WORKSPACES = Number(process.env.KENNING_CITUS_WORKSPACES ?? 200)
const SEED = Number(process.env.KENNING_TEST_SEED) || 20261127
const CLIENTS = 6
/** Requests of each part of the test. */
const REQUESTS = 2 * WORKSPACES
const KILLED = 2

const nodes = async (what: 'kill' | 'revive', worker: number): Promise<void> => {
  const script = fileURLToPath(new URL('../../scripts/citus', import.meta.url))
  await promisify(execFile)(script, [what, String(worker)])
}

/** What a client knows of one workspace. */
interface Ledger {
  no: number
  id: string
  port: number
  /** Titles of documents that have to be there, and their upload's key where its end is not known. */
  added: Set<string>
  unsure: Map<string, string>
  /** Ids of documents that were deleted, or may have been. */
  deleted: Map<string, 'sure' | 'unsure'>
  /** The last job that was acknowledged. */
  job?: string
  titleOf: Map<string, string>
}

const titleOf = (no: number, nth: number): string => `Note ${no}x${nth}`
const textOf = (no: number, nth: number): string =>
  `# ${titleOf(no, nth)}\n\nThe mark of note ${nth} is m${no}x${nth}z. It is kept in house${no}z beside the harbour.\n`

interface Seen {
  /** Of the request, as in the service's log. */
  id: string
  part: string
  port: number
  status: number
  what: string
  type: string | undefined
  message: string | undefined
}

describe.skipIf(ports.length === 0)('workspaces on several nodes', () => {
  let database: TestDatabase
  let db: Db
  let service: Service
  let client: Client
  let ledgers: Ledger[]
  const seen: Seen[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    database = await testDatabase()
    db = openDb(database.connection, { max: 2 })
    const url = 'url' in database.connection ? database.connection.url : ''
    service = await startService({
      temporary: true,
      env: { DATABASE_URL: url, KENNING_ASK_PER_HOUR: '1000000', KENNING_LOG_LEVEL: 'error' },
    })
    client = makeClient(service.base, service.token)
    ledgers = []
    for (let no = 0; no < WORKSPACES; no++) {
      const { id } = await client.post<Workspace>('/workspaces', { name: `house ${no}` })
      ledgers.push({
        no,
        id,
        port: 0,
        added: new Set(),
        unsure: new Map(),
        deleted: new Map(),
        titleOf: new Map(),
      })
    }
    await placeAll()
    await eachOf(ledgers, async (ledger) => {
      await add(ledger, 'filling')
    })
    for (const { id } of ledgers) await client.ready(id)
  }, 900_000)
  afterAll(async () => {
    await service.remove()
    await db.close()
    await database.close()
  })

  /** Asks on which node each workspace is. */
  async function placeAll(): Promise<void> {
    for (const ledger of ledgers) ledger.port = await portOf(db, ledger.id)
  }

  /** Each is used by one client at a time. */
  async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, async (_, no) => {
      for (const [at, one] of all.entries()) if (at % CLIENTS === no) await work(one)
    })
    await Promise.all(clients)
  }

  async function note<Body>(
    part: string,
    { port }: Ledger,
    what: string,
    sent: Promise<Reply<Body>>,
  ): Promise<{ done: boolean; body: Body | undefined }> {
    const { status, headers, body } = await sent
    const { error } = (body ?? {}) as { error?: { type: string; message: string } }
    const id = headers.get('x-request-id') ?? ''
    seen.push({ id, part, port, status, what, type: error?.type, message: error?.message })
    const done = status < 300
    return { done, body: done ? body : undefined }
  }

  function upload({ no, id }: Ledger, nth: number, key: string): Promise<Reply<Job>> {
    const form = new FormData()
    form.append('files', new Blob([textOf(no, nth)]), `${titleOf(no, nth)}.md`)
    return client.form<Job>(`/workspaces/${id}/files`, form, { 'idempotency-key': key })
  }

  async function add(ledger: Ledger, part: string): Promise<Job | undefined> {
    const nth = ledger.added.size
    const title = titleOf(ledger.no, nth)
    const key = `add-${ledger.no}-${nth}`
    ledger.added.add(title)
    ledger.unsure.set(title, key)
    const { done, body } = await note(part, ledger, 'upload', upload(ledger, nth, key))
    if (done) ledger.unsure.delete(title)
    if (body) ledger.job = body.id
    return body
  }

  /** Of several documents the first. */
  async function remove(ledger: Ledger, part: string): Promise<void> {
    const path = `/workspaces/${ledger.id}/documents`
    const { body } = await note(part, ledger, 'list', client.call<Page<Document>>('GET', path))
    const [document, ...others] = body?.data ?? []
    if (!document || others.length === 0) return
    ledger.deleted.set(document.id, 'unsure')
    ledger.titleOf.set(document.id, document.title)
    const deletion = client.call<undefined>('DELETE', `${path}/${document.id}`)
    if ((await note(part, ledger, 'deletion', deletion)).done) ledger.deleted.set(document.id, 'sure')
  }

  async function search(ledger: Ledger, part: string): Promise<void> {
    // Words that all workspaces have: nothing but policies and conditions keeps the others out.
    const query = { query: `mark harbour house${ledger.no}z`, limit: 20 }
    const sent = client.call<SearchResults>('POST', `/workspaces/${ledger.id}/search`, query)
    const { body } = await note(part, ledger, 'search', sent)
    look(ledger, body?.data ?? [])
  }

  async function askJob(ledger: Ledger, part: string): Promise<void> {
    if (ledger.job === undefined) return
    await note(part, ledger, 'job', client.call<Job>('GET', `/jobs/${ledger.job}`))
    await note(part, ledger, 'progress', client.call<JobProgress>('GET', `/jobs/${ledger.job}/progress`))
  }

  async function ask(ledger: Ledger, part: string): Promise<void> {
    const question = { question: `What is the mark in house${ledger.no}z?`, stream: false }
    const sent = client.call<Answer>('POST', `/workspaces/${ledger.id}/ask`, question)
    const { body } = await note(part, ledger, 'question', sent)
    look(ledger, body?.citations ?? [])
  }

  let shown = 0
  function look({ no }: Ledger, found: readonly { document_title?: string | null | undefined }[]): void {
    for (const { document_title: title } of found) {
      shown++
      if (!title?.startsWith(`Note ${no}x`)) strangers.push(`${no} was shown ${title}`)
    }
  }

  /** As clients do that are told to come again. */
  async function patiently(send: () => Promise<{ status: number }>): Promise<number> {
    for (let tries = 0; ; tries++) {
      const { status } = await send()
      if (status !== 503 || tries === 9) return status
    }
  }

  const kinds = [search, search, ask, add, remove, askJob]

  /** `count` requests to workspaces by chance, and more until `isOver`. */
  async function load(part: string, count: number, isOver: () => boolean = () => true): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, async (_, no) => {
      const random = seededRandom(SEED + 100 * no + part.length)
      const own = ledgers.filter((_, at) => at % CLIENTS === no)
      for (let sent = 0; sent < count / CLIENTS || !isOver(); sent++) {
        const ledger = own[Math.floor(random() * own.length)]
        const kind = kinds[Math.floor(random() * kinds.length)]
        if (ledger && kind) await kind(ledger, part)
      }
    })
    await Promise.all(clients)
  }

  /** Files of a workspace are read only from `tryOften` on. */
  const holdTasks = async (id: string): Promise<void> => {
    await db.rows(
      raw(`
      CREATE OR REPLACE FUNCTION held_back() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.run_after := now() + interval '1 day'; RETURN NEW; END $$;
      CREATE TRIGGER "held ${id}" BEFORE INSERT ON task FOR EACH ROW WHEN (NEW.workspace_id = '${id}')
        EXECUTE FUNCTION held_back()`),
    )
  }

  /** The files that wait for the lost node are tried, as they are after half a minute, until no further try may count. */
  async function tryOften(waiting: readonly Ledger[]): Promise<void> {
    const ids = waiting.map(({ id }) => id)
    for (const id of ids) await db.rows(raw(`DROP TRIGGER "held ${id}" ON task`))
    await db.rows(
      sql`UPDATE task SET run_after = now(), attempt = 19 WHERE workspace_id = ANY (${ids}::uuid[])`,
    )
    for (;;) {
      const [row] = await db.rows<{ least: number }>(sql`
        SELECT min(attempt)::int AS least FROM task WHERE workspace_id = ANY (${ids}::uuid[]) AND kind = 'ingest'`)
      if ((row?.least ?? 0) >= 23) return
      await sleep(200)
    }
  }

  const ofPart = (part: string): Seen[] => seen.filter((one) => one.part === part)
  /** What was not answered as usual: how often, by what was asked. */
  const failed = (all: readonly Seen[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { status, what, type, message } of all)
      if (status >= 400) {
        const name = `${what}: ${status} ${type} ${message}`
        counts[name] = (counts[name] ?? 0) + 1
      }
    return counts
  }

  /** The same with what the service's log has of these requests, so that a failure says why. */
  const failedAs = (all: readonly Seen[]) => {
    const ids = all.filter(({ status, id }) => status >= 400 && id !== '').map(({ id }) => id)
    const log = service
      .output()
      .split('\n')
      .filter((line) => ids.some((id) => line.includes(id)))
    return { failed: failed(all), log }
  }
  const NOTHING = { failed: {}, log: [] }

  test('a node is killed and comes back: those of the other are served, those of the lost one get 503', async () => {
    const lost = ports[KILLED] ?? 0
    await load('before', REQUESTS / 2)
    expect(failedAs(ofPart('before'))).toEqual(NOTHING)
    let isBack = false
    const waiting = ledgers.filter(({ port }) => port === lost).slice(0, 3)
    try {
      for (const { id } of waiting) await holdTasks(id)
      for (const ledger of waiting) await add(ledger, 'before')
      await Promise.all([load('away', REQUESTS), nodes('kill', KILLED)])
      // What is uploaded meanwhile is read meanwhile.
      for (const ledger of ledgers.filter(({ port }) => port !== lost).slice(0, 5)) {
        const job = await add(ledger, 'read')
        if (!job) continue // shown by `failedAs` below
        await client.done(job.id, 300_000)
        await client.ready(ledger.id, 300_000)
      }
      await tryOften(waiting)
    } finally {
      const revived = nodes('revive', KILLED).finally(() => {
        isBack = true
      })
      await Promise.all([revived, load('back', REQUESTS / 4, () => isBack)])
    }
    await load('after', REQUESTS / 2)
    const held = (part: string): Seen[] => ofPart(part).filter(({ port }) => port !== lost)
    const gone = ofPart('away').filter(({ port }) => port === lost)
    const refused = gone.filter(({ status }) => status >= 400)
    expect(held('away').length).toBeGreaterThan(REQUESTS / 4)
    expect(refused.length).toBeGreaterThan(REQUESTS / 8)
    expect(refused.filter(({ status, type }) => status !== 503 || type !== 'unavailable')).toEqual([])
    for (const part of ['away', 'read', 'back']) expect(failedAs(held(part)), part).toEqual(NOTHING)
    // Citus finds by itself that the connections which sessions kept to the node have ended.
    expect(failedAs(ofPart('after'))).toEqual(NOTHING)
  }, 900_000)

  test('a workspace moves to another node meanwhile', async () => {
    const [moved] = ledgers
    if (!moved) throw new Error('there is none')
    // A session that knows nothing of the node's old connections.
    await db.close()
    db = openDb(database.connection, { max: 2 })
    let isOver = false
    const other = ports.slice(1).find((port) => port !== moved.port) ?? 0
    const moving = moveToOwnShard(db, moved.id, other).finally(() => {
      isOver = true
    })
    await Promise.all([moving, load('move', REQUESTS / 2, () => isOver)])
    await placeAll()
    expect(moved.port).toBe(other)
    expect(failedAs(ofPart('move'))).toEqual(NOTHING)
  }, 900_000)

  test('everything acknowledged is there once, nothing of another workspace was shown', async () => {
    await eachOf(ledgers, async (ledger) => {
      for (const [title, key] of ledger.unsure) {
        const nth = Number(title.split('x')[1])
        expect(await patiently(() => upload(ledger, nth, key)), title).toBe(202)
      }
      for (const [id, is] of ledger.deleted)
        if (is === 'unsure')
          expect([204, 404]).toContain(
            await patiently(() => client.call('DELETE', `/workspaces/${ledger.id}/documents/${id}`)),
          )
    })
    let documents = 0
    for (const ledger of ledgers) {
      await client.ready(ledger.id, 300_000)
      const { data } = await client.get<Page<Document>>(`/workspaces/${ledger.id}/documents?limit=200`)
      const gone = new Set([...ledger.deleted.keys()].map((id) => ledger.titleOf.get(id)))
      const wanted = [...ledger.added].filter((title) => !gone.has(title))
      expect(data.map(({ title }) => title).sort()).toEqual(wanted.sort())
      expect((await client.get<Workspace>(`/workspaces/${ledger.id}`)).document_count).toBe(wanted.length)
      documents += wanted.length
    }
    expect(strangers).toEqual([])
    expect(shown).toBeGreaterThan(WORKSPACES)
    // A shard that was split or moved has left nothing behind that counts twice.
    for (const table of DISTRIBUTED_TABLES) {
      const [held] = await db.rows<{ rows: number; once: number }>(
        raw(`
        SELECT count(*)::int AS rows, count(DISTINCT whole)::int AS once FROM (SELECT t::text AS whole FROM ${table} t) every`),
      )
      expect(held?.once, table).toBe(held?.rows)
    }
    const sum = ['search', 'question', 'upload', 'list', 'deletion', 'job'].map(
      (kind) => `${kind} ${seen.filter(({ what }) => what === kind).length}`,
    )
    console.log(`${WORKSPACES} workspaces, ${documents} documents at the end: ${sum.join(', ')}`)
  }, 900_000)
})
