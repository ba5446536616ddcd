// The clauses of a sentence, as far as its punctuation and its names part it: "Revenue rose by 11.9 %, the surplus by 60 %". What a
// value or a name is said of stands in its clause, or is taken over from the clause before. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { valuesIn } from './values.ts'

export interface Clause {
  start: number
  end: number
  text: string
  /** The words of the clause before that a reader adds: its subject and verb, or its verb alone. */
  takenOver(clauses: readonly Clause[], language: Language): string
}

export interface PlacedName {
  start: number
  end: number
}

const BREAK = /[,;:·•|](?=\s)|\s[–—-](?=\s)|\n|\)/gu
// What stands before a name that begins a clause of its own.
const JOINS = /(?:[,;:·•|)]|(?<![\p{L}])(?:and|or|und|oder|et|ou|y|e|o))\s*$/iu

/** @param names of the text and where they begin: one behind another, of which something is said, begins a clause */
export function clausesOf(text: string, names: readonly PlacedName[]): Clause[] {
  const starts = new Set([0, ...[...text.matchAll(BREAK)].map(({ index, 0: sign }) => index + sign.length)])
  for (const [i, name] of names.entries()) {
    const before = names[i - 1]
    if (
      before &&
      /\p{L}{4}/u.test(text.slice(before.end, name.start)) &&
      JOINS.test(text.slice(0, name.start))
    )
      starts.add(name.start)
  }
  // "Ingrid Solheim, chair": a name alone belongs to what follows.
  for (const { start, end } of names) {
    const next = /^\s*,/.exec(text.slice(end))?.[0].length
    const isAlone =
      next !== undefined &&
      !/[\p{L}\p{N}]/u.test(text.slice(Math.max(0, ...[...starts].filter((at) => at <= start)), start))
    const isList =
      next !== undefined &&
      names.some((other) => /^\s*$/.test(text.slice(end + next, other.start)) && other.start > end)
    if (isAlone && !isList) starts.delete(end + (next ?? 0))
  }
  const all = [...starts].sort((a, b) => a - b)
  return all.map((start, i): Clause => {
    const end = all[i + 1] ?? text.length
    return {
      start,
      end,
      text: text.slice(start, end),
      takenOver: (clauses, language) => takenOver(clauses, i, language),
    }
  })
}

function takenOver(clauses: readonly Clause[], at: number, language: Language): string {
  const [own, before] = [clauses[at], clauses[at - 1]]
  if (!own || !before) return ''
  const headOf = ({ text }: Clause): string => text.slice(0, valuesIn(text, language)[0]?.start ?? 0)
  const head = `${before.takenOver(clauses, language)} ${headOf(before)}`
  // It begins with its value, and has neither subject nor verb of its own.
  if (contentTerms(headOf(own), language).length === 0 && valuesIn(own.text, language).length > 0) return head
  return (
    head
      .trim()
      .split(/\s+/)
      .findLast((word) => contentTerms(word, language).length > 0) ?? ''
  )
}
