// Measures how long the parts of requests and tasks take, for metrics. The parts are the same as in traces, whether or not
// traces are collected.

import { type Ending, stepsUntilEnd, untilEnd } from './ending.ts'
import type { Span } from './span.ts'

/** `failed`: the part threw an error or called `fail`. */
type Outcome = 'done' | 'failed'

/** Called for each part that has ended. @param part its name */
export type OnPart = (part: string, outcome: Outcome, seconds: number) => void

/** Runs `work` as a part and reports its time. */
export const withTime =
  <T>(part: string, onPart: OnPart, work: (span: Span) => T) =>
  (span: Span): T => {
    const watch = beginPart(part, onPart, span)
    return untilEnd(() => work(watch.span), watch)
  }

/** As `withTime`, for a generator. The time between two steps is included. */
export const withStepTimes =
  <T, R>(part: string, onPart: OnPart, work: (span: Span) => AsyncGenerator<T, R>) =>
  (span: Span): AsyncGenerator<T, R> => {
    const watch = beginPart(part, onPart, span)
    return stepsUntilEnd(work(watch.span), watch)
  }

function beginPart(part: string, onPart: OnPart, span: Span): Ending & { span: Span } {
  const from = performance.now()
  let outcome: Outcome = 'done'
  const fail = (): void => {
    outcome = 'failed'
  }
  return {
    span: {
      set: (attributes) => span.set(attributes),
      fail: (type) => {
        fail()
        span.fail(type)
      },
    },
    fail,
    end: () => onPart(part, outcome, (performance.now() - from) / 1000),
  }
}
