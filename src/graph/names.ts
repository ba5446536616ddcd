// Normalises names to the keys by which evidence is aggregated. A key depends on the name, and for a person also on what the
// document says about this person. It never depends on other documents, so a document always gives the same rows.

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

/** The id of an entity. It is the same in every version and document, and after re-indexing. */
export const entityId = (workspaceId: string, key: string): string => uuid5(workspaceId, `entity\0${key}`)

// Well-known aliases of places and organizations, which documents do not explain.
const KNOWN_ALIASES: ReadonlyMap<string, string> = new Map([
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
const MAX_KEY_CHARACTERS = 200

/** The beginning of a text, without half a surrogate pair at its end, which PostgreSQL rejects in jsonb. */
const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')

/**
 * The name without case, dots, hyphens, quotes, a leading article or honorific, a possessive and a final legal form,
 * in NFKC: "The Müller-Werke GmbH" -> "müller werke". Never empty for a name with a letter or digit; digits are kept.
 */
export function nameKey(name: string): string {
  const foldedName = fold(name)
    .replace(/['’](?:s\b)?/g, '')
    .replaceAll('&', ' and ')
    .replace(/(?<=\p{L})\.(?=\p{L}\b|\s|$)/gu, '')
  const parts = foldedName.split(/[^\p{L}\p{M}\p{N}+#]+/u).filter(Boolean)
  let from = 0
  let to = parts.length
  if (to > 1 && ARTICLES.has(parts[0] ?? '')) from++
  // The "MD" of "MD&A" is not an honorific.
  while (to - from > 1 && HONORIFICS.has(parts[from] ?? '') && parts[from + 1] !== 'and') from++
  while (to - from > 1 && LEGAL_FORMS.has(parts[to - 1] ?? '')) to--
  // "McKinsey & Company" is McKinsey.
  if (to < parts.length && to - from > 1 && parts[to - 1] === 'and') to--
  const key = truncate(parts.slice(from, to).join(' '), MAX_KEY_CHARACTERS)
  return KNOWN_ALIASES.get(key) ?? (key || truncate(foldedName.trim(), MAX_KEY_CHARACTERS))
}

const MAX_EVIDENCE = 6

/** The key of a person, from the name and from what a document says about the person: "li wei (Northwind Shipping; 1970)". */
export function qualifiedKey(key: string, evidence: readonly string[]): string {
  const words = evidence
    .map((word) => truncate(word.replace(/[()\s;]+/g, ' ').trim(), 60))
    .toSorted()
    .slice(0, MAX_EVIDENCE)
  return words.length > 0 ? `${key} (${words.join('; ')})` : key
}

/** The name and the evidence of a key. Only a qualified key has a bracket and so evidence. */
export function partsOf(key: string): { name: string; evidence: string[] } {
  const at = key.indexOf(' (')
  return at > 0 && key.endsWith(')')
    ? { name: key.slice(0, at), evidence: key.slice(at + 2, -1).split('; ') }
    : { name: key, evidence: [] }
}

/** The name with the evidence that distinguishes the person from namesakes: "Li Wei (Northwind Shipping)". */
export function qualifiedName(name: string, key: string): string {
  const { evidence } = partsOf(key)
  const word = evidence.find((candidate) => !/^\d{4}$|@/.test(candidate)) ?? evidence[0]
  return word === undefined ? name : `${name} (${word})`
}

/** The key by which lists are sorted. It is case-folded, and truncated to fit into an index entry. */
export const sortKey = (name: string): string => truncate(fold(name), 300)

// Function words do not identify an entity.
const FUNCTION_WORDS = new Set(
  'the a an of and or for in on at to de la le von der die das und et y e'.split(' '),
)

/** The folded words of a name, which are indexed. */
export function nameWords(name: string): string[] {
  const variants = new Set<string>()
  for (const { raw } of words(name)) {
    for (const part of fold(raw).split(/[-_./'’+#&@]+/)) {
      if (part && !FUNCTION_WORDS.has(part)) variants.add(truncate(part, 60))
    }
  }
  return [...variants]
}

// Each form omits one of the first five letters. Two words that are one edit apart share a form.
const TYPO_PREFIX_LENGTH = 5
const MIN_TYPO_LENGTH = 4

/**
 * The forms of a word. Every word one edit away (insert, delete, replace, swap) has at least one of them. A short word has none.
 */
export function typoForms(word: string): string[] {
  const letters = [...word]
  if (letters.length < MIN_TYPO_LENGTH || /^\d+$/.test(word)) return []
  const prefix = letters.slice(0, TYPO_PREFIX_LENGTH)
  const forms = new Set([`~${prefix.join('')}`])
  for (let i = 0; i < prefix.length; i++) forms.add(`~${prefix.filter((_, at) => at !== i).join('')}`)
  return [...forms]
}
