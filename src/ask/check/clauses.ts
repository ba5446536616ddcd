// Divides a sentence into clauses by its punctuation and its names: "Revenue rose by 11.9 %, the surplus by 60 %". The words that a
// value or a name belongs to are in its clause, or are taken over from the previous clause. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { valuesIn } from './values.ts'

export interface Clause {
  start: number
  end: number
  text: string
  /** The words that the clause takes over from the previous one: its subject and verb, or only its verb. */
  takenOver(clauses: readonly Clause[], language: Language): string
}

export interface PlacedName {
  start: number
  end: number
}

// Matches punctuation between clauses.
const BREAK = /[,;:·•|](?=\s)|\s[–—-](?=\s)|\n|\)/gu
// Matches the end of the text before a name that begins a clause: a comma or "and".
const JOINS = /(?:[,;:·•|)]|(?<![\p{L}])(?:and|or|und|oder|et|ou|y|e|o))\s*$/iu

/** @param names the names in the text. A name after another name begins a clause if there are words between them. */
export function clausesOf(text: string, names: readonly PlacedName[]): Clause[] {
  const starts = new Set([0, ...[...text.matchAll(BREAK)].map(({ index, 0: sign }) => index + sign.length)])
  for (const [i, name] of names.entries()) {
    const previous = names[i - 1]
    if (
      previous &&
      /\p{L}{4}/u.test(text.slice(previous.end, name.start)) &&
      JOINS.test(text.slice(0, name.start))
    )
      starts.add(name.start)
  }
  // A name alone belongs to the text after its comma: "Ingrid Solheim, chair".
  for (const { start, end } of names) {
    const commaLength = /^\s*,/.exec(text.slice(end))?.[0].length
    const isAlone =
      commaLength !== undefined &&
      !/[\p{L}\p{N}]/u.test(text.slice(Math.max(0, ...[...starts].filter((at) => at <= start)), start))
    const isInList =
      commaLength !== undefined &&
      names.some((other) => /^\s*$/.test(text.slice(end + commaLength, other.start)) && other.start > end)
    if (isAlone && !isInList) starts.delete(end + (commaLength ?? 0))
  }
  const sortedStarts = [...starts].sort((a, b) => a - b)
  return sortedStarts.map((start, i): Clause => {
    const end = sortedStarts[i + 1] ?? text.length
    return {
      start,
      end,
      text: text.slice(start, end),
      takenOver: (clauses, language) => takenOver(clauses, i, language),
    }
  })
}

function takenOver(clauses: readonly Clause[], at: number, language: Language): string {
  const [clause, previous] = [clauses[at], clauses[at - 1]]
  if (!clause || !previous) return ''
  /** The text before the first value. */
  const headOf = ({ text }: Clause): string => text.slice(0, valuesIn(text, language)[0]?.start ?? 0)
  const head = `${previous.takenOver(clauses, language)} ${headOf(previous)}`
  // A clause that begins with its value has no subject and no verb of its own.
  if (contentTerms(headOf(clause), language).length === 0 && valuesIn(clause.text, language).length > 0)
    return head
  return (
    head
      .trim()
      .split(/\s+/)
      .findLast((word) => contentTerms(word, language).length > 0) ?? ''
  )
}
