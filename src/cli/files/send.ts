// Sends files, as many in a request as it may hold, and continues without a file that the service refuses.

import { openAsBlob } from 'node:fs'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { Job, OnConflict } from '../../contract/resources.ts'
import { batches, refusalOf, type Sendable, type Sent, sendBatch } from '../../sync/batches.ts'

interface SendOptions {
  onConflict?: OnConflict
  signal: AbortSignal
}

export const asSendable = <File extends { file: string; path: string; bytes: number }>(file: File) => ({
  ...file,
  content: () => openAsBlob(file.file),
})

/** Yields every file, in a job or as refused. @throws KenningError for anything but a refused file */
export async function* sendFiles<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  files: readonly File[],
  options: SendOptions,
): AsyncGenerator<Sent<File, Job>> {
  for (const batch of batches(files)) yield* sendOne(client, workspaceId, batch, options)
}

/** The same for one batch. */
export function sendOne<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  batch: readonly File[],
  { onConflict, signal }: SendOptions,
): AsyncGenerator<Sent<File, Job>> {
  return sendBatch(batch, signal, async (files) => {
    const input = { workspace_id: workspaceId, files, ...(onConflict ? { on_conflict: onConflict } : {}) }
    try {
      return { job: await client.upload(input, { signal }) }
    } catch (error) {
      const refusal = error instanceof KenningError ? refusalOf(error, files) : undefined
      if (!refusal) throw error
      return refusal
    }
  })
}
