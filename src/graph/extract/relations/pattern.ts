// The shape of a pattern: the words that say a relation, and what may stand at its ends.

import type { EntityType } from '../../names.ts'

export interface Pattern {
  type: string
  /** The last words before the tail that can say it: what patterns are found by. */
  last: readonly string[]
  /** Matches the end of the text between head and tail, in lower case, without a final article. */
  says: RegExp
  head: readonly EntityType[]
  tail: readonly EntityType[]
  /** The text's head is the relation's tail: "founded Acme" says founded_by. */
  reverse?: true
  /** Only when the pattern is all that stands between the two. */
  direct?: true
}

export const words = (text: string): string[] => text.split(' ')

// Who heads something; works_for takes every other role.
export const HEADS =
  '(?:president|chairman|chairwoman|chair|ceo|chief executive(?: officer)?|chief [a-z]+ officer|head|leader|director|' +
  'managing director|mayor|governor|prime minister|premier|chancellor|minister|king|queen|emperor|captain|commander|' +
  'bishop|archbishop|editor|dean|rector|principal|owner|secretary|speaker|manager|coach|founder and [a-z]+)'
