// The program that reads a source for the worker. It is a separate process, because strangers may have written what it fetches and
// parses: the worker limits its memory and time (source-process.ts), and it has no access to the database.

import { mkdtemp, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { endWithParent } from '../../parent.ts'
import { useNetwork } from '../../ports/outbound/network.ts'
import { OutboundFailed } from '../../ports/outbound/outbound.ts'
import { SyncFailed } from '../../sync/failure.ts'
import { type Listing, requireFileCount } from '../../sync/source.ts'
import type { Failure, FromChild, ListedFile, SourceSpec, ToChild } from './messages.ts'
import { openSource } from './open.ts'

const NICE = 5
const FILES_PER_MESSAGE = 500
const ACTIVITY_INTERVAL_MS = 1000

const send = (message: FromChild): void => {
  if (process.connected) process.send?.(message, () => undefined)
}

let lastActivityAt = 0
function reportActivity(): void {
  const now = performance.now()
  if (now - lastActivityAt < ACTIVITY_INTERVAL_MS) return
  lastActivityAt = now
  send({ moved: true })
}

const failureOf = (error: unknown): Failure => {
  const { code } = error as { code?: unknown }
  return {
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof SyncFailed ? { type: error.type } : {}),
    ...(error instanceof OutboundFailed ? { type: 'failed' as const } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  }
}

let listing: Listing | undefined
let folder = ''

async function listFiles(spec: SourceSpec, markByPath: Record<string, string>): Promise<void> {
  const source = await openSource(spec, reportActivity)
  listing = await source.list(new AbortController().signal, (path) => markByPath[path])
  requireFileCount(listing)
  folder = await mkdtemp(join(spec.folder, 'kenning-sync-'))
  const files = listing.files.map(
    ({ path, bytes, mark, readSince }): ListedFile => ({
      path,
      bytes,
      ...(mark === undefined ? {} : { mark }),
      asks: readSince !== undefined,
    }),
  )
  for (let start = 0; start < files.length; start += FILES_PER_MESSAGE)
    send({ files: files.slice(start, start + FILES_PER_MESSAGE) })
  send({ listed: listing.notes })
}

async function readFile(
  requestNumber: number,
  fileIndex: number,
  storedMark: string | null | undefined,
): Promise<void> {
  const sourceFile = listing?.files[fileIndex]
  if (!sourceFile) throw new Error('no such file of the source')
  const content =
    storedMark !== undefined && sourceFile.readSince
      ? await sourceFile.readSince(storedMark ?? undefined)
      : { bytes: await sourceFile.read(), mark: sourceFile.mark }
  if (content === 'unchanged') return send({ no: requestNumber, unchanged: true })
  const path = join(folder, String(requestNumber))
  await writeFile(path, content.bytes, { mode: 0o600, flag: 'wx' })
  send({ no: requestNumber, at: path, ...(content.mark === undefined ? {} : { mark: content.mark }) })
}

// Without this, git and rclone would continue for up to an hour after the worker has died, while the next attempt fetches into the
// same folder.
endWithParent(0, { parent: Number(process.argv[2]), withGroup: true })
try {
  setPriority(NICE)
} catch {
  // Some systems do not allow it, and the child then runs at the usual priority.
}
process.on('message', (message: ToChild) => {
  if ('list' in message) {
    useNetwork(message.network)
    listFiles(message.list, message.marks).catch((error: unknown) => send({ failed: failureOf(error) }))
  } else
    readFile(message.no, message.file, message.since).catch((error: unknown) =>
      send({ no: message.no, failed: failureOf(error) }),
    )
})
