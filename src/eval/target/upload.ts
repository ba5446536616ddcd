// Uploads the documents of a set, 20 files a request, and waits until their jobs are done.

import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KenningClient } from '../../client/client.ts'
import type { Job } from '../../contract/resources.ts'
import type { SetDocument } from '../set/set.ts'
import type { FillOptions, UnreadDocument } from './target.ts'

const MAX_FILES_PER_REQUEST = 20
// The size limit of one file.
const MAX_BYTES_PER_REQUEST = 100_000_000
const POLL_MS = 300
const READY_POLL_MS = 500

interface UploadResult {
  /** Document id of the service → ids of the set. */
  names: ReadonlyMap<string, readonly string[]>
  unread: UnreadDocument[]
}

export async function uploadSet(
  client: KenningClient,
  workspaceId: string,
  options: FillOptions,
): Promise<UploadResult> {
  const { documents, onProgress, signal } = options
  const reportUpload = onProgress('upload')
  const jobs: { id: string; documents: NamedFile[] }[] = []
  let sentCount = 0
  for await (const files of batchesOf(documents)) {
    signal.throwIfAborted()
    const contents = files.map(({ name, bytes }) => ({ name, content: bytes }))
    const { id } = await client.upload({ workspace_id: workspaceId, files: contents })
    jobs.push({ id, documents: files })
    sentCount += files.length
    reportUpload(sentCount, documents.length)
  }
  return await awaitJobs(client, jobs, documents.length, options)
}

/** Waits until the terms of the documents are counted too, and the documents are in the graph and have their vectors. */
export async function untilReady(
  client: KenningClient,
  workspaceId: string,
  { onProgress, signal }: Pick<FillOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  const report = onProgress('graph')
  report(0, 1)
  while (!(await client.getWorkspace({ workspace_id: workspaceId })).ready)
    await sleep(READY_POLL_MS, undefined, { signal })
  report(1, 1)
}

/** Polls one job after the other, in the order in which the service works on them. */
async function awaitJobs(
  client: KenningClient,
  jobs: { id: string; documents: NamedFile[] }[],
  total: number,
  { onProgress, signal }: FillOptions,
): Promise<UploadResult> {
  const reportIndexing = onProgress('index')
  const names = new Map<string, string[]>()
  const unread: UnreadDocument[] = []
  let endedCount = 0
  for (const { id, documents } of jobs) {
    let job = await client.getJob({ job_id: id })
    while (job.status !== 'done') {
      reportIndexing(endedCount + job.files.filter(hasEnded).length, total)
      await sleep(POLL_MS, undefined, { signal })
      job = await client.getJob({ job_id: id })
    }
    endedCount += documents.length
    reportIndexing(endedCount, total)
    const byName = new Map(documents.map((file) => [file.name, file.id]))
    for (const file of job.files) {
      const name = byName.get(file.filename) ?? file.filename
      if (file.document_id) names.set(file.document_id, [...(names.get(file.document_id) ?? []), name])
      else unread.push({ id: name, reason: file.error ?? 'no document' })
    }
  }
  return { names, unread }
}

const hasEnded = ({ status }: Job['files'][number]): boolean => status === 'done' || status === 'failed'

interface NamedFile {
  /** Its id in the set. */
  id: string
  /** Its file name in the workspace. */
  name: string
  bytes: Blob
}

async function* batchesOf(documents: readonly SetDocument[]): AsyncGenerator<NamedFile[]> {
  let files: NamedFile[] = []
  let bytes = 0
  for (const [index, document] of documents.entries()) {
    const file = await asFile(document, index)
    const hasMaxFiles = files.length === MAX_FILES_PER_REQUEST
    const exceedsMaxBytes = files.length > 0 && bytes + file.bytes.size > MAX_BYTES_PER_REQUEST
    if (hasMaxFiles || exceedsMaxBytes) {
      yield files
      files = []
      bytes = 0
    }
    files.push(file)
    bytes += file.bytes.size
  }
  if (files.length > 0) yield files
}

/**
 * A text with a title becomes a Markdown file with that heading; a text without a title becomes a plain text file. The files
 * have numbers as names: the words of an id would be found by searches, and it may contain characters that a file name must not.
 */
async function asFile(document: SetDocument, index: number): Promise<NamedFile> {
  const { id } = document
  if ('path' in document) return { id, name: document.id, bytes: await openAsBlob(document.path) }
  const number = String(index + 1).padStart(6, '0')
  const { title, text } = document
  return title
    ? { id, name: `${number}.md`, bytes: new Blob([`# ${title.replace(/\s+/g, ' ')}\n\n${text}\n`]) }
    : { id, name: `${number}.txt`, bytes: new Blob([`${text}\n`]) }
}
