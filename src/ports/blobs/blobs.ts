// Where the bytes of uploaded files live, by content hash. Implementations: disk (a folder); S3 later.

import type { Readable } from 'node:stream'

/** A file received but not yet kept: in the staging area, deleted by the sweeper unless it is kept. */
export interface Staged {
  /** SHA-256 of the bytes, lower-case hex. */
  hash: string
  /** Bytes. */
  size: number
  /** A path on this machine that can be read until `keep` or `discard`. */
  path: string
}

export interface Blobs {
  /**
   * Streams to the staging area, hashing on the way, and syncs to disk.
   * Throws `BlobTooLarge` the moment `maxBytes` is passed; nothing is left behind then.
   */
  stage(source: Readable, maxBytes: number): Promise<Staged>
  /** Moves a staged file to its place by hash (a rename; the same bytes are kept once). */
  keep(staged: Staged): Promise<void>
  discard(staged: Staged): Promise<void>
  /** A local path to read the blob from; throws when it does not exist. */
  open(hash: string): Promise<string>
  /** The hashes of blobs kept longer than `olderThanMs`, in no order. */
  kept(olderThanMs: number): AsyncIterable<string>
  /** Removes a blob unless it was kept (again) within `olderThanMs`: an upload may name it any moment. */
  remove(hash: string, olderThanMs: number): Promise<void>
  /** Free bytes where blobs are kept, and the size of that volume. */
  space(): Promise<{ free: number; total: number }>
  /** Removes staged files older than `olderThanMs`; returns how many. */
  sweep(olderThanMs: number): Promise<number>
}

export class BlobTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`)
    this.name = 'BlobTooLarge'
  }
}
