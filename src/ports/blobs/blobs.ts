// Stores the bytes of uploaded files by content hash.

import type { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'

/** A received file in the staging area; the sweeper deletes it unless it is kept. */
export interface Staged {
  /** SHA-256 of the bytes, lower-case hex. */
  hash: string
  /** In bytes. */
  size: number
  /** A local path, valid until `keep` or `discard`. */
  path: string
}

export interface Blobs {
  /**
   * Writes the stream to the staging area, computes its hash, and syncs it to disk. As soon as it exceeds `maxBytes`,
   * throws `BlobTooLarge` and removes what was written.
   */
  stage(source: Readable, maxBytes: number): Promise<Staged>
  /** Keeps a staged file under its hash: all of it or nothing, and safely so when this resolves. */
  keep(staged: Staged): Promise<void>
  discard(staged: Staged): Promise<void>
  /** A local path of the blob, valid for an hour at least; throws ENOENT when it does not exist. */
  open(hash: string): Promise<string>
  /** The bytes of the blob, as a stream; rejects when it does not exist. */
  read(hash: string): Promise<Readable>
  /** In bytes; rejects when the blob does not exist. */
  size(hash: string): Promise<number>
  /** The hashes of blobs that were kept more than `olderThanMs` ago, in no order. */
  kept(olderThanMs: number): AsyncIterable<string>
  /** Removes a blob, unless it was kept (again) within `olderThanMs`: an upload may be about to refer to it. */
  remove(hash: string, olderThanMs: number): Promise<void>
  /** Free bytes and size of the volume on which files arrive. */
  space(): Promise<{ free: number; total: number }>
  /** Removes staged files older than `olderThanMs`. @returns how many */
  sweep(olderThanMs: number): Promise<number>
}

export class BlobTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`)
    this.name = 'BlobTooLarge'
  }
}

/** The store of blobs cannot be reached, or is too busy: what needs it is tried again, and given up by nobody. */
export class BlobsAway extends ApiError {
  constructor(cause: unknown) {
    const message = 'The store of uploaded files cannot be reached at the moment; try again in a few seconds.'
    super(503, 'unavailable', message, { retryAfter: 5, cause })
    this.name = 'BlobsAway'
  }
}
