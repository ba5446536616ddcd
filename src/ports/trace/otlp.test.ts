import { afterEach, expect, test } from 'vitest'
import { type OtlpServer, otlpServer } from '../../../test/support/otlp-server.ts'
import { openTracer } from './otlp.ts'
import { collectSpans, span, spanOfSteps, type Tracer, traceFields, traceparent } from './trace.ts'

let server: OtlpServer | undefined
let tracer: Tracer | undefined
const warned: object[] = []
const log = { warn: (fields: object) => void warned.push(fields) }

async function collect(): Promise<{ server: OtlpServer; sent: () => Promise<OtlpServer['spans']> }> {
  server = await otlpServer()
  const url = `${server.url}/v1/traces`
  const one = openTracer({
    url,
    headers: { 'x-key': 'k' },
    service: 'kenning',
    role: 'api',
    version: '1',
    log,
  })
  tracer = one
  collectSpans(one)
  const { spans } = server
  return {
    server,
    sent: async () => {
      await one.close()
      return spans
    },
  }
}
afterEach(async () => {
  collectSpans(undefined)
  await tracer?.close()
  await server?.close()
  warned.length = 0
})

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('without a collector a span is its work and nothing else', async () => {
  expect(span('a', {}, () => 1)).toBe(1)
  expect(traceparent()).toBeUndefined()
  expect(traceFields()).toEqual({})
})

test('spans within each other, across await and the steps of a generator; what was given is the parent of all', async () => {
  const { server, sent } = await collect()
  async function* steps(): AsyncGenerator<string, string> {
    yield await span('inner', {}, async () => 'one')
    return span('last', {}, () => 'two')
  }
  await span(
    'outer',
    { 'a.text': 'x', 'a.count': 3, 'a.share': 0.5, 'is.so': true, left: undefined },
    async () => {
      const running = spanOfSteps('steps', {}, steps)
      for (;;) if ((await running.next()).done) break
    },
    { parent: PARENT, kind: 'server' },
  )
  const spans = await sent()
  expect(server.refused).toEqual([])
  expect(server.headers[0]).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' })
  const byName = Object.fromEntries(spans.map((one) => [one.name, one]))
  expect(Object.keys(byName).sort()).toEqual(['inner', 'last', 'outer', 'steps'])
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  expect(byName.outer).toMatchObject({
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
    attributes: { 'a.text': 'x', 'a.count': '3', 'a.share': 0.5, 'is.so': true },
    resource: { 'service.name': 'kenning', 'service.version': '1', 'kenning.role': 'api' },
  })
  expect(byName.steps?.parentSpanId).toBe(byName.outer?.spanId)
  for (const name of ['inner', 'last']) expect(byName[name]?.parentSpanId).toBe(byName.steps?.spanId)
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start))
})

test('a reader that leaves ends the span; an error is named without its message', async () => {
  const { sent } = await collect()
  async function* endless(): AsyncGenerator<number, void> {
    for (let no = 0; ; no++) yield no
  }
  for await (const _ of spanOfSteps('left', {}, endless)) break
  const failing = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('secret text'), { code: 'EOOPS' }))
  await expect(span('failed', {}, failing)).rejects.toThrow('secret text')
  const spans = await sent()
  expect(spans.map(({ name, status, attributes }) => [name, status.code, attributes])).toEqual([
    ['left', 0, {}],
    ['failed', 2, { 'error.type': 'EOOPS' }],
  ])
})

test('a caller that records nothing is obeyed; what is no traceparent begins a trace', async () => {
  const { sent } = await collect()
  const unsampled = PARENT.replace(/1$/, '0')
  span('unseen', {}, () => expect(traceparent()).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-\w{16}-00$/), {
    parent: unsampled,
  })
  for (const parent of ['', 'x', `ff${PARENT.slice(2)}`, `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])
    span('new', {}, () => expect(traceparent()).toMatch(/^00-\w{32}-\w{16}-01$/), { parent })
  const spans = await sent()
  expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
    Array.from({ length: 4 }, () => ['new', undefined]),
  )
})

test('a collector that is away costs spans, one warning, and nothing else', async () => {
  const { server, sent } = await collect()
  server.next = [503]
  for (let no = 0; no < 5000; no++) span('many', {}, () => no)
  await sent()
  expect(warned).toHaveLength(1)
  span('after', {}, () => 1)
  await sent()
  expect(server.spans.at(-1)?.name).toBe('after')
})
