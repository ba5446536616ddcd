// A quoted clause that another document changes by its number: "In clause 2.1 the words … are replaced by …" need not say
// what clause 2.1 is about, so no word of the question finds it. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { Passage } from '../../../search/passage.ts'
import { clauseNamed } from '../asks/section.ts'
import { saysItChanges } from '../speech/changes.ts'
import type { Evidence } from './evidence.ts'

const NUMBER = /^\(?(\d{1,3}(?:\.\d{1,3})+)[.)]?\s/
// An amendment is called after what it changes: its title holds this share of the other's words.
const CALLED_AFTER = 0.5

/** The number that a quoted clause begins with: `2.1`. */
export const clauseOf = ({ text }: Evidence): string | undefined => NUMBER.exec(text)?.[1]

/** The sentence of another document that changes the clause quoted; undefined where nothing does. */
export function amendmentOf(quoted: Evidence, pieces: readonly Evidence[]): Evidence | undefined {
  const number = clauseOf(quoted)
  if (number === undefined) return undefined
  const clause = clauseNamed(number)
  return pieces.find(
    (piece) =>
      !piece.list &&
      !piece.cells &&
      clause.test(piece.text) &&
      saysItChanges(piece.text) &&
      isCalledAfter(piece.found.passage, quoted.found.passage),
  )
}

function isCalledAfter(later: Passage, earlier: Passage): boolean {
  if (later.document_id === earlier.document_id) return false
  const called = new Set(contentTerms(later.document_title, later.language))
  const wanted = contentTerms(earlier.document_title, earlier.language)
  return wanted.filter((term) => called.has(term)).length >= CALLED_AFTER * wanted.length
}
