// The queries of the panel of sources.

import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../../src/client/client.ts'
import { api } from '../../session.ts'

export type Source = Output<'listSources'>['data'][number]
export type SourceKind = Source['kind']

const BUSY_REFRESH_MS = 1500
const IDLE_REFRESH_MS = 60_000

export const isBusy = ({ state }: Source): boolean =>
  state === 'queued' || state === 'running' || state === 'removing'

/** Only owners and editors may list sources. */
export const sourcesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'sources'],
    queryFn: ({ signal }) =>
      Array.fromAsync(api.all('listSources', { workspace_id: id, limit: 200 }, { signal })),
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_REFRESH_MS : IDLE_REFRESH_MS),
  })

export const refusedFilesQuery = (id: string, source: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'sources', source],
    queryFn: async ({ signal }) =>
      (await api.getSource({ workspace_id: id, source_id: source }, { signal })).refused,
  })

/** Only owners may see these places. */
export const sourcePlacesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'source places'],
    queryFn: ({ signal }) => api.getSourcePlaces({ workspace_id: id }, { signal }),
    staleTime: 300_000,
  })
