// A source is a list of files. Each has a mark that is compared first; the bytes are read only if the mark has changed.

import { SyncFailed } from './failure.ts'

export interface SourceFile {
  /** The path in the source, separated by slashes. */
  path: string
  bytes: number
  /** A text that changes when the content changes, such as size and time. Undefined if the bytes have to be compared. */
  mark: string | undefined
  /** The bytes, at most as many as the service accepts. */
  read(): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Reads the file if it has changed, for sources that support conditional reads. `since` is the stored mark of the last reading, if
   * there was one.
   */
  readSince?(since: string | undefined): Promise<'unchanged' | FreshContent>
}

export interface FreshContent {
  bytes: Uint8Array<ArrayBuffer>
  mark: string | undefined
}

/** Returns the stored mark of a path. */
export type MarkLookup = (path: string) => string | undefined

export interface Listing {
  files: SourceFile[]
  /** Messages for the user about files that were left out. */
  notes: string[]
  /** Removes temporary files of the listing. It is always called. */
  close?(): Promise<void>
}

const MAX_SOURCE_FILES = 100_000

/** @throws SyncFailed when the source has too many files */
export function requireFileCount({ files }: Pick<Listing, 'files'>): void {
  if (files.length > MAX_SOURCE_FILES)
    throw new SyncFailed(
      `The source has more than ${MAX_SOURCE_FILES.toLocaleString('en')} files. Take a part of it.`,
      'too_large',
    )
}

export interface Source {
  /** The name that users see, without credentials. */
  label: string
  /** A text that is the same for every run of the source and different for other sources. */
  identity: string
  /** @throws SyncFailed when the source cannot be read completely, because missing files would seem to be deleted */
  list(signal: AbortSignal, marks?: MarkLookup): Promise<Listing>
  /** Calls `onChange` when something has changed, until the signal aborts. Missing if the source cannot detect changes. */
  watch?(onChange: () => void, signal: AbortSignal): Promise<void>
}
