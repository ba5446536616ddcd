// The driver by a clock of the test's own: what it counts depends on no machine.

import { expect, test } from 'vitest'
import { figuresOf, recoveryOf } from './figures.ts'
import { type Answer, arrivalsOf, type Clock, type Outcome, openLoop } from './open-loop.ts'

/** Time goes on only when all that is under way waits for it. */
function clockOfTheTest(): Clock & { run(until: Promise<unknown>): Promise<void> } {
  let now = 0
  const waiting: { moment: number; wake: () => void }[] = []
  return {
    now: () => now,
    until: (moment) =>
      moment <= now ? Promise.resolve() : new Promise((wake) => waiting.push({ moment, wake })),
    run: async (work) => {
      let ended = false
      void work.finally(() => {
        ended = true
      })
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        if (ended) return
        waiting.sort((a, b) => a.moment - b.moment)
        const next = waiting.shift()
        if (!next) throw new Error('nothing is waited for, and the load does not end')
        now = next.moment
        next.wake()
      }
    },
  }
}

/** A service that answers after 10 ms, and stands still between two moments. */
async function standingStill(from: number, to: number): Promise<Outcome[]> {
  const clock = clockOfTheTest()
  const answer = async (): Promise<Answer> => {
    const now = clock.now()
    await clock.until(now >= from && now < to ? to + 10 : now + 10)
    return { kind: 'ok' }
  }
  const load = openLoop(arrivalsOf(7, 50, 4), answer, clock)
  await clock.run(load)
  return load
}

test('arrivals are those of their seed, as many as asked for, and as far from each other as by chance', () => {
  const moments = arrivalsOf(1, 20, 1000)
  expect(arrivalsOf(1, 20, 1000)).toEqual(moments)
  expect(arrivalsOf(2, 20, 1000)).not.toEqual(moments)
  // Of a Poisson process: 20,000 ± 141 by its standard deviation; gaps are on average as large as they spread.
  expect(Math.abs(moments.length - 20_000)).toBeLessThan(3 * 141)
  const gaps = moments.slice(1).map((at, no) => at - (moments[no] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  expect(mean).toBeCloseTo(50, -1)
  expect(spread / mean).toBeGreaterThan(0.95)
  expect(spread / mean).toBeLessThan(1.05)
})

test('a service that stands still for a second delays everybody who came meanwhile, and all of it counts', async () => {
  const calm = figuresOf(await standingStill(0, 0), 4)
  expect([calm.p50, calm.p99, calm.most].map(Math.round)).toEqual([10, 10, 10])
  const outcomes = await standingStill(1000, 2000)
  // A fourth of them, evenly from nothing to a second; one client that waits for its answers would have seen one of these.
  const delayed = outcomes.filter(({ latency }) => latency > 10.5)
  expect(delayed.length).toBe(outcomes.filter(({ intended }) => intended >= 1000 && intended < 2000).length)
  const figures = figuresOf(outcomes, 4)
  expect(figures.p50).toBeCloseTo(10)
  expect(figures.p90).toBeGreaterThan(500)
  expect(figures.most).toBeGreaterThan(950)
  expect(figures.most).toBeLessThanOrEqual(1010)
})

test('a driver that is late itself counts that as waiting, and says so', async () => {
  const clock = clockOfTheTest()
  const late: Clock = { now: clock.now, until: (moment) => clock.until(moment + 40) }
  const load = openLoop([100, 200], async () => ({ kind: 'ok' }), late)
  await clock.run(load)
  expect((await load).map(({ late, latency }) => [late, latency])).toEqual([
    [40, 40],
    [40, 40],
  ])
})

const outcome = (intended: number, latency: number, kind: Outcome['kind'] = 'ok'): Outcome => ({
  intended,
  latency,
  kind,
  late: 0,
})

test('refusals and failures are no answers, and a refusal should say when to come again', () => {
  const figures = figuresOf(
    [
      outcome(0, 100),
      { ...outcome(1, 3, 'refused'), saysWhen: true },
      outcome(2, 4, 'refused'),
      outcome(3, 9000, 'failed'),
    ],
    2,
  )
  expect(figures).toMatchObject({
    offered: 4,
    ok: 1,
    goodput: 0.5,
    p99: 100,
    refused: 2,
    refusedP99: 4,
    withoutWhen: 1,
    failed: 1,
  })
})

test('a load has recovered with the first second of which nothing was refused, and nearly nothing slow', () => {
  const second = (no: number, latency: number, kind?: Outcome['kind']): Outcome[] =>
    Array.from({ length: 10 }, (_, at) => outcome(no * 1000 + at * 100, latency, kind))
  const slow = [...second(0, 900), ...second(1, 50, 'refused')]
  expect(recoveryOf([...slow, ...second(2, 50), ...second(3, 50)], 100)).toBe(3)
  expect(recoveryOf(slow, 100)).toBeUndefined()
  expect(recoveryOf([], 100)).toBeUndefined()
})
