// A small seeded generator (mulberry32): the same seed gives the same numbers on every machine.

/** Numbers in [0, 1). */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let hash = Math.imul(state ^ (state >>> 15), state | 1)
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61)
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32
  }
}

/** An integer from 0 to `bound` - 1. */
export const drawIndex = (random: Random, bound: number): number => Math.floor(random() * bound)

/** A seed from a text (FNV-1a), so that each query has its own. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
