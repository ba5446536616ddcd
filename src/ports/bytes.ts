// A file that the HTTP layer sends to a client, completely or in part.

import type { Readable } from 'node:stream'

export interface Bytes {
  /** The total number of bytes. */
  size: number
  mediaType: string
  /** A strong entity tag of the bytes (RFC 9110 section 8.8.3), without quotes. */
  etag: string
  /** The name under which a browser saves the file. Any characters are allowed. */
  filename: string
  /** Reads from `start` to `end`, inclusive. Either this or `close` is called, and only once. */
  read(start: number, end: number): Readable
  close(): Promise<void>
}
