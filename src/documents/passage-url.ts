// The address at which a person reads a passage. It is the console's, which asks for sign-in and then opens the document there.

import type { Settings } from '../ports/deps.ts'

/** What links need: the service's address, and whether the console is served there. */
export interface Linking {
  settings: Pick<Settings, 'origin' | 'consoleDir'>
}

interface Place {
  document_id?: string | null | undefined
  chunk_id?: string | null | undefined
  page?: number | null | undefined
}

/**
 * `source_url` of a chunk or citation, by which the console opens the original at the page with the passage marked. Uploads
 * have no address of their own. Null where the console was not built, since the link would lead nowhere.
 */
export function passageUrl(
  { settings: { origin, consoleDir } }: Linking,
  workspaceId: string,
  { document_id, chunk_id, page }: Place,
): string | null {
  if (consoleDir === undefined || !document_id) return null
  const place = new URLSearchParams({
    ...(page ? { page: `${page}` } : {}),
    ...(chunk_id ? { chunk: chunk_id } : {}),
  })
  return `${origin}/w/${workspaceId}/d/${document_id}${place.size ? `?${place}` : ''}`
}
