// What a load was like, from its requests.

import { quantile } from '../report.ts'
import type { Outcome } from './open-loop.ts'

export interface Figures {
  offered: number
  ok: number
  /** Answers a second, over the time in which requests were to start. */
  goodput: number
  p50: number
  p90: number
  p99: number
  p999: number
  most: number
  /** 503 and 429. */
  refused: number
  refusedP99: number
  /** Refusals that do not say when to come again. */
  withoutWhen: number
  failed: number
  /** Of streams: the first of them. */
  firstP99: number | undefined
  /** How late the driver itself was. */
  lateP99: number
}

export function figuresOf(outcomes: readonly Outcome[], seconds: number): Figures {
  const of = (kind: Outcome['kind']): Outcome[] => outcomes.filter((one) => one.kind === kind)
  const [ok, refused] = [of('ok'), of('refused')]
  const latencies = ok.map(({ latency }) => latency)
  const first = ok.flatMap((one) => one.first ?? [])
  return {
    offered: outcomes.length,
    ok: ok.length,
    goodput: ok.length / seconds,
    p50: quantile(latencies, 0.5),
    p90: quantile(latencies, 0.9),
    p99: quantile(latencies, 0.99),
    p999: quantile(latencies, 0.999),
    most: quantile(latencies, 1),
    refused: refused.length,
    refusedP99: quantile(
      refused.map(({ latency }) => latency),
      0.99,
    ),
    withoutWhen: refused.filter(({ saysWhen }) => saysWhen !== true).length,
    failed: of('failed').length,
    firstP99: first.length > 0 ? quantile(first, 0.99) : undefined,
    lateP99: quantile(
      outcomes.map(({ late }) => late),
      0.99,
    ),
  }
}

/**
 * After how many seconds a load is as it was before an overload: the end of the first second in which something was to start, all
 * of it was answered, and 99 of 100 within `normal` milliseconds. Undefined: not within the time that was looked at.
 */
export function recoveryOf(after: readonly Outcome[], normal: number): number | undefined {
  const last = Math.max(0, ...after.map(({ intended }) => intended))
  for (let second = 0; second * 1000 <= last; second++) {
    const some = after.filter(({ intended }) => Math.floor(intended / 1000) === second)
    const isNormal =
      some.every(({ kind }) => kind === 'ok') &&
      quantile(
        some.map(({ latency }) => latency),
        0.99,
      ) <= normal
    if (some.length > 0 && isNormal) return second + 1
  }
  return undefined
}
