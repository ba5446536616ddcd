// The documents and entities that were opened last, for the palette. They are in memory only, until the page is closed.

export interface Visited {
  kind: 'document' | 'entity'
  workspace: string
  id: string
}

const MAX_VISITED = 8
let visited: readonly Visited[] = []

export const recent = (): readonly Visited[] => visited

/** Remembers what an address shows, if it is a document or an entity. */
export function remember(path: string, search: { entity?: string | undefined }): void {
  const [, workspace, place, inPath] = /^\/w\/([^/]+)\/(d|graph)(?:\/([^/]+))?$/.exec(path) ?? []
  const id = place === 'graph' ? (inPath ?? search.entity) : inPath
  if (!workspace || !id) return
  const now: Visited = { kind: place === 'd' ? 'document' : 'entity', workspace, id }
  visited = [now, ...visited.filter((one) => one.id !== id)].slice(0, MAX_VISITED)
}
