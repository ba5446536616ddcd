// Server-Sent Events: frames, a comment every 15 s, and one error event at most (spec, "Events").

import { Readable } from 'node:stream'
import type { ErrorBody } from '../../contract/resources.ts'

const BEAT_MS = 15_000
const BUFFERED_BYTES = 64 * 1024

export interface ServerEvent {
  event: string
  data: unknown
}

export interface StreamOptions {
  /** Aborted when the client has left or the service stops. */
  signal: AbortSignal
  /** Throws once the caller may not read on: asked before every event but the first, and at every beat. */
  allowed: () => Promise<void>
  /** Checks an event against the contract and gives what is sent of it. */
  present: (event: ServerEvent) => unknown
  /** The body of the error event. */
  fail: (error: unknown) => ErrorBody
  /** The event that ends the stream; without it the stream ends in an error. */
  last?: string
}

/**
 * The stream's bytes. The first event is awaited here, so that whatever is refused before it is a plain answer.
 * A slow reader holds the source back: nothing is asked of it while 64 KiB wait to be sent.
 */
export async function streamEvents(
  events: AsyncIterable<ServerEvent>,
  options: StreamOptions,
): Promise<Readable> {
  const source = events[Symbol.asyncIterator]()
  const first = await source.next()
  if (!first.done) options.present(first.value)
  return Readable.from(frames(source, first, options), { objectMode: false, highWaterMark: BUFFERED_BYTES })
}

async function* frames(
  source: AsyncIterator<ServerEvent>,
  first: IteratorResult<ServerEvent>,
  options: StreamOptions,
): AsyncGenerator<string> {
  try {
    for (let result = first; !result.done; ) {
      if (result !== first) await options.allowed()
      yield frame(result.value.event, options.present(result.value))
      if (result.value.event === options.last) return
      const next = source.next()
      for (;;) {
        const came = await orBeat(next, options.signal)
        if (came !== 'beat') {
          result = came
          break
        }
        await options.allowed()
        yield ': still working\n\n'
      }
    }
    if (options.last !== undefined) throw new Error(`the stream ended without its ${options.last} event`)
  } catch (error) {
    yield frame('error', options.fail(error))
  } finally {
    // Not awaited: a source that does not listen to its signal must not hold the connection.
    source.return?.().catch(() => undefined)
  }
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The source's next event, or `beat` when it takes longer than 15 s. @throws the signal's reason */
async function orBeat<T>(next: Promise<T>, signal: AbortSignal): Promise<T | 'beat'> {
  next.catch(() => undefined)
  signal.throwIfAborted()
  let stop = (): void => {}
  const beat = new Promise<'beat'>((resolve, reject) => {
    const timer = setTimeout(() => resolve('beat'), BEAT_MS)
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
  })
  try {
    return await Promise.race([next, beat])
  } finally {
    stop()
  }
}

/** The data of the event `last`: what a caller gets who asked for no stream. */
export async function lastEvent(
  events: AsyncIterable<ServerEvent>,
  last: string,
  allowed: () => Promise<void>,
): Promise<unknown> {
  for await (const { event, data } of events) {
    if (event !== last) continue
    await allowed()
    return data
  }
  throw new Error(`the work ended without its ${last} event`)
}
