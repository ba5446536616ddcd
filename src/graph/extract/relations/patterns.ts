// The relation patterns, at most 30 types of relation: the words that state a relation and the entity types at its
// ends. bench/graph.ts measures what each pattern contributes.

import type { EntityType } from '../../names.ts'

export interface Pattern {
  type: string
  /** The possible last words before the tail; patterns are looked up by them. */
  last: readonly string[]
  /** Matches the end of the text between head and tail, in lower case, without a final article. */
  says: RegExp
  head: readonly EntityType[]
  tail: readonly EntityType[]
  /** The first name is the relation's tail: "founded Acme" states founded_by. */
  reverse?: true
  /** Only when the pattern is all the text between the two names. */
  direct?: true
}

export const words = (text: string): string[] => text.split(' ')

// Roles that lead an organization or a place; every other role is works_for.
const LEADING_ROLES =
  '(?:president|chairman|chairwoman|chair|ceo|chief executive(?: officer)?|chief [a-z]+ officer|head|leader|director|' +
  'managing director|mayor|governor|prime minister|premier|chancellor|minister|king|queen|emperor|captain|commander|' +
  'bishop|archbishop|editor|dean|rector|principal|owner|secretary|speaker|manager|coach|founder and [a-z]+)'

const person: readonly EntityType[] = ['person']
const personOrUnknown: readonly EntityType[] = ['person', 'other']
const anyone: readonly EntityType[] = ['person', 'organization']
const organizationOrUnknown: readonly EntityType[] = ['organization', 'other']
const placeOrUnknown: readonly EntityType[] = ['location', 'other']
const location: readonly EntityType[] = ['location']
const creation: readonly EntityType[] = ['work', 'product', 'technology', 'other']
const maker: readonly EntityType[] = ['person', 'organization', 'other']
const located: readonly EntityType[] = ['organization', 'location', 'event']

// People: where they were born and live, what they studied, whom they work for and lead.
const PEOPLE_PATTERNS: readonly Pattern[] = [
  {
    type: 'born_in',
    last: words('in at near'),
    says: /\bborn (?:[^;]{0,50} )?(?:in|at|near)$/,
    head: personOrUnknown,
    tail: placeOrUnknown,
  },
  {
    type: 'died_in',
    last: words('in at near'),
    says: /\b(?:died|killed|buried) (?:[^;]{0,40} )?(?:in|at|near)$/,
    head: person,
    tail: placeOrUnknown,
  },
  {
    type: 'lives_in',
    last: words('in to near at'),
    says: /\b(?:lives?|lived|resid(?:es|ed|ing)|living|settled|moved|emigrated) (?:in|to|near|at)$/,
    head: person,
    tail: placeOrUnknown,
  },
  {
    type: 'citizen_of',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: person,
    tail: location,
    direct: true,
  },
  {
    type: 'educated_at',
    last: words('at from attended'),
    says: /\b(?:studied|educated|graduated|degree|attended|alumnus|enrolled|doctorate|studying|bachelor|master|studies)\b(?:[^;]{0,60} )?(?:at|from|attended)$|\battended$/,
    head: person,
    tail: organizationOrUnknown,
  },
  {
    type: 'works_for',
    last: words('for at with joined'),
    says: /\b(?:works?|worked|working|employed|professor|engineer|lecturer|researcher|analyst|consultant|journalist|reporter|teacher|lawyer|partner|career)(?: [^;,]{0,30})? (?:for|at|with)$/,
    head: person,
    tail: organizationOrUnknown,
  },
  {
    type: 'plays_for',
    last: words('for with'),
    says: /\b(?:plays?|played|playing|debut|debuted) (?:[^;,]{0,30} )?(?:for|with)$/,
    head: person,
    tail: organizationOrUnknown,
  },
  {
    type: 'leads',
    last: words('of at for'),
    says: new RegExp(
      `(?:^,?(?: (?:the|a|an|then|current|former))*| (?:is|was|became|as|elected|appointed|named|serve[sd]? as|being)(?: (?:the|a|an|its|current|former|first|last|[a-z]+th))*) (?:[a-z-]+ )?${LEADING_ROLES}(?: and [a-z ]{2,30})? (?:of|at|for)$`,
    ),
    head: personOrUnknown,
    tail: ['organization', 'location'],
  },
  {
    type: 'member_of',
    last: words('of joined'),
    says: /\b(?:members?|fellow) of$|\bjoined$/,
    head: ['person', 'organization', 'location'],
    tail: organizationOrUnknown,
  },
  {
    type: 'member_of',
    last: words('in to with'),
    says: /\b(?:elected to|served? (?:in|with)|serving (?:in|with)|enlisted in|sat in|seat in|plays in|competes in|competed in|playing in)$/,
    head: ['person', 'organization'],
    tail: ['organization'],
  },
  {
    type: 'child_of',
    last: words('of to'),
    says: /\b(?:son|daughter|child) of$/,
    head: person,
    tail: person,
  },
  {
    type: 'child_of',
    last: words('children child son daughter sons daughters'),
    says: /\b(?:have|had|has) (?:[a-z]+ ){0,2}(?:children|child|sons?|daughters?)[,:]?$/,
    head: person,
    tail: person,
    reverse: true,
  },
  {
    type: 'child_of',
    last: words('of'),
    says: /\b(?:father|mother|parent) of$/,
    head: person,
    tail: person,
    reverse: true,
  },
  {
    type: 'spouse_of',
    last: words('married to of wife husband'),
    says: /\bmarried(?: to)?$|\b(?:wife|husband|widow) of$|\b(?:wife|husband)(?: was| is)?,?$/,
    head: person,
    tail: personOrUnknown,
  },
  {
    type: 'sibling_of',
    last: words('of brother sister was is'),
    says: /\b(?:brother|sister) of$|\bh(?:is|er) (?:[a-z]+ )?(?:brother|sister)(?: was| is)?$/,
    head: person,
    tail: person,
  },
  {
    type: 'participated_in',
    last: words('in at during of'),
    says: /\b(?:competed|participated|fought|took part|won|winner|champion|medal(?:ist)?|competing|represented|served|performed|spoke|exhibited)(?: [^;]{0,50})? (?:in|at|during|of)$/,
    head: ['person', 'organization', 'location', 'other'],
    tail: ['event'],
  },
]

const KINDS =
  '(?:city|town|village|municipality|commune|community|settlement|suburb|neighbou?rhood|district|county|province|' +
  'region|area|island|river|lake|mountain|township|parish|borough|hamlet|locality|place|airport|station|school|' +
  'university|college|hospital|museum|church|building|company|bank|club|band|park|street|stadium|port|peninsula|state)'

// Organizations, places, works and products: who founded, owns, made, published and supplies them, and where they are.
const THING_PATTERNS: readonly Pattern[] = [
  {
    type: 'founded_by',
    last: words('by'),
    says: /\b(?:founded|co-founded|established|started)(?: [^;,]{0,40})? by$/,
    head: ['organization', 'location', 'event', 'other'],
    tail: maker,
  },
  {
    type: 'founded_by',
    last: words('founded co-founded cofounded established'),
    says: /\b(?:founded|co-founded|cofounded|established)$/,
    head: maker,
    tail: organizationOrUnknown,
    reverse: true,
  },
  {
    type: 'founded_by',
    last: words('of'),
    says: /\b(?:co-)?founder of$/,
    head: ['person'],
    tail: organizationOrUnknown,
    reverse: true,
  },
  {
    type: 'owns',
    last: words('owns acquired bought purchased acquires acquiring'),
    says: /\b(?:owns|acquired|bought|purchased|acquires|acquiring)$/,
    head: anyone,
    tail: ['organization', 'product', 'other'],
  },
  {
    type: 'owns',
    last: words('by'),
    says: /\b(?:owned|acquired|bought|purchased|taken over)(?: and operated)? by$/,
    head: ['organization', 'location', 'product', 'work', 'other'],
    tail: maker,
    reverse: true,
  },
  {
    type: 'part_of',
    last: words('of'),
    says: /\b(?:subsidiary|division|part|unit|branch|subdivision|component|affiliate|suburb|arm) of$/,
    head: ['organization', 'location', 'event', 'work', 'product', 'other'],
    tail: ['organization', 'location', 'event', 'work', 'product', 'other'],
  },
  {
    type: 'part_of',
    last: words('from of on in'),
    says: /\b(?:song|single|track|episode|season|character|chapter|level|instal+ment|entry|sequel)(?: [a-z-]+){0,3} (?:from|of|on|in|to)$/,
    head: ['work', 'person', 'other'],
    tail: ['work'],
  },
  {
    type: 'located_in',
    last: words('in at near on within along'),
    says: new RegExp(
      `\\b(?:located|situated|based|headquartered|lies|seated)(?: [^;]{0,40})? (?:in|at|near|on|within|along)$|\\b${KINDS}(?: located| situated)? in$`,
    ),
    head: ['organization', 'location', 'event', 'other'],
    tail: placeOrUnknown,
  },
  {
    type: 'located_in',
    last: words('in'),
    says: /\b(?:published|operating|operates|held|organi[sz]ed|opened|built|erected|broadcast)(?: [a-z]+ly)? in$/,
    head: located,
    tail: location,
  },
  {
    type: 'features',
    last: words('starring features featuring stars'),
    says: /\b(?:starring|features|featuring|stars)$/,
    head: ['work', 'other'],
    tail: ['person'],
  },
  {
    type: 'located_in',
    last: words('in at'),
    says: /^,?(?: held| located| based)? (?:in|at)$/,
    head: located,
    tail: location,
    direct: true,
  },
  {
    type: 'located_in',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: ['organization', 'location'],
    tail: location,
    direct: true,
  },
  {
    type: 'located_in',
    last: words('of'),
    says: new RegExp(`\\b(?:an?|one of the)(?: [a-z-]+){0,3} ${KINDS}(?: and [a-z]+)? of$`),
    head: location,
    tail: location,
  },
  { type: 'capital_of', last: words('of'), says: /\bcapital (?:city )?of$/, head: location, tail: location },
  {
    type: 'from_country',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: ['work', 'product'],
    tail: location,
    direct: true,
  },
  {
    type: 'created_by',
    last: words('by'),
    says: /\b(?:written|composed|created|designed|developed|painted|directed|invented|performed|recorded|sung|choreographed|co-written|hosted|authored)(?:,? (?:and )?[a-z-]+){0,3} by$/,
    head: creation,
    tail: maker,
  },
  {
    type: 'created_by',
    last: words('by'),
    says: /^,?(?: (?:is|was) an?)?(?: [a-z]+)? (?:album|song|single|novel|book|film|painting|play|opera|poem|game|ep|series|symphony|record|debut album|studio album)(?: recorded| written)? by$|^ by$/,
    head: ['work'],
    tail: maker,
    direct: true,
  },
  {
    type: 'created_by',
    last: words('wrote composed directed designed developed created invented recorded painted authored'),
    says: /\b(?:wrote|composed|directed|designed|developed|created|invented|recorded|painted|authored)$/,
    head: maker,
    tail: ['work', 'product', 'technology'],
    reverse: true,
  },
  {
    type: 'created_by',
    last: words(
      'album single song novel book film movie play opera poem series game record ep memoir autobiography',
    ),
    says: /\b(?:his|her|their)(?: [a-z0-9-]+){0,4} (?:album|single|song|novel|book|film|movie|play|opera|poem|series|game|record|ep|memoir|autobiography),?$/,
    head: ['person', 'organization', 'other'],
    tail: ['work'],
    reverse: true,
  },
  {
    type: 'created_by',
    last: words('album single song novel book film movie play opera poem series game record ep s'),
    says: /^['’]s?(?: [a-z0-9-]+){0,4},?$/,
    head: ['person', 'organization'],
    tail: ['work'],
    reverse: true,
    direct: true,
  },
  {
    type: 'produced_by',
    last: words('by'),
    says: /\b(?:produced|manufactured|made|built|assembled)(?:,? (?:and )?[a-z-]+){0,3} by$/,
    head: ['work', 'product', 'technology', 'location', 'other'],
    tail: maker,
  },
  {
    type: 'produced_by',
    last: words('manufactures makes produces produced built manufactured'),
    says: /\b(?:manufactures|makes|produces|produced|built|manufactured)$/,
    head: maker,
    tail: ['product', 'work'],
    reverse: true,
  },
  {
    type: 'published_by',
    last: words('by through on'),
    says: /\b(?:published|released|distributed|issued|broadcast|aired)(?: [^;,]{0,30})? (?:by|through|on)$/,
    head: creation,
    tail: ['organization', 'person', 'other'],
  },
  {
    type: 'supplies',
    last: words('supplies supplied provides delivers sells'),
    says: /\b(?:supplies|supplied|provides|delivers|sells)$/,
    head: ['organization', 'person'],
    tail: ['organization', 'product', 'technology', 'location'],
  },
  {
    type: 'supplies',
    last: words('to'),
    says: /\b(?:supplies|supplied|supplier|delivers|sells|provides)(?: [^;,]{0,40})? to$/,
    head: ['organization', 'person'],
    tail: ['organization', 'person', 'location'],
  },
  {
    type: 'supplies',
    last: words('by from'),
    says: /\b(?:supplied|delivered|sold|provided) by$|\b(?:bought|ordered|purchased|sourced)(?: [^;,]{0,30})? from$/,
    head: ['organization', 'product', 'technology', 'location'],
    tail: ['organization', 'person'],
    reverse: true,
  },
  {
    type: 'signed_with',
    last: words('with'),
    says: /\b(?:signed|agreement|contract|partnership|partnered|lease|deal|merged|treaty)(?: [^;,]{0,40})? with$/,
    head: anyone,
    tail: ['organization', 'person'],
  },
  {
    type: 'succeeded_by',
    last: words('by'),
    says: /\b(?:succeeded|replaced|followed)(?: [^;,]{0,20})? by$/,
    head: ['person', 'organization', 'event', 'work', 'product', 'other'],
    tail: ['person', 'organization', 'event', 'work', 'product'],
  },
  {
    type: 'succeeded_by',
    last: words('succeeded succeeding replaced replacing'),
    says: /\b(?:succeeded|succeeding|replaced|replacing)$/,
    head: ['person', 'organization', 'event', 'product'],
    tail: ['person', 'organization', 'event', 'product'],
    reverse: true,
  },
  {
    type: 'is_a',
    last: words('a an the'),
    says: /^(?: ?\([^)]{0,80}\))? (?:is|are|was|were) (?:an?|the)(?: [a-z-]+){0,2}$/,
    head: ['organization', 'product', 'technology', 'law', 'other', 'person'],
    tail: ['concept'],
    direct: true,
  },
]

const PATTERNS: readonly Pattern[] = [...PEOPLE_PATTERNS, ...THING_PATTERNS]

/** Patterns by the last word before the tail. */
export const PATTERNS_BY_LAST: ReadonlyMap<string, readonly Pattern[]> = new Map(
  [...new Set(PATTERNS.flatMap(({ last }) => last))].map((word) => [
    word,
    PATTERNS.filter(({ last }) => last.includes(word)),
  ]),
)

/** A role between an organization and a person: "Acme CEO Jane Roe", "Acme's chairman Jane Roe". */
export const ROLE_BETWEEN = new RegExp(`^(?:['’]s)?,? (?:[a-z-]+ )?${LEADING_ROLES},?$`)
