// Peak resident memory by process: an upload of 20 files of 100 MB, then the largest file of each kind to its end. On
// Linux, where /proc tells; shared pages count in every process.

import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job, Workspace } from '../src/contract/resources.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { type Service, startService } from '../test/support/service.ts'
import { type LargeFile, largeFiles } from './memory-files.ts'
import { type BenchOptions, table } from './report.ts'
import { residentMemory } from './start.ts'

const MEGABYTES = 100
const FILES = 20
const POLL_MS = 100
// What is not indexed by then is cancelled: parsing is long over, and chunks are written at a steady rate.
const PATIENCE_MS = 600_000
const ROLES = ['api', 'worker', 'parser', 'engine']

export async function benchMemory(_: BenchOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kenning-memory-'))
  const service = await startService()
  try {
    const client = makeClient(service.base, service.token)
    const { id } = await client.post<Workspace>('/workspaces', { name: 'memory' })
    const idle = await peaks(service, () => new Promise((resolve) => setTimeout(resolve, 2000)))
    const rows = [['idle', '', ...megabytes(idle.peak)]]
    rows.push(await manyFiles(service, client, id, folder))
    for (const file of largeFiles) {
      await file.write(folder, MEGABYTES)
      rows.push(await oneFile(service, client, id, join(folder, file.name), file))
      await rm(join(folder, file.name), { force: true })
    }
    const header = ['what', 'ended', ...ROLES.map((role) => `${role} MB`)]
    return `## Peak resident memory (embedded)\n\n${table(header, rows)}`
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The upload alone; what it queued is cancelled. */
async function manyFiles(
  service: Service,
  client: Client,
  workspaceId: string,
  folder: string,
): Promise<string[]> {
  const [text] = largeFiles
  if (text === undefined) throw new Error('no large text')
  await text.write(folder, MEGABYTES)
  const names = Array.from({ length: FILES }, (_, i) => `copy-${i}.txt`)
  const path = join(folder, text.name)
  const { peak, result, seconds } = await peaks(service, () => send(service, workspaceId, path, names))
  await cancel(client, result)
  return [`upload of ${FILES} × ${MEGABYTES} MB`, `accepted after ${seconds} s`, ...megabytes(peak)]
}

async function oneFile(
  service: Service,
  client: Client,
  workspaceId: string,
  path: string,
  file: LargeFile,
): Promise<string[]> {
  const { size } = await stat(path)
  const { peak, result, seconds } = await peaks(service, async () => {
    const job = await send(service, workspaceId, path, [file.name])
    return client.done(job.id, PATIENCE_MS).catch(async () => {
      await cancel(client, job)
      return undefined
    })
  })
  const [ended] = result?.files ?? []
  const how = ended === undefined ? 'cancelled' : ended.status === 'failed' ? ended.error : ended.status
  return [`${file.says}, ${Math.round(size / 2 ** 20)} MB`, `${how} after ${seconds} s`, ...megabytes(peak)]
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

async function cancel(client: Client, job: Job): Promise<void> {
  await client.call('DELETE', `/jobs/${job.id}`)
  await client.done(job.id, PATIENCE_MS)
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
  const timer = setInterval(look, POLL_MS)
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
