// What is forgotten when the service says that something does not exist any more (404).

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { forgetVisits } from './recent.ts'

/** The queries about one object, by the third part of their keys. The fourth is the id of the object. */
const OBJECTS = new Set<unknown>(['document', 'page', 'entity', 'thread', 'shared thread'])
/** Those of which a 404 says that the object is gone. A document may be there although it has no image of a page. */
const CERTAIN = new Set<unknown>(['document', 'entity', 'thread'])
/** The parts of an object that name a second one, which may be the one that is gone. */
const PARTS_WITH_OTHERS = new Set<unknown>(['paths', 'evidence', 'version', 'citations'])
/** The lists of conversations. No other list contains them. */
const THREAD_LISTS = new Set<unknown>(['threads', 'palette'])

/** Whether a 404 of the query says that the object in its key is gone. */
const isAboutItsObject = ([, , kind, , part]: QueryKey): boolean =>
  CERTAIN.has(kind) && !PARTS_WITH_OTHERS.has(part)

/** Whether a query is about the object, or a list that may contain it. */
const mayContain = ([, , kind, id]: QueryKey, [, , goneKind, goneId]: QueryKey): boolean =>
  id === goneId || (goneKind === 'thread' ? THREAD_LISTS.has(kind) : !OBJECTS.has(kind))

/**
 * Forgets what a query asked for in vain: the visits to it, its data, and lists that no page shows, because they may still contain it
 * and the palette would offer it again. What is known of other documents and entities stays.
 */
export function forgetGone(queries: QueryClient, queryKey: QueryKey): void {
  const [place, workspace, , object] = queryKey
  if (place !== 'workspace') return
  const ofWorkspace = [place, workspace]
  if (queryKey.length === 2) {
    forgetVisits(workspace)
    queries.removeQueries({ queryKey: ofWorkspace, type: 'inactive' })
    return
  }
  if (isAboutItsObject(queryKey)) {
    forgetVisits(object)
    queries.removeQueries({
      queryKey: ofWorkspace,
      type: 'inactive',
      predicate: (query) => mayContain(query.queryKey, queryKey),
    })
  }
  // The whole workspace may be gone, so it is requested again.
  void queries.invalidateQueries({ queryKey: ofWorkspace, exact: true })
}
