// Measures how long the parts of requests and tasks take, as traces for OpenTelemetry and as times for Prometheus. Other code only
// marks its parts with `span`. If neither is collected, `span` is a plain call (docs/decisions/0040-traces.md).

import { type OnPart, withStepTimes, withTime } from './parts.ts'
import { type Attributes, NO_SPAN, type Span } from './span.ts'

export type { Span } from './span.ts'

export interface SpanOptions {
  /** The `traceparent` of the caller (W3C Trace Context). By default the parent is the span in which the code runs. */
  parent?: string | undefined
  /** `server`: an incoming request; `client`: a call of another server; `consumer`: a task of the queue; by default other work. */
  kind?: 'server' | 'client' | 'consumer'
}

/** Collects spans. `current` is the span in which the code runs, also after an `await`. */
export interface Tracer {
  run<T>(name: string, attributes: Attributes, options: SpanOptions, work: (span: Span) => T): T
  /** As `run`, but each step of the generator runs inside the span. */
  generate<T, R>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => AsyncGenerator<T, R>,
  ): AsyncGenerator<T, R>
  current(): { traceId: string; spanId: string; traceparent: string } | undefined
  /** Sends the spans that are still waiting. */
  close(): Promise<void>
}

// One tracer for the whole process. A span finds its parent by asynchronous context, not by an argument.
let tracer: Tracer | undefined

/** From now on, spans are given to this tracer. Undefined: none are collected. */
export function collectSpans(newTracer: Tracer | undefined): void {
  tracer = newTracer
}

let onPart: OnPart | undefined

/**
 * From now on `listener` is called with the time of each part. Spans with a `kind` are left out, because requests, tasks and calls
 * of models have their own metrics. Undefined: no times are reported.
 */
export function timeParts(listener: OnPart | undefined): void {
  onPart = listener
}

export const isCollecting = (): boolean => tracer !== undefined

/**
 * Runs `work` as a span, which ends when the work (or its promise) ends, and fails when it throws.
 * @param name a constant, because it is a label of the metrics
 */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => T,
  options: SpanOptions = {},
): T {
  const timedWork = onPart && options.kind === undefined ? withTime(name, onPart, work) : work
  return tracer ? tracer.run(name, attributes, options, timedWork) : timedWork(NO_SPAN)
}

/** As `span`, for a generator. */
export function spanOfSteps<T, R>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  const timedWork = onPart ? withStepTimes(name, onPart, work) : work
  return tracer ? tracer.generate(name, attributes, timedWork) : timedWork(NO_SPAN)
}

/** The `traceparent` of the current span, to be passed on. Undefined if no traces are collected. */
export const traceparent = (): string | undefined => tracer?.current()?.traceparent

/** The fields of a log line that identify the current span. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = tracer?.current()
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {}
}
