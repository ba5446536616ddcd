// Two processes with the API and three workers on one PostgreSQL and one data folder, as companies run them: what is acknowledged
// by one is there for all, limits and sign-out hold across them, and one of each may be killed. Prints the processor time beside
// one API and one worker of the same run (`npm run test:full`).

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document, Job, Page, SearchResults, Workspace } from '../../src/contract/resources.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { type Client, makeClient } from '../support/client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { FULL } from '../support/full.ts'
import { endWithUs } from '../support/leftovers.ts'
import { ADMIN, childEnvironmentOf, freePort, MAIN, processTree } from '../support/service.ts'

const ASK_PER_HOUR = 7
const FILES = 120
const AT_ONCE = 10
const TICKS_A_SECOND = 100

interface Running {
  child: ChildProcess
  origin: string
}

describe.runIf(FULL && process.env.DATABASE_URL)('two APIs and three workers', () => {
  let database: TestDatabase
  let db: Db
  let dataDir: string
  let publicOrigin: string
  let apis: Running[]
  let workers: Running[]
  let session: { cookie: string; token: string }
  const ends: (() => void)[] = []

  async function start(role: 'api' | 'worker'): Promise<Running> {
    if (!('url' in database.connection)) throw new Error('a server is needed')
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    publicOrigin ??= origin
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      env: childEnvironmentOf({
        DATABASE_URL: database.connection.url,
        KENNING_ROLE: role,
        KENNING_PORT: String(port),
        // One address for all, as a proxy in front gives them.
        KENNING_BASE_URL: `${publicOrigin}/v1`,
        KENNING_DATA_DIR: dataDir,
        KENNING_ADMIN_EMAIL: ADMIN.email,
        KENNING_ADMIN_PASSWORD: ADMIN.password,
        KENNING_ASK_PER_HOUR: String(ASK_PER_HOUR),
      }),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    ends.push(endWithUs({ pid: () => (child.exitCode === null ? child.pid : undefined), folders: [] }))
    while (role === 'api' && !(await isReady(origin))) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      await sleep(100)
    }
    return { child, origin }
  }

  const isReady = async (origin: string): Promise<boolean> =>
    (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok === true

  const send = (api: Running | undefined, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${api?.origin}${path}`, { ...init, signal: AbortSignal.timeout(60_000) })

  async function signIn(api: Running): Promise<{ cookie: string; token: string }> {
    const headers = { 'content-type': 'application/json', origin: publicOrigin }
    const answer = await send(api, '/session', { method: 'POST', headers, body: JSON.stringify(ADMIN) })
    expect(answer.status).toBe(204)
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])[0] ?? ''
    return { cookie, token: await trade(api, cookie) }
  }

  async function trade(api: Running, cookie: string): Promise<string> {
    const answer = await send(api, '/session/token', {
      method: 'POST',
      headers: { origin: publicOrigin, cookie },
    })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { access_token: string }).access_token
  }

  /** One after the other, until the first that is there: as a proxy does. */
  async function fromAny(path: string, init: RequestInit, first = 0): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const answer = await send(apis[(first + tries) % apis.length], path, init).catch(() => undefined)
      if (answer && answer.status < 500) return answer
      if (tries > 60) throw new Error(`${path} is not answered`)
      await sleep(tries === 0 ? 0 : 200)
    }
  }

  const bearer = (): { authorization: string } => ({ authorization: `Bearer ${session.token}` })

  const titleOf = (round: string, no: number): string => `Report ${round} ${no}`
  const markOf = (round: string, no: number): string => `mark${round}q${no}z`
  const textOf = (round: string, no: number): string =>
    `# ${titleOf(round, no)}\n\nIts mark is ${markOf(round, no)}.\n\n${Array.from(
      { length: 40 },
      (_, at) =>
        `Paragraph ${at}: pump ${round}${no}x${at} feeds the basin of Halden harbour in the year ${1900 + at}.`,
    ).join('\n\n')}\n`

  /** Uploads the round's files through all APIs in turn; returns the jobs that were acknowledged. */
  async function upload(
    workspaceId: string,
    round: string,
    during?: () => Promise<void>,
  ): Promise<Set<string>> {
    const jobs = new Set<string>()
    const send = async (at: number): Promise<void> => {
      const form = new FormData()
      for (let no = at; no < at + AT_ONCE; no++)
        form.append('files', new Blob([textOf(round, no)]), `${titleOf(round, no)}.md`)
      const headers = { ...bearer(), 'idempotency-key': `${round}-${at}` }
      const path = `/v1/workspaces/${workspaceId}/files`
      const answer = await fromAny(path, { method: 'POST', headers, body: form }, at / AT_ONCE)
      expect(answer.status).toBe(202)
      jobs.add(((await answer.json()) as Job).id)
    }
    const batches = Array.from({ length: FILES / AT_ONCE }, (_, no) => no * AT_ONCE)
    await Promise.all([...batches.map(send), during?.()])
    return jobs
  }

  const clientOf = (api: Running | undefined): Client =>
    makeClient(`${api?.origin}/v1`, async () => session.token)

  /** All of it there, once, and found by the mark of each. */
  async function expectWhole(workspaceId: string, round: string, client: Client): Promise<void> {
    const { data } = await client.get<Page<Document>>(`/workspaces/${workspaceId}/documents?limit=200`)
    expect(data.map(({ title }) => title).sort()).toEqual(
      Array.from({ length: FILES }, (_, no) => titleOf(round, no)).sort(),
    )
    for (let no = 0; no < FILES; no += 12) {
      const query = { query: markOf(round, no), limit: 1 }
      const found = await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, query)
      expect(found.data[0]?.document_title).toBe(titleOf(round, no))
    }
  }

  /** Processor seconds of APIs and workers with their parsers, and of the server, as far as they are on this machine. */
  async function used(): Promise<{ apis: number; workers: number; server: number }> {
    const seconds = (pids: (number | undefined)[]): number =>
      pids
        .flatMap((pid) => (pid === undefined ? [] : processTree(pid)))
        .reduce((sum, { ticks }) => sum + ticks / TICKS_A_SECOND, 0)
    const [row] = await db.rows<{ text: string }>(sql`SELECT pg_read_file('postmaster.pid') AS text`)
    return {
      apis: seconds(apis.map(({ child }) => child.pid)),
      workers: seconds(workers.map(({ child }) => child.pid)),
      server: seconds([Number(row?.text.split('\n')[0])]),
    }
  }

  async function measured(what: string, work: () => Promise<void>): Promise<void> {
    const [before, began] = [await used(), performance.now()]
    await work()
    const after = await used()
    const spent = (name: 'apis' | 'workers' | 'server'): string => (after[name] - before[name]).toFixed(1)
    const perSecond = (FILES / ((performance.now() - began) / 1000)).toFixed(1)
    console.log(
      `${what}: processor time of APIs ${spent('apis')} s, workers ${spent('workers')} s, server ${spent('server')} s; ` +
        `${perSecond} documents/s by the clock`,
    )
  }

  async function fill(round: string): Promise<void> {
    const client = clientOf(apis.at(-1))
    const { id } = await client.post<Workspace>('/workspaces', { name: round })
    for (const job of await upload(id, round)) await client.done(job)
    await client.ready(id)
    await expectWhole(id, round, client)
  }

  beforeAll(async () => {
    database = await testDatabase()
    db = openDb(database.connection, { max: 2 })
    dataDir = mkdtempSync(join(tmpdir(), 'kenning-many-'))
    apis = [await start('api')]
    workers = [await start('worker')]
    const [api] = apis
    if (!api) throw new Error('none was started')
    session = await signIn(api)
    await fill('warm')
    await measured('one API, one worker', () => fill('few'))
    apis.push(await start('api'))
    workers.push(await start('worker'), await start('worker'))
    // What each process compiles and loads with its first files is not theirs to compare.
    await fill('warmer')
    await measured('two APIs, three workers', () => fill('many'))
  })
  afterAll(async () => {
    for (const { child } of [...(apis ?? []), ...(workers ?? [])]) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    }
    for (const forget of ends) forget()
    await db.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('what one API has acknowledged, the other shows at once', async () => {
    const [one, other] = apis.map(clientOf)
    if (!one || !other) throw new Error('two are needed')
    for (let round = 0; round < 10; round++) {
      const { id } = await one.post<Workspace>('/workspaces', { name: `w${round}` })
      expect((await other.get<Workspace>(`/workspaces/${id}`)).name).toBe(`w${round}`)
      expect((await other.call('DELETE', `/workspaces/${id}`)).status).toBe(204)
      expect((await one.call('GET', `/workspaces/${id}`)).status).toBe(404)
    }
  })

  test('the limit of questions is one for both', async () => {
    const { id } = await clientOf(apis[0]).post<Workspace>('/workspaces', { name: 'asked' })
    const asked = await Promise.all(
      Array.from({ length: 2 * ASK_PER_HOUR }, async (_, no) => {
        const headers = { ...bearer(), 'content-type': 'application/json', accept: 'application/json' }
        const body = JSON.stringify({ question: 'Which pump feeds the basin?' })
        const init = { method: 'POST', headers, body }
        const answer = await send(apis[no % 2], `/v1/workspaces/${id}/ask`, init)
        await answer.text()
        return answer.status
      }),
    )
    expect(asked.filter((status) => status === 200)).toHaveLength(ASK_PER_HOUR)
    expect(asked.filter((status) => status === 429)).toHaveLength(ASK_PER_HOUR)
  })

  test('who signs out at one is signed out at the other, with every token', async () => {
    const [one, other] = apis
    if (!one || !other) throw new Error('two are needed')
    const leaving = await signIn(one)
    const second = await trade(other, leaving.cookie)
    const me = async (api: Running, token: string): Promise<number> =>
      (await send(api, '/v1/me', { headers: { authorization: `Bearer ${token}` } })).status
    expect([await me(other, leaving.token), await me(one, second)]).toEqual([200, 200])
    const headers = { origin: publicOrigin, cookie: leaving.cookie }
    expect((await send(one, '/session', { method: 'DELETE', headers })).status).toBe(204)
    for (const token of [leaving.token, second])
      expect([await me(one, token), await me(other, token)]).toEqual([401, 401])
    expect((await send(other, '/session/token', { method: 'POST', headers })).status).toBe(401)
    expect(await me(other, session.token)).toBe(200)
  })

  test('an API and a worker are killed under load: everything acknowledged is there once', async () => {
    const { id } = await clientOf(apis[0]).post<Workspace>('/workspaces', { name: 'stormy' })
    const [lost, idle] = [apis[1], workers]
    /** A worker that has files in hand. */
    const busy = async (): Promise<Running | undefined> => {
      const held = await db.rows<{ worker: string }>(
        sql`SELECT DISTINCT worker FROM task WHERE kind = 'ingest' AND lease_until > now()`,
      )
      return idle.find(({ child }) => held.some(({ worker }) => worker.includes(`:${child.pid}:`)))
    }
    let searches = 0
    const jobs = await upload(id, 'stormy', async () => {
      let found = await busy()
      while (!found) found = await busy()
      found.child.kill('SIGKILL')
      lost?.child.kill('SIGKILL')
      for (; searches < 20; searches++) {
        const init = {
          method: 'POST',
          headers: { ...bearer(), 'content-type': 'application/json' },
          body: JSON.stringify({ query: 'pump harbour', limit: 3 }),
        }
        expect((await fromAny(`/v1/workspaces/${id}/search`, init, searches)).status).toBe(200)
      }
    })
    expect(idle.filter(({ child }) => child.signalCode === 'SIGKILL')).toHaveLength(1)
    const client = clientOf(apis[0])
    expect(jobs.size).toBe(FILES / AT_ONCE)
    for (const job of jobs) {
      const { files } = await client.done(job)
      expect(files.filter(({ status }) => status !== 'done')).toEqual([])
    }
    await client.ready(id)
    await expectWhole(id, 'stormy', client)
    expect((await client.get<Workspace>(`/workspaces/${id}`)).document_count).toBe(FILES)
  })
})
