// The patterns by which sentences state relations. lab/graph.ts measures the precision of each type of relation.

import type { EntityType } from '../../names.ts'

export interface Pattern {
  type: string
  /** Matches the end of the text between head and tail, in lower case, without a final article. */
  cuePattern: RegExp
  head: readonly EntityType[]
  tail: readonly EntityType[]
  /** Whether the first name is the tail of the relation: "founded Acme" states founded_by. */
  isReversed: boolean
  /** Whether the head must be the name directly before, and not the subject of the sentence. */
  isDirect: boolean
}

// Roles of people who lead an organization or a place.
const LEADING_ROLES =
  '(?:president|chairman|chairwoman|chair|ceo|chief executive(?: officer)?|chief [a-z]+ officer|head|leader|director|' +
  'managing director|mayor|governor|prime minister|premier|chancellor|minister|king|queen|emperor|captain|commander|' +
  'bishop|archbishop|editor|dean|rector|principal|owner|secretary|speaker|manager|coach|founder and [a-z]+)'
const PLACE_KINDS =
  '(?:city|town|village|municipality|commune|community|settlement|suburb|neighbou?rhood|district|county|province|region|' +
  'area|island|river|lake|mountain|township|parish|borough|hamlet|locality|place|airport|station|school|university|' +
  'college|hospital|museum|church|building|company|bank|club|band|park|street|stadium|port|peninsula|state)'

const TYPES_BY_LETTER: Readonly<Record<string, EntityType>> = {
  p: 'person',
  o: 'organization',
  l: 'location',
  e: 'event',
  w: 'work',
  r: 'product',
  t: 'technology',
  x: 'other',
}

// The columns are separated by two spaces: the relation with its flags, the types of head and tail by the letters above, and a
// pattern for the text between the names.
const ROWS = String.raw`
born_in  px  lx  \bborn (?:[^;]{0,50} )?(?:in|at|near)$
citizen_of direct  p  l  ^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$
educated_at  p  ox  \b(?:studied|educated|graduated|degree|attended|alumnus|enrolled|doctorate|studying|studies|bachelor|master)\b(?:[^;]{0,60} )?(?:at|from)$|\battended$
works_for  p  ox  \b(?:work(?:s|ed|ing)?|employed|professor|engineer|lecturer|researcher|consultant|partner)(?: [^;,]{0,30})? (?:for|at|with)$
leads  px  ol  (?:^,?(?: (?:the|a|an|then|current|former))*| (?:is|was|became|as|elected|appointed|named|serve[sd]? as)(?: (?:the|an?|its|current|former|first|last))*) (?:[a-z-]+ )?ROLE(?: and [a-z ]{2,30})? (?:of|at|for)$
member_of  pol  ox  \b(?:members?|fellow) of$|\bjoined$
plays_for  p  ox  \b(?:plays?|played|playing|debut|debuted) (?:[^;,]{0,30} )?(?:for|with)$
child_of  p  p  \b(?:son|daughter|child) of$
spouse_of  p  px  \bmarried(?: to)?$|\b(?:wife|husband|widow) of$
founded_by  olex  pox  \b(?:co-)?(?:founded|established|started)(?: [^;,]{0,40})? by$
founded_by reverse  po  ox  \b(?:co-?)?(?:founded|founder of)$
owns  po  orx  \b(?:owns|acquired|bought|purchased)$
owns reverse  olrwx  pox  \b(?:owned|acquired|bought|purchased|taken over)(?: and operated)? by$
part_of  olewrx  olewrx  \b(?:subsidiary|division|unit|branch|subdivision|affiliate|suburb) of$
located_in  olex  lx  \b(?:located|situated|based|headquartered|lies|seated)(?: [^;]{0,40})? (?:in|at|near|within|along)$|\bKIND(?: located| situated)? in$
located_in direct  ole  l  ^,?(?: held| located| based)? (?:in|at)$
capital_of  l  l  \bcapital (?:city )?of$
created_by  wrtx  pox  \b(?:written|composed|created|designed|developed|painted|directed|invented|performed|recorded|sung|authored)(?:,? (?:and )?[a-z-]+){0,3} by$
created_by reverse  pox  wrt  \b(?:wrote|composed|directed|designed|developed|created|invented|recorded)$
created_by reverse  pox  w  \b(?:his|her|their)(?: [a-z0-9-]+){0,4} (?:album|single|song|novel|book|film|play|series|game|record),?$
published_by  wrtx  pox  \b(?:published|released|distributed|issued|broadcast)(?: [^;,]{0,30})? (?:by|through|on)$
supplies  po  ortl  \b(?:supplies|supplied|provides|delivers|sells)$
supplies  po  pol  \b(?:supplie[sd]|supplier|delivers|sells|provides)(?: [^;,]{0,40})? to$
supplies reverse  ortl  po  \b(?:supplied|delivered|sold|provided) by$|\b(?:bought|ordered|purchased|sourced)(?: [^;,]{0,30})? from$
signed_with  po  po  \b(?:signed|agreement|contract|partnership|partnered|lease|deal|merged|treaty)(?: [^;,]{0,40})? with$
`

export const PATTERNS: readonly Pattern[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [relation = '', head = '', tail = '', cue = ''] = row.split('  ')
    const [type = '', ...flags] = relation.split(' ')
    return {
      type,
      cuePattern: new RegExp(cue.replace('KIND', PLACE_KINDS).replace('ROLE', LEADING_ROLES)),
      head: [...head].map((letter) => TYPES_BY_LETTER[letter] ?? 'other'),
      tail: [...tail].map((letter) => TYPES_BY_LETTER[letter] ?? 'other'),
      isReversed: flags.includes('reverse'),
      isDirect: flags.includes('direct'),
    }
  })

/** A role between an organization and a person: "Acme CEO Jane Roe", "Acme's chairman Jane Roe". */
export const ROLE_BETWEEN = new RegExp(`^(?:['’]s)?,? (?:[a-z-]+ )?${LEADING_ROLES},?$`)
