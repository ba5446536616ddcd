// Sends files, as many in a request as it may hold, and goes on without a file that the service refuses.

import { openAsBlob } from 'node:fs'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { Job, OnConflict } from '../../contract/resources.ts'

export interface Sendable {
  path: string
  bytes: number
  content(): Promise<Blob>
}

export type Sent<File> = { job: Job; files: File[] } | { refused: File; reason: string }

export interface SendOptions {
  onConflict?: OnConflict
  signal: AbortSignal
}

const MOST_FILES = 20
// One file may have as many: so a request is lost at most once in a while, and memory is not the limit.
const MOST_BYTES = 104_857_600

export const asSendable = <File extends { file: string; path: string; bytes: number }>(file: File) => ({
  ...file,
  content: () => openAsBlob(file.file),
})

/** Every file is in what this gives, in a job or refused. @throws KenningError for anything but a refused file */
export async function* sendFiles<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  files: readonly File[],
  options: SendOptions,
): AsyncGenerator<Sent<File>> {
  for (const batch of batches(files)) yield* sendBatch(client, workspaceId, batch, options)
}

export async function* sendBatch<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  batch: readonly File[],
  { onConflict, signal }: SendOptions,
): AsyncGenerator<Sent<File>> {
  let files = [...batch]
  while (files.length > 0) {
    signal.throwIfAborted()
    const opened = await Promise.all(
      files.map(async (file) => ({ name: file.path, content: await file.content().catch(() => undefined) })),
    )
    const gone = files.filter((_, no) => opened[no]?.content === undefined)
    for (const file of gone) yield { refused: file, reason: 'The file can no longer be read.' }
    files = files.filter((file) => !gone.includes(file))
    if (files.length === 0) return
    const sent = opened.flatMap(({ name, content }) => (content ? [{ name, content }] : []))
    const input = {
      workspace_id: workspaceId,
      files: sent,
      ...(onConflict ? { on_conflict: onConflict } : {}),
    }
    const result = await client.upload(input, { signal }).catch((error: unknown) => refusedIn(error, files))
    if ('id' in result) {
      yield { job: result, files }
      return
    }
    yield { refused: result.file, reason: result.reason }
    files = files.filter((file) => file !== result.file)
  }
}

/** The file that a 422 or 413 is about. @throws the error if it is about none */
function refusedIn<File extends Sendable>(
  error: unknown,
  files: readonly File[],
): { file: File; reason: string } {
  if (!(error instanceof KenningError)) throw error
  if (error.status === 413) {
    const [largest] = [...files].sort((a, b) => b.bytes - a.bytes)
    if (largest) return { file: largest, reason: error.message }
  }
  const about = error.detail.find(
    ({ loc }) => loc[0] === 'body' && loc[1] === 'files' && /^\d+$/.test(loc[2] ?? ''),
  )
  const file = about && files[Number(about.loc[2])]
  if (error.status !== 422 || !file) throw error
  return { file, reason: withoutName(about.msg, file.path) }
}

/** The service begins its sentence with the name, which is shown beside it anyway. */
const withoutName = (text: string, path: string): string =>
  text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text

export function* batches<File extends Sendable>(files: readonly File[]): Generator<File[]> {
  let batch: File[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length === MOST_FILES || (batch.length > 0 && bytes + file.bytes > MOST_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.bytes
  }
  if (batch.length > 0) yield batch
}
