// What the console asks the service for, each under one key, so that pages share what is fetched.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../src/client/client.ts'
import { api } from './session.ts'

export type Workspace = Output<'getWorkspace'>
export type Document = Output<'listDocuments'>['data'][number]
export type Chunk = Output<'search'>['data'][number]

const UNREADY_MS = 3000

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.getMe({}, { signal }),
  staleTime: 300_000,
})

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => Array.fromAsync(api.all('listWorkspaces', { limit: 200 }, { signal })),
  staleTime: 60_000,
})

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => api.getWorkspace({ workspace_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.ready === false ? UNREADY_MS : false),
  })

export const documentsQuery = (id: string, q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'documents', q ?? ''],
    queryFn: ({ signal, pageParam }) =>
      api.listDocuments({ workspace_id: id, q: q ?? null, limit: 200, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })

/** A document's chunks as pages of up to 60,000 characters. */
export const documentQuery = (id: string, document: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'document', document],
    queryFn: ({ signal, pageParam }) =>
      api.readDocument(
        { workspace_id: id, document_id: document, max_chars: 60_000, cursor: pageParam },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })

export const searchQuery = (id: string, query: string, scope?: string, entity?: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'search', query, scope ?? '', entity ?? ''],
    queryFn: ({ signal }) =>
      api.search(
        { workspace_id: id, query, limit: 20, scope: scope ?? null, entity_ids: entity ? [entity] : null },
        { signal },
      ),
    enabled: query.trim() !== '',
    placeholderData: keepPreviousData,
  })

export const scopesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'scopes'],
    queryFn: ({ signal }) => api.listScopes({ workspace_id: id }, { signal }),
    staleTime: 60_000,
  })

export const threadsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'threads'],
    queryFn: ({ signal, pageParam }) =>
      api.listThreads({ workspace_id: id, limit: 100, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

export const threadQuery = (id: string, thread: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'thread', thread],
    queryFn: ({ signal }) => api.getThread({ workspace_id: id, thread_id: thread, limit: 200 }, { signal }),
  })

/** Where the passages of an answer stand, with the sentences that were cited. */
export const turnCitationsQuery = (id: string, thread: string, turn: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'thread', thread, 'citations', turn],
    queryFn: ({ signal }) =>
      api.listTurnCitations({ workspace_id: id, thread_id: thread, turn_number: String(turn) }, { signal }),
    staleTime: 60_000,
  })

/** A page of a document as an object URL; one that has no picture is null. */
export const pageImageQuery = (id: string, document: string, page: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'page', document, page],
    queryFn: async ({ signal }) => {
      const input = { workspace_id: id, document_id: document, page: String(page) }
      const response = await api
        .bytes('getPageImage', input, { signal })
        .catch((error: { status?: number }) => {
          if (error.status === 404) return null
          throw error
        })
      return response && URL.createObjectURL(await response.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 600_000,
  })

export const themesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'themes'],
    queryFn: ({ signal }) => api.getThemes({ workspace_id: id, limit: 100 }, { signal }),
  })

export const entitiesQuery = (id: string, q: string | undefined, type: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'entities', q ?? '', type ?? ''],
    queryFn: ({ signal, pageParam }) =>
      api.listEntities(
        { workspace_id: id, q: q ?? null, type: type ?? null, limit: 100, cursor: pageParam },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })

export const entityQuery = (id: string, entity: string, depth: 1 | 2 = 1) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, depth],
    queryFn: ({ signal }) => api.getEntity({ workspace_id: id, entity_id: entity, depth }, { signal }),
  })
