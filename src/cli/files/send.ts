// Sends files in as few requests as possible. If the service refuses a file, it sends the others without it.

import { openAsBlob } from 'node:fs'
import type { KenningClient } from '../../client/client.ts'
import { KenningError } from '../../client/error.ts'
import type { Job, OnConflict } from '../../contract/resources.ts'
import { batches, refusalOf, type Sendable, type SendResult, sendBatch } from '../../sync/batches.ts'

interface SendOptions {
  onConflict?: OnConflict
  signal: AbortSignal
}

export const asSendable = <File extends { file: string; path: string; bytes: number }>(file: File) => ({
  ...file,
  content: () => openAsBlob(file.file),
})

/** Yields each file either in a job or as refused. @throws KenningError for any other failure */
export async function* sendFiles<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  files: readonly File[],
  options: SendOptions,
): AsyncGenerator<SendResult<File, Job>> {
  for (const batch of batches(files)) yield* sendFilesOfRequest(client, workspaceId, batch, options)
}

/** As `sendFiles`, for the files of one request. */
export function sendFilesOfRequest<File extends Sendable>(
  client: KenningClient,
  workspaceId: string,
  batch: readonly File[],
  { onConflict, signal }: SendOptions,
): AsyncGenerator<SendResult<File, Job>> {
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
