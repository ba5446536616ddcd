// The messages between the worker and the child that reads a source, over IPC. Bytes of files are passed as files in the
// source's folder.

import { z } from 'zod'
import type { SourceCredentials, SourceKind } from '../../contract/sources.ts'
import type { Network } from '../../ports/outbound/network.ts'

/** What the child needs to know to read a source. */
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
  allowedSources: string[]
  /** Networks that are allowed besides the public internet. */
  privateNetworks: readonly string[]
  /** The environment variables of git and rclone. */
  environment: Readonly<Record<string, string>>
}

export type ToChild =
  /** `marks`: the stored marks of the addresses themselves, by path. */
  | { list: SourceSpec; marks: Record<string, string>; network: Network }
  /** `file`: its number in the list. `since`: its stored mark, null if there is none, absent if the bytes are needed. */
  | { no: number; file: number; since?: string | null }

const listedFile = z.object({
  path: z.string(),
  bytes: z.number().min(0),
  mark: z.string().exactOptional(),
  /** Whether the source supports asking if a file has changed. */
  asks: z.boolean(),
})
export type ListedFile = z.output<typeof listedFile>

/** An error as a message. `code` is that of the system, such as ENOSPC. */
const failure = z.object({
  message: z.string(),
  type: z.enum(['failed', 'not_found', 'empty', 'too_large', 'stopped']).exactOptional(),
  code: z.string().exactOptional(),
})
export type Failure = z.output<typeof failure>

const no = z.int()
/** Checked where it is read: the child reads a stranger's bytes. */
export const FromChild = z.union([
  /** Data has arrived, so the child is not stuck. */
  z.object({ moved: z.literal(true) }),
  z.object({ files: z.array(listedFile) }),
  z.object({ listed: z.array(z.string()) }),
  /** `at`: a file with the bytes, which the receiver removes. */
  z.object({ no, at: z.string(), mark: z.string().exactOptional() }),
  z.object({ no, unchanged: z.literal(true) }),
  z.object({ no, failed: failure }),
  z.object({ failed: failure }),
])
export type FromChild = z.output<typeof FromChild>
