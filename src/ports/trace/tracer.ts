// The tracer gives spans their ids and times (W3C Trace Context), and passes on those that have ended.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Ending, stepsUntilEnd, untilEnd } from './ending.ts'
import type { Attributes, Span } from './span.ts'
import type { SpanOptions, Tracer } from './trace.ts'

export interface EndedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: NonNullable<SpanOptions['kind']> | 'internal'
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  attributes: Record<string, string | number | boolean>
  failed: boolean
}

interface Place {
  traceId: string
  spanId: string
  /** False if the caller asked for no record of this trace. */
  recorded: boolean
}

/** @param send receives each span when it has ended */
export function makeTracer(send: (span: EndedSpan) => void, close: () => Promise<void>): Tracer {
  const here = new AsyncLocalStorage<Place>()

  const begin = (name: string, attributes: Attributes, options: SpanOptions) => {
    const { parent } = options
    const kind: EndedSpan['kind'] = options.kind ?? 'internal'
    const above = parent === undefined ? here.getStore() : placeOf(parent)
    const place: Place = {
      traceId: above?.traceId ?? hex(16),
      spanId: hex(8),
      recorded: above?.recorded ?? true,
    }
    const start = now()
    const attributesSoFar: EndedSpan['attributes'] = {}
    let failed = false
    const set = (more: Attributes): void => {
      for (const [key, value] of Object.entries(more)) if (value !== undefined) attributesSoFar[key] = value
    }
    const fail = (type: string): void => {
      failed = true
      attributesSoFar['error.type'] = type
    }
    set(attributes)
    const end = (): void => {
      const { traceId, spanId, recorded } = place
      if (!recorded) return
      const ids = { traceId, spanId, parentSpanId: above?.spanId }
      send({ ...ids, name, kind, start, end: now(), attributes: attributesSoFar, failed })
    }
    const ending: Ending = { end, fail: (error) => fail(typeOf(error)) }
    return { place, span: { set, fail } satisfies Span, ending }
  }

  return {
    run: (name, attributes, options, work) => {
      const { place, span, ending } = begin(name, attributes, options)
      return untilEnd(() => here.run(place, () => work(span)), ending)
    },
    generate: (name, attributes, work) => {
      const { place, span, ending } = begin(name, attributes, {})
      // Each step runs inside the span, wherever the next step is requested.
      return stepsUntilEnd(work(span), ending, (step) => here.run(place, step))
    },
    current: () => {
      const place = here.getStore()
      return place && { ...place, traceparent: traceparentOf(place) }
    },
    close,
  }
}

/** The type of an error without its message, which may quote a document. */
function typeOf(error: unknown): string {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown }
  const [label] = [code, status, name].filter((one) => typeof one === 'string' || typeof one === 'number')
  return String(label ?? 'error').slice(0, 60)
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

// The wall clock at the start plus a steady clock since then. So a span never ends before it began, even if the clock is set.
const startedAt = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
const now = (): bigint => startedAt + process.hrtime.bigint()

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/** The content of a `traceparent`. Undefined for an invalid one, with which a new trace begins. */
function placeOf(text: string): Place | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text) ?? []
  if (text.startsWith('ff') || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return { traceId, spanId, recorded: (Number.parseInt(flags, 16) & 1) === 1 }
}

const traceparentOf = ({ traceId, spanId, recorded }: Place): string =>
  `00-${traceId}-${spanId}-0${recorded ? 1 : 0}`
