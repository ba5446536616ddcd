// The figures of the real app, of an API and a worker as an upload, a search and a question leave them; and that dashboard and
// alerts ask for what is there.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { metricsOfRole, observeChild } from '../../src/app.ts'
import { finishBackup, insertFinishedBackup } from '../../src/backup/backups.sql.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import type { Deps } from '../../src/ports/deps.ts'
import type { EmbeddingModel } from '../../src/ports/embedder/embedder.ts'
import type { ChatModel } from '../../src/ports/llm/llm.ts'
import { measuredChat, measuredEmbedder } from '../../src/ports/metrics/measured.ts'
import { type CollectedMetrics, collectMetrics } from '../../src/ports/metrics/metrics.ts'
import { timeParts } from '../../src/ports/trace/trace.ts'
import { openPool, type ParserPool } from '../../src/reader/reader.ts'
import { claimTask, selectQueue } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { drain, runTask, upload } from '../support/ingest.ts'
import { labelsOf, readFigures } from '../support/promql.ts'
import { unlimitedContext } from '../support/unlimited-context.ts'
import { multipart } from '../support/world.ts'

let app: TestApp
let parser: ParserPool
let texts: Record<'api' | 'worker', string>
let secrets: string[]
const servers: Awaited<ReturnType<typeof buildServer>>[] = []

beforeAll(async () => {
  app = await testApp()
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.log, observe: observeChild })
  const processes = { api: metricsOfRole('api', app.deps), worker: metricsOfRole('worker', app.deps) }
  secrets = await work(processes)
  texts = { api: await processes.api.text(), worker: await processes.worker.text() }
})
afterAll(async () => {
  timeParts(undefined)
  for (const server of servers) await server.close()
  await parser.close()
  await app.close()
})

const model: EmbeddingModel = {
  id: 'test:metrics',
  batch: 4,
  dimensions: async () => 4,
  embed: async (texts) => texts.map((text) => Float32Array.from([1, text.length % 7, 0, 0])),
}
const find = (name: string): EmbeddingModel | undefined => (name === model.id ? model : undefined)
const answering: ChatModel = {
  model: 'm',
  complete: () => Promise.reject(new Error('down')),
  context: unlimitedContext,
  converse: async () => ({
    text: 'Nothing.',
    calls: [],
    ending: 'complete',
    opaque: {},
    tokens: 812,
    prompt: { estimated: 800, counted: 800 },
  }),
}
const unreadable = { settings: '', backlog: () => 0, parse: () => Promise.reject(new Error('no parser')) }
const FILES = [
  {
    name: 'wolverton.md',
    text: '# Wolverton\n\nThe Wolverton boiler was inspected in March 2024. A part of it leaks.\n',
  },
  { name: 'ashford.md', text: '# Ashford\n\nThe crane of Ashford carries six tons across the yard.\n' },
]
const QUESTION = 'Which part of the Wolverton boiler leaks, and was it inspected in March 2024?'

/** Work of every kind in both processes, good and bad. Returns what no figure may tell. */
async function work({ api, worker }: { api: CollectedMetrics; worker: CollectedMetrics }): Promise<string[]> {
  const person = await app.person()
  const headers = { authorization: `Bearer ${await app.token(person)}` }
  const id = await app.workspace(person)
  const workspace = `/v1/workspaces/${id}`
  const embedderOf = (metrics: CollectedMetrics) => {
    const embedder = measuredEmbedder({ kind: 'model', model, find }, metrics)
    return async () => embedder
  }
  const served = async (deps: Partial<Deps>) => {
    const server = await buildServer({ ...app.deps, metrics: api, ...deps })
    servers.push(server)
    return async (method: 'GET' | 'POST', url: string, sent: object = {}): Promise<number> => {
      timeParts(api.part)
      return (await server.inject({ method, url, headers, ...sent })).statusCode
    }
  }
  const ask = await served({})
  const files = multipart(FILES)
  const sent = { headers: { ...headers, ...files.headers }, payload: files.payload as string }
  expect(await ask('POST', `${workspace}/files`, sent)).toBe(202)
  timeParts(worker.part)
  const works = { ...app.deps, parser, metrics: worker, embedder: embedderOf(worker) }
  await drain(works)
  const search = { payload: { query: QUESTION } }
  expect(await ask('POST', `${workspace}/search`, search)).toBe(200)
  const withModel = await served({ embedder: embedderOf(api) })
  expect(await withModel('POST', `${workspace}/search`, search)).toBe(200)
  expect(await ask('POST', `${workspace}/ask`, { payload: { question: QUESTION } })).toBe(200)
  expect(await ask('GET', '/v1/me?secret=1', { headers: {} })).toBe(401)
  expect(await ask('GET', '/nowhere/secret')).toBe(404)
  const withoutDatabase = await served({ db: away(app.deps.db) })
  expect(await withoutDatabase('GET', '/v1/me')).toBe(503)
  const chat = measuredChat(answering, api)
  await chat.converse({ messages: [] } as never, new AbortController().signal)
  await expect(chat.complete({} as never)).rejects.toThrow('down')
  await failingUpload(worker, person, id)
  return [id, 'secret', 'wolverton', 'boiler', person.email]
}

async function failingUpload(worker: CollectedMetrics, person: Person, workspaceId: string): Promise<void> {
  timeParts(worker.part)
  await upload(app.deps, person, workspaceId, { 'a.txt': 'One.' })
  const task = await claimTask(app.deps.db, 'w')
  if (!task) throw new Error('nothing to claim')
  await runTask({ ...app.deps, metrics: worker, parser: unreadable } as never, task)
  const logged = app.errors.splice(0).map(({ message }) => message)
  expect(logged).toContain('task failed')
}

const away = (db: Db): Db => {
  const refused = (): Promise<never> =>
    Promise.reject(
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    )
  const one: Db = { ...db, rows: refused, tx: refused, as: () => one }
  return one
}

/** Of a figure: each series without the role, with its value. */
function seriesOf(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map((line) => {
      const [labels = '', value] = line.slice(name.length).split(/ (?=\S+$)/)
      return [labels.replace(/,?role="\w+",?/, ''), Number(value)]
    }),
  )
}

const partsOf = (text: string): string[] =>
  Object.keys(seriesOf(text, 'kenning_part_duration_seconds_count'))
    .flatMap((labels) => /part="([^"]+)",outcome="done"/.exec(labels)?.[1] ?? [])
    .sort()

test('the stages of a file, the steps of a search and of an answer are parts of the process that works on them', () => {
  expect(partsOf(texts.worker)).toEqual([
    'ingest: choose place',
    'ingest: index',
    'ingest: parse',
    'ingest: pictures',
    'ingest: publish',
    'parser: parse',
  ])
  expect(partsOf(texts.api)).toEqual([
    'ask',
    'ask: citations',
    'ask: find',
    'ask: store',
    'ask: write',
    'search',
    'search: candidates',
    'search: documents meant',
    'search: meaning',
    'search: memory',
    'search: nearest',
    'search: passages',
    'search: rows',
    'search: second hop',
    'search: understand',
  ])
  const counts = seriesOf(texts.worker, 'kenning_part_duration_seconds_count')
  expect(counts['{part="ingest: parse",outcome="done"}']).toBe(FILES.length)
  expect(counts['{part="ingest: parse",outcome="failed"}']).toBe(1)
})

test('each process tells of the queue of all, the API too: no worker may be left to', () => {
  for (const text of Object.values(texts)) {
    expect(seriesOf(text, 'kenning_queue_waiting')).toMatchObject({ '{kind="ingest"}': 1 })
    expect(seriesOf(text, 'kenning_database_up')).toEqual({ '{}': 1 })
  }
})

test('an attempt by its outcome', () => {
  expect(seriesOf(texts.worker, 'kenning_task_duration_seconds_count')).toMatchObject({
    '{kind="ingest",outcome="done"}': FILES.length,
    '{kind="ingest",outcome="failed"}': 1,
  })
})

test('requests by their route: no id, no query of a URL, no text is a label', () => {
  for (const text of Object.values(texts))
    for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret)
  expect(seriesOf(texts.api, 'kenning_http_request_duration_seconds_count')).toMatchObject({
    '{method="POST",route="/v1/workspaces/:workspace_id/search",status="200"}': 2,
    '{method="GET",route="/v1/me",status="401"}': 1,
    '{method="GET",route="/v1/me",status="503"}': 1,
    '{method="GET",route="",status="404"}': 1,
  })
})

test('the queue by kind: what waits, what runs, since when', async () => {
  const metrics = collectMetrics('worker', { queue: () => selectQueue(app.deps.db) })
  const person = await app.person()
  await upload(app.deps, person, await app.workspace(person), { 'b.txt': 'Two.', 'c.txt': 'Three.' })
  const of = async (name: string): Promise<number | undefined> =>
    seriesOf(await metrics.text(), name)['{kind="ingest"}']
  const [waiting, running] = [await of('kenning_queue_waiting'), await of('kenning_queue_running')]
  const task = await claimTask(app.deps.db, 'w')
  if (!task || waiting === undefined || running === undefined) throw new Error('nothing to claim')
  expect(await of('kenning_queue_waiting')).toBe(waiting - 1)
  expect(await of('kenning_queue_running')).toBe(running + 1)
  expect(await of('kenning_queue_oldest_seconds')).toBeGreaterThanOrEqual(0)
})

test('how old the last finished backup is, infinitely if there is none', async () => {
  const text = (): Promise<string> => metricsOfRole('worker', app.deps).text()
  const age = async (): Promise<number | undefined> =>
    /^kenning_backup_age_seconds\{role="worker"\} (\S+)$/m.exec(await text())?.[1] === '+Inf'
      ? Infinity
      : seriesOf(await text(), 'kenning_backup_age_seconds')['{}']
  expect(await age()).toBe(Infinity)
  // One that failed is none.
  const failed = randomUUID()
  await insertFinishedBackup(app.deps.db, failed, { machine: 'm', folder: '/backups/1', size: 1 })
  await finishBackup(app.deps.db, failed, { error: 'The disk is full' })
  expect(await age()).toBe(Infinity)
  await insertFinishedBackup(app.deps.db, randomUUID(), { machine: 'm', folder: '/backups/2', size: 1 })
  const seconds = (await age()) ?? -1
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThan(24 * 3600)
})

test('the disk of the data folder, and no figure of it while it cannot be read', async () => {
  const text = await metricsOfRole('api', app.deps).text()
  const free = seriesOf(text, 'kenning_disk_free_bytes')['{}'] ?? 0
  expect(free).toBeGreaterThan(0)
  expect(seriesOf(text, 'kenning_disk_size_bytes')['{}']).toBeGreaterThan(free)
  let isGone = false
  const metrics = collectMetrics('api', {
    disk: () => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve({ free: 1, total: 2 })),
  })
  expect(seriesOf(await metrics.text(), 'kenning_disk_free_bytes')).toEqual({ '{}': 1 })
  isGone = true
  expect(await metrics.text()).not.toMatch(/^kenning_disk_free_bytes/m)
})

const read = (name: string): string => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

interface Rule {
  alert: string
  expr: string
  annotations: Record<string, string>
}
interface Panel {
  title: string
  targets: { expr: string; legendFormat: string }[]
}

test('each alert can be evaluated, and its words use labels that it has', () => {
  const figures = readFigures(texts.api, texts.worker)
  const rules: Rule[] = parse(read('observe/kenning-alerts.yaml')).groups.flatMap(
    ({ rules }: { rules: Rule[] }) => rules,
  )
  expect(rules.length).toBeGreaterThan(5)
  for (const { alert, expr, annotations } of rules) {
    const labels = labelsOf(expr, figures)
    const used = [
      ...Object.values(annotations)
        .join()
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label]) => label)
    expect(
      used.filter((label) => !labels.has(label ?? '')),
      alert,
    ).toEqual([])
  }
})

test('each curve of the dashboard exists, and is named by labels that it has', () => {
  const figures = readFigures(texts.api, texts.worker)
  const { panels }: { panels: Panel[] } = JSON.parse(read('observe/grafana-dashboard.json'))
  expect(panels.length).toBeGreaterThan(10)
  for (const { title, targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      const labels = labelsOf(expr, figures)
      const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
      expect(
        used.filter((label) => !labels.has(label ?? '')),
        title,
      ).toEqual([])
    }
  }
})

test('deploy/README.md names each figure of Kenning, and none that does not exist', () => {
  const { names } = readFigures(texts.api, texts.worker)
  const [, section = ''] = read('README.md').split('## Seeing what goes on')
  const named: string[] = section.match(/\b(?:kenning|nodejs|process)_[a-z0-9_]+\b/g) ?? []
  expect(named.filter((name) => !names.has(name))).toEqual([])
  const own = [...names].filter((name) => name.startsWith('kenning_'))
  expect(own.filter((name) => !named.includes(name))).toEqual([])
})

test.each([
  ['max by (kind) (kenning_queue_wating)', 'there is no kenning_queue_wating'],
  ['max by (kinds) (kenning_queue_waiting)', 'no label kinds'],
  ['max(kenning_queue_waiting{king="ingest"})', 'no label king'],
  ['max(kenning_queue_waiting{kind=~"ing"})', 'no kenning_queue_waiting has such a kind'],
  ['sum by (kind) (kenning_queue_waiting)', 'max is missing'],
])('that would be seen: %s', (expression, why) => {
  expect(() => labelsOf(expression, readFigures(texts.api, texts.worker))).toThrow(why)
})
