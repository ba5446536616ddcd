// The entities whose names match the typed text, the best first.

import { plain } from '../parts/plain.ts'

interface NamedEntity {
  id: string
  name: string
  type: string
}

/** The entities of a type, or of all types, whose names contain every typed word. Names that begin with the first word come first. */
export function matchingEntities<T extends NamedEntity>(
  nodes: readonly T[],
  typedText: string,
  type?: string,
): T[] {
  const words = plain(typedText).split(/\s+/).filter(Boolean)
  const [first = ''] = words
  const matches: { node: T; rank: number }[] = []
  for (const node of nodes) {
    if (type !== undefined && node.type !== type) continue
    const name = plain(node.name)
    if (words.every((word) => name.includes(word)))
      matches.push({ node, rank: name.startsWith(first) ? 0 : name.includes(` ${first}`) ? 1 : 2 })
  }
  return matches.sort((a, b) => a.rank - b.rank).map(({ node }) => node)
}
