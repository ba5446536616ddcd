// "World Health Organization (WHO)" and "WHO (World Health Organization)": the acronym is another name of the long
// form when its letters are the initials (P .94).

import { nameKey } from '../../names.ts'
import { initialsOf, type RunText } from './resolve.ts'

/** Key of an acronym -> key of the long form that the document itself gives for it. */
export function findAcronyms(runs: readonly RunText[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [i, { run, surface }] of runs.entries()) {
    const next = runs[i + 1]
    if (!next || next.run.sentence !== run.sentence || next.run.from !== run.to) continue
    if (!run.sentence.tokens[next.run.from]?.gap.endsWith('(')) continue
    const pair = define(surface, next.surface) ?? define(next.surface, surface)
    if (pair) found.set(pair.short, pair.long)
  }
  return found
}

function define(longForm: string, shortForm: string): { short: string; long: string } | undefined {
  const letters = shortForm.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  if (letters.length < 2 || letters.length > 10 || !/^\p{Lu}.*\p{Lu}/u.test(shortForm)) return undefined
  const words = longForm
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  if (words.length < 2) return undefined
  const all = words.map((word) => word[0] ?? '').join('')
  if (initialsOf(words) !== letters && all !== letters && !abbreviates(letters, words)) return undefined
  return { short: nameKey(shortForm), long: nameKey(longForm) }
}

/** Every letter in order, each word giving its first or later letters: "Deutsche Bahn" -> DB, "BaFin" and the like. */
function abbreviates(letters: string, words: readonly string[]): boolean {
  const text = words.join(' ')
  let at = 0
  let starts = 0
  for (const letter of letters) {
    const next = text.indexOf(letter, at)
    if (next < 0) return false
    if (next === 0 || text[next - 1] === ' ') starts++
    at = next + 1
  }
  return text.startsWith(letters[0] ?? ' ') && starts >= Math.max(2, letters.length - 2)
}
