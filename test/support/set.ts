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
import { removeUnreferencedBlobs } from '../../src/ingest/sweep.ts'
import { openDiskBlobs } from '../../src/ports/blobs/disk.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { type Client, makeClient } from './client.ts'
import { type Holdings, holdings, namedBlobs, wrongCounts } from './holdings.sql.ts'
import { ageBlobs, blobsOf } from './ingest.ts'
import { processTree, type Service } from './service.ts'
import { vectorCounts } from './vectors.sql.ts'

/** What clients were told: the job of each title that was acknowledged, and titles whose end they do not know. */
export interface Ledger {
  acknowledged: Map<string, string>
  unknown: Set<string>
}

export const newLedger = (): Ledger => ({ acknowledged: new Map(), unknown: new Set() })

export const titleOf = (client: number, no: number): string => `Entry ${client}x${no}`
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

const nameOf = (title: string): string => `${title}.md`
const TITLE = /^(.+)\.md$/

/** The files of these documents, to be uploaded. */
export function formOf(titles: readonly string[]): FormData {
  const form = new FormData()
  for (const title of titles) form.append('files', new Blob([textOf(title)]), nameOf(title))
  return form
}

/** The request that uploads it: sent again it is the same upload. */
export const uploadOf = (
  title: string,
): { method: string; headers: Record<string, string>; body: FormData } => ({
  method: 'POST',
  headers: { 'idempotency-key': title.replace(' ', '-') },
  body: formOf([title]),
})

async function add(service: Service, bearer: () => Promise<string>, workspaceId: string, title: string) {
  const { headers, ...upload } = uploadOf(title)
  const authorization = `Bearer ${await bearer()}`
  const signal = AbortSignal.timeout(20_000)
  const url = `${service.base}/workspaces/${workspaceId}/files`
  const answer = await fetch(url, { ...upload, headers: { ...headers, authorization }, signal })
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
  let cachedToken: string | undefined
  const bearer = async (): Promise<string> => (cachedToken ??= await service.token())
  for (let no = 0; !isOver(); no++) {
    const title = titleOf(client, no)
    ledger.unknown.add(title)
    while (!isOver()) {
      try {
        ledger.acknowledged.set(title, await add(service, bearer, workspaceId, title))
        ledger.unknown.delete(title)
        break
      } catch (error) {
        if (String(error).includes('401')) cachedToken = undefined
        await sleep(300)
      }
    }
  }
}

// Until then it may be that nothing could be read: so many more looks, a fifth of a second each, once nothing happens any more.
const LOOKS = 600

/**
 * Reads what a search shows, again and again: each document is there as a whole. Goes on until it is over and something was read,
 * which must be possible by then. Returns how many were read.
 */
export async function reader(service: Service, workspaceId: string, isOver: () => boolean): Promise<number> {
  const client = makeClient(service.base, service.token)
  let read = 0
  for (let looks = 0; looks < LOOKS && !(isOver() && read > 0); looks += isOver() ? 1 : 0) {
    const results = await sought(client, workspaceId, 'the mark of an entry', 10).catch(() => undefined)
    const { document_id: id, document_title: title } = results?.data[read % results.data.length] ?? {}
    const path = `/workspaces/${workspaceId}/documents/${id}?max_chars=60000`
    const content = id ? await client.get<DocumentContent>(path).catch(() => undefined) : undefined
    if (content) {
      const text = content.chunks.map((chunk) => chunk.text).join('\n')
      expect(text, `${title} is shown in part`).toContain(lastOf(title ?? ''))
      read++
    }
    await sleep(200)
  }
  expect(read, 'nothing could be read').toBeGreaterThan(0)
  return read
}

const sought = (client: Client, workspaceId: string, query: string, limit = 1): Promise<SearchResults> =>
  client.post(`/workspaces/${workspaceId}/search`, { query, limit })

async function documentsOf(client: Client, workspaceId: string): Promise<Document[]> {
  const documents: Document[] = []
  let cursor: string | null = ''
  do {
    const path: string = `/workspaces/${workspaceId}/documents?limit=200${cursor ? `&cursor=${cursor}` : ''}`
    const page: Page<Document> = await client.get(path)
    documents.push(...page.data)
    cursor = page.next_cursor
  } while (cursor)
  return documents
}

const TOLD_BYTES = 6000

/** A call that waits while the service is coming back. Fails with the last that the service said, and what of it runs. */
async function patiently<Result>(service: Service, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 120) {
        const processes = processTree(service.child.pid ?? 0).map(({ command }) => command.slice(-80))
        const outputTail = service.output().slice(-TOLD_BYTES)
        throw new Error(`it did not come back\n${outputTail}\nRunning: ${processes.join('\n')}`, {
          cause: error,
        })
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
  message: string,
): Promise<string[]> {
  const client = makeClient(service.base, service.token)
  for (const job of new Set(ledger.acknowledged.values())) {
    const { files } = await patiently(service, () => client.done(job))
    expect(new Set(files.map(({ status }) => status))).toEqual(new Set(['done']))
  }
  await patiently(service, () => client.ready(id))
  const titles = (await documentsOf(client, id)).map(({ title }) => title)
  expect(new Set(titles).size, `${message}: something is there twice`).toBe(titles.length)
  expect(
    [...ledger.acknowledged.keys()].filter((title) => !titles.includes(title)),
    message,
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

/** Uploads these documents and waits until they can be found. */
export async function fill(client: Client, workspaceId: string, titles: readonly string[]): Promise<void> {
  const jobs: string[] = []
  for (let at = 0; at < titles.length; at += AT_ONCE) {
    const files = titles
      .slice(at, at + AT_ONCE)
      .map((title) => ({ name: nameOf(title), bytes: textOf(title) }))
    jobs.push((await client.upload(workspaceId, files)).id)
  }
  for (const job of jobs) await client.done(job)
}

async function removeAll(client: Client, workspaceId: string, titles: readonly string[]): Promise<void> {
  for (const { id, title } of titles.length > 0 ? await documentsOf(client, workspaceId) : [])
    if (titles.includes(title))
      expect((await client.call('DELETE', `/workspaces/${workspaceId}/documents/${id}`)).status).toBe(204)
}

/** What is compared of two workspaces. */
export type Part = Exclude<keyof Holdings, 'subjects'>

/**
 * The same files in another workspace, while nothing happens: what faults have left is equal to it, and nothing else is left.
 * `deleted`: once they could be found; `parts`: which of its parts are equal (all).
 */
export async function expectAsCalm(
  service: Service,
  db: Db,
  id: string,
  titles: readonly string[],
  { deleted = [], parts }: { deleted?: readonly string[]; parts?: readonly Part[] } = {},
): Promise<void> {
  const client = makeClient(service.base, service.token)
  const calm = await client.post<Workspace>('/workspaces', { name: 'calm' })
  await fill(client, calm.id, [...titles, ...deleted])
  await removeAll(client, calm.id, deleted)
  const [wanted, found] = [await contentOf(client, db, calm.id), await contentOf(client, db, id)]
  for (const name of parts ?? partNames(wanted)) expect(found[name], name).toEqual(wanted[name])
  expect(wanted.mentions.length).toBeGreaterThan(0)
  for (const workspace of [calm.id, id]) {
    expect(await wrongCounts(db, workspace)).toEqual([])
    const { chunks, embedded, lost } = await vectorCounts(db, workspace)
    expect([embedded, lost]).toEqual([chunks, 0])
  }
  await expectNoFileLeft(service.dataDir, db)
}

/**
 * What a workspace holds once nothing is left to do in it, without what hangs on the order in which documents came: the weights of
 * what one is about.
 */
export async function contentOf(client: Client, db: Db, id: string): Promise<Record<Part, object[]>> {
  await settled(client, db, id)
  const { subjects: _, ...held } = await holdings(db, id)
  return held
}

export const partNames = (content: Record<Part, object[]>): Part[] => Object.keys(content) as Part[]

/** The titles of all documents that were ever uploaded, and those whose files are still to be read. */
export async function uploadedTo(db: Db, id: string): Promise<{ all: string[]; waiting: string[] }> {
  const { files } = await holdings(db, id)
  const titlesOf = (rows: typeof files): string[] =>
    rows.flatMap((row) => ('path' in row ? (TITLE.exec(String(row.path))?.[1] ?? []) : []))
  const isDone = (row: object): boolean => 'status' in row && row.status === 'done'
  return { all: titlesOf(files), waiting: titlesOf(files.filter((row) => !isDone(row))) }
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

/** Nothing staged, and of blobs those that documents name. */
async function expectNoFileLeft(dataDir: string, db: Db): Promise<void> {
  const blobs = await openDiskBlobs(dataDir)
  await blobs.sweep(0)
  ageBlobs(dataDir)
  await removeUnreferencedBlobs({ db, blobs })
  expect(blobsOf(dataDir)).toEqual(await namedBlobs(db))
}
