// Relations in the sentences of a document. A pattern before a name relates the name to the previous name or to the subject of the
// sentence. A pronoun refers to the previous subject.

import { countryOfDemonym, isCountry, isOccupation } from '../../../language/gazetteer.ts'
import { ROLES, TYPE_NOUNS } from '../../../language/gazetteer-cues.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { NamedSentence, ResolvedName } from '../names/coreference.ts'
import type { TokenSentence } from '../names/tokens.ts'
import { PATTERNS, type Pattern, ROLE_BETWEEN } from './patterns.ts'
import { extendAlongChains, placeChains, relationsInDefinition, type Statement } from './places.ts'

/**
 * The relations of the sentences in reading order. Two adjacent names have at most one relation; definitions and chains of places
 * add others.
 */
export function findRelations(
  sentences: readonly NamedSentence[],
  textOf: (chunk_no: number) => string,
): RelationEvidence[] {
  const relations: RelationEvidence[] = []
  let previousSubject: ResolvedName | undefined
  let chunk: number | undefined
  for (const { sentence, names } of sentences) {
    if (chunk !== sentence.chunk_no) previousSubject = undefined
    chunk = sentence.chunk_no
    const subject = subjectOf(sentence, names, previousSubject)
    if (names.length > 0) relations.push(...relationsOf(sentence, names, subject, textOf(sentence.chunk_no)))
    previousSubject = subject ?? previousSubject
  }
  return relations
}

const PREPOSITION = /^(?:in|on|at|by|for|from|with|after|before|during|since|under|to|of|near|as|per)$/
const PERSONAL_PRONOUN = /^(?:he|she|his|her)$/
const OTHER_PRONOUN = /^(?:it|its|they|their|this)$/

/** The subject of the sentence: the name at its start, or the previous subject if a pronoun there refers to it. */
function subjectOf(
  { tokens }: TokenSentence,
  names: readonly ResolvedName[],
  previousSubject: ResolvedName | undefined,
): ResolvedName | undefined {
  const pronoun = tokens
    .slice(0, 8)
    .findIndex(
      ({ lower, shape }) =>
        shape !== 'acronym' && (PERSONAL_PRONOUN.test(lower) || OTHER_PRONOUN.test(lower)),
    )
  const [firstName] = names
  if (firstName && firstName.span.from <= 4 && (pronoun < 0 || firstName.span.from < pronoun))
    if (!PREPOSITION.test(tokens[firstName.span.from - 1]?.lower ?? '')) return firstName
  if (pronoun < 0 || !previousSubject) return undefined
  const isPersonal = PERSONAL_PRONOUN.test(tokens[pronoun]?.lower ?? '')
  return isPersonal === (previousSubject.type === 'person') || previousSubject.type === 'other'
    ? previousSubject
    : undefined
}

// In characters. Names that are further apart are related only by a definition or a chain of places.
const MAX_TEXT_BETWEEN = 160

function relationsOf(
  sentence: TokenSentence,
  names: readonly ResolvedName[],
  subject: ResolvedName | undefined,
  text: string,
): RelationEvidence[] {
  const { chunk_no, start, end } = sentence
  const chains = placeChains(names, text)
  const laterInChain = new Set(chains.flatMap((chain) => chain.slice(1)))
  const statements: Statement[] = names.flatMap((tail, i) => {
    const previous = names[i - 1]
    const textBetween = text.slice(previous?.end ?? start, tail.start)
    return textBetween.length > MAX_TEXT_BETWEEN || laterInChain.has(i)
      ? []
      : (relationBetween(previous, tail, subject, textBetween) ?? [])
  })
  for (const statement of subject ? relationsInDefinition(subject, names, text.slice(0, end)) : [])
    if (
      !statements.some(({ head, tail }) => head.key === statement.head.key && tail.key === statement.tail.key)
    )
      statements.push(statement)
  const keys = statements.map(({ head, type, tail }) => ({ head: head.key, type, tail: tail.key }))
  return [...keys, ...extendAlongChains(names, chains, keys)]
    .filter(({ head, tail }) => head !== tail)
    .map((relation) => ({ chunk_no, ...relation, start, end }))
}

function relationBetween(
  previous: ResolvedName | undefined,
  tail: ResolvedName,
  subject: ResolvedName | undefined,
  rawTextBetween: string,
): Statement | undefined {
  const textBetween = rawTextBetween.toLowerCase().replace(/\s+/g, ' ').trimEnd()
  const mayHaveLeader = previous && /^(?:organization|location|other)$/.test(previous.type)
  if (mayHaveLeader && tail.type === 'person' && ROLE_BETWEEN.test(textBetween))
    return { head: tail, type: 'leads', tail: previous }
  const description = previous && descriptionBefore(previous, tail, textBetween)
  if (description) return description
  const withoutArticle = textBetween
    .replace(/(?:[ (]["“]?(?:the|its|his|her|their|nearby))+$/, '')
    .replace(/ ?["“(]$/, '')
  for (const pattern of PATTERNS) {
    if (!hasType(pattern.tail, tail)) continue
    const head = headOf(pattern, previous, subject, textBetween)
    if (!head || head.key === tail.key || !pattern.cuePattern.test(withoutArticle)) continue
    const { type } = pattern
    return pattern.isReversed ? { head: tail, type, tail: head } : { head, type, tail }
  }
  return undefined
}

/** A demonym and a noun before a name: "the British singer Rob Fisher", "the Turkish maker Roketsan". */
function descriptionBefore(
  previous: ResolvedName,
  tail: ResolvedName,
  textBetween: string,
): Statement | undefined {
  if (
    tail.type === 'organization' &&
    isCountry(previous.ownKey) &&
    /^['’]s?(?: [a-z]+){0,3}$/.test(textBetween)
  )
    return { head: tail, type: 'located_in', tail: previous }
  if (!countryOfDemonym(previous.ownKey) || !/^ (?:[a-z-]+,? ){0,6}[a-z-]+$/.test(textBetween))
    return undefined
  const noun = textBetween.slice(textBetween.lastIndexOf(' ') + 1)
  if (tail.type === 'person' && (isOccupation(noun) || ROLES.has(noun)))
    return { head: tail, type: 'citizen_of', tail: previous }
  const isLocated =
    (tail.type === 'organization' && TYPE_NOUNS.organization?.has(noun)) ||
    (tail.type === 'location' &&
      / (?:province|state|region|district|county|city|town|island) of$/.test(textBetween))
  return isLocated ? { head: tail, type: 'located_in', tail: previous } : undefined
}

/** The previous name, or the subject of the sentence if another clause is between the names. */
function headOf(
  { head, isDirect }: Pattern,
  previous: ResolvedName | undefined,
  subject: ResolvedName | undefined,
  textBetween: string,
): ResolvedName | undefined {
  // A demonym is no head: "a Canadian series produced by Cineflix" states nothing about Canada.
  const previousAsHead =
    previous && hasType(head, previous) && !countryOfDemonym(previous.ownKey) ? previous : undefined
  if (isDirect) return previousAsHead
  const subjectAsHead = subject && hasType(head, subject) ? subject : undefined
  const isSeparated =
    /[,;]| and /.test(textBetween) && !/\b(?:who|which|that)\b|^,? (?:the|an?)\b|^ ?\(/.test(textBetween)
  return isSeparated ? (subjectAsHead ?? previousAsHead) : (previousAsHead ?? subjectAsHead)
}

const hasType = (types: readonly EntityType[], { type }: ResolvedName): boolean => types.includes(type)
