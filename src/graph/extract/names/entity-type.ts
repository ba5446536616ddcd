// Votes for the type of a name, from its form and from the words around it. coreference.ts sums them over a document. The form
// alone is enough only with a cue word, a word of a list or a title; otherwise the words around it must agree. Without enough votes
// the type is `other`, so a missing type is the most common error and a wrong type is rare.

import {
  countryOfDemonym,
  isCommonWord,
  isFirstName,
  isKnownOrganization,
  isLastName,
  isOccupation,
  isPlace,
  isPlaceOrGivenName,
} from '../../../language/gazetteer.ts'
import {
  EVENT_CUES,
  HONORIFICS,
  LAW_CUES,
  LEGAL_FORMS,
  LOCATION_CUES,
  ORGANIZATION_CUES,
  PRODUCT_CUES,
  ROLES,
  TECHNOLOGIES,
  TECHNOLOGY_CUES,
  TYPE_NOUNS,
  USES,
  WORK_CUES,
} from '../../../language/gazetteer-cues.ts'
import type { EntityType } from '../../names.ts'
import type { NameSpan } from './spans.ts'
import type { Token } from './tokens.ts'

export type Votes = Map<EntityType, number>

export function vote(votes: Votes, type: EntityType, weight: number): void {
  votes.set(type, (votes.get(type) ?? 0) + weight)
}

/** The type with the most votes, if it has at least 1; otherwise `other`. */
export function winningType(votes: Votes): EntityType {
  let best: EntityType = 'other'
  let maxVotes = 0.99
  for (const [type, weight] of votes) {
    if (weight > maxVotes) {
      best = type
      maxVotes = weight
    }
  }
  return best
}

/** Whether the form alone determines the type, as for the full name of a person, a legal form or a known place. */
export function hasCertainType(span: NameSpan): boolean {
  const votes: Votes = new Map()
  voteForm(votes, span)
  return Math.max(0, ...votes.values()) >= (span.to - span.from > 1 ? 4 : 5)
}

const CUES: readonly [ReadonlySet<string>, EntityType, number][] = [
  [LEGAL_FORMS, 'organization', 6],
  [ORGANIZATION_CUES, 'organization', 4],
  [EVENT_CUES, 'event', 4],
  [LAW_CUES, 'law', 4],
  [LOCATION_CUES, 'location', 4],
  [WORK_CUES, 'work', 3],
  [PRODUCT_CUES, 'product', 3],
  [TECHNOLOGY_CUES, 'technology', 3],
]

/**
 * Votes from the name itself: its cue words, the gazetteer, its shape. In a document with code, a word of unusual shape is more
 * likely the name of a technology.
 */
export function voteForm(votes: Votes, span: NameSpan, isTechnical = false): void {
  const tokens = span.sentence.tokens.slice(span.from, span.to)
  const first = tokens[0]
  const last = tokens.at(-1)
  if (!first || !last) return
  if (span.isQuoted) vote(votes, 'work', 5)
  if (span.hasRoleOrHonorific && !ORGANIZATION_CUES.has(last.lower)) vote(votes, 'person', 4)
  const name = tokens.map(({ lower }) => lower).join(' ')
  if (TECHNOLOGIES.has(name)) vote(votes, 'technology', 5)
  else if (isPlace(name)) vote(votes, 'location', 5)
  else if (countryOfDemonym(name)) vote(votes, 'location', 4)
  if (isKnownOrganization(name)) vote(votes, 'organization', 4)
  // Example: Johnson & Johnson.
  if (tokens.some(({ gap }, i) => i > 0 && gap === '&')) vote(votes, 'organization', 4)
  else if (tokens.length === 1) voteSingle(votes, first, isTechnical)
  else if (!voteCue(votes, tokens, isTechnical)) {
    votePerson(votes, tokens, isTechnical)
    // Kansas City Kings, French Foreign Legion: an organization named after its place. A plural is no surname.
    const isPlural = /[^s]s$/.test(last.lower) && isCommonWord(last.lower) && !isLastName(last.lower)
    if (isPlace(first.lower) || countryOfDemonym(first.lower)) vote(votes, 'organization', isPlural ? 2 : 1)
  }
}

/** Whether a word is written like OpenAI, YouTube and TechCrunch, but not like McDonald. */
const isCamelCase = (raw: string): boolean =>
  /\p{Ll}\p{Lu}/u.test(raw) && !/^(?:Mc|Mac|De|Di|La|Le|Van)\p{Lu}/u.test(raw)

function voteSingle(votes: Votes, { lower, shape, raw }: Token, isTechnical: boolean): void {
  if (shape === 'code') vote(votes, 'product', 1.5)
  else if (isCamelCase(raw) || shape === 'acronym')
    vote(votes, isTechnical ? 'technology' : 'organization', 0.6)
  else if (isPlace(lower)) return
  else if (isFirstName(lower)) vote(votes, 'person', 1.5)
  else if (isLastName(lower)) vote(votes, 'person', 1)
}

/**
 * Votes by the head word: the last word, or the word before "of" (University of X, Battle of Y, Terms of Service). In a document
 * with code, VS Code is a program and not a law. Returns whether the name has a cue word.
 */
function voteCue(votes: Votes, tokens: readonly Token[], isTechnical: boolean): boolean {
  const prepositionIndex = tokens.findIndex(
    ({ raw }) => raw === 'of' || raw === 'for' || raw === 'de' || raw === 'di',
  )
  const lastWord = tokens.findLast(({ shape }) => shape !== 'number' && shape !== 'code') ?? tokens[0]
  const headWord = prepositionIndex > 0 ? tokens[prepositionIndex - 1] : lastWord
  for (const cueWord of [headWord, tokens[0]]) {
    if (!cueWord || cueWord.shape === 'lower') continue
    if (isTechnical && cueWord === headWord && cueWord.lower === 'code') {
      vote(votes, 'technology', 1)
      return true
    }
    for (const [cues, type, weight] of CUES) {
      if (!cues.has(cueWord.lower)) continue
      // The first word is a cue only for mountains, lakes and the like: Mount Everest, Lake Geneva, Fort Worth.
      if (cueWord !== headWord && !(type === 'location' && LOCATION_FIRST.test(cueWord.lower))) continue
      vote(votes, type, weight)
      return true
    }
    if (cueWord === headWord && cueWord.lower !== 'system' && TYPE_NOUNS.technology?.has(cueWord.lower)) {
      vote(votes, 'technology', 2)
      return true
    }
  }
  return false
}

const LOCATION_FIRST =
  /^(?:mount|mt|lake|river|cape|fort|isle|bay|port|gulf|lago|monte|rue|via|piazza|plaza|mountain|street|north|south|east|west)$/

function votePerson(votes: Votes, tokens: readonly Token[], isTechnical: boolean): void {
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last || tokens.length > 5) return
  const isUnlikePerson = ({ shape, raw }: Token): boolean =>
    shape === 'number' || shape === 'code' || shape === 'acronym' || isCamelCase(raw)
  if (tokens.some(isUnlikePerson) || isKnownOrganization(first.lower)) return
  const isUnknownWord = (token: Token): boolean =>
    token.shape === 'capital' && !isCommonWord(token.lower) && !isPlace(token.lower)
  if (!isTechnical && tokens.length < 4 && tokens.every(isUnknownWord))
    vote(votes, /[^s]s$/.test(last.lower) && !isLastName(last.lower) ? 'organization' : 'person', 1)
  // Phoenix Mobile: a place with a common word is no person.
  const isPlaceWithWord = isPlace(first.lower) && isCommonWord(last.lower) && !isLastName(last.lower)
  if (isFirstName(first.lower) || (isPlaceOrGivenName(first.lower) && !isPlaceWithWord)) {
    const isDoubtful = isPlace(first.lower) || (isCommonWord(last.lower) && !isLastName(last.lower))
    vote(votes, 'person', isDoubtful ? 1.5 : 3)
  }
  if (isLastName(last.lower)) vote(votes, 'person', 1.5)
  const isInitial = (token: Token): boolean => /^(?:\p{Lu}\.)*\p{Lu}$/u.test(token.raw)
  if (isInitial(first) || tokens.slice(1, -1).some(isInitial)) vote(votes, 'person', 2)
}

const WORDS_BEFORE_OF_PLACE = /^(?:kingdom|republic|government|capital|people|north|south|east|west)$/
const MOTION =
  /^(?:travel\w*|g(?:o|oes|one|oing)|went|been|f(?:ly|lies|lew|lown|lying|lights?)|mov(?:e[ds]?|ing)|c(?:ome|omes|ame|oming)|return\w*|drives?|drove|driven|sail\w*|trips?|journeys?|tours?|emigrat\w+|migrat\w+|deport\w+|expel\w+|export\w*|import\w*|ship(?:s|ped|ment|ments)?|fled|relocat\w+)$/
// A word of motion must be among this many words before "to" or "from", because "a letter from Jordan" is from a person.
const MAX_WORDS_AFTER_MOTION = 5

/** Whether the words before a name show that it is a place: "in Jordan", "travelled to Jordan", "the kingdom of Jordan". */
export function isUsedAsPlace({ sentence: { tokens }, from, to }: NameSpan): boolean {
  // "In Jordan's absence" is about a person.
  if (tokens[from]?.gap !== ' ' || tokens[to - 1]?.isPossessive) return false
  const preposition = tokens[from - 1]?.lower ?? ''
  if (/^(?:in|near|across|throughout|outside|via)$/.test(preposition)) return true
  const wordBefore = tokens[from - 2]?.lower ?? ''
  if (preposition === 'of') return PLACE_KINDS.test(wordBefore) || WORDS_BEFORE_OF_PLACE.test(wordBefore)
  return (
    /^(?:to|from)$/.test(preposition) &&
    tokens
      .slice(Math.max(0, from - 1 - MAX_WORDS_AFTER_MOTION), from - 1)
      .some(({ lower }) => MOTION.test(lower))
  )
}

const PARTS_OF_ORGANIZATION =
  /^(?:members?|meetings?|board|committee|staff|employees?|chair|charter|team|representatives?|officials?|leadership|spokes\w+)$/

/** Votes from the words beside the name, such as a role, a verb or a noun that names its type. */
export function voteContext(votes: Votes, span: NameSpan): void {
  const { tokens } = span.sentence
  const previousToken = tokens[span.from - 1]
  const nextToken = tokens[span.to]
  const firstToken = tokens[span.from]
  if (previousToken && firstToken && /^ ?$/.test(firstToken.gap)) {
    if (USES.has(previousToken.lower)) vote(votes, 'technology', 0.4)
    if (previousToken.lower === 'the' && firstToken.shape === 'acronym') vote(votes, 'organization', 0.2)
    if (HONORIFICS.has(previousToken.lower)) vote(votes, 'person', 4)
    else if (
      previousToken.shape === 'lower' &&
      (isOccupation(previousToken.lower) || ROLES.has(previousToken.lower))
    )
      vote(votes, 'person', 2)
    else voteTypeNoun(votes, previousToken.lower, 1.5)
    votePrecedingWords(votes, tokens, span.from - 1)
  }
  if (!nextToken) return
  if (nextToken.gap === ',' && (ROLES.has(nextToken.lower) || isOccupation(nextToken.lower)))
    vote(votes, 'person', 2)
  // A user name follows the name of a person: Rod Vagg @rvagg.
  if (/^ ?[([]?@$/.test(nextToken.gap)) vote(votes, 'person', 2)
  // A place follows the place in it: Bari, Italy.
  const next = `${nextToken.lower} ${tokens[span.to + 1]?.lower}`
  if (nextToken.gap === ',' && nextToken.shape !== 'lower' && (isPlace(nextToken.lower) || isPlace(next)))
    vote(votes, 'location', 2)
  if (nextToken.gap === ' ' && PARTS_OF_ORGANIZATION.test(nextToken.lower)) vote(votes, 'organization', 1)
  else if (nextToken.gap !== ' ' || !voteTypeNoun(votes, nextToken.lower, 1)) voteIsA(votes, tokens, span.to)
}

const PLACE_KINDS =
  /^(?:city|town|village|hamlet|municipality|commune|district|county|province|region|state|department|parish|suburb)$/
const RELEASE_VERBS = /^(?:released|distributed|published|manufactured|issued|broadcast)$/

/** Votes from the words before: "the town of X", "released by X", "played for X", "joined X", "member of X". */
function votePrecedingWords(votes: Votes, tokens: readonly Token[], at: number): void {
  const wordIndex = tokens[at]?.lower === 'the' ? at - 1 : at
  const word = tokens[wordIndex]?.lower ?? ''
  const previousWord = tokens[wordIndex - 1]?.lower ?? ''
  if (word === 'of' && PLACE_KINDS.test(previousWord)) vote(votes, 'location', 2.5)
  else if (word === 'of' && PARTS_OF_ORGANIZATION.test(previousWord)) vote(votes, 'organization', 1.2)
  else if (word === 'by' && RELEASE_VERBS.test(previousWord)) vote(votes, 'organization', 1.2)
  else if (word === 'for' && /^play(?:s|ed|ing)?$/.test(previousWord)) vote(votes, 'organization', 2)
  else if (word === 'joined') vote(votes, 'organization', 1.2)
}

const CLAUSE_START = /^(?:in|of|at|by|from|who|which|that|on|for|with|to|as|or|was|is|between|located|based)$/

/** Votes from the head noun of a definition: "X is a German car manufacturer", "X, a village in Y". */
function voteIsA(votes: Votes, tokens: readonly Token[], at: number): void {
  let i = at
  // Skips an aside in brackets, such as dates or a pronunciation.
  if (tokens[i]?.gap.startsWith('('))
    while (i < at + 25 && i < tokens.length && !tokens[i]?.gap.includes(')')) i++
  if (/^(?:is|was|are|were|became)$/.test(tokens[i]?.lower ?? '')) i++
  else if (tokens[i]?.gap !== ',') return
  if (!/^(?:an?|the|one)$/.test(tokens[i]?.lower ?? '')) return
  const from = i + 1
  let to = from
  while (to < from + 9 && tokens[to] && (to === from || !/[;:.,(]/.test(tokens[to]?.gap ?? ''))) {
    if (CLAUSE_START.test(tokens[to]?.lower ?? '')) break
    to++
  }
  const headNoun = tokens.slice(from, to).findLast(({ shape }) => shape === 'lower')?.lower
  if (headNoun === undefined) return
  if (isOccupation(headNoun) || ROLES.has(headNoun)) vote(votes, 'person', 4)
  else voteTypeNoun(votes, headNoun, 4)
}

/** Votes for the type that a common noun names. Returns whether the noun names a type. */
function voteTypeNoun(votes: Votes, word: string, weight: number): boolean {
  for (const [type, kinds] of Object.entries(TYPE_NOUNS)) {
    if (!kinds.has(word)) continue
    vote(votes, type as EntityType, weight)
    return true
  }
  return false
}
