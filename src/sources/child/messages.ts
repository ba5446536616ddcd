// The messages between the worker and the child that reads a source, over IPC. Bytes of files are passed as files in the
// source's folder.

import type { SourceCredentials, SourceKind } from '../../contract/sources.ts'
import type { SyncFailed } from '../../sync/failure.ts'

/** All that the child is told: what to read, and how. */
export interface SourceSpec {
  kind: SourceKind
  addresses: string[]
  branch: string | null
  include: string[]
  exclude: string[]
  credentials: SourceCredentials | undefined
  /** The source's own folder, for what can be fetched again. */
  folder: string
  /** Folders that its workspace may read. Their real paths are resolved when it is opened. */
  places: string[]
  /** Networks that are allowed besides the public internet. */
  privateNetworks: readonly string[]
  /** The environment variables of git and rclone. */
  environment: Readonly<Record<string, string>>
}

export type ToChild =
  /** `marks`: the stored marks of the addresses themselves, by path. */
  | { list: SourceSpec; marks: Record<string, string> }
  /** `file`: its number in the list. `since`: its stored mark, null if there is none, absent if the bytes are needed. */
  | { no: number; file: number; since?: string | null }

export interface ListedFile {
  path: string
  bytes: number
  mark?: string
  /** The source can be asked whether there is anything new. */
  asks: boolean
}

/** An error as a message. `code` is that of the system, such as ENOSPC. */
export interface Failure {
  message: string
  type?: SyncFailed['type']
  code?: string
}

export type FromChild =
  /** Something has arrived, or made progress. */
  | { moved: true }
  | { files: ListedFile[] }
  | { listed: string[] }
  | { failed: Failure }
  /** `at`: a file with the bytes, which the receiver removes. */
  | { no: number; at: string; mark?: string }
  | { no: number; unchanged: true }
  | { no: number; failed: Failure }
