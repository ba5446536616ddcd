import { afterEach, expect, test } from 'vitest'
import { collectSpans, span, spanOfSteps, timeParts } from './trace.ts'
import { type FinishedSpan, makeTracer } from './tracer.ts'

afterEach(() => {
  timeParts(undefined)
  collectSpans(undefined)
})

/** Spans of every form, and how each of them ends. */
async function work(): Promise<void> {
  async function* steps(failing: boolean): AsyncGenerator<number, string> {
    yield 1
    if (failing) throw new Error('of a step')
    return 'the end'
  }
  expect(span('plain', {}, () => 1)).toBe(1)
  await span('with a promise', {}, async (outer) => {
    outer.set({ a: 1 })
    span('inside', {}, (inner) => inner.set({ b: 2 }))
  })
  span('said', {}, (one) => one.fail('500'))
  const thrown = (): never => {
    throw new Error('at once')
  }
  expect(() => span('thrown', {}, thrown)).toThrow('at once')
  await expect(span('rejected', {}, async () => thrown())).rejects.toThrow('at once')
  const whole = spanOfSteps('steps', {}, () => steps(false))
  expect([await whole.next(), await whole.next()].map(({ value }) => value)).toEqual([1, 'the end'])
  for await (const _ of spanOfSteps('left', {}, () => steps(false))) break
  const failing = spanOfSteps('steps that fail', {}, () => steps(true))
  await failing.next()
  await expect(failing.next()).rejects.toThrow('of a step')
  for (const kind of ['server', 'client', 'consumer'] as const) span(kind, {}, () => 1, { kind })
}
const PARTS = [
  ['plain', 'done'],
  ['inside', 'done'],
  ['with a promise', 'done'],
  ['said', 'failed'],
  ['thrown', 'failed'],
  ['rejected', 'failed'],
  ['steps', 'done'],
  ['left', 'done'],
  ['steps that fail', 'failed'],
]

function listen(): [string, string][] {
  const heard: [string, string][] = []
  timeParts((part, outcome, seconds) => {
    expect(seconds).toBeGreaterThanOrEqual(0)
    heard.push([part, outcome])
  })
  return heard
}

test('parts are told without a trace; requests, tasks and calls of models are none', async () => {
  const heard = listen()
  await work()
  expect(heard).toEqual(PARTS)
})

test('with a trace beside it both have the same; one that is not sampled has parts all the same', async () => {
  const ended: FinishedSpan[] = []
  collectSpans(
    makeTracer(
      (one) => void ended.push(one),
      async () => {},
    ),
  )
  const heard = listen()
  await work()
  expect(heard).toEqual(PARTS)
  const inside = ended.filter(({ kind }) => kind === 'internal')
  expect(inside.map(({ name, hasFailed }) => [name, hasFailed ? 'failed' : 'done'])).toEqual(PARTS)
  expect(inside.find(({ name }) => name === 'inside')?.attributes).toEqual({ b: 2 })
  expect(ended).toHaveLength(PARTS.length + 3)
  const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  span('unseen', {}, () => span('heard', {}, () => 1), { kind: 'server', parent: unsampled })
  expect(heard.at(-1)).toEqual(['heard', 'done'])
  expect(ended).toHaveLength(PARTS.length + 3)
})

test('where nobody listens, nobody hears', async () => {
  const heard = listen()
  timeParts(undefined)
  await work()
  expect(heard).toEqual([])
})
