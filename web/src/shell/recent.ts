// The documents and entities that were opened last, and the last workspace. The palette uses them. They are forgotten when the
// page is closed.

interface VisitedPage {
  kind: 'document' | 'entity'
  workspace: string
  id: string
}

const MAX_VISITED = 8
let visitedPages: readonly VisitedPage[] = []

export const recent = (): readonly VisitedPage[] => visitedPages

let visitedWorkspace: string | undefined

export const lastWorkspace = (): string | undefined => visitedWorkspace

/** Remembers the workspace of an address, and what it shows if it is a document or an entity. */
export function rememberVisit(path: string, search: { entity?: string | undefined }): void {
  visitedWorkspace = /^\/w\/([^/]+)/.exec(path)?.[1] ?? visitedWorkspace
  const [, workspace, place, pathId] = /^\/w\/([^/]+)\/(d|graph)(?:\/([^/]+))?$/.exec(path) ?? []
  const id = place === 'graph' ? (pathId ?? search.entity) : pathId
  if (!workspace || !id) return
  const page: VisitedPage = { kind: place === 'd' ? 'document' : 'entity', workspace, id }
  visitedPages = [page, ...visitedPages.filter((one) => one.id !== id)].slice(0, MAX_VISITED)
}

/** Forgets the visits to a document or entity that was removed, or to anything in a workspace that was. */
export function forgetVisits(id: unknown): void {
  visitedPages = visitedPages.filter((page) => page.id !== id && page.workspace !== id)
}
