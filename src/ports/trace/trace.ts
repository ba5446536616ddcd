// Measures which part of a request or a task took how long: as traces for OpenTelemetry, as times for Prometheus. Rooms only
// mark their parts with `span`. Where neither is collected that is a plain call (0040).

import { type OnPart, withStepTimes, withTime } from './parts.ts'
import { type Attributes, NO_SPAN, type Span } from './span.ts'

export type { Span } from './span.ts'

export interface SpanOptions {
  /** The caller's `traceparent` (W3C Trace Context). By default the span that runs. */
  parent?: string | undefined
  /**
   * `server` is a request that came, `client` a call to another server, `consumer` a task of the queue. By default it is work
   * inside the process.
   */
  kind?: 'server' | 'client' | 'consumer'
}

/** Collects spans. `current` is the span in which the code runs, across `await`. */
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

// One for the process, like the log's level. A span finds its parent by where it runs, not by arguments.
let tracer: Tracer | undefined

/** From now on spans go to this tracer. Undefined: none are collected. */
export function collectSpans(newTracer: Tracer | undefined): void {
  tracer = newTracer
}

let onPart: OnPart | undefined

/**
 * From now on this function receives how long parts took. Spans with a `kind` are left out, since requests, tasks and calls of
 * models have figures of their own. Undefined: no times are reported.
 */
export function timeParts(listener: OnPart | undefined): void {
  onPart = listener
}

export const isCollecting = (): boolean => tracer !== undefined

/**
 * Runs `work` as a span, which ends when its promise does and fails when it throws.
 * @param name one of a few, because it is a label of the metrics
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

/** The same for a generator. */
export function spanOfSteps<T, R>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  const timedWork = onPart ? withStepTimes(name, onPart, work) : work
  return tracer ? tracer.generate(name, attributes, timedWork) : timedWork(NO_SPAN)
}

/** The `traceparent` of the span that runs, to be passed on. Undefined where no traces are collected. */
export const traceparent = (): string | undefined => tracer?.current()?.traceparent

/** The fields of a log line that identify the span that runs. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = tracer?.current()
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {}
}
