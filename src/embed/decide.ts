// Decides which of a workspace's vector spaces is to serve, and which are to be retired. Pure.

import { LEXICAL } from './lexical.ts'
import type { WorkspaceSpace } from './spaces.sql.ts'

export type SpaceChoice = { kind: 'none' } | { kind: 'lexical' } | { kind: 'model'; spaceId: number }

/** `target`: the space that is to serve; `fit`: it is yet to be fitted. `retire`: those that are retired at once. */
export interface Plan {
  target: number | 'fit' | undefined
  retire: number[]
}

// With fewer chunks LSA finds no subjects (Cranfield: 50 documents .527, all 1,400 .549, BM25 alone .524).
const MIN_CHUNKS = 50
const OUTGROWN = 2

/** The space that serves now stays until the target is filled, whichever embedder made it. */
export function decide(choice: SpaceChoice, spaces: readonly WorkspaceSpace[], chunks: number): Plan {
  const target = targetOf(choice, spaces, chunks)
  const retire = spaces.filter(({ id, state }) => {
    if (id === target || state === 'retired') return false
    return target === undefined || state !== 'serving'
  })
  return { target, retire: retire.map(({ id }) => id) }
}

function targetOf(choice: SpaceChoice, spaces: readonly WorkspaceSpace[], chunks: number): Plan['target'] {
  if (choice.kind === 'none') return undefined
  if (choice.kind === 'model') return choice.spaceId
  const fits = ({ embedder, fitted }: WorkspaceSpace): boolean =>
    embedder === LEXICAL && chunks < (fitted ?? 0) * OUTGROWN
  const ready = spaces.filter(({ state }) => state === 'serving' || state === 'filling').filter(fits)
  const best = ready.find(({ state }) => state === 'serving') ?? ready[0]
  return best?.id ?? (chunks >= MIN_CHUNKS ? 'fit' : undefined)
}
