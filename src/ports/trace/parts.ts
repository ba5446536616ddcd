// How long the parts of requests and tasks take, for metrics: the same parts as in traces, whether or not these are collected.

import { type Ending, stepsUntilEnd, untilEnd } from './ending.ts'
import type { Span } from './span.ts'

/** `failed`: it threw, or said that it failed. */
export type Outcome = 'done' | 'failed'

/** Hears of each part that has ended. @param part its name, one of those in the sources */
export type OnPart = (part: string, outcome: Outcome, seconds: number) => void

/** `work` as a part whose time is told. */
export const timed =
  <T>(part: string, onPart: OnPart, work: (span: Span) => T) =>
  (span: Span): T => {
    const watch = begin(part, onPart, span)
    return untilEnd(() => work(watch.span), watch)
  }

/** The same for what is produced step by step; the time between two steps is part of it. */
export const timedSteps =
  <T, R>(part: string, onPart: OnPart, work: (span: Span) => AsyncGenerator<T, R>) =>
  (span: Span): AsyncGenerator<T, R> => {
    const watch = begin(part, onPart, span)
    return stepsUntilEnd(work(watch.span), watch)
  }

function begin(part: string, onPart: OnPart, span: Span): Ending & { span: Span } {
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
