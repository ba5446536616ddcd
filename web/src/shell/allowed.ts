// What the caller's role in a workspace allows. Places and actions that it does not allow are not shown.

import { useQuery } from '@tanstack/react-query'
import { membershipQuery } from '../queries.ts'
import { PLACES } from './places.ts'

type Place = (typeof PLACES)[number]

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
