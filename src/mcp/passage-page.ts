// Where the short address of a passage leads: to its document in the console, with the passage marked.

import type { Caller } from '../auth/caller.ts'
import { readPassages } from '../documents/documents.ts'
import { passageUrl } from '../documents/passage-url.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { parsePlace } from './ids.ts'
import { objectNamed } from './workspaces.ts'

/** The path in the console. @param id as `addressId` makes it, or as `passageId`, which earlier releases put there @throws ApiError 404; 422 if its digits are those of several documents */
export async function passagePath(deps: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<string> {
  const place = parsePlace(id)
  if (!place) throw notFound()
  const document = await objectNamed(deps, caller, {
    kind: 'document',
    id: place.document,
    idOrName: undefined,
  })
  const path = pathOf(document.workspace.id, { document_id: document.id })
  if (place.chunk === undefined) return path
  const { chunk } = place
  const key = { workspaceId: document.workspace.id, documentId: document.id }
  const { chunks } = await readPassages({ db: deps.db }, caller, key, { start: { chunk }, maxChars: 1 })
  // A newer version of the document has other passages.
  const passage = chunks.find((one) => one.id.startsWith(chunk))
  if (!passage) return path
  const { id: chunkId, page } = passage
  return pathOf(document.workspace.id, { document_id: document.id, chunk_id: chunkId, page })
}

const pathOf = (workspaceId: string, place: Parameters<typeof passageUrl>[2]): string => {
  const path = passageUrl({ settings: { siteUrl: '', consoleDir: '' } }, workspaceId, place)
  if (path === null) throw notFound()
  return path
}
