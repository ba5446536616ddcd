// Bytes that the HTTP layer sends to a client, whole or in part.

import type { Readable } from 'node:stream'

export interface Bytes {
  /** The number of all bytes. */
  size: number
  mediaType: string
  /** Identifies exactly these bytes (a strong validator, RFC 9110 section 8.8.3), without quotes. */
  etag: string
  /** The name under which a browser saves it; any characters. */
  filename: string
  /** From `start` to `end`, inclusive. Either this or `close` is called, and only once. */
  read(start: number, end: number): Readable
  close(): Promise<void>
}
