// Files in batches, as many in a request as it may hold; a file that the service refuses is left out of its batch.

import { MAX_FILE_BYTES, MAX_FILES } from '../contract/limits.ts'

export interface Sendable {
  path: string
  bytes: number
  content(): Promise<Blob>
}

export type Sent<File, Job> = { job: Job; files: File[] } | { refused: File; reason: string }

// One file may have as many: so a request is lost at most once in a while, and memory is not the limit.
const MAX_REQUEST_BYTES = MAX_FILE_BYTES

export function* batches<File extends Sendable>(files: readonly File[]): Generator<File[]> {
  let batch: File[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length === MAX_FILES || (batch.length > 0 && bytes + file.bytes > MAX_REQUEST_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.bytes
  }
  if (batch.length > 0) yield batch
}

/** What the service says to a batch: its job, or which file it takes none of them for. */
export type Posted<Job> = { job: Job } | { refused: number; reason: string }

/** Every file is in what this gives. @throws what `post` throws */
export async function* sendBatch<File extends Sendable, Job>(
  batch: readonly File[],
  signal: AbortSignal,
  post: (files: { name: string; content: Blob }[]) => Promise<Posted<Job>>,
): AsyncGenerator<Sent<File, Job>> {
  let files = [...batch]
  while (files.length > 0) {
    signal.throwIfAborted()
    const opened = await Promise.all(
      files.map(async (file) => ({ name: file.path, content: await file.content().catch(() => undefined) })),
    )
    const unreadable = files.filter((_, no) => opened[no]?.content === undefined)
    for (const file of unreadable) yield { refused: file, reason: 'The file can no longer be read.' }
    files = files.filter((file) => !unreadable.includes(file))
    if (files.length === 0) return
    const posted = await post(opened.flatMap(({ name, content }) => (content ? [{ name, content }] : [])))
    if ('job' in posted) {
      yield { job: posted.job, files }
      return
    }
    const refusedFile = files[posted.refused]
    if (!refusedFile) throw new Error('the service refused a file that was not sent')
    yield { refused: refusedFile, reason: posted.reason }
    files = files.filter((file) => file !== refusedFile)
  }
}

/** A refusal as the API writes it: a 413 is about the largest file, a 422 names one. Undefined for anything else. */
export function refusalOf(
  error: { status: number; message: string; detail?: readonly { loc: readonly string[]; msg: string }[] },
  files: readonly { name: string; content: { size: number } }[],
): { refused: number; reason: string } | undefined {
  if (error.status === 413) {
    const sizes = files.map(({ content }) => content.size)
    return { refused: sizes.indexOf(Math.max(...sizes)), reason: error.message }
  }
  const about = error.detail?.find(
    ({ loc }) => loc[0] === 'body' && loc[1] === 'files' && /^\d+$/.test(loc[2] ?? ''),
  )
  const refusedIndex = Number(about?.loc[2])
  const name = files[refusedIndex]?.name
  if (error.status !== 422 || !about || name === undefined) return undefined
  // The service begins its sentence with the name, which is shown beside it anyway.
  const reason = about.msg.startsWith(`${name}: `) ? about.msg.slice(name.length + 2) : about.msg
  return { refused: refusedIndex, reason }
}
