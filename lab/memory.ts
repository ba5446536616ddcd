// Peak resident memory by process: an upload of 20 files of 100 MB, then the largest file of each kind. On Linux, where
// /proc tells; shared pages count in every process. Writing 75,000 chunks takes minutes and holds no more than writing
// the first thousands does, so indexing is cut short after a while; the long PDF comes to its end and is searched, and
// `--all` lets every file do so. `--only uploads,xls,html` measures some of them.

import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProgress, Job, JobProgress, SearchResults, Workspace } from '../src/contract/resources.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { sendBodies } from '../test/support/files/bodies.ts'
import { peakDuring } from '../test/support/peak.ts'
import { processTree, type Service, startService } from '../test/support/service.ts'
import { binaries } from './memory/binaries.ts'
import { containers } from './memory/containers.ts'
import type { LargeFile } from './memory/file.ts'
import { texts } from './memory/texts.ts'
import { type BenchOptions, table } from './report.ts'
import { residentMemory } from './start.ts'

const largeFiles: readonly LargeFile[] = [...texts, ...containers, ...binaries]
const FILES = 20
const LOOK_MS = 200
const POLL_MS = 1000
const BODY_ROUNDS = 3
const INDEXING_MS = 20_000
// The parser's own cap is 600 s of processor time and forty minutes by the clock: what is not parsed by then has failed.
const PARSING_MS = 2_460_000
const END_MS = 3_600_000
const ROLES = ['api', 'worker', 'parser', 'engine']

export async function benchMemory({ all, only }: BenchOptions): Promise<string> {
  const isWanted = (name: string): boolean => only?.includes(name.replace(/^.*\./, '')) ?? true
  const folder = await mkdtemp(join(tmpdir(), 'kenning-memory-'))
  const service = await startService()
  const rows: string[][] = []
  const add = (row: string[]): void => {
    process.stderr.write(`${row.join(' | ')}\n`)
    rows.push(row)
  }
  try {
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'memory' })
    const idle = await peaks(service, () => sleep(2000))
    add(['idle', '', ...megabytes(idle.peak)])
    if (isWanted('bodies')) add(await badBodies(service, id))
    if (isWanted('uploads')) for (const row of await manyFiles(service, client, id, folder)) add(row)
    for (const file of largeFiles.filter(({ name }) => isWanted(name))) {
      const path = join(folder, file.name)
      await file.write(path)
      add(await oneFile(service, client, id, path, file, all))
      await rm(path, { force: true })
    }
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
  const header = ['what', 'ended', ...ROLES.map((role) => `${role} MB`)]
  const which = only ? `: ${only.join(', ')}` : ''
  return `## Peak resident memory (embedded)${which}\n\n${table(header, rows)}`
}

/** BAD-11 on the process itself, in rounds: what the first loads and compiles stays. */
async function badBodies(service: Service, workspaceId: string): Promise<string[]> {
  const api = processTree(service.child.pid ?? 0).find(({ environment }) =>
    environment.includes('KENNING_CHILD=api'),
  )
  const rounds: number[] = []
  let peak = 0
  for (let round = 0; round < BODY_ROUNDS; round++) {
    const url = `${service.base}/workspaces/${workspaceId}/files`
    const token = await service.token()
    const { before, most } = await peakDuring(api?.pid ?? 0, () => sendBodies(url, token))
    rounds.push((most - before) / 1024)
    peak = Math.max(peak, most)
  }
  const told = `API + ${rounds.map((megabytes) => megabytes.toFixed(1)).join(', + ')} MB (mark 5)`
  return [
    'BAD-11: 42 damaged bodies, one round after the other',
    told,
    ...megabytes(new Map([['api', peak]])),
  ]
}

/** The upload alone, and a small file of another workspace behind it (F-12); what it queued is cancelled. */
async function manyFiles(
  service: Service,
  client: Client,
  workspaceId: string,
  folder: string,
): Promise<string[][]> {
  const [text] = texts
  if (text === undefined) throw new Error('no large text')
  const path = join(folder, text.name)
  await text.write(path)
  const names = Array.from({ length: FILES }, (_, i) => `copy-${i}.txt`)
  const { id: other } = await client.post<Workspace>('/workspaces', { name: 'small' })
  const alone = await smallFile(client, other)
  const { peak, result, seconds } = await peaks(service, () => send(service, workspaceId, path, names))
  const beside = await peaks(service, () => smallFile(client, other))
  await client.call('DELETE', `/jobs/${result.id}`)
  const told = `done after ${beside.result.toFixed(1)} s, ${alone.toFixed(1)} s when idle (mark ${(2 * alone + 5).toFixed(1)} s)`
  return [
    [`upload of ${FILES} × 100 MB`, `accepted after ${seconds} s`, ...megabytes(peak)],
    ['10 KB of another workspace behind it', told, ...megabytes(beside.peak)],
  ]
}

/** Seconds from the start of the upload until it is searchable. */
async function smallFile(client: Client, workspaceId: string): Promise<number> {
  const from = performance.now()
  const bytes = `Small file of ${from}.\n\n${'A gauge was read today. '.repeat(420)}`
  const job = await client.upload(workspaceId, [{ name: `${from}.md`, bytes }])
  await client.done(job.id)
  return (performance.now() - from) / 1000
}

async function oneFile(
  service: Service,
  client: Client,
  workspaceId: string,
  path: string,
  file: LargeFile,
  all: boolean,
): Promise<string[]> {
  const { size } = await stat(path)
  const { peak, result, seconds } = await peaks(service, async () => {
    const job = await send(service, workspaceId, path, [file.name])
    const whole = all || file.last !== undefined
    const ended = await followed(`${service.base}/jobs/${job.id}/events`, await service.token(), whole)
    await client.call('DELETE', `/jobs/${job.id}`)
    return file.last === undefined ? ended : `${ended}, ${await findsLast(client, workspaceId, file.last)}`
  })
  return [
    `${file.says}, ${Math.round(size / 2 ** 20)} MB`,
    `${result}, ${seconds} s in all`,
    ...megabytes(peak),
  ]
}

async function findsLast(
  client: Client,
  workspaceId: string,
  { query, page }: { query: string; page: number },
): Promise<string> {
  const { data } = await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, { query })
  const found = data[0]?.page
  return found === page ? `page ${page} found` : `page ${found} found instead of ${page}`
}

/** How the only file of a job went: to its end, or as far as indexing came in its time. */
async function followed(events: string, token: string, all: boolean): Promise<string> {
  const from = Date.now()
  let parsed: number | undefined
  for (;;) {
    const { stage, progress, status, error } = await stateOf(events, token)
    if (status === 'done' || status === 'failed') {
      const parsing = parsed === undefined ? '' : `parsed after ${Math.round((parsed - from) / 1000)} s, `
      return `${parsing}${error ?? status}`
    }
    if (stage === 'indexing' || stage === 'chunking') parsed ??= Date.now()
    const limit = all ? END_MS : parsed === undefined ? PARSING_MS : parsed - from + INDEXING_MS
    if (Date.now() - from > limit)
      return `parsed after ${Math.round(((parsed ?? from) - from) / 1000)} s, stopped at ${Math.round(progress * 100)} %`
    await sleep(POLL_MS)
  }
}

/** The first event of a job's stream holds all of it. */
async function stateOf(events: string, token: string): Promise<FileProgress> {
  const answer = await fetch(events, { headers: { authorization: `Bearer ${token}` } })
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString('utf8')
    const data = /^data: (.*)\n/m.exec(text)?.[1]
    const [file] = data === undefined ? [] : (JSON.parse(data) as JobProgress).files
    if (file) return file
  }
  throw new Error(`no event: ${answer.status} ${text}`)
}

async function send(service: Service, workspaceId: string, path: string, names: string[]): Promise<Job> {
  const form = new FormData()
  for (const name of names) form.append('files', await openAsBlob(path), name)
  const headers = { authorization: `Bearer ${await service.token()}` }
  const url = `${service.base}/workspaces/${workspaceId}/files`
  const answer = await fetch(url, { method: 'POST', body: form, headers })
  if (answer.status !== 202) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Job
}

/** Kilobytes at most by role while the work goes on. */
async function peaks<T>(
  service: Service,
  work: () => Promise<T>,
): Promise<{ peak: Map<string, number>; result: T; seconds: number }> {
  const peak = new Map<string, number>()
  const look = (): void => {
    for (const [role, size] of residentMemory(service.child.pid ?? 0))
      peak.set(role, Math.max(size, peak.get(role) ?? 0))
  }
  const timer = setInterval(look, LOOK_MS)
  const from = performance.now()
  try {
    const result = await work()
    return { peak, result, seconds: Math.round((performance.now() - from) / 1000) }
  } finally {
    clearInterval(timer)
  }
}

const megabytes = (peak: Map<string, number>): string[] =>
  ROLES.map((role) => String(Math.round((peak.get(role) ?? 0) / 1024)))
