// F-07, after Jepsen's set test: clients add documents while API, worker, parsers and engine are killed and paused at random; and
// F-04, while a PostgreSQL of its own is restarted. In the end everything that was acknowledged is there once, and what was not is there once or not at all.
// KENNING_SET_SECONDS: for how long (a minute); KENNING_TEST_SEED: other moments.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Document, Job, Page, SearchResults, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { FULL, thorough } from '../support/full.ts'
import { endWithUs } from '../support/leftovers.ts'
import { quickService } from '../support/quick-service.ts'
import { roles } from '../support/roles.ts'
import { processTree, type Service, startService } from '../support/service.ts'

const SECONDS = Number(process.env.KENNING_SET_SECONDS ?? 60)
const SEED = Number(process.env.KENNING_TEST_SEED) || 20261126
const CLIENTS = 8

/** Mulberry32: the same moments in every run. */
function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What clients were told: the job of each title that was acknowledged, and titles whose end they do not know. */
interface Ledger {
  acknowledged: Map<string, string>
  unknown: Set<string>
}

const titleOf = (client: number, no: number): string => `Entry ${client}x${no}`

async function add(service: Service, bearer: () => Promise<string>, workspaceId: string, title: string) {
  const form = new FormData()
  form.append(
    'files',
    new Blob([`# ${title}\n\nThe mark of ${title} is m${title.replace(/\D/g, 'z')}.\n`]),
    `${title}.md`,
  )
  const headers = { authorization: `Bearer ${await bearer()}`, 'idempotency-key': title.replace(' ', '-') }
  const signal = AbortSignal.timeout(20_000)
  const url = `${service.base}/workspaces/${workspaceId}/files`
  const answer = await fetch(url, { method: 'POST', headers, body: form, signal })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as Job).id
}

/** Adds one document after the other, each tried again with its key until it is acknowledged or time is up. */
async function writer(
  service: Service,
  workspaceId: string,
  client: number,
  ledger: Ledger,
  isOver: () => boolean,
): Promise<void> {
  let known: string | undefined
  const bearer = async (): Promise<string> => (known ??= await service.token())
  for (let no = 0; !isOver(); no++) {
    const title = titleOf(client, no)
    ledger.unknown.add(title)
    while (!isOver()) {
      try {
        ledger.acknowledged.set(title, await add(service, bearer, workspaceId, title))
        ledger.unknown.delete(title)
        break
      } catch (error) {
        if (String(error).includes('401')) known = undefined
        await sleep(300)
      }
    }
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

/** Kills or pauses one process after the other; returns how often, by role. */
async function chaos(service: Service, isOver: () => boolean): Promise<Record<string, number>> {
  const random = randomBy(SEED)
  const names = Object.keys(roles)
  const done: Record<string, number> = {}
  while (!isOver()) {
    await sleep(500 + random() * 3000)
    const role = names[Math.floor(random() * names.length)] ?? ''
    const pauses = random() < 0.3
    const forMs = 1000 + random() * 7000
    const found = processTree(service.child.pid ?? 0).find((row) => roles[role]?.(row))
    if (!found) continue
    const what = `${role} ${pauses ? 'paused' : 'killed'}`
    done[what] = (done[what] ?? 0) + 1
    if (!pauses) signal(found.pid, 'SIGKILL')
    else {
      signal(found.pid, 'SIGSTOP')
      await sleep(forMs)
      signal(found.pid, 'SIGCONT')
    }
  }
  return done
}

async function titlesOf(client: Client, workspaceId: string): Promise<string[]> {
  const titles: string[] = []
  let cursor: string | null = ''
  do {
    const path: string = `/workspaces/${workspaceId}/documents?limit=200${cursor ? `&cursor=${cursor}` : ''}`
    const page: Page<Document> = await client.get(path)
    titles.push(...page.data.map(({ title }) => title))
    cursor = page.next_cursor
  } while (cursor)
  return titles
}

const TOLD_BYTES = 6000

/** A call that waits while the service is coming back. Fails with the last that the service said, and what of it runs. */
async function patiently<Result>(service: Service, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 120) {
        const running = processTree(service.child.pid ?? 0).map(({ command }) => command.slice(-80))
        const said = service.output().slice(-TOLD_BYTES)
        throw new Error(`it did not come back\n${said}\nRunning: ${running.join('\n')}`, { cause: error })
      }
      await sleep(1000)
    }
  }
}

/** Once nothing happens to it any more. */
async function expectEachOnce(
  service: Service,
  client: Client,
  id: string,
  ledger: Ledger,
  told: string,
): Promise<void> {
  for (const job of new Set(ledger.acknowledged.values())) {
    const { files } = await patiently(service, () => client.done(job))
    expect(files.map(({ status }) => status)).toEqual(['done'])
  }
  await patiently(service, () => client.ready(id))
  const titles = await titlesOf(client, id)
  expect(new Set(titles).size, `${told}: something is there twice`).toBe(titles.length)
  expect(
    [...ledger.acknowledged.keys()].filter((title) => !titles.includes(title)),
    told,
  ).toEqual([])
  expect(titles.filter((title) => !ledger.acknowledged.has(title) && !ledger.unknown.has(title))).toEqual([])
  const { document_count } = await client.get<Workspace>(`/workspaces/${id}`)
  expect(document_count).toBe(titles.length)
  // Found, too: some of them, whole.
  for (const title of titles.slice(0, 20)) {
    const mark = `m${title.replace(/\D/g, 'z')}`
    const { data } = await client.post<SearchResults>(`/workspaces/${id}/search`, { query: mark, limit: 1 })
    expect(data[0]?.document_title).toBe(title)
  }
}

thorough(
  'F-07: whatever is killed or paused, what was acknowledged is there once',
  async () => {
    const service = await quickService()
    onTestFinished(() => service.remove())
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'set' })
    const ledger: Ledger = { acknowledged: new Map(), unknown: new Set() }
    const end = Date.now() + SECONDS * 1000
    const isOver = (): boolean => Date.now() > end
    const writers = Array.from({ length: CLIENTS }, (_, no) => writer(service, id, no, ledger, isOver))
    const [done] = await Promise.all([chaos(service, isOver), ...writers])
    const told = `seed ${SEED}: ${ledger.acknowledged.size} acknowledged, ${ledger.unknown.size} unknown, ${JSON.stringify(done)}`
    console.log(told)
    expect(ledger.acknowledged.size, told).toBeGreaterThan(CLIENTS)
    expect(
      Object.values(done).reduce((sum, count) => sum + count, 0),
      told,
    ).toBeGreaterThan(SECONDS / 15)
    await expectEachOnce(service, client, id, ledger, told)
  },
  SECONDS * 1000 + 3_600_000,
)

const POSTGRES = process.env.KENNING_POSTGRES_CACHE ?? '.postgres'
const NAME = 'restarted'

/** A PostgreSQL of this test alone, where `scripts/postgres` has installed one: it is restarted. */
async function ownPostgres(): Promise<{ url: string; restart(mode: string): Promise<void> }> {
  const env = { ...process.env, KENNING_POSTGRES_NAME: NAME }
  const run = (...args: string[]) => promisify(execFile)('scripts/postgres', args, { env })
  const postmaster = (): number | undefined => {
    const file = join(POSTGRES, 'root-forky/srv', NAME, 'data/postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
  }
  await run('start')
  const forget = endWithUs({ pid: postmaster, folders: [] })
  onTestFinished(async () => {
    await run('stop')
    forget()
  })
  return {
    url: (await run('url')).stdout.trim(),
    restart: async (mode) => void (await run('restart', mode)),
  }
}

/** Searches until it is over; returns what was answered, by status. */
async function searcher(
  service: Service,
  workspaceId: string,
  token: string,
  found: () => void,
  isOver: () => boolean,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: 'the mark of an entry', limit: 5 })
  while (!isOver()) {
    const url = `${service.base}/workspaces/${workspaceId}/search`
    const answer = await fetch(url, { method: 'POST', headers, body })
    const text = await answer.text()
    if (answer.status === 200) found()
    else expect([answer.status, answer.headers.has('retry-after')], text).toEqual([503, true])
    await sleep(50)
  }
}

test.runIf(FULL && existsSync(join(POSTGRES, 'root-forky/.complete')))(
  'F-04: PostgreSQL restarted under load, and killed: searches and uploads go on by themselves, and nothing is lost',
  async () => {
    const { url, restart } = await ownPostgres()
    const service = await startService({ env: { DATABASE_URL: url } })
    onTestFinished(() => service.remove())
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'set' })
    const ledger: Ledger = { acknowledged: new Map(), unknown: new Set() }
    let searches = 0
    let over = false
    const isOver = (): boolean => over
    const processes = () =>
      processTree(service.child.pid ?? 0).flatMap((row) => (roles.parser?.(row) ? [] : [row.pid]))
    const before = processes()
    /** Both go on from here. */
    const untilMore = async (): Promise<void> => {
      const wanted = [ledger.acknowledged.size + CLIENTS, searches + 5] as const
      await expect.poll(() => ledger.acknowledged.size >= wanted[0] && searches >= wanted[1]).toBe(true)
    }
    const clients = Promise.all([
      ...Array.from({ length: CLIENTS }, (_, no) => writer(service, id, no, ledger, isOver)),
      searcher(service, id, await service.token(), () => searches++, isOver),
    ])
    const storm = async (): Promise<void> => {
      for (const mode of ['fast', 'immediate', 'fast', 'immediate']) {
        await untilMore()
        await restart(mode)
      }
      await untilMore()
    }
    await Promise.race([storm(), clients]).finally(() => {
      over = true
    })
    await clients
    // The service met each restart without one of its own.
    expect(processes()).toEqual(before)
    const told = `${ledger.acknowledged.size} acknowledged, ${ledger.unknown.size} unknown, ${searches} searches`
    console.log(told)
    await expectEachOnce(service, client, id, ledger, told)
  },
)
