// Finds the document that a model names by id or by title.

import { listDocuments } from '../documents/documents.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Session } from './tool.ts'
import { isUuid, type ReadableWorkspace, workspaceOf, workspacesFor } from './workspaces.ts'

// Titles read per workspace that contain the given one.
const MAX_TITLE_MATCHES = 50

/** @throws ApiError 404; 422 with the ids if several documents have the title */
export async function documentNamed(
  session: Session,
  idOrTitle: string,
  idOrName: string | undefined,
): Promise<{ workspace: ReadableWorkspace; id: string }> {
  const { deps, caller, depsOf, signal } = session
  if (!isUuid(idOrTitle)) {
    const { workspaces } = await workspacesFor(deps, caller, idOrName)
    const matches: { workspace: ReadableWorkspace; id: string }[] = []
    for (const workspace of workspaces) {
      signal.throwIfAborted()
      const { data } = await listDocuments(depsOf(workspace.id), caller, workspace.id, {
        q: idOrTitle,
        limit: MAX_TITLE_MATCHES,
      })
      const sameTitle = data.filter(({ title }) => fold(title.trim()) === fold(idOrTitle.trim()))
      matches.push(...sameTitle.map(({ id }) => ({ workspace, id })))
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
    workspace: await workspaceOf(deps, caller, { kind: 'document', id: idOrTitle, idOrName }),
    id: idOrTitle,
  }
}
