// Stores the bytes of uploaded files by content hash.

import type { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'

/** A received file in the staging area. The sweeper deletes it unless it is stored with `keep`. */
export interface StagedFile {
  /** SHA-256 of the bytes, lower-case hex. */
  hash: string
  /** In bytes. */
  size: number
  /** A local path, valid until `keep` or `discard`. */
  path: string
}

export interface Blobs {
  /**
   * Writes the stream to the staging area, computes its hash, and syncs it to disk. @throws BlobTooLarge as soon as it exceeds
   * `maxBytes`; what was written is removed then
   */
  stage(source: Readable, maxBytes: number): Promise<StagedFile>
  /** Stores a staged file under its hash, completely or not at all. Resolves when it is stored durably. */
  keep(file: StagedFile): Promise<void>
  discard(file: StagedFile): Promise<void>
  /** A local path of the blob, valid for at least an hour. Rejects with ENOENT when the blob does not exist. */
  open(hash: string): Promise<string>
  /** The bytes of the blob as a stream. Rejects when the blob does not exist. */
  read(hash: string): Promise<Readable>
  /** The size in bytes. Rejects when the blob does not exist. */
  size(hash: string): Promise<number>
  /** The hashes of blobs that were stored more than `olderThanMs` ago, in no particular order. */
  storedHashes(olderThanMs: number): AsyncIterable<string>
  /** Removes a blob, unless it was stored within the last `olderThanMs`, because an upload may be about to refer to it. */
  remove(hash: string, olderThanMs: number): Promise<void>
  /** Free bytes and size of the volume that receives files. */
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

/** The blob store cannot be reached or is too busy. Tasks that need it are tried again without a limit. */
export class BlobsAway extends ApiError {
  constructor(cause: unknown) {
    const message = 'The store of uploaded files cannot be reached at the moment; try again in a few seconds.'
    super(503, 'unavailable', message, { retryAfter: 5, cause })
    this.name = 'BlobsAway'
  }
}
