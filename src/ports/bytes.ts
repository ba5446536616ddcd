// Bytes that the HTTP layer sends to a client, completely or in part.

import type { Readable } from 'node:stream'

export interface Bytes {
  /** The total number of bytes. */
  size: number
  mediaType: string
  /** Identifies exactly these bytes (a strong validator, RFC 9110 section 8.8.3), without quotes. */
  etag: string
  /** The name under which a browser saves it. Any characters are allowed. */
  filename: string
  /** Reads from `start` to `end`, inclusive. Either this or `close` is called, and only once. */
  read(start: number, end: number): Readable
  close(): Promise<void>
}
