// The console's queries. Pages that use the same query share its data, because each query has one key.

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../src/client/client.ts'
import { api } from './session.ts'

export type Workspace = Output<'getWorkspace'>
export type Document = Output<'listDocumentDetails'>['data'][number]
export type Graph = Output<'getGraph'>
export type Chunk = Output<'search'>['data'][number]

const UNREADY_REFRESH_MS = 3000

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
    refetchInterval: ({ state }) => (state.data?.ready === false ? UNREADY_REFRESH_MS : false),
  })

export type DocumentSort = NonNullable<Input<'listDocumentDetails'>['sort']>

/** The documents that the caller opened last, in whatever browser. The service stores the day. */
export const recentDocumentsQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'recent documents', limit],
    queryFn: async ({ signal }) => {
      const sort = { sort: 'opened_on', order: 'desc' } as const
      const { data } = await api.listDocumentDetails({ workspace_id: id, ...sort, limit }, { signal })
      return data.filter((document) => document.opened_on !== null)
    },
  })

/** The folders of all documents, with the number of documents in each and below it. */
export const foldersQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'folders'],
    queryFn: async ({ signal }) => api.listFolders({ workspace_id: id }, { signal }),
    staleTime: 60_000,
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

/** The headings above search results, by their ids, with ' > ' between levels. */
export const headingsQuery = (id: string, chunks: readonly Chunk[] | undefined) =>
  queryOptions({
    queryKey: ['workspace', id, 'headings', chunks?.map((chunk) => chunk.id)],
    queryFn: async ({ signal }) => {
      const chunk_ids = chunks?.map((chunk) => chunk.id) ?? []
      const { data } = await api.listChunkPlaces({ workspace_id: id, chunk_ids }, { signal })
      return new Map(data.map(({ chunk_id, heading }) => [chunk_id, heading]))
    },
    enabled: Boolean(chunks?.length),
    placeholderData: keepPreviousData,
  })

/** A search with its filters, as the address contains them. */
export interface SearchParams {
  q: string
  scope: string | undefined
  entity: string | undefined
}

/** The same search, with the explanation of each hit's rank. */
export const inspectQuery = (id: string, { q, scope, entity }: SearchParams) =>
  queryOptions({
    queryKey: ['workspace', id, 'inspect', q, scope ?? '', entity ?? ''],
    queryFn: ({ signal }) =>
      api.inspectSearch(
        { workspace_id: id, query: q, limit: 20, scope: scope ?? null, entity_ids: entity ? [entity] : null },
        { signal },
      ),
    enabled: q.trim() !== '',
  })

export const evaluationQuestionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'evaluation questions'],
    queryFn: ({ signal, pageParam }) =>
      api.listEvaluationQuestions({ workspace_id: id, limit: 50, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** How many files have not been read yet. */
export const unreadFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'unread files'],
    queryFn: async ({ signal }) => {
      const { data } = await api.listJobs({ workspace_id: id, limit: 50 }, { signal })
      const open = data.filter(({ status, kind }) => status !== 'done' && kind === 'upload')
      return open.reduce((sum, job) => sum + job.file_count - job.done_count - job.failed_count, 0)
    },
    refetchInterval: ({ state }) => (state.data ? UNREADY_REFRESH_MS : false),
  })

export const scopesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'scopes'],
    queryFn: ({ signal }) => api.listScopes({ workspace_id: id }, { signal }),
    staleTime: 60_000,
  })

/** Only owners may list members. */
export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'members'],
    queryFn: async ({ signal }) =>
      Array.fromAsync(api.all('listMembers', { workspace_id: id, limit: 200 }, { signal })),
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

/** Asked anew each time it is opened, because it may have been taken back. */
export const sharedThreadQuery = (id: string, thread: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'shared thread', thread],
    queryFn: ({ signal }) =>
      api.getSharedThread({ workspace_id: id, thread_id: thread, limit: 200 }, { signal }),
    staleTime: 0,
  })

/** The passages that an answer cites, with their places in the documents and the cited sentences. */
export const turnCitationsQuery = (id: string, thread: string, turn: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'thread', thread, 'citations', turn],
    queryFn: ({ signal }) =>
      api.listTurnCitations({ workspace_id: id, thread_id: thread, turn_number: String(turn) }, { signal }),
    staleTime: 60_000,
  })

/** Kind, pages and state of a document, and whether its pages can be shown as images. */
export const documentDetailsQuery = (id: string, document: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'details'],
    queryFn: ({ signal }) => api.getDocumentDetails({ workspace_id: id, document_id: document }, { signal }),
    staleTime: 60_000,
  })

/** Only owners may see the use of a document. */
export const documentUseQuery = (id: string, document: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'use'],
    queryFn: ({ signal }) => api.getDocumentUse({ workspace_id: id, document_id: document }, { signal }),
    staleTime: 60_000,
  })

/** The places of a document's chunks: headings and boxes, by chunk. */
export const layoutQuery = (id: string, document: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'layout'],
    queryFn: ({ signal }) => {
      const input = { workspace_id: id, document_id: document, limit: 200 }
      return Array.fromAsync(api.all('listDocumentLayout', input, { signal }))
    },
    staleTime: 60_000,
  })

/** The entities that a document or one of its pages names, the most frequent first. */
export const documentEntitiesQuery = (id: string, document: string, page?: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'entities', page ?? 0],
    queryFn: ({ signal }) =>
      api.listDocumentEntities(
        { workspace_id: id, document_id: document, limit: 100, ...(page ? { page } : {}) },
        { signal },
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

export const versionsQuery = (id: string, document: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'versions'],
    queryFn: ({ signal }) => {
      const input = { workspace_id: id, document_id: document, limit: 200 }
      return Array.fromAsync(api.all('listVersions', input, { signal }))
    },
  })

/** The text of a version never changes. */
export const versionTextQuery = (id: string, document: string, version: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'document', document, 'version', version],
    queryFn: ({ signal }) =>
      api.getVersionText({ workspace_id: id, document_id: document, version_id: version }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const membershipQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'membership'],
    queryFn: ({ signal }) => api.getMembership({ workspace_id: id }, { signal }),
    staleTime: 60_000,
  })

/** A page of a document as an object URL, with the size of the page in points if the image states it. */
export const pageImageQuery = (id: string, document: string, page: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'page', document, page],
    queryFn: async ({ signal }) => {
      const input = { workspace_id: id, document_id: document, page: String(page) }
      const picture = await (await api.bytes('getPageImage', input, { signal })).blob()
      return { url: URL.createObjectURL(picture), points: await pointsOf(picture) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 300_000,
  })

/** The width of a page divided by its height, from a small image, which is there before that for reading. */
export const pageShapeQuery = (id: string, document: string, page: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'page', document, page, 'shape'],
    queryFn: async ({ signal }) => {
      const input = { workspace_id: id, document_id: document, page: String(page), width: '256' } as const
      const picture = await (await api.bytes('getPageImage', input, { signal })).blob()
      const head = new DataView(await picture.slice(0, 24).arrayBuffer())
      const shape = head.getUint32(16) / head.getUint32(20)
      if (!(shape > 0.01 && shape < 100)) throw new Error('no PNG')
      return shape
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

const METRES_PER_POINT = 0.0254 / 72

/** Width and height in points of a PNG that states its resolution (chunk pHYs, directly after the header). */
async function pointsOf(picture: Blob): Promise<{ width: number; height: number } | undefined> {
  const head = new DataView(await picture.slice(0, 64).arrayBuffer())
  if (head.byteLength < 64 || head.getUint32(37) !== 0x70485973) return undefined
  const perPoint = [head.getUint32(41), head.getUint32(45)].map((perMetre) => perMetre * METRES_PER_POINT)
  const [horizontal = 0, vertical = 0] = perPoint
  return horizontal && vertical
    ? { width: head.getUint32(16) / horizontal, height: head.getUint32(20) / vertical }
    : undefined
}

export const themesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'themes'],
    queryFn: ({ signal }) => api.getThemes({ workspace_id: id, limit: 100 }, { signal }),
  })

/** Groups of documents by meaning. They are asked for by themselves, because a large library takes seconds. */
export const themeGroupsQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'theme-groups'],
    queryFn: ({ signal }) => api.getThemes({ workspace_id: id, limit: 1, groups: 12 }, { signal }),
    staleTime: 60_000,
  })

/** The most important entities and their relations, at most 5,000. */
export const graphQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['workspace', id, 'graph', limit],
    queryFn: ({ signal }) => api.getGraph({ workspace_id: id, limit }, { signal }),
    staleTime: 300_000,
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

/** Passages that mention an entity, or with `otherEntity` those that state the relation of the two. */
export const evidenceQuery = (id: string, entity: string, otherEntity?: string) =>
  infiniteQueryOptions({
    queryKey: ['workspace', id, 'entity', entity, 'evidence', otherEntity ?? ''],
    queryFn: ({ signal, pageParam }) =>
      api.listEvidence(
        {
          workspace_id: id,
          entity_id: entity,
          limit: 10,
          cursor: pageParam,
          ...(otherEntity === undefined ? {} : { with: otherEntity }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** An entity as it is in lists, with its number of mentions and its other names. */
export const namedEntityQuery = (id: string, entity: string, name: string | undefined) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, 'named', name],
    queryFn: async ({ signal }) => {
      const { data } = await api.listEntities({ workspace_id: id, q: name ?? '', limit: 25 }, { signal })
      return data.find((one) => one.id === entity) ?? null
    },
    enabled: name !== undefined,
  })

export const mergesQuery = (id: string, entity: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, 'merges'],
    queryFn: ({ signal }) => api.listMerges({ workspace_id: id, entity_id: entity }, { signal }),
  })

export const duplicatesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'duplicates'],
    queryFn: ({ signal }) => api.listDuplicates({ workspace_id: id }, { signal }),
  })

export const mergeCandidatesQuery = (id: string, entity: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, 'candidates'],
    queryFn: ({ signal }) => api.listMergeCandidates({ workspace_id: id, entity_id: entity }, { signal }),
  })

export const entityPathsQuery = (id: string, entity: string, other: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, 'paths', other],
    queryFn: ({ signal }) =>
      api.getEntityPaths({ workspace_id: id, entity_id: entity, other_id: other }, { signal }),
  })

export const entityQuery = (id: string, entity: string, depth: 1 | 2 = 1) =>
  queryOptions({
    queryKey: ['workspace', id, 'entity', entity, depth],
    queryFn: ({ signal }) => api.getEntity({ workspace_id: id, entity_id: entity, depth }, { signal }),
  })
