import { afterEach, expect, test } from 'vitest'
import { unlimitedContext } from '../../../test/support/unlimited-context.ts'
import type { EmbeddingModel } from '../embedder/embedder.ts'
import type { ChatModel } from '../llm/llm.ts'
import { measuredChat, measuredEmbedder, measuredReranker } from './measured.ts'
import { collectMetrics, type FigureSources, type MetricsServer, serveMetrics } from './metrics.ts'

let server: MetricsServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const serve = async (asked: FigureSources = {}): Promise<string> => {
  server = await serveMetrics({ host: '127.0.0.1', port: 0 }, collectMetrics('api', asked))
  return `http://127.0.0.1:${server.port}`
}

/** The lines of one metric, without its help and the role. */
const linesOf = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) => line.replace(/,?role="\w+",?/, ''))

test('requests, tasks, parts and models are counted by their labels, beside the figures of Node', async () => {
  const url = await serve()
  server?.request({ method: 'GET', route: '/v1/me', status: 200 }, 0.02)
  server?.request({ method: 'GET', route: undefined, status: 404 }, 0.001)
  server?.task('ingest', 'failed', 2)
  server?.part('search: candidates', 'done', 0.004)
  server?.model('language model', { outcome: 'ok', seconds: 1, tokens: 812 })
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(linesOf(text, 'kenning_http_request_duration_seconds_count')).toEqual([
    'kenning_http_request_duration_seconds_count{method="GET",route="/v1/me",status="200"} 1',
    'kenning_http_request_duration_seconds_count{method="GET",route="",status="404"} 1',
  ])
  expect(linesOf(text, 'kenning_task_duration_seconds_count')).toEqual([
    'kenning_task_duration_seconds_count{kind="ingest",outcome="failed"} 1',
  ])
  expect(linesOf(text, 'kenning_part_duration_seconds_sum')).toEqual([
    'kenning_part_duration_seconds_sum{part="search: candidates",outcome="done"} 0.004',
  ])
  expect(linesOf(text, 'kenning_model_tokens_total')).toEqual([
    'kenning_model_tokens_total{model="language model"} 812',
  ])
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect((await fetch(`${url}/`)).status).toBe(404)
})

test('queue and connections are asked for at each scrape; a queue that is empty again leaves no figure', async () => {
  let rows = [{ kind: 'ingest', waiting: 3, running: 1, oldest_s: 12.5 }]
  const url = await serve({
    queue: async () => rows,
    connections: () => ({ used: 2, idle: 1, waiting: 0 }),
  })
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(linesOf(text, 'kenning_queue')).toEqual([
    'kenning_queue_waiting{kind="ingest"} 3',
    'kenning_queue_running{kind="ingest"} 1',
    'kenning_queue_oldest_seconds{kind="ingest"} 12.5',
  ])
  expect(linesOf(text, 'kenning_database_connections')).toContain(
    'kenning_database_connections{state="used"} 2',
  )
  rows = []
  expect(linesOf(await (await fetch(`${url}/metrics`)).text(), 'kenning_queue')).toEqual([])
})

test('a database that is away is a figure, beside all others; the queue has none then', async () => {
  const url = await serve({ queue: () => Promise.reject(new Error('connection refused')) })
  server?.request({ method: 'GET', route: '/v1/me', status: 503 }, 0.02)
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(linesOf(text, 'kenning_database_up')).toEqual(['kenning_database_up{} 0'])
  expect(linesOf(text, 'kenning_queue')).toEqual([])
  expect(linesOf(text, 'kenning_http_request_duration_seconds_count')).toHaveLength(1)
})

test('a database that hangs is asked once, however many scrapes come, and none waits for it for long', async () => {
  const rows = [{ kind: 'ingest', waiting: 3, running: 1, oldest_s: 12.5 }]
  const up = async (): Promise<string[]> => linesOf(await metrics.text(), 'kenning_database_up')
  let asked = 0
  let answer = (_: typeof rows): void => {}
  const hanging = new Promise<typeof rows>((resolve) => {
    answer = resolve
  })
  const metrics = collectMetrics('api', {
    queueMs: 1,
    queue: () => (++asked === 1 ? hanging : Promise.resolve(rows)),
  })
  expect(await Promise.all([up(), up()])).toEqual([['kenning_database_up{} 0'], ['kenning_database_up{} 0']])
  expect(await up()).toEqual(['kenning_database_up{} 0'])
  expect(asked).toBe(1)
  answer(rows)
  await hanging
  expect(await up()).toEqual(['kenning_database_up{} 1'])
  const before = asked
  expect(await up()).toEqual(['kenning_database_up{} 1'])
  expect(asked).toBe(before + 1)
})

test('calls of models: what failed, what was taken back, tokens', async () => {
  const metrics = collectMetrics('worker')
  const failing: ChatModel = {
    model: 'm',
    context: unlimitedContext,
    complete: async () => ({ text: '', ending: 'complete', tokens: 5, promptTokens: undefined }),
    converse: (_, signal) => Promise.reject(signal.reason ?? new Error('down')),
  }
  const chat = measuredChat(failing, metrics)
  await chat.complete({ system: '', user: '', schema: { name: 'x', schema: {} }, maxTokens: 1 })
  await expect(chat.converse({ messages: [] } as never, new AbortController().signal)).rejects.toThrow('down')
  await expect(
    chat.converse({ messages: [] } as never, AbortSignal.abort(new Error('gone'))),
  ).rejects.toThrow()
  // What the model writes is passed on while it writes.
  const writing: ChatModel = { ...failing, converse: async (_, _signal, onText) => onText?.('A') as never }
  const texts: string[] = []
  const ask = measuredChat(writing, collectMetrics('api')).converse
  await ask({ messages: [] } as never, new AbortController().signal, (text) => texts.push(text)).catch(
    () => {},
  )
  expect(texts).toEqual(['A'])
  await measuredReranker({ score: async () => undefined }, metrics).score('q', ['a'])
  const model = { id: 'e', batch: 1, embed: async () => [undefined] } as unknown as EmbeddingModel
  const embedder = measuredEmbedder({ kind: 'model', model, find: () => model }, metrics)
  if (embedder.kind === 'model') await embedder.find('e')?.embed(['a'], 'query')
  expect(linesOf(await metrics.text(), 'kenning_model_call_duration_seconds_count').sort()).toEqual([
    'kenning_model_call_duration_seconds_count{model="embedder",outcome="ok"} 1',
    'kenning_model_call_duration_seconds_count{model="language model",outcome="failed"} 1',
    'kenning_model_call_duration_seconds_count{model="language model",outcome="ok"} 1',
    'kenning_model_call_duration_seconds_count{model="reranker",outcome="failed"} 1',
  ])
})
