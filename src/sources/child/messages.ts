// The messages between the worker and the child that reads a source, over IPC. Bytes of files are passed as files in the
// source's folder.

import { z } from 'zod'
import type { SourceCredentials, SourceKind } from '../../contract/sources.ts'
import type { Network } from '../../ports/outbound/network.ts'

/** What the child needs to read a source. */
export interface SourceSpec {
  kind: SourceKind
  addresses: string[]
  branch: string | null
  include: string[]
  exclude: string[]
  credentials: SourceCredentials | undefined
  /** The source's own folder, for files that can be fetched again. */
  folder: string
  /** Folders that the source's workspace may read. Symbolic links in them are resolved when the source is opened. */
  allowedFolders: string[]
  /** Networks that are allowed besides the public internet. */
  privateNetworks: readonly string[]
  /** The environment variables of git and rclone. */
  environment: Readonly<Record<string, string>>
}

export type ToChild =
  /** Lists the files. `marks`: the stored marks (sync/source.ts) of the source's own addresses, by path. */
  | { list: SourceSpec; marks: Record<string, string>; network: Network }
  /**
   * Reads one file. `no`: the number of the request. `file`: the file's index in the list. `since`: the file's stored mark; null if
   * none is stored, absent if the bytes are needed in any case.
   */
  | { no: number; file: number; since?: string | null }

const listedFile = z.object({
  path: z.string(),
  bytes: z.number().min(0),
  mark: z.string().exactOptional(),
  /** Whether the source can read a file on the condition that it has changed (`readSince`). */
  asks: z.boolean(),
})
export type ListedFile = z.output<typeof listedFile>

/** An error as a message. `code` is the operating system's error code, such as ENOSPC. */
const failure = z.object({
  message: z.string(),
  type: z.enum(['failed', 'not_found', 'empty', 'too_large', 'stopped']).exactOptional(),
  code: z.string().exactOptional(),
})
export type Failure = z.output<typeof failure>

const no = z.int()
/** The worker checks each message against this schema, because the child parses files that strangers may have written. */
export const FromChild = z.union([
  /** Data has arrived, so the child is not stuck. */
  z.object({ moved: z.literal(true) }),
  z.object({ files: z.array(listedFile) }),
  /** The list is complete. The texts are its notes. */
  z.object({ listed: z.array(z.string()) }),
  /** `no`: the number of the request. `at`: the path of a file with the bytes, which the receiver removes. */
  z.object({ no, at: z.string(), mark: z.string().exactOptional() }),
  z.object({ no, unchanged: z.literal(true) }),
  z.object({ no, failed: failure }),
  z.object({ failed: failure }),
])
export type FromChild = z.output<typeof FromChild>
