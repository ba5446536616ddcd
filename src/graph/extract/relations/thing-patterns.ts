// What a sentence says of companies, places, works and products: who founded, owns, made, published and supplies them,
// and where they are.

import type { EntityType } from '../../names.ts'
import { type Pattern, words } from './pattern.ts'

const anyone: readonly EntityType[] = ['person', 'organization']
const body: readonly EntityType[] = ['organization', 'other']
const place: readonly EntityType[] = ['location', 'other']
const places: readonly EntityType[] = ['location']
const made: readonly EntityType[] = ['work', 'product', 'technology', 'other']
const maker: readonly EntityType[] = ['person', 'organization', 'other']
const standing: readonly EntityType[] = ['organization', 'location', 'event']

const KINDS =
  '(?:city|town|village|municipality|commune|community|settlement|suburb|neighbou?rhood|district|county|province|' +
  'region|area|island|river|lake|mountain|township|parish|borough|hamlet|locality|place|airport|station|school|' +
  'university|college|hospital|museum|church|building|company|bank|club|band|park|street|stadium|port|peninsula|state)'

export const THING_PATTERNS: readonly Pattern[] = [
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
    tail: body,
    reverse: true,
  },
  {
    type: 'founded_by',
    last: words('of'),
    says: /\b(?:co-)?founder of$/,
    head: ['person'],
    tail: body,
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
    tail: place,
  },
  {
    type: 'located_in',
    last: words('in'),
    says: /\b(?:published|operating|operates|held|organi[sz]ed|opened|built|erected|broadcast)(?: [a-z]+ly)? in$/,
    head: standing,
    tail: places,
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
    head: standing,
    tail: places,
    direct: true,
  },
  {
    type: 'located_in',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: ['organization', 'location'],
    tail: places,
    direct: true,
  },
  {
    type: 'located_in',
    last: words('of'),
    says: new RegExp(`\\b(?:an?|one of the)(?: [a-z-]+){0,3} ${KINDS}(?: and [a-z]+)? of$`),
    head: places,
    tail: places,
  },
  { type: 'capital_of', last: words('of'), says: /\bcapital (?:city )?of$/, head: places, tail: places },
  {
    type: 'from_country',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: ['work', 'product'],
    tail: places,
    direct: true,
  },
  {
    type: 'created_by',
    last: words('by'),
    says: /\b(?:written|composed|created|designed|developed|painted|directed|invented|performed|recorded|sung|choreographed|co-written|hosted|authored)(?:,? (?:and )?[a-z-]+){0,3} by$/,
    head: made,
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
    head: made,
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
