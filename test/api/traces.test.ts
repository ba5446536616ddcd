// Traces and request ids of the real app: an upload with its indexing, a search, a question; and what they may not hold.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { observeChild } from '../../src/app.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Log } from '../../src/ports/deps.ts'
import { openTracer } from '../../src/ports/trace/otlp.ts'
import { collectSpans } from '../../src/ports/trace/trace.ts'
import { openPool, type ParserPool } from '../../src/reader/reader.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { drain } from '../support/ingest.ts'
import { type OtlpServer, otlpServer, type ReceivedSpan } from '../support/otlp-server.ts'
import { multipart } from '../support/world.ts'

let app: TestApp
let collector: OtlpServer
let parser: ParserPool
let person: Person
let workspace: string
let headers: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  collector = await otlpServer()
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.log, observe: observeChild })
  person = await app.person()
  workspace = `/v1/workspaces/${await app.workspace(person)}`
  headers = { authorization: `Bearer ${await app.token(person)}` }
})
afterEach(() => collectSpans(undefined))
afterAll(async () => {
  await collector.close()
  await parser.close()
  await app.close()
})

/** What `work` does while traces are collected: its spans. */
async function spansOf(
  work: (server: Awaited<ReturnType<typeof buildServer>>) => Promise<unknown>,
): Promise<ReceivedSpan[]> {
  const from = collector.spans.length
  const url = `${collector.url}/v1/traces`
  const tracer = openTracer({ url, headers: {}, service: 'kenning', role: 'api', version: '1', log: app.log })
  collectSpans(tracer)
  const server = await buildServer(app.deps)
  try {
    await work(server)
  } finally {
    await server.close()
    await tracer.close()
  }
  expect(collector.refused).toEqual([])
  return collector.spans.slice(from)
}

/** Each with those inside it, in the order in which they began. */
interface Tree {
  [name: string]: Tree
}
function treeOf(spans: ReceivedSpan[], parent?: string): Tree {
  const inside = spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1))
  return Object.fromEntries(inside.map(({ name, spanId }) => [name, treeOf(spans, spanId)]))
}

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const TEXT = 'The Wolverton boiler was inspected in March 2024 and leaks nowhere.'

test('an upload and its indexing are one trace, that of whoever called, down to the parser child', async () => {
  const spans = await spansOf(async (server) => {
    const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`
    const sent = multipart([{ name: 'wolverton.md', text: `# Wolverton\n\n${TEXT}\n` }])
    const given = { ...headers, ...sent.headers, traceparent }
    const answer = await server.inject({
      method: 'POST',
      url: `${workspace}/files`,
      headers: given,
      payload: sent.payload as Buffer,
    })
    expect(answer.statusCode).toBe(202)
    await drain({ ...app.deps, parser })
  })
  const own = spans.filter(({ traceId }) => traceId === PARENT.traceId)
  expect(treeOf(own, PARENT.spanId)).toEqual({
    'POST /v1/workspaces/:workspace_id/files': {
      // When the request had long been answered; what publishing asks for runs later still.
      'task ingest': {
        'ingest: parse': { 'parser: parse': {} },
        'ingest: pictures': {},
        'ingest: choose place': {},
        'ingest: index': {},
        'ingest: publish': { 'task graph': {}, 'task fold': {} },
      },
    },
  })
  const named = (name: string): ReceivedSpan | undefined => own.find((one) => one.name === name)
  expect(named('POST /v1/workspaces/:workspace_id/files')).toMatchObject({
    kind: 2,
    attributes: { 'http.response.status_code': '202', 'http.route': '/v1/workspaces/:workspace_id/files' },
  })
  expect(named('ingest: index')?.attributes).toMatchObject({ 'kenning.chunks': '1' })
})

test('a search and a question by their parts', async () => {
  const post = { method: 'POST' as const, headers: { 'content-type': 'application/json' } }
  const spans = await spansOf(async (server) => {
    const search = { query: 'wolverton boiler' }
    const ask = { question: 'When was the Wolverton boiler inspected?' }
    for (const [path, body] of Object.entries({ search, ask })) {
      const all = { ...post.headers, ...headers }
      const answer = await server.inject({
        ...post,
        url: `${workspace}/${path}`,
        headers: all,
        payload: body,
      })
      expect(answer.statusCode).toBe(200)
    }
  })
  const tree = treeOf(spans)
  const [searched, asked] = ['search', 'ask'].map((path) => tree[`POST /v1/workspaces/:workspace_id/${path}`])
  const parts = ['search: understand', 'search: candidates']
  expect(Object.keys(searched?.search ?? {})).toEqual(expect.arrayContaining(parts))
  expect(Object.keys(asked?.ask ?? {})).toEqual(['ask: find', 'ask: write', 'ask: citations', 'ask: store'])
  expect(Object.keys(asked?.ask?.['ask: find']?.search ?? {})).toEqual(expect.arrayContaining(parts))
})

test('no span holds a text, a question, the name of a file, or a token', () => {
  const sent = collector.text().toLowerCase()
  expect(collector.spans.length).toBeGreaterThan(10)
  for (const secret of ['wolverton', 'boiler', person.email, (headers.authorization ?? '').slice(7, 20)])
    expect(sent).not.toContain(secret.toLowerCase())
})

test('the id of a request: the one that came, or a new one; in the answer, the trace, and every line of the log', async () => {
  const lines: { fields: object; message: string }[] = []
  const note = (fields: object, message: string): void => void lines.push({ fields, message })
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const server = await buildServer({ ...app.deps, log })
  const url = `${workspace}/ask`
  const ask = async (id: string | undefined): Promise<string> => {
    lines.length = 0
    const given = { ...headers, ...(id === undefined ? {} : { 'x-request-id': id }) }
    const payload = { question: 'When was the Wolverton boiler inspected?' }
    const answer = await server.inject({ method: 'POST', url, headers: given, payload })
    expect(answer.statusCode).toBe(200)
    return String(answer.headers['x-request-id'])
  }
  try {
    expect(await ask('from-the-proxy:17')).toBe('from-the-proxy:17')
    expect(lines.map(({ message }) => message)).toEqual(['question answered', 'request'])
    for (const { fields } of lines) expect(fields).toMatchObject({ requestId: 'from-the-proxy:17' })
    for (const id of [undefined, 'two words', '', 'x'.repeat(129), '{"injected":1}'])
      expect(await ask(id)).toMatch(/^[0-9a-f-]{36}$/)
  } finally {
    await server.close()
  }
})
