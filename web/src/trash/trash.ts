// Moving documents and workspaces to the trash, and bringing them back.

import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../src/client/client.ts'
import { MAX_TRASH_DOCUMENTS, trashBatches } from '../../../src/contract/limits.ts'
import { followJob } from '../documents/uploads.ts'
import { isGone } from '../parts/states.tsx'
import { api } from '../session.ts'

export type TrashedDocument = Output<'listTrash'>['data'][number]

export const trashQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'trash'],
    queryFn: ({ signal, pageParam }) =>
      api.listTrash({ workspace_id: workspace, limit: 200, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

export const trashedWorkspacesQuery = queryOptions({
  queryKey: ['workspaces', 'trash'],
  queryFn: async ({ signal }) => (await api.listTrashedWorkspaces({}, { signal })).data,
})

/** What became of documents that were to be moved to the trash. */
export interface Trashed {
  /** The ids, in the trash, of those that were moved. */
  trashIds: string[]
  /** The documents that were not moved because the service failed. */
  leftIds: readonly string[]
  /** Why they were not moved. */
  error?: Error
}

/**
 * Moves documents to the trash, until the service fails. Documents that do not exist any more are neither moved nor left.
 * @throws if none was moved
 */
export async function moveToTrash(workspace: string, documentIds: readonly string[]): Promise<Trashed> {
  const trashIds: string[] = []
  let allGone: unknown
  for (const [index, document_ids] of trashBatches(documentIds).entries())
    try {
      const { data } = await api.trashDocuments({ workspace_id: workspace, document_ids })
      trashIds.push(...data.map(({ id }) => id))
    } catch (error) {
      // None of this batch exists any more; documents of the next ones may.
      if (isGone(error)) allGone = error
      else if (trashIds.length === 0 || !(error instanceof Error)) throw error
      else return { trashIds, leftIds: documentIds.slice(index * MAX_TRASH_DOCUMENTS), error }
    }
  if (trashIds.length === 0 && allGone) throw allGone
  return { trashIds, leftIds: [] }
}

/** Moves the documents in a folder, and in all below it, to the trash. @throws if none was moved */
export async function moveFolderToTrash(workspace: string, folder: string): Promise<Trashed> {
  const request = { workspace_id: workspace, folder, limit: 200 }
  const documents = await Array.fromAsync(api.all('listDocumentDetails', request))
  return moveToTrash(
    workspace,
    documents.map(({ id }) => id),
  )
}

/** What became of documents that were to be restored. */
export interface Restored {
  count: number
  /** How many were not restored. */
  leftCount: number
  /** Why they were not. Undefined: they are not in the trash any more. */
  error?: Error
}

/**
 * Restores documents, until the service fails, except those that are not in the trash any more. The bar of uploads shows how far
 * reading them is.
 * @throws if none was restored
 */
export async function restoreFromTrash(workspace: string, trashIds: readonly string[]): Promise<Restored> {
  let count = 0
  let allGone: unknown
  for (const trash_ids of trashBatches(trashIds))
    try {
      const job = await api.restoreDocuments({ workspace_id: workspace, trash_ids })
      followJob(workspace, job, false)
      count += job.files.length
    } catch (error) {
      // None of this batch is in the trash any more; documents of the next ones may be.
      if (isGone(error)) allGone = error
      else if (count === 0 || !(error instanceof Error)) throw error
      else return { count, leftCount: trashIds.length - count, error }
    }
  if (count === 0 && allGone) throw allGone
  return { count, leftCount: trashIds.length - count }
}

/** The ids of everything in the trash of a workspace. */
export async function allTrashIds(workspace: string): Promise<string[]> {
  const documents = await Array.fromAsync(api.all('listTrash', { workspace_id: workspace, limit: 200 }))
  return documents.map(({ id }) => id)
}

export async function restoreWorkspace(queries: QueryClient, workspace: string): Promise<void> {
  await api.restoreWorkspace({ workspace_id: workspace })
  await queries.invalidateQueries({ queryKey: ['workspaces'] })
  await queries.invalidateQueries({ queryKey: ['workspace', workspace] })
}
