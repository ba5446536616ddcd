// The documents and entities that were opened last. The palette shows them. They are forgotten when the page is closed.

interface VisitedPage {
  kind: 'document' | 'entity'
  workspace: string
  id: string
}

const MAX_VISITED = 8
let visitedPages: readonly VisitedPage[] = []

export const recent = (): readonly VisitedPage[] => visitedPages

/** Remembers what an address shows, if it is a document or an entity. */
export function rememberVisit(path: string, search: { entity?: string | undefined }): void {
  const [, workspace, place, pathId] = /^\/w\/([^/]+)\/(d|graph)(?:\/([^/]+))?$/.exec(path) ?? []
  const id = place === 'graph' ? (pathId ?? search.entity) : pathId
  if (!workspace || !id) return
  const page: VisitedPage = { kind: place === 'd' ? 'document' : 'entity', workspace, id }
  visitedPages = [page, ...visitedPages.filter((one) => one.id !== id)].slice(0, MAX_VISITED)
}
