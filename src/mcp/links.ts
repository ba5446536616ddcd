// Addresses in the console, for people who want to see where something is said.

import type { Settings } from '../ports/deps.ts'

export interface Target {
  workspaceId: string
  documentId?: string | null | undefined
  chunkId?: string | null | undefined
  page?: number | null | undefined
}

/** `{origin}/w/{workspace}/d/{document}?page=&chunk=` */
export function consoleUrl({ origin }: Pick<Settings, 'origin'>, target: Target): string {
  const { workspaceId, documentId, chunkId, page } = target
  if (!documentId) return `${origin}/w/${workspaceId}`
  const query = new URLSearchParams({
    ...(page == null ? {} : { page: String(page) }),
    ...(chunkId ? { chunk: chunkId } : {}),
  }).toString()
  return `${origin}/w/${workspaceId}/d/${documentId}${query ? `?${query}` : ''}`
}
