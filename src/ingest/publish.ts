// Ends the task of a file: either a new version is published, or the file need not be read. Each happens in one short transaction
// that locks the workspace, so that of two files with the same name the second sees the result of the first.

import type { FileOutcome } from '../contract/resources.ts'
import { titleKey } from '../documents/documents.ts'
import { graphTask } from '../graph/task.ts'
import type { Queryable } from '../ports/db/db.ts'
import { type ParsedDocument, UnreadableFile } from '../reader/reader.ts'
import { TaskLost } from '../work/handler.ts'
import { finishTask, insertTask } from '../work/queue.sql.ts'
import { documentLanguage } from './chunk/chunk.ts'
import { failureSentence } from './failures.ts'
import { foldTask } from './fold.ts'
import { type FileDone, finishFile, isReread, type SourceRow } from './jobs.sql.ts'
import { type DocumentNames, freeTitle } from './names.ts'
import { lockVersion, lockWorkspace, publishVersion, retireVersion, type VersionKey } from './publish.sql.ts'
import type { FileTask, IngestDeps } from './task.ts'
import { type SettledFile, settleFile } from './versions/known.sql.ts'
import { selectSameBytes } from './versions/place.sql.ts'
import { isStillDestination, type UploadDestination } from './versions/place.ts'
import { insertVersion } from './versions/versions.sql.ts'

/** The result of reading a file. */
export interface ReadFile {
  names: DocumentNames
  parsed: ParsedDocument
  /** Whether the file contains pictures whose text has not been recognised yet. */
  hasUnreadPictures: boolean
  chunkCount: number
  hasTables: boolean
}

/** Ends the task if the file need not be read: a document already has its bytes, or a later upload has replaced it. */
export async function finishWithoutReading(
  deps: IngestDeps,
  task: FileTask,
  source: SourceRow,
): Promise<boolean> {
  if (!source.perhaps_settled) return false
  return deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, task.workspace_id))) throw new TaskLost()
    return finishSettledFile(tx, task, await settleFile(tx, task, source))
  })
}

/** Ends the task of an upload with `on_conflict=fail` if another document has its name. */
export const failNameTaken = (deps: IngestDeps, task: FileTask): Promise<boolean> =>
  deps.db.tx((tx) => finishSettledFile(tx, task, 'taken'))

/**
 * Ends the task with the outcome. Returns false if there is no outcome. @throws UnreadableFile if the file's document was deleted
 */
async function finishSettledFile(
  tx: Queryable,
  task: FileTask,
  outcome: SettledFile | 'gone' | 'taken' | undefined,
): Promise<boolean> {
  if (outcome === undefined) return false
  if (outcome === 'gone') throw new UnreadableFile('cancelled')
  if (!(await finishTask(tx, task))) throw new TaskLost()
  if (outcome === 'taken') await finishFile(tx, task, { status: 'failed', error: failureSentence.name_taken })
  else await finishFile(tx, task, { status: 'done', ...outcome })
  return true
}

/**
 * Publishes the file. One transaction writes the document, the result in the job, and the tasks that follow. If the documents with
 * the same name have changed since the destination was chosen, nothing is published.
 * @returns whether the task has ended
 */
export async function publish(
  deps: IngestDeps,
  task: FileTask,
  key: VersionKey,
  {
    source,
    destination,
    readFile,
  }: { source: SourceRow; destination: UploadDestination; readFile: ReadFile },
): Promise<boolean> {
  const workspaceId = task.workspace_id
  return deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw new TaskLost()
    // Another file with these bytes may have been published while this one was parsed.
    if (await finishSettledFile(tx, task, await settleFile(tx, task, source))) return true
    if (!(await isStillDestination(tx, workspaceId, source, destination))) {
      await retireVersion(tx, key)
      return false
    }
    const sameDocumentId = destination.isBeside
      ? await selectSameBytes(tx, workspaceId, source.content_hash)
      : undefined
    if (sameDocumentId)
      return finishSettledFile(tx, task, { documentId: sameDocumentId, outcome: 'unchanged' })
    if (!(await finishTask(tx, task)) || !(await lockVersion(tx, key))) throw new TaskLost()
    const outcome = await publishAs(tx, key, { source, destination, readFile })
    const isCurrent = outcome !== 'superseded'
    if (!isReread(source))
      await insertVersion(tx, task, source, { documentId: key.documentId, current: isCurrent })
    await finishFile(
      tx,
      task,
      doneFile(key.documentId, { source, destination, readFile, outcome }),
      isCurrent ? key.versionId : undefined,
    )
    const subject = { ...task.subject, document_id: key.documentId }
    const graph = source.job_kind === 'reindex' ? { ...subject, awaited: false as const } : subject
    const tasks = [graphTask(workspaceId, graph), foldTask(workspaceId)]
    if (readFile.hasUnreadPictures) tasks.push({ workspaceId, kind: 'pictures', priority: 'last', subject })
    await insertTask(tx, ...tasks)
    return true
  })
}

async function publishAs(
  tx: Queryable,
  key: VersionKey,
  {
    source,
    destination,
    readFile: { names, parsed, chunkCount, hasTables },
  }: { source: SourceRow; destination: UploadDestination; readFile: ReadFile },
): Promise<FileOutcome> {
  // An imported document keeps its title in the archive, in whatever order the documents are read.
  const title = source.title ?? (await freeTitle(tx, key, names, destination.path))
  const row = {
    path: destination.path,
    uploaded_as: destination.isBeside ? source.path : null,
    title,
    title_key: titleKey(title),
    kind: source.kind,
    content_hash: source.content_hash,
    language: documentLanguage(parsed),
    pages: parsed.pages ?? null,
    chunk_count: chunkCount,
    has_tables: hasTables,
    uploaded_at: source.uploaded_at,
  }
  const publication = await publishVersion(tx, key, row, source.job_kind === 'reindex')
  return publication === 'created' && destination.isBeside ? 'kept_both' : (publication ?? 'superseded')
}

function doneFile(
  documentId: string,
  {
    source,
    destination,
    readFile: {
      parsed: { warnings = [] },
    },
    outcome,
  }: { source: SourceRow; destination: UploadDestination; readFile: ReadFile; outcome: FileOutcome },
): FileDone {
  if (isReread(source)) return { status: 'done', documentId, warnings }
  if (outcome !== 'kept_both') {
    if (outcome !== 'replaced' || destination.path === source.path)
      return { status: 'done', documentId, warnings, outcome }
    const warning = `This is a new version of the document "${destination.path}", which was once uploaded as "${source.path}".`
    return { status: 'done', documentId, warnings: [warning, ...warnings], outcome }
  }
  const warning = `Another document is named "${source.path}" and has a different text, so this one was stored as "${destination.path}".`
  return { status: 'done', documentId, warnings: [warning, ...warnings], outcome, path: destination.path }
}
