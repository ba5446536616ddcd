// Moving documents and workspaces to the trash, and bringing them back.

import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../src/client/client.ts'
import { MAX_TRASH_DOCUMENTS, trashBatches } from '../../../src/contract/limits.ts'
import { followJob } from '../documents/uploads.ts'
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

/** Moves documents to the trash, until the service fails. @throws if none was moved */
export async function moveToTrash(workspace: string, documentIds: readonly string[]): Promise<Trashed> {
  const trashIds: string[] = []
  for (const [index, document_ids] of trashBatches(documentIds).entries())
    try {
      const { data } = await api.trashDocuments({ workspace_id: workspace, document_ids })
      trashIds.push(...data.map(({ id }) => id))
    } catch (error) {
      if (trashIds.length === 0 || !(error instanceof Error)) throw error
      return { trashIds, leftIds: documentIds.slice(index * MAX_TRASH_DOCUMENTS), error }
    }
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

/** Restores documents. The bar of uploads shows how far reading them is. */
export async function restoreFromTrash(workspace: string, trashIds: readonly string[]): Promise<void> {
  for (const trash_ids of trashBatches(trashIds))
    followJob(workspace, await api.restoreDocuments({ workspace_id: workspace, trash_ids }), false)
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
