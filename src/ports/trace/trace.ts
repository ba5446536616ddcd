// Which part of a request or a task took how long: for OpenTelemetry as traces, for Prometheus as times. Rooms mark their parts
// with `span`, and with nothing beside it; where nobody listens that is a plain call (0040).

import { type OnPart, timed, timedSteps } from './parts.ts'
import { type Attributes, NOBODY, type Span } from './span.ts'

export type { Span } from './span.ts'

export interface SpanOptions {
  /** Of what called it: a `traceparent` (W3C Trace Context). By default the span that runs. */
  parent?: string | undefined
  /** A request that came, a call to another server, or a task of the queue; by default work inside. */
  kind?: 'server' | 'client' | 'consumer'
}

/** Collects spans; `current` is the span in which the code runs, across `await`. */
export interface Tracer {
  run<T>(name: string, attributes: Attributes, options: SpanOptions, work: (span: Span) => T): T
  /** As `run`, each step of the generator inside the span. */
  generate<T, R>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => AsyncGenerator<T, R>,
  ): AsyncGenerator<T, R>
  current(): { traceId: string; spanId: string; traceparent: string } | undefined
  /** Sends what it holds. */
  close(): Promise<void>
}

// Of the process, as its log's level is: a span knows its parent from where it runs, not from arguments.
let tracer: Tracer | undefined

/** From now on spans go to this tracer; undefined: nobody collects them. */
export function collectSpans(by: Tracer | undefined): void {
  tracer = by
}

let onPart: OnPart | undefined

/**
 * From now on this hears how long parts took: spans of no `kind`, since requests, tasks and calls of models have figures of
 * their own. Undefined: nobody does.
 */
export function timeParts(by: OnPart | undefined): void {
  onPart = by
}

export const isCollecting = (): boolean => tracer !== undefined

/**
 * Runs `work` as a span of its own, which ends when its promise does and fails when it throws.
 * @param name one of a few: it is a label of the metrics
 */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => T,
  options: SpanOptions = {},
): T {
  const timedWork = onPart && options.kind === undefined ? timed(name, onPart, work) : work
  return tracer ? tracer.run(name, attributes, options, timedWork) : timedWork(NOBODY)
}

/** The same for what is produced step by step. */
export function spanOfSteps<T, R>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  const timedWork = onPart ? timedSteps(name, onPart, work) : work
  return tracer ? tracer.generate(name, attributes, timedWork) : timedWork(NOBODY)
}

/** Of the span that runs, to be given to what goes on elsewhere; undefined where nobody collects traces. */
export const traceparent = (): string | undefined => tracer?.current()?.traceparent

/** What a line of the log says of the span that runs. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = tracer?.current()
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {}
}
