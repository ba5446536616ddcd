// The list of the documents page as a query.

import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { DocumentSort } from '../queries.ts'
import { api } from '../session.ts'

interface DocumentFilter {
  q?: string | undefined
  scope?: string | undefined
  folder?: string | undefined
  sort?: DocumentSort | undefined
  order?: 'asc' | 'desc' | undefined
}

const UNFINISHED_REFRESH_MS = 4000

/** The service filters and sorts, because the page has loaded only part of the documents. */
export const documentsQuery = (id: string, { q, scope, folder, sort, order }: DocumentFilter) =>
  infiniteQueryOptions({
    queryKey: [
      'workspace',
      id,
      'documents',
      q ?? '',
      scope ?? '',
      folder ?? '',
      sort ?? 'title',
      order ?? 'asc',
    ],
    queryFn: ({ signal, pageParam }) =>
      api.listDocumentDetails(
        {
          workspace_id: id,
          q: q ?? null,
          scope: scope ?? null,
          folder: folder ?? null,
          ...(sort && { sort }),
          ...(order && { order }),
          limit: 100,
          cursor: pageParam,
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // The list is reloaded while a document on it is not complete, but not if more than three pages have been loaded.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) < 4 &&
      state.data?.pages.some(({ data }) => data.some((document) => document.state === 'searchable'))
        ? UNFINISHED_REFRESH_MS
        : false,
  })
