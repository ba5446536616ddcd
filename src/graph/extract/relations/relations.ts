// Relations in a document's sentences: a pattern before a name relates it to the name before or to the subject of the
// sentence. A pronoun refers to the previous subject (P .726 against .549 without).

import { countryOfDemonym, isCommonWord, isCountry, isOccupation } from '../../../language/gazetteer.ts'
import { ROLES, TYPE_NOUNS } from '../../../language/gazetteer-cues.ts'
import type { RelationEvidence } from '../../extraction.ts'
import type { EntityType } from '../../names.ts'
import type { NamedSentence, ResolvedName } from '../names/coreference.ts'
import type { TokenSentence } from '../names/tokens.ts'
import { PATTERNS_BY_LAST, type Pattern, ROLE_BETWEEN } from './patterns.ts'
import { definedPlaces, extendAlongChains, placeChains } from './places.ts'

/** Relations in reading order, at most one for two adjacent names. `textOf` returns a chunk's text. */
export function findRelations(
  sentences: readonly NamedSentence[],
  textOf: (chunk_no: number) => string,
): RelationEvidence[] {
  const found: RelationEvidence[] = []
  let before: ResolvedName | undefined
  let chunk: number | undefined
  for (const { sentence, names } of sentences) {
    if (chunk !== sentence.chunk_no) before = undefined
    chunk = sentence.chunk_no
    const subject = subjectOf(sentence, names, before)
    found.push(...relationsOf(sentence, names, subject, textOf(sentence.chunk_no)))
    before = subject ?? before
  }
  return found
}

const PREPOSITIONS = new Set(
  'in on at by for from with after before during since under to of near as per'.split(' '),
)
const HE = new Set('he she his her'.split(' '))
const IT = new Set('it its they their this'.split(' '))
const KIND_SUBJECT =
  /^(?:the) (?:company|firm|film|album|song|book|novel|band|group|city|town|village|organi[sz]ation|river|team|club|school|university|series|show|game|building)$/

/** The subject of the sentence: the first name if it is at the start, or what a pronoun refers to. */
function subjectOf(
  sentence: TokenSentence,
  names: readonly ResolvedName[],
  before: ResolvedName | undefined,
): ResolvedName | undefined {
  const { tokens } = sentence
  const opening = tokens.slice(0, 8)
  const pronoun = opening.findIndex(({ low, shape }) => (HE.has(low) || IT.has(low)) && shape !== 'acronym')
  const [first] = names
  if (first && (pronoun < 0 || first.span.from < pronoun)) {
    const preceding = tokens[first.span.from - 1]
    if (first.span.from <= 4 && !PREPOSITIONS.has(preceding?.low ?? '')) return first
    const second = names[1]
    // "In 1990, Acme …": the first name may be in an introductory phrase.
    if (second && second.span.from <= 8 && tokens[second.span.from]?.gap === ',') return second
  }
  if (pronoun >= 0 && before) {
    const personal = HE.has(tokens[pronoun]?.low ?? '')
    return personal === (before.type === 'person') || before.type === 'other' ? before : undefined
  }
  const kind = `${tokens[0]?.low} ${tokens[1]?.low}`
  return before && KIND_SUBJECT.test(kind) && before.type !== 'person' ? before : undefined
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
  const found: RelationEvidence[] = []
  for (const [i, tail] of names.entries()) {
    const near = names[i - 1]
    const between = text.slice(near?.end ?? sentence.start, tail.start)
    if (between.length > 160 || inner.has(i)) continue
    const said = relationBetween(near, tail, subject, between)
    if (said && said.head.key !== said.tail.key) {
      found.push({ chunk_no, head: said.head.key, type: said.type, tail: said.tail.key, start, end })
    }
  }
  const defined = subject ? definedPlaces(subject, names, text.slice(0, end)) : []
  for (const { head, type, tail } of defined) {
    if (!found.some((one) => one.head === head.key && one.tail === tail.key))
      found.push({ chunk_no, head: head.key, type, tail: tail.key, start, end })
  }
  const along = [...extendAlongChains(names, chains, found), ...extendToLists(names, found, text)].map(
    (one) => ({
      chunk_no,
      ...one,
      start,
      end,
    }),
  )
  return [...found, ...along.filter(({ head, tail }) => head !== tail)]
}

interface Statement {
  head: ResolvedName
  type: string
  tail: ResolvedName
}

function relationBetween(
  near: ResolvedName | undefined,
  tail: ResolvedName,
  subject: ResolvedName | undefined,
  raw: string,
): Statement | undefined {
  const between = raw.toLowerCase().replace(/\s+/g, ' ').replace(/ $/, '')
  if (
    near &&
    tail.type === 'person' &&
    ['organization', 'location', 'other'].includes(near.type) &&
    ROLE_BETWEEN.test(between)
  ) {
    return { head: tail, type: 'leads', tail: near }
  }
  const described = near && descriptionBefore(near, tail, between)
  if (described) return described
  // "Its CEO Mary Major": the possessive refers to the subject.
  const its = /^(?:its|their) (.*)$/.exec(between)?.[1]
  if (its && tail.type === 'person' && subject && subject.type !== 'person' && ROLE_BETWEEN.test(` ${its}`)) {
    return { head: tail, type: 'leads', tail: subject }
  }
  const bare = withoutDescription(between, tail)
    .replace(/(?:[ (]["“]?(?:the|its|his|her|their|nearby))+$/, '')
    .replace(/ ?["“(]$/, '')
  return (
    match(near, tail, subject, bare) ?? (bare === between ? undefined : match(near, tail, subject, between))
  )
}

/** Removes a description of the tail: "by folk singer and writer" before a person is "by". */
function withoutDescription(between: string, tail: ResolvedName): string {
  if (tail.type !== 'person' && tail.type !== 'organization') return between
  const [all, opening, noun = ''] = /^(.* (?:by|with|of))((?: [a-z,-]+){1,6})$/.exec(between) ?? []
  const last = noun.slice(noun.lastIndexOf(' ') + 1)
  const describes =
    tail.type === 'person' ? isOccupation(last) || ROLES.has(last) : TYPE_NOUNS.organization?.has(last)
  return all && opening && describes ? opening : between
}

/** A demonym and a noun before a name: "the British singer Rob Fisher", "the Turkish maker Roketsan". */
function descriptionBefore(near: ResolvedName, tail: ResolvedName, between: string): Statement | undefined {
  if (tail.type === 'organization' && isCountry(near.ownKey) && /^['’]s?(?: [a-z]+){0,3}$/.test(between))
    return { head: tail, type: 'located_in', tail: near }
  if (
    tail.type === 'location' &&
    / (?:province|state|region|district|county|city|town|island|territory) of$/.test(between)
  )
    return countryOfDemonym(near.ownKey) ? { head: tail, type: 'located_in', tail: near } : undefined
  if (!countryOfDemonym(near.ownKey) || !/^ (?:[a-z-]+,? ){0,6}[a-z-]+$/.test(between)) return undefined
  const noun = between.slice(between.lastIndexOf(' ') + 1)
  if (tail.type === 'person' && (isOccupation(noun) || ROLES.has(noun)))
    return { head: tail, type: 'citizen_of', tail: near }
  return tail.type === 'organization' && TYPE_NOUNS.organization?.has(noun)
    ? { head: tail, type: 'located_in', tail: near }
    : undefined
}

function match(
  near: ResolvedName | undefined,
  tail: ResolvedName,
  subject: ResolvedName | undefined,
  between: string,
): Statement | undefined {
  const last = /[a-z-]+$/.exec(between.slice(-20))?.[0] ?? between.slice(-1)
  for (const pattern of PATTERNS_BY_LAST.get(last) ?? []) {
    if (!fits(pattern.tail, tail) || !pattern.says.test(between)) continue
    const head = headOf(pattern, near, subject, between)
    if (!head || head.key === tail.key || isCommonPhrase(pattern, tail)) continue
    return pattern.reverse
      ? { head: tail, type: pattern.type, tail: head }
      : { head, type: pattern.type, tail }
  }
  return undefined
}

/**
 * Dictionary words are no place or organization: "Vice President of Mergers and Acquisitions", "a degree in Computer
 * Science".
 */
const isCommonPhrase = ({ type }: Pattern, tail: ResolvedName): boolean =>
  NEEDS_NAMED_TAIL.has(type) &&
  tail.type === 'other' &&
  tail.ownKey.split(' ').every((word) => word.length < 4 || isCommonWord(word))
const NEEDS_NAMED_TAIL = new Set(['leads', 'located_in', 'works_for', 'member_of', 'lives_in', 'part_of'])

/** The name directly before, if no other clause is between, else the subject of the sentence. */
function headOf(
  pattern: Pattern,
  near: ResolvedName | undefined,
  subject: ResolvedName | undefined,
  between: string,
): ResolvedName | undefined {
  // In "a Canadian series produced by Cineflix" the demonym is not what was produced.
  const own = near && fits(pattern.head, near) && !countryOfDemonym(near.ownKey) ? near : undefined
  if (pattern.direct) return own
  const other = subject && fits(pattern.head, subject) ? subject : undefined
  const attached =
    !/[,;]| and /.test(between) || /\b(?:who|which|that)\b|^,? (?:the|an?)\b|^ ?\(/.test(between)
  return attached ? (own ?? other) : (other ?? own)
}

const fits = (types: readonly EntityType[], { type }: ResolvedName): boolean => types.includes(type)

const JOINT = /^(?:["”]?,|["”]?,? (?:and|&|as well as)|["”]?, (?:and|&)) ?["“]?$/
// Three names are a list; of "A and B" the second may start another clause.
const LEAST_REST = 2

/** The names that continue the list which starts at `first`; empty when no list of one type follows. */
function restOfList(names: readonly ResolvedName[], first: number, text: string): ResolvedName[] {
  const rest: ResolvedName[] = []
  for (let i = first + 1; i < names.length; i++) {
    const [before, name] = [names[i - 1], names[i]]
    if (!before || !name || name.type !== names[first]?.type) break
    if (!JOINT.test(text.slice(before.end, name.start).replace(/\s+/g, ' '))) break
    rest.push(name)
  }
  return rest.length >= LEAST_REST ? rest : []
}

// Relations to places are extended along chains instead: "Detroit, Michigan" is no list.
const SHARED_BY_LISTS = new Set([
  'created_by',
  'produced_by',
  'published_by',
  'founded_by',
  'plays_for',
  'member_of',
  'leads',
  'child_of',
  'owns',
  'supplies',
  'signed_with',
  'participated_in',
  'educated_at',
  'works_for',
  'features',
])

/** Extends a relation of the first name of "A, B and C" to the other names of its type. */
function extendToLists(
  names: readonly ResolvedName[],
  said: readonly RelationEvidence[],
  text: string,
): Pick<RelationEvidence, 'head' | 'type' | 'tail'>[] {
  return said
    .filter(({ type }) => SHARED_BY_LISTS.has(type))
    .flatMap(({ head, type, tail }) => {
      const [h, t] = [head, tail].map((key) => names.findIndex((name) => name.key === key))
      if (h === undefined || t === undefined || h === t) return []
      // The end that comes later in the sentence is the list; the other may be at the start.
      const listed = restOfList(names, Math.max(h, t), text)
      return listed.map(({ key }) => (t > h ? { head, type, tail: key } : { head: key, type, tail }))
    })
}
