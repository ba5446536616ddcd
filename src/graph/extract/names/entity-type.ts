// Entity typing: votes for the type of a name from its form and from the words around it; coreference.ts sums them
// over a document. Without a vote the type is `other` (abstaining is the commonest type error, confusions are rare).

import {
  countryOfDemonym,
  isCommonWord,
  isFirstName,
  isKnownOrganization,
  isLastName,
  isOccupation,
  isPlace,
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
  TECHNOLOGY_CUES,
  TYPE_NOUNS,
  WORK_CUES,
} from '../../../language/gazetteer-cues.ts'
import type { EntityType } from '../../names.ts'
import { isPostCode, type NameSpan } from './refine.ts'
import type { Token } from './tokens.ts'

export type Votes = Map<EntityType, number>

export function vote(votes: Votes, type: EntityType, weight: number): void {
  votes.set(type, (votes.get(type) ?? 0) + weight)
}

/** The type with most votes, at least 1; `other` without. */
export function winningType(votes: Votes): EntityType {
  let best: EntityType = 'other'
  let most = 0.99
  for (const [type, weight] of votes) {
    if (weight > most) {
      best = type
      most = weight
    }
  }
  return best
}

const TECHNOLOGIES = new Set(
  (
    'ai ml llm vr ar api sql html css json xml http https tcp ip usb wifi wi-fi bluetooth 5g 4g lte nfc gps gpu cpu ram ' +
    'ssd oled lcd led iot saas crm erp oauth blockchain bitcoin ethereum java javascript typescript python linux unix ' +
    'android ios windows kubernetes docker postgresql mysql excel hdmi dna rna mri'
  ).split(' '),
)

// Religions and their members are not persons, although Christian is also a first name.
const BELIEFS = new Set(
  (
    'christian christians christianity catholic catholics roman_catholic roman_catholics catholicism protestant ' +
    'protestants protestantism jewish jew jews judaism muslim muslims islam islamic hindu hindus hinduism buddhist ' +
    'buddhists buddhism orthodox sikh sikhs sikhism anglican lutheran methodist baptist presbyterian marxism communism ' +
    'socialism capitalism democracy republicanism liberalism'
  )
    .split(' ')
    .map((belief) => belief.replace('_', ' ')),
)

/** Whether the form alone determines the type: a person's full name, a legal form, a known place. */
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

/** Votes from the name itself: its cue words, the gazetteer, its shape. */
export function voteForm(votes: Votes, span: NameSpan): void {
  const tokens = span.sentence.tokens.slice(span.from, span.to)
  const first = tokens[0]
  const last = tokens.at(-1)
  if (!first || !last) return
  if (span.quoted) vote(votes, 'work', 5)
  if (span.hasTitle && !ORGANIZATION_CUES.has(last.low)) vote(votes, 'person', 4)
  const name = tokens.map(({ low }) => low).join(' ')
  if (isPlace(name)) vote(votes, 'location', 5)
  else if (countryOfDemonym(name)) vote(votes, 'location', 4)
  else if (BELIEFS.has(name)) vote(votes, 'concept', 5)
  if (isKnownOrganization(name)) vote(votes, 'organization', 4)
  if (tokens.length === 1) {
    voteSingle(votes, first)
    return
  }
  if (voteCue(votes, tokens)) return
  votePerson(votes, tokens)
  // Kansas City Kings, French Foreign Legion: an organization named after its place.
  if (isPlace(first.low) || countryOfDemonym(first.low)) vote(votes, 'organization', 1)
}

function voteSingle(votes: Votes, { low, shape, raw }: Token): void {
  if (shape === 'code') vote(votes, 'product', low.startsWith('covid') ? 0 : 1.5)
  else if (TECHNOLOGIES.has(low)) vote(votes, 'technology', 4)
  // OpenAI, YouTube, TechCrunch; not McDonald.
  else if (/\p{Ll}\p{Lu}/u.test(raw) && !/^(?:Mc|Mac|De|Di|La|Le|Van)\p{Lu}/u.test(raw))
    vote(votes, 'organization', 1)
  else if (shape === 'acronym') vote(votes, 'organization', raw.length <= 6 ? 1 : 0.5)
  else if (isFirstName(low) && !isPlace(low)) vote(votes, 'person', 1.5)
  else if (isLastName(low) && !isPlace(low)) vote(votes, 'person', 1)
}

/** The head word decides: the last word, or the one before "of" (University of X, Battle of Y). */
function voteCue(votes: Votes, tokens: readonly Token[]): boolean {
  const of = tokens.findIndex(({ raw }) => raw === 'of' || raw === 'for' || raw === 'de' || raw === 'di')
  const lastWord = tokens.findLast(({ shape }) => shape !== 'number' && shape !== 'code') ?? tokens[0]
  if (ORGANIZATION_FIRST.has(tokens[0]?.low ?? '')) {
    vote(votes, 'organization', 3)
    return true
  }
  const heads = [of > 0 ? tokens[of - 1] : lastWord, of > 0 ? lastWord : undefined, tokens[0]]
  for (const [at, head] of heads.entries()) {
    if (!head || head.shape === 'lower') continue
    for (const [cues, type, weight] of CUES) {
      if (!cues.has(head.low)) continue
      // The first word is a cue only for mountains, lakes and the like: Mount Everest, Lake Geneva, Fort Worth.
      if (at === 2 && !(type === 'location' && LOCATION_FIRST.has(head.low))) continue
      vote(votes, type, at === 1 ? weight / 2 : weight)
      return true
    }
  }
  return false
}
// "FK Teleoptik", "Banco Galicia": the kind of organization comes first.
const ORGANIZATION_FIRST = new Set(
  'fk fc sc ac cd cf sv vfl bk hc if ik club real atlético sporting banco banca banque universidad université università universität universidade universitet escuela'.split(
    ' ',
  ),
)
const LOCATION_FIRST = new Set(
  'mount mt lake river cape fort isle bay port gulf lago monte rue via piazza plaza north south east west'.split(
    ' ',
  ),
)

function votePerson(votes: Votes, tokens: readonly Token[]): void {
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last || tokens.length > 5) return
  if (tokens.some(({ shape }) => shape === 'number' || shape === 'code')) return
  if (tokens.some(({ gap }, i) => i > 0 && gap.includes('&'))) {
    vote(votes, 'organization', 2)
    return
  }
  // Two unknown words in a row are most often a person.
  const unknown = (token: Token): boolean =>
    token.shape === 'capital' && !isCommonWord(token.low) && !isPlace(token.low)
  if (tokens.length < 4 && tokens.every(unknown)) {
    vote(votes, /[^s]s$/.test(last.low) && !isLastName(last.low) ? 'organization' : 'person', 1)
  }
  const given = isFirstName(first.low)
  if (given) vote(votes, 'person', isPlace(first.low) ? 1.5 : 3)
  if (isLastName(last.low)) vote(votes, 'person', 1.5)
  if (
    /^(?:\p{Lu}\.)*\p{Lu}$/u.test(first.raw) ||
    tokens.slice(1, -1).some(({ raw }) => /^\p{Lu}$/u.test(raw))
  )
    vote(votes, 'person', 2)
  if (tokens.slice(1, -1).some(({ raw }) => /^(?:van|von|de|der|bin|ibn|al|di|da)$/.test(raw)))
    vote(votes, 'person', 0.6)
}

const AT_PLACE = new Set('in at near from to across outside throughout around toward towards'.split(' '))
// Companies say things too, so this is a weak hint; only people are born and marry.
const SAYS = new Set(
  'said says wrote writes told asked added explained replied argued claimed believes thinks'.split(' '),
)
const LIVES = new Set(
  'married died born lived grew studied taught sang retired resigned graduated starred'.split(' '),
)
const HIS = new Set('his her he she him who whose'.split(' '))

/** Votes from the words around the name: prepositions, what it does, what it is called. */
export function voteContext(votes: Votes, span: NameSpan): void {
  const { tokens } = span.sentence
  const before = tokens[span.from - 1]
  const after = tokens[span.to]
  const own = tokens[span.from]
  if (before && own && /^ ?$/.test(own.gap)) {
    if (AT_PLACE.has(before.low)) vote(votes, 'location', before.low === 'in' ? 1 : 0.4)
    if (HONORIFICS.has(before.low)) vote(votes, 'person', 4)
    else if (before.shape === 'lower' && (isOccupation(before.low) || ROLES.has(before.low)))
      vote(votes, 'person', 2)
    else voteTypeNoun(votes, before.low, 1.5)
    voteRelation(votes, tokens, span.from - 1)
  }
  if (!after) return
  if (isPostCode(after, tokens[span.to + 1])) vote(votes, 'location', 3)
  if (after.gap === ' ' && SAYS.has(after.low)) vote(votes, 'person', 0.5)
  if (after.gap === ' ' && LIVES.has(after.low)) vote(votes, 'person', 1.2)
  if (after.gap === '(' && after.low === 'born') vote(votes, 'person', 4)
  if (after.gap === ',' && HIS.has(after.low)) vote(votes, 'person', 0.6)
  if (after.gap === ',' && (ROLES.has(after.low) || isOccupation(after.low))) vote(votes, 'person', 2)
  // Bari, Italy.
  if (
    after.gap === ',' &&
    after.shape !== 'lower' &&
    (isPlace(after.low) || isPlace(`${after.low} ${tokens[span.to + 1]?.low}`))
  )
    vote(votes, 'location', 2)
  if (after.gap === ' ' && voteTypeNoun(votes, after.low, 1)) return
  voteIsA(votes, tokens, span.to)
}

const PLACE_KINDS = new Set(
  'city town village hamlet municipality commune district county province region state department parish suburb'.split(
    ' ',
  ),
)
const RELEASED = new Set('released distributed published manufactured issued broadcast'.split(' '))
const PLAYED = new Set('play plays played playing'.split(' '))

/**
 * Votes from the words before the name: "the town of X", "released by X", "played for X", "joined X", "member of X".
 */
function voteRelation(votes: Votes, tokens: readonly Token[], at: number): void {
  const last = tokens[at]?.low === 'the' ? at - 1 : at
  const word = tokens[last]?.low ?? ''
  const before = tokens[last - 1]?.low ?? ''
  if (word === 'of' && PLACE_KINDS.has(before)) vote(votes, 'location', 2.5)
  else if (word === 'of' && /^members?$/.test(before)) vote(votes, 'organization', 1.2)
  else if (word === 'by' && RELEASED.has(before)) vote(votes, 'organization', 1.2)
  else if (word === 'for' && PLAYED.has(before)) vote(votes, 'organization', 2)
  else if (word === 'joined') vote(votes, 'organization', 1.2)
}

const IS = new Set('is was are were remains became'.split(' '))
const DETERMINER = /^(?:an?|the|one)$/

/** Votes from the head noun of a definition: "X is a German car manufacturer", "X, a village in Y". */
function voteIsA(votes: Votes, tokens: readonly Token[], at: number): void {
  let i = at
  // Skips an aside in brackets: dates, pronunciations.
  if (tokens[i]?.gap.startsWith('(')) {
    for (let steps = 0; steps < 25 && i < tokens.length && !tokens[i]?.gap.includes(')'); steps++) i++
  }
  const verb = tokens[i]
  const says = verb && IS.has(verb.low)
  const apposed = verb?.gap === ',' && DETERMINER.test(verb.low)
  if (!says && !apposed) return
  if (says) i++
  if (!DETERMINER.test(tokens[i]?.low ?? '')) return
  for (let steps = 0; steps < 9; steps++) {
    const token = tokens[++i]
    if (!token || (steps > 0 && /[;:.(]/.test(token.gap))) return
    if (
      /^(?:in|of|at|by|from|who|which|that|on|for|with|located|based|and)$/.test(token.low) &&
      token.low !== 'and'
    )
      return
    if (token.shape !== 'lower') continue
    const next = tokens[i + 1]
    const head =
      next?.gap !== ' ' ||
      next.shape !== 'lower' ||
      /^(?:in|of|at|by|from|who|which|that|on|for|with|and|to|as|located|based|born|released|written|directed|founded|or|was|is|between)$/.test(
        next.low,
      )
    if (!head) continue
    if (
      isOccupation(token.low) ||
      ROLES.has(token.low) ||
      (/.{3}(?:ist|ician|er|or)$/.test(token.low) && !isTypeNoun(token.low))
    )
      vote(votes, 'person', 4)
    else voteTypeNoun(votes, token.low, 4)
    return
  }
}

const isTypeNoun = (word: string): boolean => Object.values(TYPE_NOUNS).some((kinds) => kinds.has(word))

/** Votes for the type that a common noun names; returns whether it names one. */
function voteTypeNoun(votes: Votes, word: string, weight: number): boolean {
  for (const [type, kinds] of Object.entries(TYPE_NOUNS)) {
    if (!kinds.has(word)) continue
    vote(votes, type as EntityType, weight)
    return true
  }
  return false
}
