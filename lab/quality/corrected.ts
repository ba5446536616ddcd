// Which clean queries the spelling correction changes, and by how much: whether their words are mistyped in the set, or
// right and merely absent from its documents, only a reader can tell.

import type { Pair } from '../../src/eval/measure/compare.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import { LANGUAGES } from '../../src/language/language.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { unknownWords } from '../../src/search/query/mistyped.ts'
import { weighQuery } from '../../src/search/query/query.ts'

export interface Corrected {
  id: string
  /** Words of the query that stand in no document. */
  typed: string[]
  /** Terms that are asked for because of them: stems, without their pairs. */
  meant: string[]
}

/** Those queries for which the correction asks for more terms. */
export async function correctedIn(
  deps: Deps,
  workspaceId: string,
  queries: readonly { id: string; text: string }[],
): Promise<Corrected[]> {
  const found: Corrected[] = []
  for (const { id, text } of queries) {
    const read = (isCorrecting: boolean) =>
      weighQuery(deps.db, workspaceId, analysedText(text), { isCorrecting })
    const without = (await read(false))?.terms ?? []
    const before = new Set(without.map(({ term }) => term))
    const added = ((await read(true))?.terms ?? []).filter(({ term, df }) => df > 0 && !before.has(term))
    const meant = added.flatMap(({ term }) => (term.includes(' ') ? [] : [term]))
    if (added.length) found.push({ id, typed: unknownWords(analysedText(text), LANGUAGES, without), meant })
  }
  return found
}

/** What each of them gains or loses of nDCG@10 by it, and whether all others are answered the same. */
export function toldOf(corrected: readonly Corrected[], pairs: readonly Pair[]): string {
  const gain = new Map(pairs.map(({ id, ours, theirs }) => [id, gainOf(ours['nDCG@10'], theirs['nDCG@10'])]))
  const ids = new Set(corrected.map(({ id }) => id))
  const others = pairs.filter(({ id }) => !ids.has(id))
  const moved = others.filter(({ id }) => Math.abs(gain.get(id) ?? 0) > 1e-9).length
  const words = corrected.map(({ id, typed, meant }) => {
    const by = gain.get(id) ?? 0
    const told = `*${typed.join(', ')}* → ${meant.join(', ')}`
    return Math.abs(by) < 0.0005 ? told : `${told} (${by < 0 ? '−' : '+'}${Math.abs(by).toFixed(3)})`
  })
  const list = words.length ? `: ${words.join('; ')}` : ''
  return `Clean queries changed by the correction: ${corrected.length} of ${pairs.length}${list}. The other ${others.length} are answered ${moved ? `the same but ${moved}` : 'the same'}. In brackets what the nDCG@10 of that query gains or loses, where it does.`
}

const gainOf = (ours: number | undefined, theirs: number | undefined): number => (ours ?? 0) - (theirs ?? 0)
