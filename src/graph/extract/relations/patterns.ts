// The relations the extractor knows, at most 30, found by the last word before the tail. What each pattern is worth is
// measured by bench/graph.ts.

import { HEADS, type Pattern } from './pattern.ts'
import { PEOPLE_PATTERNS } from './people-patterns.ts'
import { THING_PATTERNS } from './thing-patterns.ts'

const PATTERNS: readonly Pattern[] = [...PEOPLE_PATTERNS, ...THING_PATTERNS]

/** Patterns by the last word before the tail. */
export const PATTERNS_BY_LAST: ReadonlyMap<string, readonly Pattern[]> = new Map(
  [...new Set(PATTERNS.flatMap(({ last }) => last))].map((word) => [
    word,
    PATTERNS.filter(({ last }) => last.includes(word)),
  ]),
)

/** "Acme CEO Jane Roe", "Acme's chairman Jane Roe": the role between a body and a person. */
export const ROLE_BETWEEN = new RegExp(`^(?:['’]s)?,? (?:[a-z-]+ )?${HEADS},?$`)
