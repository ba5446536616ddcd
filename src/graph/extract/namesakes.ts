// Adds to the key of a person what the document says about the person: an employer, an e-mail address, a year of birth. So two
// people with the same name are not one entity only because of the name. resolve/namesakes.ts merges the keys of one person.

import { isOccupation } from '../../language/gazetteer.ts'
import { ROLES } from '../../language/gazetteer-cues.ts'
import type { Extraction, Mention } from '../extraction.ts'
import { qualifiedKey } from '../names.ts'

const EMPLOYMENT_RELATIONS = new Set(['works_for', 'leads', 'member_of', 'plays_for'])

/** Qualifies the keys of persons with their evidence. Within a document, one name refers to one person. */
export function qualifyPersons(extraction: Extraction, textOf: (chunk_no: number) => string): Extraction {
  const evidence = new Map<string, Set<string>>()
  const add = (person: string, word: string | undefined): void => {
    if (word !== undefined) evidence.set(person, (evidence.get(person) ?? new Set()).add(word))
  }
  const mentions = extraction.mentions.toSorted((a, b) => a.chunk_no - b.chunk_no || a.start - b.start)
  const persons = new Set(mentions.filter(isFullName).map(({ key }) => key))
  // People see the evidence beside the name, so an organization is written as in the document.
  const organizationNames = new Map<string, string>()
  for (const { key, surface, own, type } of mentions)
    if (own && type === 'organization' && !organizationNames.has(key)) organizationNames.set(key, surface)
  for (const { head, type, tail } of extraction.relations) {
    if (persons.has(head) && EMPLOYMENT_RELATIONS.has(type)) add(head, organizationNames.get(tail))
    if (persons.has(tail) && type === 'founded_by') add(tail, organizationNames.get(head))
  }
  for (const [i, mention] of mentions.entries()) {
    if (!persons.has(mention.key)) continue
    const text = textOf(mention.chunk_no)
    add(mention.key, emailAddressAfter(text.slice(mention.end, mention.end + 120)))
    add(mention.key, birthYearAfter(text.slice(mention.end, mention.end + 80)))
    for (const other of [mentions[i - 1], mentions[i + 1]])
      if (other?.chunk_no === mention.chunk_no && employs(mention, other, text))
        add(mention.key, other.surface)
    if (standsAlone(text, mention))
      for (const other of mentions.slice(i + 1, i + 4))
        if (other.chunk_no === mention.chunk_no && isInSignature(text.slice(mention.end, other.end), other))
          add(mention.key, other.surface)
  }
  if (evidence.size === 0) return extraction
  const keyOf = (key: string): string => qualifiedKey(key, [...(evidence.get(key) ?? [])])
  return {
    mentions: extraction.mentions.map((mention) => ({ ...mention, key: keyOf(mention.key) })),
    relations: extraction.relations.map((relation) => ({
      ...relation,
      head: keyOf(relation.head),
      tail: keyOf(relation.tail),
    })),
  }
}

const isFullName = ({ key, type }: Mention): boolean => type === 'person' && key.includes(' ')

const emailAddressAfter = (text: string): string | undefined =>
  /^["'”*]*\s*[<(["]\\?(?:mailto:)?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/.exec(text)?.[1]?.toLowerCase()

const birthYearAfter = (text: string): string | undefined =>
  /^,?\s*\(?(?:(?:who )?(?:was |is )?(?:born|née?|geboren|geb\.|nacid[oa]|nat[oa])[^.;\n]{0,40}?|\*[^.;\n]{0,20}?)\b((?:1[5-9]|20)\d\d)\b/.exec(
    text,
  )?.[1] ?? /^\s*\(((?:1[5-9]|20)\d\d)\s?[-–]/.exec(text)?.[1]

/** Whether the text between the two names states that the person works for the other. */
function employs(person: Mention, other: Mention, text: string): boolean {
  const isCertain = other.type === 'organization'
  if (!isCertain && other.type !== 'other') return false
  if (person.end <= other.start) {
    const textBetween = text.slice(person.end, other.start)
    if (isCertain && /^ (?:from|at|of|von|bei|chez|de) (?:the )?$|^ \($/.test(textBetween)) return true
    const role =
      /^,? ?\(?((?:[\p{L}-]+ ){1,6})(?:of|at|for|von|bei|der|chez|de|du|del|with) (?:the )?$/u.exec(
        textBetween,
      )
    return hasRole(role?.[1])
  }
  const textBetween = text.slice(other.end, person.start)
  if (/^,? $/.test(textBetween) && textBetween.startsWith(',')) {
    const textBefore = text.slice(Math.max(0, other.start - 80), other.start)
    return hasRole(
      /((?:[\p{L}-]+ ){1,4})(?:of|at|for|von|bei|der|chez|de|du|del) (?:the )?$/u.exec(textBefore)?.[1],
    )
  }
  return isCertain && hasRole(/^(?:['’]s)? ((?:[\p{L}-]+ ){1,4})$/u.exec(textBetween)?.[1])
}

const hasRole = (words: string | undefined): boolean =>
  words
    ?.toLowerCase()
    .split(/[ -]/)
    .some((word) => isOccupation(word) || ROLES.has(word)) ?? false

/** Whether the name is a line by itself, as above the other lines of a signature. */
const standsAlone = (text: string, { start, end }: Mention): boolean =>
  /(?:^|\n)[\s*_]*$/.test(text.slice(Math.max(0, start - 10), start)) &&
  /^[\s*_\\]*\n/.test(text.slice(end, end + 10))

/** Whether the organization is in one of the lines that follow the name in a signature. */
const isInSignature = (linesAfterName: string, other: Mention): boolean =>
  other.type === 'organization' &&
  !/\n\s*\n./.test(linesAfterName.trim()) &&
  linesAfterName.split('\n').length <= 4
