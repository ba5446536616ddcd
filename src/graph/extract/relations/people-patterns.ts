// What a sentence says of people: where they were born and live, what they studied, whom they work for and lead.

import type { EntityType } from '../../names.ts'
import { HEADS, type Pattern, words } from './pattern.ts'

const person: readonly EntityType[] = ['person']
const personOrUnknown: readonly EntityType[] = ['person', 'other']
const body: readonly EntityType[] = ['organization', 'other']
const place: readonly EntityType[] = ['location', 'other']
const places: readonly EntityType[] = ['location']

export const PEOPLE_PATTERNS: readonly Pattern[] = [
  {
    type: 'born_in',
    last: words('in at near'),
    says: /\bborn (?:[^;]{0,50} )?(?:in|at|near)$/,
    head: personOrUnknown,
    tail: place,
  },
  {
    type: 'died_in',
    last: words('in at near'),
    says: /\b(?:died|killed|buried) (?:[^;]{0,40} )?(?:in|at|near)$/,
    head: person,
    tail: place,
  },
  {
    type: 'lives_in',
    last: words('in to near at'),
    says: /\b(?:lives?|lived|resid(?:es|ed|ing)|living|settled|moved|emigrated) (?:in|to|near|at)$/,
    head: person,
    tail: place,
  },
  {
    type: 'citizen_of',
    last: words('a an'),
    says: /^(?: ?\([^)]{0,120}\))?,?(?: (?:is|was))? an?$/,
    head: person,
    tail: places,
    direct: true,
  },
  {
    type: 'educated_at',
    last: words('at from attended'),
    says: /\b(?:studied|educated|graduated|degree|attended|alumnus|enrolled|doctorate|studying|bachelor|master|studies)\b(?:[^;]{0,60} )?(?:at|from|attended)$|\battended$/,
    head: person,
    tail: body,
  },
  {
    type: 'works_for',
    last: words('for at with joined'),
    says: /\b(?:works?|worked|working|employed|professor|engineer|lecturer|researcher|analyst|consultant|journalist|reporter|teacher|lawyer|partner|career)(?: [^;,]{0,30})? (?:for|at|with)$/,
    head: person,
    tail: body,
  },
  {
    type: 'plays_for',
    last: words('for with'),
    says: /\b(?:plays?|played|playing|debut|debuted) (?:[^;,]{0,30} )?(?:for|with)$/,
    head: person,
    tail: body,
  },
  {
    type: 'leads',
    last: words('of at for'),
    says: new RegExp(
      `(?:^,?(?: (?:the|a|an|then|current|former))*| (?:is|was|became|as|elected|appointed|named|serve[sd]? as|being)(?: (?:the|a|an|its|current|former|first|last|[a-z]+th))*) (?:[a-z-]+ )?${HEADS}(?: and [a-z ]{2,30})? (?:of|at|for)$`,
    ),
    head: personOrUnknown,
    tail: ['organization', 'location'],
  },
  {
    type: 'member_of',
    last: words('of joined'),
    says: /\b(?:members?|fellow) of$|\bjoined$/,
    head: ['person', 'organization', 'location'],
    tail: body,
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
