// What a sync reads: a list of files, each with a mark that is cheap to compare and bytes that are read only when it differs.

import { SyncFailed } from './failure.ts'

export interface SourceFile {
  /** Below the source, by slashes. */
  path: string
  bytes: number
  /** Equal as long as the content is, such as size and time; undefined: the bytes have to be compared. */
  mark: string | undefined
  /** The bytes, at most as many as the service takes. */
  read(): Promise<Uint8Array<ArrayBuffer>>
  /**
   * The same, where a source can be asked whether there is anything new. `since`: what is remembered as the mark of the last
   * reading, if there was one.
   */
  readSince?(since: string | undefined): Promise<'unchanged' | Fresh>
}

export interface Fresh {
  bytes: Uint8Array<ArrayBuffer>
  mark: string | undefined
}

/** What is remembered as the mark of a path. */
export type Marks = (path: string) => string | undefined

export interface Listing {
  files: SourceFile[]
  /** What was left out, and why; for the person. */
  notes: string[]
  /** Removes what was kept for it; always called. */
  close?(): Promise<void>
}

/** More is no source for one workspace. */
export const MAX_FILES = 100_000

/** @throws SyncFailed when the source has too many files */
export function requireCount({ files }: Pick<Listing, 'files'>): void {
  if (files.length > MAX_FILES)
    throw new SyncFailed(
      `The source has more than ${MAX_FILES.toLocaleString('en')} files. Take a part of it.`,
      'too_large',
    )
}

export interface Source {
  /** For people: without credentials. */
  label: string
  /** The same source has the same identity on every run; two different ones never share it. */
  identity: string
  /** @throws SyncFailed when the source cannot be read whole: what is missing then would seem to be deleted */
  list(signal: AbortSignal, marks?: Marks): Promise<Listing>
  /** Called when something changed, until it is aborted; absent where a source cannot tell. */
  watch?(onChange: () => void, signal: AbortSignal): Promise<void>
}
