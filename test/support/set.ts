// Clients of a set test, after Jepsen: each adds documents of its own, again and again, whatever happens to the service; and in
// the end everything that was acknowledged is there once, what was not is there once or not at all, and the workspace holds
// what one holds that was given the same files while nothing happened.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type {
  Document,
  DocumentContent,
  Job,
  Page,
  SearchResults,
  Workspace,
} from '../../src/contract/resources.ts'
import { removeUnnamedBlobs } from '../../src/ingest/sweep.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { type Client, makeClient } from './client.ts'
import { type Holdings, holdings, wrongCounts } from './holdings.sql.ts'
import { ageBlobs, blobsOf } from './ingest.ts'
import { processTree, type Service } from './service.ts'
import { vectorCounts } from './vectors.sql.ts'

/** What clients were told: the job of each title that was acknowledged, and titles whose end they do not know. */
export interface Ledger {
  acknowledged: Map<string, string>
  unknown: Set<string>
}

export const newLedger = (): Ledger => ({ acknowledged: new Map(), unknown: new Set() })

const titleOf = (client: number, no: number): string => `Entry ${client}x${no}`
const markOf = (title: string): string => `m${title.replace(/\D/g, 'z')}`
const PARAGRAPHS = 3
const lastOf = (title: string): string => `The end of ${title}.`

/** Three chunks, so that half of it could be seen, with names that all documents share. */
function textOf(title: string): string {
  const paragraph = (no: number): string =>
    Array.from({ length: 25 }, (_, at) => `Pump ${no}${at} of ${title} feeds the basin of Halden.`).join(' ')
  const facts = `The mark of ${title} is ${markOf(title)}. Ingrid Solheim works for Halden Harbour Ltd.`
  const sections = Array.from({ length: PARAGRAPHS }, (_, no) => `## Section ${no}\n\n${paragraph(no)}`)
  return `# ${title}\n\n${facts}\n\n${sections.join('\n\n')}\n\n${lastOf(title)}\n`
}

async function add(service: Service, bearer: () => Promise<string>, workspaceId: string, title: string) {
  const form = new FormData()
  form.append('files', new Blob([textOf(title)]), `${title}.md`)
  const headers = { authorization: `Bearer ${await bearer()}`, 'idempotency-key': title.replace(' ', '-') }
  const signal = AbortSignal.timeout(20_000)
  const url = `${service.base}/workspaces/${workspaceId}/files`
  const answer = await fetch(url, { method: 'POST', headers, body: form, signal })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as Job).id
}

/** Adds one document after the other, each tried again with its key until it is acknowledged or time is up. */
export async function writer(
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

/** Reads what a search shows, again and again: each document is there as a whole. Returns how many were read. */
export async function reader(service: Service, workspaceId: string, isOver: () => boolean): Promise<number> {
  const client = makeClient(service.base, service.token)
  let read = 0
  while (!isOver()) {
    const found = await sought(client, workspaceId, 'the mark of an entry', 10).catch(() => undefined)
    const { document_id: id, document_title: title } = found?.data[read % found.data.length] ?? {}
    const path = `/workspaces/${workspaceId}/documents/${id}?max_chars=60000`
    const content = id ? await client.get<DocumentContent>(path).catch(() => undefined) : undefined
    if (content) {
      const text = content.chunks.map((chunk) => chunk.text).join('\n')
      expect(text, `${title} is shown in part`).toContain(lastOf(title ?? ''))
      read++
    }
    await sleep(200)
  }
  return read
}

const sought = (client: Client, workspaceId: string, query: string, limit = 1): Promise<SearchResults> =>
  client.post(`/workspaces/${workspaceId}/search`, { query, limit })

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

/** Once nothing happens to it any more. Returns the titles that are there. */
export async function expectEachOnce(
  service: Service,
  id: string,
  ledger: Ledger,
  told: string,
): Promise<string[]> {
  const client = makeClient(service.base, service.token)
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
  for (const title of titles.slice(0, 20))
    expect((await sought(client, id, markOf(title))).data[0]?.document_title).toBe(title)
  return titles
}

const AT_ONCE = 20

/** The same files in another workspace, while nothing happens: what faults have left is equal to it, and nothing else is left. */
export async function expectAsCalm(
  service: Service,
  db: Db,
  id: string,
  titles: readonly string[],
): Promise<void> {
  const client = makeClient(service.base, service.token)
  const calm = await client.post<Workspace>('/workspaces', { name: 'calm' })
  const jobs: string[] = []
  for (let at = 0; at < titles.length; at += AT_ONCE) {
    const files = titles
      .slice(at, at + AT_ONCE)
      .map((title) => ({ name: `${title}.md`, bytes: textOf(title) }))
    jobs.push((await client.upload(calm.id, files)).id)
  }
  for (const job of jobs) await client.done(job)
  for (const workspace of [calm.id, id]) await settled(client, db, workspace)
  const [wanted, found] = [await comparable(db, calm.id), await comparable(db, id)]
  for (const name of Object.keys(wanted)) expect(found[name], name).toEqual(wanted[name])
  expect(wanted.mentions?.length).toBeGreaterThan(0)
  for (const workspace of [calm.id, id]) {
    expect(await wrongCounts(db, workspace)).toEqual([])
    const { chunks, embedded, lost } = await vectorCounts(db, workspace)
    expect([embedded, lost]).toEqual([chunks, 0])
  }
  await expectNoFileLeft(service.dataDir, db, titles.length)
}

/** Until no task is left, and what replaced versions have left is folded. */
async function settled(client: Client, db: Db, id: string): Promise<void> {
  await client.ready(id)
  await expect
    .poll(
      async () => {
        const { tasks, versions } = await holdings(db, id)
        return [tasks.length, versions.filter((one) => !('settled' in one && one.settled)).length]
      },
      { interval: 1000 },
    )
    .toEqual([0, 0])
}

/** Without what hangs on the order in which documents came: the weights of what one is about. */
async function comparable(db: Db, id: string): Promise<Record<string, object[]>> {
  const { subjects: _, ...held }: Holdings = await holdings(db, id)
  return held
}

/** Nothing staged, and of blobs those that documents name. */
async function expectNoFileLeft(dataDir: string, db: Db, documents: number): Promise<void> {
  const blobs = await openDiskBlobs(dataDir)
  await blobs.sweep(0)
  ageBlobs(dataDir)
  await removeUnnamedBlobs({ db, blobs })
  expect(blobsOf(dataDir)).toHaveLength(documents)
}
