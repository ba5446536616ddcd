// Documents that were indexed before spellings met in one (language/variants.ts) hold their words as written: until they
// are read anew, a query for `organisation` or "colour" would find none of them. Pure.

import { analyse } from '../../language/analyse.ts'
import { queryLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import type { Spelling } from '../../language/stem.ts'
import { words } from '../../language/words.ts'

/** As good as the word itself, and told from what was typed (weight 1). */
export const EARLIER_WEIGHT = 0.9

/** The query's words as they were indexed earlier, where that is another term, each with the terms it is now. */
export function earlierSpellings(
  query: string,
  languages: readonly Language[],
  asked: ReadonlyMap<string, number>,
): Map<string, readonly string[]> {
  const spoken = queryLanguage(query, languages)
  const found = new Map<string, readonly string[]>()
  for (const { raw } of words(query)) {
    for (const language of languages) {
      const wordsOf = (spelling: Spelling): string[] =>
        analyse(raw, language, spoken, spelling).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))
      for (const term of wordsOf('written')) if (!asked.has(term)) found.set(term, wordsOf('one'))
    }
  }
  return found
}

/**
 * Earlier spellings count only where they stand in more chunks than what they are now: among documents read since, they
 * never do, since a word's unstemmed form stands nowhere without its stem. A quotation is held against the text itself:
 * there they all may bring it.
 */
export function withEarlier<Term extends { term: string; df: number }>(
  weighed: readonly Term[],
  earlier: ReadonlyMap<string, readonly string[]>,
  isQuoted: boolean,
): Term[] {
  const frequency = new Map(weighed.map(({ term, df }) => [term, df]))
  return weighed.filter(({ term, df }) => {
    const now = earlier.get(term)
    return (
      now === undefined || (isQuoted && df > 0) || df > Math.min(...now.map((one) => frequency.get(one) ?? 0))
    )
  })
}
