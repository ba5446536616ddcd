// Moving documents to another folder, how that is undone, and what a person is told about it.

import type { KenningError, Output } from '../../../src/client/client.ts'
import { MAX_MOVED_DOCUMENTS } from '../../../src/contract/limits.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { formatCount } from '../parts/format.ts'
import { randomId } from '../parts/random-id.ts'
import { api } from '../session.ts'
import { type FolderMove, parentOf, ROOT, typedFolder } from './folders.ts'

type MovedDocument = Output<'moveDocuments'>['data'][number]
export type MovedFolder = Output<'moveFolder'>

/**
 * Moves all of the documents to a folder, or none. Returns those that were elsewhere.
 * @param documentIds with `below` in the order of `inOrderOfMove`, if they are more than one request takes
 * @param below a folder that contains all of them: they keep their places below it. Undefined: they lose their folders
 * @throws if none was moved; or, with a message that says so, if some were moved and could not be moved back. If the service did not
 * answer any of the client's attempts, those of the last request may have been moved.
 */
export async function moveToFolder(
  workspace: string,
  documentIds: readonly string[],
  folder: string,
  below?: string,
): Promise<MovedDocument[]> {
  const moved: MovedDocument[] = []
  for (let from = 0; from < documentIds.length; from += MAX_MOVED_DOCUMENTS) {
    const document_ids = documentIds.slice(from, from + MAX_MOVED_DOCUMENTS)
    try {
      const { data } = await api.moveDocuments(
        { workspace_id: workspace, document_ids, folder, ...(below !== undefined && { below }) },
        repeatable(),
      )
      moved.push(...data.filter(({ path, previous_path }) => path !== previous_path))
    } catch (error) {
      // One request has room for most selections. Of a larger one, what was moved already goes back.
      const isBack = await moveBack(workspace, moved, { folder, below }).then(
        () => true,
        () => false,
      )
      throw isBack ? error : partlyMoved(error)
    }
  }
  return moved
}

/** With a key the client sends a request again whose answer is lost, and the service moves nothing twice. */
export const repeatable = () => ({ idempotencyKey: randomId() })

function partlyMoved(cause: unknown): Error {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const reason = reasonOf(error)
  return new Error(
    reason === undefined
      ? t('Some of the documents were moved, others not. {reason}', { reason: errorText(error) })
      : t('Some of the documents were moved, others not: {reason}', { reason }),
  )
}

/**
 * Moves documents back to the folders in which they were: all of them or none, if they kept their places below a folder and are no
 * more than one request takes. Otherwise what is in the way in one folder does not keep the others from moving.
 * @param move how they were moved: the arguments of `moveToFolder`
 * @throws the first error, with a message that says so if some of the documents were moved
 */
export async function moveBack(
  workspace: string,
  moved: readonly MovedDocument[],
  { folder: destination, below }: { folder: string; below: string | undefined },
): Promise<void> {
  if (below !== undefined) return moveBelowBack(workspace, moved, { from: below, to: destination })
  const idsByFolder = Map.groupBy(moved, ({ previous_path }) => parentOf(previous_path) ?? ROOT)
  const errors: unknown[] = []
  for (const [folder, documents] of idsByFolder)
    await moveToFolder(
      workspace,
      documents.map(({ id }) => id),
      folder,
    ).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors.length < idsByFolder.size ? partlyMoved(errors[0]) : errors[0]
}

async function moveBelowBack(
  workspace: string,
  moved: readonly MovedDocument[],
  { from, to }: FolderMove,
): Promise<void> {
  // The last request is undone first, because its documents may have the paths to which the others return.
  for (let end = moved.length; end > 0; ) {
    const start = Math.floor((end - 1) / MAX_MOVED_DOCUMENTS) * MAX_MOVED_DOCUMENTS
    const document_ids = moved.slice(start, end).map(({ id }) => id)
    try {
      await api.moveDocuments(
        { workspace_id: workspace, document_ids, folder: from, below: to },
        repeatable(),
      )
    } catch (error) {
      throw end < moved.length ? partlyMoved(error) : error
    }
    end = start
  }
}

/**
 * Moves the documents of a folder back that came with it to its new path. The scopes that followed it name again what they named
 * before. What else is at the new path, before or since, stays.
 */
export const moveFolderBack = (
  workspace: string,
  { from, to }: FolderMove,
  { data, scopes }: MovedFolder,
): Promise<unknown> =>
  api.moveDocuments(
    {
      workspace_id: workspace,
      document_ids: data.map(({ id }) => id),
      folder: from,
      below: to,
      scopes,
    },
    repeatable(),
  )

/**
 * A sentence about documents that were moved.
 * @param below the folder below which they kept their places
 */
export function movedText(count: number, typedText: string, below: string | undefined): string {
  if (count === 0) return t('The documents are there already.')
  const folder = typedFolder(typedText)
  if (folder === ROOT && below !== undefined)
    return t('{documents} moved out of “{folder}”.', { documents: plural(count, 'document'), folder: below })
  return folder === ROOT
    ? plural(
        count,
        '{count} document moved out of its folder.',
        '{count} documents moved out of their folders.',
      )
    : t('{documents} moved to “{folder}”.', { documents: plural(count, 'document'), folder })
}

/** Why nothing was moved. */
export function moveProblem(error: Error | null): string | undefined {
  const reason = error ? reasonOf(error) : undefined
  return reason === undefined ? errorText(error) : t('Nothing was moved: {reason}', { reason })
}

/** What keeps documents from moving, as the end of a sentence. Undefined for errors that are not about moving. */
function reasonOf(error: Error): string | undefined {
  const { type, detail: [detail] = [] } = error as Partial<KenningError>
  const path = String(detail?.ctx?.path ?? '')
  if (type === 'not_found') return t('not all of it is there any more.')
  switch (detail?.type) {
    case 'name_taken':
      return t('“{path}” is taken.', { path })
    case 'name_repeated':
      return t('two of the documents would be “{path}”.', { path })
    case 'source_decides':
      return t('a source decides where “{path}” is.', { path })
    case 'not_below':
      return t('“{path}” is not in this folder any more.', { path })
    case 'too_long':
      return t('more than {count} documents. Move the folders below one by one.', {
        count: formatCount(MAX_MOVED_DOCUMENTS),
      })
    case 'value_error':
    case 'string_too_long':
      return path === ''
        ? t('the folder must be a short relative path without “..”.')
        : t('“{path}” is too long, or cannot be the path of a document.', { path })
    default:
      return undefined
  }
}
