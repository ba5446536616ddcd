// The tracer gives spans their ids and times (W3C Trace Context), and passes on finished spans.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Ending, stepsUntilEnd, untilEnd } from './ending.ts'
import type { Attributes, Span } from './span.ts'
import type { SpanOptions, Tracer } from './trace.ts'

export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: NonNullable<SpanOptions['kind']> | 'internal'
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  attributes: Record<string, string | number | boolean>
  hasFailed: boolean
}

interface SpanContext {
  traceId: string
  spanId: string
  /** False if the caller's `traceparent` says that the trace is not sampled. */
  isRecorded: boolean
}

/** @param send receives each span when it has ended */
export function makeTracer(send: (span: FinishedSpan) => void, close: () => Promise<void>): Tracer {
  const currentContext = new AsyncLocalStorage<SpanContext>()

  const beginSpan = (name: string, attributes: Attributes, options: SpanOptions) => {
    const { parent } = options
    const kind: FinishedSpan['kind'] = options.kind ?? 'internal'
    const parentContext = parent === undefined ? currentContext.getStore() : contextOf(parent)
    const context: SpanContext = {
      traceId: parentContext?.traceId ?? hex(16),
      spanId: hex(8),
      isRecorded: parentContext?.isRecorded ?? true,
    }
    const start = now()
    const attributesSoFar: FinishedSpan['attributes'] = {}
    let hasFailed = false
    const set = (newAttributes: Attributes): void => {
      for (const [key, value] of Object.entries(newAttributes))
        if (value !== undefined) attributesSoFar[key] = value
    }
    const fail = (type: string): void => {
      hasFailed = true
      attributesSoFar['error.type'] = type
    }
    set(attributes)
    const end = (): void => {
      const { traceId, spanId, isRecorded } = context
      if (!isRecorded) return
      const ids = { traceId, spanId, parentSpanId: parentContext?.spanId }
      send({ ...ids, name, kind, start, end: now(), attributes: attributesSoFar, hasFailed })
    }
    const ending: Ending = { end, fail: (error) => fail(typeOf(error)) }
    return { context, span: { set, fail } satisfies Span, ending }
  }

  return {
    run: (name, attributes, options, work) => {
      const { context, span, ending } = beginSpan(name, attributes, options)
      return untilEnd(() => currentContext.run(context, () => work(span)), ending)
    },
    generate: (name, attributes, work) => {
      const { context, span, ending } = beginSpan(name, attributes, {})
      // Each step runs inside the span, wherever the next step is requested.
      return stepsUntilEnd(work(span), ending, (step) => currentContext.run(context, step))
    },
    current: () => {
      const context = currentContext.getStore()
      return context && { ...context, traceparent: traceparentOf(context) }
    },
    close,
  }
}

/** The type of an error without its message, which may quote a document. */
function typeOf(error: unknown): string {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown }
  const [label] = [code, status, name].filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  )
  return String(label ?? 'error').slice(0, 60)
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

// The wall clock at the start plus a monotonic clock since then. So a span never ends before it began, even if the clock is set.
const startedAt = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
const now = (): bigint => startedAt + process.hrtime.bigint()

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/** The content of a `traceparent`. Undefined for an invalid one, with which a new trace begins. */
function contextOf(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text) ?? []
  if (text.startsWith('ff') || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return { traceId, spanId, isRecorded: (Number.parseInt(flags, 16) & 1) === 1 }
}

const traceparentOf = ({ traceId, spanId, isRecorded }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${isRecorded ? 1 : 0}`
