// A collector of OpenTelemetry on a loopback port: it reads OTLP's JSON as the specification has it, and refuses what is not.

import { createServer } from 'node:http'
import { z } from 'zod'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const nanoseconds = z.string().regex(/^\d{19}$/)
const Value = z.strictObject({
  stringValue: z.string().optional(),
  // 64 bits do not fit into a number of JSON.
  intValue: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
})
const Attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])))
const Span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: Attributes,
  status: z.strictObject({ code: z.int().min(0).max(2) }),
})
const Export = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(Span),
        }),
      ),
    }),
  ),
})

export type ReceivedSpan = z.output<typeof Span> & { resource: Record<string, unknown> }

export interface OtlpServer {
  /** Without the path of traces. */
  url: string
  spans: ReceivedSpan[]
  /** What was sent, byte by byte. */
  text(): string
  headers: Record<string, unknown>[]
  /** What is wrong with what was sent. */
  refused: string[]
  /** Of the next answers, one each; then 200. */
  next: number[]
  close(): Promise<void>
}

export async function otlpServer(): Promise<OtlpServer> {
  const bodies: string[] = []
  const server = createServer()
  const state: OtlpServer = {
    url: '',
    spans: [],
    text: () => bodies.join('\n'),
    headers: [],
    refused: [],
    next: [],
    close: () => closeNow(server),
  }
  server.on('request', async (request, response) => {
    const body = await wholeBody(request)
    if (body === undefined) return
    const status = state.next.shift()
    if (status !== undefined) return void response.writeHead(status).end()
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    const read = Export.safeParse(isTraces ? JSON.parse(body) : undefined)
    if (!read.success) state.refused.push(`${request.method} ${request.url}: ${read.error.message}`)
    bodies.push(body)
    state.headers.push(request.headers)
    for (const { resource, scopeSpans } of read.data?.resourceSpans ?? [])
      for (const { spans } of scopeSpans)
        state.spans.push(...spans.map((span) => ({ ...span, resource: resource.attributes })))
    response.writeHead(read.success ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
  })
  state.url = await listenOnLoopback(server)
  return state
}
