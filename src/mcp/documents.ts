// A document as models name it: by id, or by the title that they have read.

import { listDocuments } from '../documents/documents.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Session } from './tool.ts'
import { isUuid, type ReadableWorkspace, workspaceOf, workspacesFor } from './workspaces.ts'

// Titles that hold the one that is meant, of one workspace.
const MAX_TITLE_MATCHES = 50

/** @throws ApiError 404; 422 with the ids where several have the title */
export async function documentNamed(
  session: Session,
  idOrTitle: string,
  workspace: string | undefined,
): Promise<{ place: ReadableWorkspace; id: string }> {
  const { deps, caller, depsOf: within, signal } = session
  if (!isUuid(idOrTitle)) {
    const { workspaces: places } = await workspacesFor(deps, caller, workspace)
    const matches: { place: ReadableWorkspace; id: string }[] = []
    for (const workspaceRow of places) {
      signal.throwIfAborted()
      const { data } = await listDocuments(within(workspaceRow.id), caller, workspaceRow.id, {
        q: idOrTitle,
        limit: MAX_TITLE_MATCHES,
      })
      const sameTitle = data.filter(({ title }) => fold(title.trim()) === fold(idOrTitle.trim()))
      matches.push(...sameTitle.map(({ id }) => ({ place: workspaceRow, id })))
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
  return {
    place: await workspaceOf(deps, caller, { kind: 'document', id: idOrTitle, idOrName: workspace }),
    id: idOrTitle,
  }
}
