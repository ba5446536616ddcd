// A PDF of 600 pages: how long until it is searchable, whether anybody sees half of it, what searches take meanwhile.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Document, Page, SearchResults, Workspace } from '../../src/contract/resources.ts'
import type { Client } from '../../test/support/client.ts'
import { longPdf, SIGN, sentence } from './long-pdf.ts'

const PAGES = 600
const SEARCHES = 60
const PAUSE_MS = 50

export interface Long {
  pages: number
  chunks: number
  seconds: number
  looks: number
  halves: number
  idle: number[]
  busy: number[]
}

/** Searches go to a workspace of 120 pages of the same kind, so that they read other rows of the same tables. */
export async function benchLong(client: Client): Promise<Long> {
  const library = await client.post<Workspace>('/workspaces', { name: 'library' })
  const first = await client.upload(library.id, [{ name: 'library.pdf', bytes: longPdf(120, 1) }])
  await client.done(first.id)
  await client.ready(library.id)
  const idle: number[] = []
  for (let i = 0; i < SEARCHES; i++) idle.push(await timed(client, library.id, i))
  const workspace = await client.post<Workspace>('/workspaces', { name: 'long' })
  const job = await client.upload(workspace.id, [{ name: 'long.pdf', bytes: longPdf(PAGES, 2) }])
  const started = performance.now()
  let over = false
  const done = client.done(job.id).finally(() => {
    over = true
  })
  const busy: number[] = []
  const seen: number[] = []
  while (!over) {
    busy.push(await timed(client, library.id, busy.length))
    seen.push(await look(client, workspace.id))
    await sleep(PAUSE_MS)
  }
  const ended = await done
  const seconds = (performance.now() - started) / 1000
  if (ended.files[0]?.status !== 'done') throw new Error(`the long PDF failed: ${ended.files[0]?.error}`)
  const [document] = (await client.get<Page<Document>>(`/workspaces/${workspace.id}/documents`)).data
  const chunks = document?.chunk_count ?? 0
  const halves = seen.filter((count) => count !== 0 && count !== chunks).length
  return { pages: PAGES, chunks, seconds, looks: seen.length, halves, idle, busy }
}

/** Milliseconds of one search. */
async function timed(client: Client, workspaceId: string, no: number): Promise<number> {
  const started = performance.now()
  await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, { query: sentence(no, 4) })
  return performance.now() - started
}

/** Chunks that a reader sees: by the list of documents, and -1 when search finds some before it is listed. */
async function look(client: Client, workspaceId: string): Promise<number> {
  const found = await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, { query: SIGN })
  const { data } = await client.get<Page<Document>>(`/workspaces/${workspaceId}/documents`)
  const listed = data[0]?.chunk_count ?? 0
  return listed === 0 && found.data.length > 0 ? -1 : listed
}
