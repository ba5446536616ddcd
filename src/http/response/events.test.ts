// The event stream: a real parser reads its frames, it ends once, a slow reader holds the source back, and a comment comes
// every 15 s.

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { ApiError } from '../../errors.ts'
import { readLastEvent, type ServerEvent, type StreamOptions, streamEvents } from './events.ts'

afterEach(() => {
  vi.useRealTimers()
})

const options = (more: Partial<StreamOptions> = {}): StreamOptions => ({
  signal: new AbortController().signal,
  requireStillAllowed: async () => undefined,
  validate: ({ data }) => data,
  errorBody: (error) => ({ error: { type: 'internal_error', message: String((error as Error).message) } }),
  ...more,
})

const allowed = async (): Promise<void> => undefined

async function* from(events: ServerEvent[]): AsyncGenerator<ServerEvent> {
  yield* events
}

async function read(events: AsyncIterable<ServerEvent>, more: Partial<StreamOptions> = {}) {
  const found: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => found.push(event) })
  for await (const piece of await streamEvents(events, options(more))) parser.feed(String(piece))
  return found.map(({ event, data }) => ({ event, data: JSON.parse(data) as unknown }))
}

test('what goes in comes out, whatever characters it holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (texts) => {
      const events = texts.map((text) => ({ event: 'step', data: { text: text.toWellFormed() } }))
      expect(await read(from(events))).toEqual(events)
    }),
    { numRuns: runs(200) },
  )
})

test('nothing comes after the last event, and the source is not asked again', async () => {
  let asked = 0
  async function* source() {
    for (;;) {
      asked++
      yield { event: asked === 3 ? 'answer' : 'step', data: asked }
    }
  }
  const found = await read(source(), { lastEventName: 'answer' })
  expect(found.map(({ event }) => event)).toEqual(['step', 'step', 'answer'])
  expect(asked).toBe(3)
})

test('a failure after the first event is one error event; before it, it is thrown', async () => {
  async function* late() {
    yield { event: 'step', data: 1 }
    throw new Error('broken')
  }
  const error = { type: 'internal_error', message: 'broken' }
  expect(await read(late(), { lastEventName: 'answer' })).toEqual([
    { event: 'step', data: 1 },
    { event: 'error', data: { error } },
  ])
  async function* early(): AsyncGenerator<ServerEvent> {
    yield await Promise.reject(new ApiError(404, 'not_found', 'Not found.'))
  }
  await expect(streamEvents(early(), options())).rejects.toMatchObject({ status: 404 })
})

test('a stream that must end in an answer and does not, and an event against the contract, are errors', async () => {
  const short = await read(from([{ event: 'step', data: 1 }]), { lastEventName: 'answer' })
  expect(short.map(({ event }) => event)).toEqual(['step', 'error'])
  const present = ({ data }: ServerEvent) => {
    if (data === 2) throw new Error('does not match')
    return data
  }
  const wrong = await read(from([1, 2, 3].map((data) => ({ event: 'step', data }))), { validate: present })
  expect(wrong.map(({ event }) => event)).toEqual(['step', 'error'])
  await expect(readLastEvent(from([{ event: 'step', data: 1 }]), 'answer', allowed)).rejects.toThrow(
    'without its answer',
  )
  expect(await readLastEvent(from([{ event: 'answer', data: 5 }]), 'answer', allowed)).toBe(5)
})

test('who may not read on gets an error instead of the next event, and no answer', async () => {
  const gone = new ApiError(401, 'unauthorized', 'revoked')
  let asked = 0
  const revoked = async (): Promise<void> => {
    if (++asked === 2) throw gone
  }
  const events = ['step', 'step', 'step', 'answer'].map((event) => ({ event, data: 1 }))
  const found = await read(from(events), { lastEventName: 'answer', requireStillAllowed: revoked })
  expect(found.map(({ event }) => event)).toEqual(['step', 'step', 'error'])
  const refused = readLastEvent(from(events), 'answer', () => Promise.reject(gone))
  await expect(refused).rejects.toBe(gone)
})

test('F-14: a reader who does not read holds the source back', async () => {
  let asked = 0
  async function* endless() {
    for (;;) {
      asked++
      yield { event: 'step', data: 'x'.repeat(1024) }
    }
  }
  const stream = await streamEvents(endless(), options())
  stream.once('readable', () => undefined)
  for (let i = 0; i < 1000; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBeGreaterThan(10)
  expect(asked).toBeLessThan(200)
  stream.destroy()
})

test('F-14: a comment every 15 s while the source is silent; an abort ends the stream at once', async () => {
  vi.useFakeTimers()
  const leaving = new AbortController()
  let returned = false
  const source: AsyncIterable<ServerEvent> = {
    [Symbol.asyncIterator]: () => {
      let first = true
      return {
        next: async () => {
          if (!first) await new Promise(() => undefined)
          first = false
          return { done: false, value: { event: 'step', data: 1 } }
        },
        return: async () => {
          returned = true
          return { done: true, value: undefined }
        },
      }
    },
  }
  const pieces: string[] = []
  const stream = await streamEvents(source, options({ signal: leaving.signal }))
  stream.on('data', (piece) => pieces.push(String(piece)))
  await vi.advanceTimersByTimeAsync(46_000)
  const comments = pieces.filter((piece) => piece.startsWith(':'))
  expect(comments).toEqual([': still working\n\n', ': still working\n\n', ': still working\n\n'])
  leaving.abort(new ApiError(503, 'unavailable', 'restarting'))
  await vi.advanceTimersByTimeAsync(0)
  expect(pieces.at(-1)).toMatch(/^event: error\n/)
  expect(returned).toBe(true)
})
