// Names that match the typed text, the best first.

import { plain } from '../parts/plain.ts'

export interface Named {
  id: string
  name: string
  type: string
}

/** Those of the type whose name has every typed word. Names that begin with the text come first. */
export function matching<T extends Named>(nodes: readonly T[], typed: string, type?: string): T[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
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
