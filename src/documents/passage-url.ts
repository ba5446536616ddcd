// The address at which a person can read a passage: a page of the console, which shows the sign-in form first if necessary.

import type { Settings } from '../ports/deps.ts'

/** The settings that links depend on: the service's address, and whether it serves the console. */
export interface LinkDeps {
  settings: Pick<Settings, 'siteUrl' | 'consoleDir'>
}

interface PassageLocation {
  document_id?: string | null | undefined
  chunk_id?: string | null | undefined
  page?: number | null | undefined
}

/**
 * The `source_url` of a chunk or citation. The console opens the document there, with the passage marked. Null if the console was
 * not built, because the link would lead nowhere.
 */
export function passageUrl(
  { settings: { siteUrl, consoleDir } }: LinkDeps,
  workspaceId: string,
  { document_id, chunk_id, page }: PassageLocation,
): string | null {
  if (consoleDir === undefined || !document_id) return null
  const params = new URLSearchParams({
    ...(page ? { page: `${page}` } : {}),
    ...(chunk_id ? { chunk: chunk_id } : {}),
  })
  return `${siteUrl}/w/${workspaceId}/d/${document_id}${params.size ? `?${params}` : ''}`
}
