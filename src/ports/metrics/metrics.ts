// The metrics of this process for Prometheus: requests, tasks, the parts of both, calls of models, connections, the queue, and
// Node's own figures (event loop, memory, garbage collection). They have their own address, because the API's address is public.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { askOnce } from '../ask-once.ts'

export interface Metrics {
  /** `route` is the pattern, never the URL. It is undefined for requests that match no route. */
  request(labels: { method: string; route: string | undefined; status: number }, seconds: number): void
  /** `outcome` is `failed` when the task ends with an error, even if it is tried again. */
  task(kind: string, outcome: 'done' | 'failed', seconds: number): void
  /** A part of a request or a task, by its name (`span` in ports/trace). */
  part(part: string, outcome: 'done' | 'failed', seconds: number): void
  model(
    model: ModelRole,
    call: { outcome: 'ok' | 'failed'; seconds: number; tokens?: number | undefined },
  ): void
}

export type ModelRole = 'language model' | 'embedder' | 'reranker' | 'text recognition'

/** Tasks of one kind: how many wait, how many run, and how long the oldest due one has waited. */
interface QueueFigures {
  kind: string
  waiting: number
  running: number
  oldest_s: number
}

interface Connections {
  used: number
  idle: number
  /** Statements that wait for a connection. */
  waiting: number
}

/** The figures that are read at each scrape. */
export interface FigureSources {
  queue?: () => Promise<readonly QueueFigures[]>
  connections?: () => Connections
  /** The age of the last finished backup in seconds. Infinity if there is none. */
  backupAge?: () => Promise<number>
  /** The bytes of the disk of the data folder. */
  disk?: () => Promise<{ free: number; total: number }>
  /** How long a scrape waits for the database and the disk, set by tests. */
  queueMs?: number
}

export interface CollectedMetrics extends Metrics {
  /** All figures in Prometheus' text format. */
  text(): Promise<string>
}

export interface MetricsServer extends CollectedMetrics {
  readonly port: number
  close(): Promise<void>
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const TASK_SECONDS = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900]
const PART_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const MODEL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
// Half of Prometheus's default time limit for a scrape.
const QUEUE_MS = 5000

/** Collects without serving. @param role a label of every figure: api or worker */
export function collectMetrics(role: string, sources: FigureSources = {}): CollectedMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'kenning_http_request_duration_seconds',
    help: 'Requests by route, from their head to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const tasks = new Histogram({
    name: 'kenning_task_duration_seconds',
    help: 'Attempts of tasks by kind.',
    labelNames: ['kind', 'outcome'],
    buckets: TASK_SECONDS,
    registers,
  })
  const parts = new Histogram({
    name: 'kenning_part_duration_seconds',
    help: 'Parts of requests and tasks, such as the stages of a file and the steps of a search.',
    labelNames: ['part', 'outcome'],
    buckets: PART_SECONDS,
    registers,
  })
  const calls = new Histogram({
    name: 'kenning_model_call_duration_seconds',
    help: 'Calls of language model, embedder, reranker and text recognition.',
    labelNames: ['model', 'outcome'],
    buckets: MODEL_SECONDS,
    registers,
  })
  const tokens = new Counter({
    name: 'kenning_model_tokens_total',
    help: 'Tokens of prompts and answers, where the server reports them.',
    labelNames: ['model'],
    registers,
  })
  const fillQueue = sources.queue && addQueue(registers, sources.queue, sources.queueMs ?? QUEUE_MS)
  if (sources.connections) addConnections(registers, sources.connections)
  const waitMs = sources.queueMs ?? QUEUE_MS
  const fillBackup = sources.backupAge && addBackup(registers, sources.backupAge, waitMs)
  const fillDisk = sources.disk && addDisk(registers, sources.disk, waitMs)
  return {
    request: ({ method, route, status }, seconds) =>
      requests.observe({ method, route: route ?? '', status: String(status) }, seconds),
    task: (kind, outcome, seconds) => tasks.observe({ kind, outcome }, seconds),
    part: (part, outcome, seconds) => parts.observe({ part, outcome }, seconds),
    model: (model, { outcome, seconds, tokens: usedTokens }) => {
      calls.observe({ model, outcome }, seconds)
      if (usedTokens !== undefined) tokens.inc({ model }, usedTokens)
    },
    text: async () => {
      await Promise.all([fillQueue?.(), fillBackup?.(), fillDisk?.()])
      return registry.metrics()
    },
  }
}

/**
 * Returns a function that sets the gauges of the queue before each scrape. Scrapes share one query and wait at most `waitMs` for
 * it, so that a database that hangs gets few statements (ask-once.ts). Without an answer the queue has no figures, and
 * `kenning_database_up` is 0.
 */
function addQueue(
  registers: Registry[],
  ask: () => Promise<readonly QueueFigures[]>,
  waitMs: number,
): () => Promise<void> {
  const gauge = (name: string, help: string): Gauge<'kind'> =>
    new Gauge({ name, help, labelNames: ['kind'], registers })
  const waitingTasks = gauge('kenning_queue_waiting', 'Tasks that wait for their turn, of all processes.')
  const runningTasks = gauge('kenning_queue_running', 'Tasks that a worker holds, of all processes.')
  const oldestTaskAge = gauge(
    'kenning_queue_oldest_seconds',
    'How long the first task that is due has waited, of all processes.',
  )
  const upGauge = new Gauge({
    name: 'kenning_database_up',
    help: 'Whether the database answered this scrape: 1 or 0, also without a free connection.',
    registers,
  })
  const queue = askOnce(ask, { waitMs })
  return async () => {
    const rows = await queue()
    upGauge.set(rows ? 1 : 0)
    for (const gauge of [waitingTasks, runningTasks, oldestTaskAge]) gauge.reset()
    for (const row of rows ?? []) {
      waitingTasks.set({ kind: row.kind }, row.waiting)
      runningTasks.set({ kind: row.kind }, row.running)
      oldestTaskAge.set({ kind: row.kind }, row.oldest_s)
    }
  }
}

/** Without an answer in time there is no figure. */
function addBackup(registers: Registry[], ask: () => Promise<number>, waitMs: number): () => Promise<void> {
  const gauge = new Gauge({
    name: 'kenning_backup_age_seconds',
    help: 'Age of the last finished backup that Kenning made, of all processes; +Inf if there is none.',
    registers,
  })
  const age = askOnce(ask, { waitMs })
  return async () => {
    const seconds = await age()
    gauge.remove()
    if (seconds !== undefined) gauge.set(seconds)
  }
}

function addDisk(
  registers: Registry[],
  ask: () => Promise<{ free: number; total: number }>,
  waitMs: number,
): () => Promise<void> {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers })
  const freeGauge = gauge('kenning_disk_free_bytes', 'Free space of the disk of the data folder.')
  const sizeGauge = gauge('kenning_disk_size_bytes', 'Size of the disk of the data folder.')
  const space = askOnce(ask, { waitMs })
  return async () => {
    const bytes = await space()
    for (const one of [freeGauge, sizeGauge]) one.remove()
    if (bytes === undefined) return
    freeGauge.set(bytes.free)
    sizeGauge.set(bytes.total)
  }
}

function addConnections(registers: Registry[], ask: () => Connections): void {
  new Gauge({
    name: 'kenning_database_connections',
    help: 'Connections of the pool by state; waiting: statements that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(ask())) this.set({ state }, count)
    },
  })
}

/** Serves `GET /metrics`. @throws Error when the address is in use */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  metrics: CollectedMetrics,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': TEXT_FORMAT }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    ...metrics,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const TEXT_FORMAT = Registry.PROMETHEUS_CONTENT_TYPE
