// Relations in a document's sentences: a pattern before a name relates it to the name before or to the subject of the
// sentence. A pronoun refers to the previous subject.

import { countryOfDemonym, isCountry, isOccupation } from '../../../language/gazetteer.ts'
import { ROLES, TYPE_NOUNS } from '../../../language/gazetteer-cues.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { NamedSentence, ResolvedName } from '../names/coreference.ts'
import type { TokenSentence } from '../names/tokens.ts'
import { PATTERNS, type Pattern, ROLE_BETWEEN } from './patterns.ts'
import { definedPlaces, extendAlongChains, placeChains } from './places.ts'

/** Relations in reading order, at most one for two adjacent names. `textOf` returns a chunk's text. */
export function findRelations(
  sentences: readonly NamedSentence[],
  textOf: (chunk_no: number) => string,
): RelationEvidence[] {
  const relations: RelationEvidence[] = []
  let before: ResolvedName | undefined
  let chunk: number | undefined
  for (const { sentence, names } of sentences) {
    if (chunk !== sentence.chunk_no) before = undefined
    chunk = sentence.chunk_no
    const subject = subjectOf(sentence, names, before)
    if (names.length > 0) relations.push(...relationsOf(sentence, names, subject, textOf(sentence.chunk_no)))
    before = subject ?? before
  }
  return relations
}

const PREPOSITIONS = /^(?:in|on|at|by|for|from|with|after|before|during|since|under|to|of|near|as|per)$/
const HE = /^(?:he|she|his|her)$/
const IT = /^(?:it|its|they|their|this)$/

/** The subject of the sentence: the first name if it is at the start, or what a pronoun refers to. */
function subjectOf(
  { tokens }: TokenSentence,
  names: readonly ResolvedName[],
  before: ResolvedName | undefined,
): ResolvedName | undefined {
  const pronoun = tokens
    .slice(0, 8)
    .findIndex(({ low, shape }) => shape !== 'acronym' && (HE.test(low) || IT.test(low)))
  const [first] = names
  if (first && first.span.from <= 4 && (pronoun < 0 || first.span.from < pronoun))
    if (!PREPOSITIONS.test(tokens[first.span.from - 1]?.low ?? '')) return first
  if (pronoun < 0 || !before) return undefined
  const personal = HE.test(tokens[pronoun]?.low ?? '')
  return personal === (before.type === 'person') || before.type === 'other' ? before : undefined
}

interface Statement {
  head: ResolvedName
  type: string
  tail: ResolvedName
}

function relationsOf(
  sentence: TokenSentence,
  names: readonly ResolvedName[],
  subject: ResolvedName | undefined,
  text: string,
): RelationEvidence[] {
  const { chunk_no, start, end } = sentence
  const chains = placeChains(names, text)
  const inner = new Set(chains.flatMap((chain) => chain.slice(1)))
  const statements: Statement[] = names.flatMap((tail, i) => {
    const near = names[i - 1]
    const between = text.slice(near?.end ?? start, tail.start)
    return between.length > 160 || inner.has(i) ? [] : (relationBetween(near, tail, subject, between) ?? [])
  })
  for (const one of subject ? definedPlaces(subject, names, text.slice(0, end)) : [])
    if (!statements.some(({ head, tail }) => head.key === one.head.key && tail.key === one.tail.key))
      statements.push(one)
  const keys = statements.map(({ head, type, tail }) => ({ head: head.key, type, tail: tail.key }))
  return [...keys, ...extendAlongChains(names, chains, keys)]
    .filter(({ head, tail }) => head !== tail)
    .map((one) => ({ chunk_no, ...one, start, end }))
}

function relationBetween(
  near: ResolvedName | undefined,
  tail: ResolvedName,
  subject: ResolvedName | undefined,
  raw: string,
): Statement | undefined {
  const between = raw.toLowerCase().replace(/\s+/g, ' ').trimEnd()
  const isLed = near && /^(?:organization|location|other)$/.test(near.type)
  if (isLed && tail.type === 'person' && ROLE_BETWEEN.test(between))
    return { head: tail, type: 'leads', tail: near }
  const described = near && descriptionBefore(near, tail, between)
  if (described) return described
  const bare = between.replace(/(?:[ (]["“]?(?:the|its|his|her|their|nearby))+$/, '').replace(/ ?["“(]$/, '')
  for (const pattern of PATTERNS) {
    if (!fits(pattern.tail, tail)) continue
    const head = headOf(pattern, near, subject, between)
    if (!head || head.key === tail.key || !pattern.says.test(bare)) continue
    const { type } = pattern
    return pattern.reverse ? { head: tail, type, tail: head } : { head, type, tail }
  }
  return undefined
}

/** A demonym and a noun before a name: "the British singer Rob Fisher", "the Turkish maker Roketsan". */
function descriptionBefore(near: ResolvedName, tail: ResolvedName, between: string): Statement | undefined {
  if (tail.type === 'organization' && isCountry(near.ownKey) && /^['’]s?(?: [a-z]+){0,3}$/.test(between))
    return { head: tail, type: 'located_in', tail: near }
  if (!countryOfDemonym(near.ownKey) || !/^ (?:[a-z-]+,? ){0,6}[a-z-]+$/.test(between)) return undefined
  const noun = between.slice(between.lastIndexOf(' ') + 1)
  if (tail.type === 'person' && (isOccupation(noun) || ROLES.has(noun)))
    return { head: tail, type: 'citizen_of', tail: near }
  const located =
    (tail.type === 'organization' && TYPE_NOUNS.organization?.has(noun)) ||
    (tail.type === 'location' &&
      / (?:province|state|region|district|county|city|town|island) of$/.test(between))
  return located ? { head: tail, type: 'located_in', tail: near } : undefined
}

/** The name directly before, if no other clause is between, else the subject of the sentence. */
function headOf(
  { head, direct }: Pattern,
  near: ResolvedName | undefined,
  subject: ResolvedName | undefined,
  between: string,
): ResolvedName | undefined {
  // In "a Canadian series produced by Cineflix" the demonym is not what was produced.
  const own = near && fits(head, near) && !countryOfDemonym(near.ownKey) ? near : undefined
  if (direct) return own
  const other = subject && fits(head, subject) ? subject : undefined
  const isSeparated =
    /[,;]| and /.test(between) && !/\b(?:who|which|that)\b|^,? (?:the|an?)\b|^ ?\(/.test(between)
  return isSeparated ? (other ?? own) : (own ?? other)
}

const fits = (types: readonly EntityType[], { type }: ResolvedName): boolean => types.includes(type)
