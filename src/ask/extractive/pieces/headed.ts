// Whether a heading says what is asked: then what stands under it is the answer, in whatever words. Pure.

import { covered, holds, type Part, type Profile } from '../coverage.ts'
import type { Evidence } from './evidence.ts'

// With its title and the headings above it the heading says nearly all that is asked, half of it by itself, and little else.
const HEADED = 0.9
const HEADED_ALONE = 0.5
const LITTLE_ELSE = 0.6

/** "Can I bring my dog?" above "Yes, on Fridays.": heading and text are read together, so the text is about all of it. */
export function isHeaded({ around, under: { terms } }: Evidence, parts: readonly Part[]): boolean {
  if (!parts.some(({ weight }) => weight > 0)) return false
  const asked = [...terms.terms].filter((term) => parts.some((part) => holds(ONLY(terms, term), part)))
  return (
    asked.length > 0 &&
    asked.length >= LITTLE_ELSE * terms.terms.size &&
    covered(parts, [terms]) >= HEADED_ALONE &&
    covered(parts, [terms, around]) >= HEADED
  )
}

const ONLY = ({ language }: Profile, term: string): Profile => ({ language, terms: new Set([term]) })
