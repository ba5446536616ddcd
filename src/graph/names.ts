// When two names are the same name: the normalised key that evidence is summed by.
// The key depends on the name alone, never on other documents, so that every document gives the same rows.

import { uuid5 } from '../identity.ts'
import { HONORIFICS, LEGAL_FORMS } from '../language/gazetteer-cues.ts'
import { fold, words } from '../language/words.ts'

/** The fixed list of entity types, in the order that breaks ties. */
export const ENTITY_TYPES = [
  'person',
  'organization',
  'location',
  'event',
  'work',
  'product',
  'technology',
  'law',
  'concept',
  'other',
] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Stable over versions, documents and re-indexing. */
export const entityId = (workspaceId: string, key: string): string => uuid5(workspaceId, `entity\0${key}`)

// Several names of one place or body that no document explains.
const SAME: ReadonlyMap<string, string> = new Map([
  ['us', 'united states'],
  ['usa', 'united states'],
  ['united states of america', 'united states'],
  ['uk', 'united kingdom'],
  ['great britain', 'united kingdom'],
  ['britain', 'united kingdom'],
  ['eu', 'european union'],
  ['ussr', 'soviet union'],
  ['uae', 'united arab emirates'],
  ['holland', 'netherlands'],
  ['czechia', 'czech republic'],
  ['un', 'united nations'],
])
const ARTICLES = new Set('the a an der die das den dem le la les el los las il lo gli het de'.split(' '))
const MAX_KEY = 200

/** The beginning of a text, never half of a surrogate pair: PostgreSQL takes no jsonb with one. */
const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

/**
 * NFKC, case, dots, hyphens, quotes, a leading article or honorific, a possessive and a final legal form set aside:
 * "The Müller-Werke GmbH" -> "müller werke". Never empty for a name with a letter or digit; digits are kept.
 */
export function nameKey(name: string): string {
  const plain = fold(name)
    .replace(/['’](?:s\b)?/g, '')
    .replaceAll('&', ' and ')
    .replace(/(?<=\p{L})\.(?=\p{L}\b|\s|$)/gu, '')
  const parts = plain.split(/[^\p{L}\p{M}\p{N}+#]+/u).filter(Boolean)
  let from = 0
  let to = parts.length
  if (to > 1 && ARTICLES.has(parts[0] ?? '')) from++
  // "MD&A" begins with no doctor.
  while (to - from > 1 && HONORIFICS.has(parts[from] ?? '') && parts[from + 1] !== 'and') from++
  while (to - from > 1 && LEGAL_FORMS.has(parts[to - 1] ?? '')) to--
  // "McKinsey & Company" is McKinsey.
  if (to < parts.length && to - from > 1 && parts[to - 1] === 'and') to--
  const key = cut(parts.slice(from, to).join(' '), MAX_KEY)
  return SAME.get(key) ?? (key || cut(plain.trim(), MAX_KEY))
}

/** The order of lists: case-folded, cut to what an index entry holds. */
export const sortKey = (name: string): string => cut(fold(name), 300)

// Function words say nothing about which entity is meant.
const EMPTY_WORDS = new Set(
  'the a an of and or for in on at to de la le von der die das und et y e'.split(' '),
)

/** The folded words of a name by which it can be found. */
export function nameWords(name: string): string[] {
  const found = new Set<string>()
  for (const { raw } of words(name)) {
    for (const part of fold(raw).split(/[-_./'’+#&@]+/)) {
      if (part && !EMPTY_WORDS.has(part)) found.add(cut(part, 60))
    }
  }
  return [...found]
}

// Names are searched by the first letters with one letter left out: words one edit apart share such a form.
const TYPO_PREFIX = 5
const TYPO_FROM = 4

/** Forms that a word shares with any word one edit away (insert, delete, replace, swap); none for short words. */
export function typoForms(word: string): string[] {
  const letters = [...word]
  if (letters.length < TYPO_FROM || /^\d+$/.test(word)) return []
  const prefix = letters.slice(0, TYPO_PREFIX)
  const forms = new Set([`~${prefix.join('')}`])
  for (let i = 0; i < prefix.length; i++) forms.add(`~${prefix.filter((_, at) => at !== i).join('')}`)
  return [...forms]
}

/** Edits between two words (insert, delete, replace, swap of neighbours), counted up to `limit` + 1. */
export function editDistance(a: string, b: string, limit: number): number {
  const s = [...a]
  const t = [...b]
  if (Math.abs(s.length - t.length) > limit) return limit + 1
  let before: number[] = []
  let previous = t.map((_, j) => j + 1)
  previous.unshift(0)
  for (let i = 1; i <= s.length; i++) {
    const row = [i]
    for (let j = 1; j <= t.length; j++) {
      const same = s[i - 1] === t[j - 1] ? 0 : 1
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && s[i - 1] === t[j - 2] && s[i - 2] === t[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      }
      row.push(best)
    }
    before = previous
    previous = row
  }
  return Math.min(previous[t.length] ?? limit + 1, limit + 1)
}
