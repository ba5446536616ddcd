// Sends spans to a collector by OTLP over HTTP, in JSON (OpenTelemetry protocol 1.x), in batches, through the one HTTP client.
// If the collector is down, only spans are lost.

import { hostname } from 'node:os'
import { OutboundFailed, post } from '../outbound/outbound.ts'
import type { Tracer } from './trace.ts'
import { type FinishedSpan, makeTracer } from './tracer.ts'

interface Collector {
  /** The full address for `POST`: `http://localhost:4318/v1/traces`. */
  url: string
  headers: Record<string, string>
  /** The value of `service.name`. */
  service: string
}

interface Options extends Collector {
  role: 'api' | 'worker'
  version: string
  log: { warn(fields: object, message: string): void }
  /** For tests. */
  everyMs?: number
}

const EVERY_MS = 5000
const MAX_BATCH_SPANS = 512
// About 1 MB. While this many wait, further spans are dropped.
const MAX_WAITING_SPANS = 4096
const TIMEOUT_MS = 10_000
const CLOSE_MS = 3000
// The pause between warnings about a collector that stays down.
const WARN_EVERY_MS = 60_000

export function openTracer(options: Options): Tracer {
  let waitingSpans: FinishedSpan[] = []
  let droppedSpans = 0
  let lastSend = Promise.resolve()
  let warnedAt = Number.NEGATIVE_INFINITY

  const send = async (timeoutMs: number): Promise<void> => {
    while (waitingSpans.length > 0) {
      const batch = waitingSpans.slice(0, MAX_BATCH_SPANS)
      waitingSpans = waitingSpans.slice(MAX_BATCH_SPANS)
      try {
        await postTraces(tracesOf(batch, options), options, timeoutMs)
      } catch (error) {
        // The batches behind it would also run into the time limit.
        droppedSpans += batch.length + waitingSpans.length
        waitingSpans = []
        warn(error)
      }
    }
  }
  const warn = (error: unknown): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    const reason = error instanceof OutboundFailed ? error.message : String(error)
    options.log.warn(
      { why: reason, dropped: droppedSpans },
      'traces could not be sent; check OTEL_EXPORTER_OTLP_ENDPOINT',
    )
    droppedSpans = 0
  }
  const flush = (timeoutMs: number): Promise<void> => {
    lastSend = lastSend.then(() => send(timeoutMs))
    return lastSend
  }
  const timer = setInterval(() => void flush(TIMEOUT_MS), options.everyMs ?? EVERY_MS)
  timer.unref()

  return makeTracer(
    (span) => {
      if (waitingSpans.length >= MAX_WAITING_SPANS) droppedSpans++
      else if (waitingSpans.push(span) === MAX_BATCH_SPANS) void flush(TIMEOUT_MS)
    },
    async () => {
      clearInterval(timer)
      await flush(CLOSE_MS)
    },
  )
}

/** Checks whether the collector accepts an empty list of spans. @throws OutboundFailed */
export const checkCollector = (collector: Collector, timeoutMs: number): Promise<void> =>
  postTraces({ resourceSpans: [] }, collector, timeoutMs)

const postTraces = (body: object, { url, headers }: Collector, timeoutMs: number): Promise<void> =>
  post(
    { url, headers, body, timeoutMs, maxBytes: 0, attempts: 1 },
    async (response) => void (await response.body?.cancel()),
  )

/** An ExportTraceServiceRequest. In its JSON, ids are hexadecimal and times are strings, unlike in other protocols. */
const tracesOf = (spans: FinishedSpan[], { service, role, version }: Options) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': service,
          'service.version': version,
          'service.instance.id': `${hostname()}:${process.pid}`,
          'kenning.role': role,
        }),
      },
      scopeSpans: [{ scope: { name: 'kenning', version }, spans: spans.map(spanOf) }],
    },
  ],
})

const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const
const OK_OR_UNSET = 0
const ERROR = 2

const spanOf = (span: FinishedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: String(span.start),
  endTimeUnixNano: String(span.end),
  attributes: attributesOf(span.attributes),
  status: { code: span.hasFailed ? ERROR : OK_OR_UNSET },
})

const attributesOf = (attributes: FinishedSpan['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
