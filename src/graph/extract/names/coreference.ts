// Co-reference within one document: which names refer to the same entity. Two names are merged if they have equal keys, or if one
// is an acronym of the other, the only first or last name of a person, or the adjective of a country. Similar spelling alone merges
// nothing.

import { countryOfDemonym, isPlace, isPlaceOrGivenName } from '../../../language/gazetteer.ts'
import { type EntityType, nameKey } from '../../names.ts'
import { isUsedAsPlace, type Votes, vote, voteContext, voteForm, winningType } from './entity-type.ts'
import type { NameSpan } from './spans.ts'
import type { TokenSentence } from './tokens.ts'

/** A name in the text and the entity to which it refers. */
export interface ResolvedName extends NameMention {
  /** The key of the surface alone. */
  ownKey: string
  key: string
  type: EntityType
}

/** A sentence with its names from left to right. */
export interface NamedSentence {
  sentence: TokenSentence
  names: readonly ResolvedName[]
}

export interface NameMention {
  span: NameSpan
  /** The name as the text writes it. */
  surface: string
  start: number
  end: number
}

interface Name {
  key: string
  words: string[]
  count: number
  /** Whether it may be a place or a given name, and the words before a mention show that a place is meant. */
  isUsedAsPlace: boolean
  /** The votes of the words around the name, summed over its mentions. */
  context: Votes
  votes: Votes
}

/** Gives each name the key and the type of its entity. @param longForms maps acronyms to their long forms */
export function resolveNames(
  mentions: readonly NameMention[],
  longForms: ReadonlyMap<string, string>,
  isTechnical: boolean,
): ResolvedName[] {
  const names = new Map<string, Name>()
  const keys = mentions.map(({ surface }) => nameKey(surface))
  for (const [i, { span }] of mentions.entries()) {
    const key = keys[i] ?? ''
    let name = names.get(key)
    if (!name) {
      name = {
        key,
        words: key.split(' '),
        count: 0,
        isUsedAsPlace: false,
        context: new Map(),
        votes: new Map(),
      }
      names.set(key, name)
      voteForm(name.votes, span, isTechnical)
    }
    name.count++
    if (span.hasRoleOrHonorific && name.count > 1) vote(name.votes, 'person', 2)
    if (explanationOf(span) !== undefined) vote(name.votes, 'concept', 5)
    // This vote is given once, even if many mentions show it, so that it does not outweigh the evidence for a person.
    if (isPlaceHere(key, span) && !name.isUsedAsPlace) {
      name.isUsedAsPlace = true
      vote(name.votes, 'location', 2)
    }
    voteContext(name.context, span)
  }
  for (const name of names.values()) addContextVotes(name)
  const keyOfEntity = mergeKeys(names, longForms)
  const types = new Map([...names.values()].map(({ key, votes }) => [key, winningType(votes)]))
  return mentions.map((mention, i) => {
    const ownKey = keys[i] ?? ''
    // "Jordan Peters travelled to Jordan": the country is not the person of this name.
    const key = isPlaceHere(ownKey, mention.span) ? ownKey : (keyOfEntity.get(ownKey) ?? ownKey)
    return { ...mention, ownKey, key, type: types.get(key) ?? types.get(ownKey) ?? 'other' }
  })
}

/** Whether a word that is also a given name means a place in this mention. */
const isPlaceHere = (key: string, span: NameSpan): boolean => isPlaceOrGivenName(key) && isUsedAsPlace(span)

/** The lowercase words that an acronym abbreviates: "interagency agreement (IAA)" and "IAA: interagency agreement". */
function explanationOf({ sentence: { tokens }, from }: NameSpan): string | undefined {
  const shortForm = tokens[from]
  if (shortForm?.shape !== 'acronym') return undefined
  const wordsBefore = (): string[] => {
    const words: string[] = []
    for (let at = from - 1; at >= 0 && tokens[at]?.shape === 'lower'; at--) {
      words.unshift(tokens[at]?.lower ?? '')
      if (hasInitials(words, shortForm.lower) || tokens[at]?.gap !== ' ') break
    }
    return words
  }
  const wordsAfter = (): string[] => {
    const words: string[] = []
    for (
      let at = from + 1;
      tokens[at]?.shape === 'lower' && (at === from + 1 || tokens[at]?.gap === ' ');
      at++
    ) {
      words.push(tokens[at]?.lower ?? '')
      if (hasInitials(words, shortForm.lower)) break
    }
    return words
  }
  const words = shortForm.gap.endsWith('(')
    ? wordsBefore()
    : EXPLANATION_SIGN.test(tokens[from + 1]?.gap ?? '')
      ? wordsAfter()
      : []
  return hasInitials(words, shortForm.lower) ? words.join(' ') : undefined
}

// A colon, a bracket, a dash or an equals sign between an acronym and its long form.
const EXPLANATION_SIGN = /^[\s*_]*[:(=–—][\s*_]*$/

const hasInitials = (words: readonly string[], letters: string): boolean =>
  words.length > 1 &&
  initialsOf(words.filter((word) => !FUNCTION_WORDS.has(word)).flatMap((word) => word.split('-'))) === letters

// The context of up to three mentions counts in full. For a frequent name the votes are scaled down, so that a share of the
// mentions must agree: otherwise everything that often follows "in" would be a place.
const MAX_UNSCALED_MENTIONS = 3

function addContextVotes({ count, context, votes }: Name): void {
  const share = MAX_UNSCALED_MENTIONS / Math.max(MAX_UNSCALED_MENTIONS, count)
  for (const [type, weight] of context) vote(votes, type, weight * share)
}

/** Maps the key of a name to the key of its entity. Chains are followed to their end. */
function mergeKeys(
  names: ReadonlyMap<string, Name>,
  longForms: ReadonlyMap<string, string>,
): Map<string, string> {
  const targets = new Map<string, string>()
  const personByPart = keysByPersonPart(names)
  for (const { key, words, votes, isUsedAsPlace } of names.values()) {
    const country = countryOfDemonym(key)
    const [onlyWord] = words
    const target =
      country ??
      longForms.get(key) ??
      (words.length === 1 && onlyWord && !isPlace(key) ? personByPart.get(onlyWord) : undefined)
    if (target === undefined || target === key) continue
    // A place or an organization that shares a person's surname is not merged.
    const type = winningType(votes)
    const isOfOtherType = type !== 'other' && type !== 'person' && !isUsedAsPlace
    if (personByPart.get(key) === target && isOfOtherType) continue
    targets.set(key, target)
  }
  for (const key of targets.keys()) {
    let targetKey = targets.get(key) ?? key
    for (let steps = 0; steps < 4 && targets.has(targetKey) && targets.get(targetKey) !== targetKey; steps++)
      targetKey = targets.get(targetKey) ?? targetKey
    if (targetKey === key) targets.delete(key)
    else targets.set(key, targetKey)
  }
  return targets
}

const FUNCTION_WORDS = new Set('of the and for in on de la del des du di da von van der y e et'.split(' '))
export const initialsOf = (words: readonly string[]): string =>
  words
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map((word) => word[0] ?? '')
    .join('')

// An honorific, a role or an initial gives at least this many votes, two unknown words give fewer (entity-type.ts).
const MIN_PERSON_VOTES = 2

/** Maps a last or first name to the key of the person, if only one person of the document has that name. */
function keysByPersonPart(names: ReadonlyMap<string, Name>): Map<string, string> {
  const bySurname = new Map<string, string | undefined>()
  const byGivenName = new Map<string, string | undefined>()
  for (const { key, words, votes } of names.values()) {
    if (
      words.length < 2 ||
      words.length > 5 ||
      winningType(votes) !== 'person' ||
      (votes.get('person') ?? 0) < MIN_PERSON_VOTES
    )
      continue
    const surname = words.at(-1) ?? ''
    const givenName = words[0] ?? ''
    bySurname.set(surname, bySurname.has(surname) ? undefined : key)
    byGivenName.set(givenName, byGivenName.has(givenName) ? undefined : key)
  }
  return new Map(
    [...withoutAmbiguous(byGivenName), ...withoutAmbiguous(bySurname)].filter(([part]) => part.length > 2),
  )
}

const withoutAmbiguous = (map: ReadonlyMap<string, string | undefined>): Map<string, string> =>
  new Map([...map].filter((pair): pair is [string, string] => pair[1] !== undefined))

// The most tokens between a name and its acronym, as in "or", "short for" and "stands for".
const MAX_TOKENS_BETWEEN = 3
// An acronym of two letters must be in brackets, because many names near it may have these initials.
const MIN_LETTERS_APART = 3

/**
 * Maps the key of an acronym to the key of the long form with these initials. The long form is beside the acronym, as in "World
 * Health Organization (WHO)" or the reverse, near it in the same sentence, or in lower case, as in "service level agreement (SLA)".
 */
export function findAcronyms(mentions: readonly NameMention[]): Map<string, string> {
  const acronyms = new Map<string, string>()
  for (const [i, { span, surface }] of mentions.entries()) {
    const explanation = explanationOf(span)
    if (explanation !== undefined) acronyms.set(nameKey(surface), nameKey(explanation))
    const next = mentions[i + 1]
    if (!next || next.span.sentence !== span.sentence) continue
    const pair = acronymPair(surface, next.surface) ?? acronymPair(next.surface, surface)
    const isInBrackets = next.span.from === span.to && span.sentence.tokens[next.span.from]?.gap.endsWith('(')
    const isNear =
      next.span.from - span.to <= MAX_TOKENS_BETWEEN && (pair?.short.length ?? 0) >= MIN_LETTERS_APART
    if (pair && (isInBrackets || isNear)) acronyms.set(pair.short, pair.long)
  }
  return acronyms
}

function acronymPair(longForm: string, shortForm: string): { short: string; long: string } | undefined {
  const letters = shortForm.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  if (letters.length < 2 || letters.length > 10 || !/^\p{Lu}.*\p{Lu}/u.test(shortForm)) return undefined
  const longFormWords = longForm
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  if (longFormWords.length < 2) return undefined
  const allInitials = longFormWords.map((word) => word[0] ?? '').join('')
  if (initialsOf(longFormWords) !== letters && allInitials !== letters) return undefined
  return { short: nameKey(shortForm), long: nameKey(longForm) }
}
