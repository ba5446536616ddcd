// Stores the bytes of uploaded files by content hash.

import type { Readable } from 'node:stream'

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
  /** Renames a staged file to its path by hash; the same bytes are kept once. */
  keep(staged: Staged): Promise<void>
  discard(staged: Staged): Promise<void>
  /** The local path of the blob; throws when it does not exist. */
  open(hash: string): Promise<string>
  /** The bytes of the blob, as a stream; rejects when it does not exist. */
  read(hash: string): Promise<Readable>
  /** In bytes; rejects when the blob does not exist. */
  size(hash: string): Promise<number>
  /** The hashes of blobs that were kept more than `olderThanMs` ago, in no order. */
  kept(olderThanMs: number): AsyncIterable<string>
  /** Removes a blob, unless it was kept (again) within `olderThanMs`: an upload may be about to refer to it. */
  remove(hash: string, olderThanMs: number): Promise<void>
  /** Free bytes and size of the volume that holds the blobs. */
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
