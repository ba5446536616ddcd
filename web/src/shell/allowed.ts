// What the caller's role in a workspace allows. Places and actions that it does not allow are not shown.

import { useQuery } from '@tanstack/react-query'
import { accountQuery, ownedWorkspacesQuery } from '../account/queries.ts'
import { membershipQuery } from '../queries.ts'
import { PLACES, type Place } from './places.ts'

const OWNERS_ONLY: ReadonlySet<Place['to']> = new Set<Place['to']>(['/w/$workspace/activity'])
const PLACES_FOR_ALL: readonly Place[] = PLACES.filter(({ to }) => !OWNERS_ONLY.has(to))

/** While the role is not known, a place that only owners open is not shown. */
export function useAllowed(workspace: string | undefined): { places: readonly Place[]; isViewer: boolean } {
  const { data: membership } = useQuery({
    ...membershipQuery(workspace ?? ''),
    enabled: workspace !== undefined,
  })
  return {
    places: membership?.role === 'owner' ? PLACES : PLACES_FOR_ALL,
    isViewer: membership?.role === 'viewer',
  }
}

/** Whether the caller may see the usage of a workspace, or of the whole service. */
export function useMaySeeUsage(): boolean {
  const { data: me } = useQuery(accountQuery)
  const { data: owned } = useQuery(ownedWorkspacesQuery)
  return me?.admin === true || (owned !== undefined && owned.size > 0)
}
