// What the worker and the child that reads a source say to each other, over IPC. Bytes of files go by files in the source's folder.

import type { SourceCredentials, SourceKind } from '../../contract/sources.ts'
import type { SyncFailed } from '../../sync/failure.ts'

/** All that the child knows: what to read, and how. */
export interface SourceSpec {
  kind: SourceKind
  addresses: string[]
  branch: string | null
  include: string[]
  exclude: string[]
  credentials: SourceCredentials | undefined
  /** Its own, for what can be fetched again. */
  folder: string
  /** Folders that its workspace may read; their real paths are looked at when it is opened. */
  places: string[]
  /** Besides the public internet. */
  privateNetworks: readonly string[]
  /** What git and rclone are started with. */
  environment: Readonly<Record<string, string>>
}

export type ToChild =
  /** `marks`: what is remembered of the addresses themselves, by path. */
  | { list: SourceSpec; marks: Record<string, string> }
  /** File `file` of the list; `since`: what is remembered as its mark, null for nothing, absent where the bytes are needed. */
  | { no: number; file: number; since?: string | null }

export interface ListedFile {
  path: string
  bytes: number
  mark?: string
  /** The source can be asked whether there is anything new. */
  asks: boolean
}

/** An error as a message. `code`: of the system, such as ENOSPC. */
export interface Failure {
  message: string
  type?: SyncFailed['type']
  code?: string
}

export type FromChild =
  /** Something has come, or gone on. */
  | { moved: true }
  | { files: ListedFile[] }
  | { listed: string[] }
  | { failed: Failure }
  /** `at`: a file of its own with the bytes, for whoever asked to take away. */
  | { no: number; at: string; mark?: string }
  | { no: number; unchanged: true }
  | { no: number; failed: Failure }
