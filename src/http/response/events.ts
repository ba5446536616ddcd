// Server-Sent Events (spec, "Events"): frames, a comment every 15 s to keep the connection alive, and at most one error event.

import { Readable } from 'node:stream'
import type { ErrorBody } from '../../contract/resources.ts'

const HEARTBEAT_MS = 15_000
const MAX_BUFFERED_BYTES = 64 * 1024

export interface ServerEvent {
  event: string
  data: unknown
}

export interface StreamOptions {
  /** Aborted when the client disconnects or the service stops. */
  signal: AbortSignal
  /** Throws once the caller may no longer read; called before every event but the first, and with every heartbeat. */
  requireStillAllowed: () => Promise<void>
  /** Validates an event against the contract and returns the data to send. */
  validate: (event: ServerEvent) => unknown
  /** The data of the error event. */
  errorBody: (error: unknown) => ErrorBody
  /** The event that ends the stream; a stream that ends without it ends with an error. */
  lastEventName?: string
}

/**
 * The bytes of the stream. The first event is awaited here, so that an error before it is a normal error response. A slow
 * reader slows down the source: nothing is read from it while 64 KiB are waiting to be sent.
 */
export async function streamEvents(
  events: AsyncIterable<ServerEvent>,
  options: StreamOptions,
): Promise<Readable> {
  const source = events[Symbol.asyncIterator]()
  const firstEvent = await source.next()
  if (!firstEvent.done) options.validate(firstEvent.value)
  return Readable.from(frames(source, firstEvent, options), {
    objectMode: false,
    highWaterMark: MAX_BUFFERED_BYTES,
  })
}

async function* frames(
  source: AsyncIterator<ServerEvent>,
  firstEvent: IteratorResult<ServerEvent>,
  options: StreamOptions,
): AsyncGenerator<string> {
  try {
    for (let result = firstEvent; !result.done; ) {
      if (result !== firstEvent) await options.requireStillAllowed()
      yield frame(result.value.event, options.validate(result.value))
      if (result.value.event === options.lastEventName) return
      const next = source.next()
      for (;;) {
        const outcome = await nextOrHeartbeat(next, options.signal)
        if (outcome !== 'heartbeat') {
          result = outcome
          break
        }
        await options.requireStillAllowed()
        yield ': still working\n\n'
      }
    }
    if (options.lastEventName !== undefined)
      throw new Error(`the stream ended without its ${options.lastEventName} event`)
  } catch (error) {
    yield frame('error', options.errorBody(error))
  } finally {
    // Not awaited: a source that ignores its signal must not keep the connection open.
    source.return?.().catch(() => undefined)
  }
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The next event, or `heartbeat` if it takes longer than 15 s. @throws the signal's reason */
async function nextOrHeartbeat<T>(next: Promise<T>, signal: AbortSignal): Promise<T | 'heartbeat'> {
  next.catch(() => undefined)
  signal.throwIfAborted()
  let stop = (): void => {}
  const heartbeat = new Promise<'heartbeat'>((resolve, reject) => {
    const timer = setTimeout(() => resolve('heartbeat'), HEARTBEAT_MS)
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([next, heartbeat])
  } finally {
    stop()
  }
}

/** The data of the event `lastEventName`, for a caller who did not request a stream. */
export async function readLastEvent(
  events: AsyncIterable<ServerEvent>,
  lastEventName: string,
  requireStillAllowed: () => Promise<void>,
): Promise<unknown> {
  for await (const { event, data } of events) {
    if (event !== lastEventName) continue
    await requireStillAllowed()
    return data
  }
  throw new Error(`the stream ended without its ${lastEventName} event`)
}
