// Sends files in batches, as many in a request as it may contain. If the service refuses a file, the batch is sent without it.

import { MAX_FILE_BYTES, MAX_FILES } from '../contract/limits.ts'

export interface Sendable {
  path: string
  bytes: number
  content(): Promise<Blob>
}

export type SendResult<File, Job> = { job: Job; files: File[] } | { refused: File; reason: string }

// The size of the largest single file. A larger batch would lose more when its request fails.
const MAX_BATCH_BYTES = MAX_FILE_BYTES

export function* batches<File extends Sendable>(files: readonly File[]): Generator<File[]> {
  let batch: File[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length === MAX_FILES || (batch.length > 0 && bytes + file.bytes > MAX_BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.bytes
  }
  if (batch.length > 0) yield batch
}

/** The service's answer to a batch: the job, or the index of the file that made it refuse the batch. */
type PostResult<Job> = { job: Job } | { refused: number; reason: string }

/** Sends a batch. Every file is in one of the results, in a job or refused. @throws what `post` throws */
export async function* sendBatch<File extends Sendable, Job>(
  batch: readonly File[],
  signal: AbortSignal,
  post: (files: { name: string; content: Blob }[]) => Promise<PostResult<Job>>,
): AsyncGenerator<SendResult<File, Job>> {
  let files = [...batch]
  while (files.length > 0) {
    signal.throwIfAborted()
    const contents = await Promise.all(
      files.map(async (file) => ({ name: file.path, content: await file.content().catch(() => undefined) })),
    )
    const unreadable = files.filter((_, index) => contents[index]?.content === undefined)
    for (const file of unreadable) yield { refused: file, reason: 'The file can no longer be read.' }
    files = files.filter((file) => !unreadable.includes(file))
    if (files.length === 0) return
    const result = await post(contents.flatMap(({ name, content }) => (content ? [{ name, content }] : [])))
    if ('job' in result) {
      yield { job: result.job, files }
      return
    }
    const refusedFile = files[result.refused]
    if (!refusedFile) throw new Error('the service refused a file that was not sent')
    yield { refused: refusedFile, reason: result.reason }
    files = files.filter((file) => file !== refusedFile)
  }
}

/**
 * The file that an error of the API is about: for 413 the largest one, for 422 the one that it names. Undefined for other errors.
 */
export function refusalOf(
  error: { status: number; message: string; detail?: readonly { loc: readonly string[]; msg: string }[] },
  files: readonly { name: string; content: { size: number } }[],
): { refused: number; reason: string } | undefined {
  if (error.status === 413) {
    const sizes = files.map(({ content }) => content.size)
    return { refused: sizes.indexOf(Math.max(...sizes)), reason: error.message }
  }
  const refusedField = error.detail?.find(
    ({ loc }) => loc[0] === 'body' && loc[1] === 'files' && /^\d+$/.test(loc[2] ?? ''),
  )
  const refusedIndex = Number(refusedField?.loc[2])
  const name = files[refusedIndex]?.name
  if (error.status !== 422 || !refusedField || name === undefined) return undefined
  // The service's sentence begins with the name, which is shown anyway.
  const reason = refusedField.msg.startsWith(`${name}: `)
    ? refusedField.msg.slice(name.length + 2)
    : refusedField.msg
  return { refused: refusedIndex, reason }
}
