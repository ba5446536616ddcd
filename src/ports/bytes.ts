// Bytes on their way to a client: what the HTTP layer needs to send them whole or in part.

import type { Readable } from 'node:stream'

export interface Bytes {
  /** Bytes in all. */
  size: number
  mediaType: string
  /** Names these very bytes (a strong validator, RFC 9110 section 8.8.3), without its quotes. */
  etag: string
  /** What a browser offers to save it as; any characters. */
  filename: string
  /** From `start` up to and with `end`. Called once at most, or else `close`. */
  read(start: number, end: number): Readable
  close(): Promise<void>
}
