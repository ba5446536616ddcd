// A document as models name it: by id, or by the title that they have read.

import { listDocuments } from '../documents/documents.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import { isUuid, type Place, placeOf, placesFor } from './places.ts'
import type { Session } from './tool.ts'

// Titles that hold the one that is meant, of one workspace.
const MAX_TITLE_MATCHES = 50

/** @throws ApiError 404; 422 with the ids where several have the title */
export async function documentNamed(
  session: Session,
  idOrTitle: string,
  workspace: string | undefined,
): Promise<{ place: Place; id: string }> {
  const { deps, caller, within, signal } = session
  if (!isUuid(idOrTitle)) {
    const { places } = await placesFor(deps, caller, workspace)
    const matches: { place: Place; id: string }[] = []
    for (const place of places) {
      signal.throwIfAborted()
      const { data } = await listDocuments(within(place.id), caller, place.id, {
        q: idOrTitle,
        limit: MAX_TITLE_MATCHES,
      })
      const sameTitle = data.filter(({ title }) => fold(title.trim()) === fold(idOrTitle.trim()))
      matches.push(...sameTitle.map(({ id }) => ({ place, id })))
    }
    const [match, ...otherMatches] = matches
    if (match && otherMatches.length === 0) return match
    if (match) {
      const ids = matches.slice(0, 10).map(({ id }) => id)
      throw new ApiError(
        422,
        'invalid_request',
        `Several documents have this title. Give the id of one: ${ids.join(', ')}.`,
      )
    }
  }
  return { place: await placeOf(deps, caller, 'document', idOrTitle, workspace), id: idOrTitle }
}
