// Traces: which part of a request or a task took how long, for OpenTelemetry. Rooms mark their parts with `span`; where nobody
// collects traces that is a plain call, and nothing else of this folder is loaded (0040).

/** Of a span. Names, counts and kinds only: never a text of documents, a question, a file's name or a token. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Span {
  /** Learned while it runs. */
  set(attributes: Attributes): void
  /** It failed without throwing. @param type such as a status or an error's code; no message */
  fail(type: string): void
}

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

const NOBODY: Span = { set() {}, fail() {} }

// Of the process, as its log's level is: a span knows its parent from where it runs, not from arguments.
let tracer: Tracer | undefined

/** From now on spans go to this tracer; undefined: nobody collects them. */
export function collectSpans(by: Tracer | undefined): void {
  tracer = by
}

export const isCollecting = (): boolean => tracer !== undefined

/** Runs `work` as a span of its own, which ends when its promise does and fails when it throws. */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => T,
  options: SpanOptions = {},
): T {
  return tracer ? tracer.run(name, attributes, options, work) : work(NOBODY)
}

/** The same for what is produced step by step. */
export function spanOfSteps<T, R>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  return tracer ? tracer.generate(name, attributes, work) : work(NOBODY)
}

/** Of the span that runs, to be given to what goes on elsewhere; undefined where nobody collects traces. */
export const traceparent = (): string | undefined => tracer?.current()?.traceparent

/** What a line of the log says of the span that runs. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = tracer?.current()
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {}
}
