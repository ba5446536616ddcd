// Sets the levels of headings in the whole document. The layout pass reads a batch of pages at a time. It may put a heading of
// 18 points below a heading of 14 points, and it ignores "Part" and "Item". Here the size decides first, then such names, then
// capitals and italics.

import type { TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { centreIn } from '../../shared/page/layout/boxes.ts'
import { isItalic } from '../../shared/page/layout/line-fonts.ts'
import { SAME_SIZE } from '../../shared/page/tolerance.ts'

/** A heading, the height of its letters in points, and whether they are italic. */
export interface SizedHeading {
  block: Block
  size: number
  isItalic: boolean
}

const MAX_LEVEL = 6
// The level of a heading that the layout pass missed, if nothing else decides it.
const DEFAULT_LEVEL = 2

/** The headings of a page whose type size is known. */
export function sizedHeadings(blocks: readonly Block[], items: readonly TextItem[]): SizedHeading[] {
  return blocks.flatMap((block) => {
    const { kind, bbox } = block
    if (kind !== 'heading' || bbox === undefined) return []
    const blockItems = items.filter((item) => centreIn(item, bbox))
    const sizes = blockItems
      .map((item) => item.fontHeight ?? item.fontSize ?? item.height)
      .sort((a, b) => a - b)
    const size = sizes[sizes.length >> 1]
    return size === undefined || size <= 0 ? [] : [{ block, size, isItalic: blockItems.every(isItalic) }]
  })
}

/** Sets the level of every heading, as described at the top of this file. */
export function setHeadingLevels(headings: readonly SizedHeading[]): void {
  const classes = sizeClasses(headings)
  if (!doLevelsFollowSizes(classes)) setLevelsBySize(classes)
  setMissingLevels(classes)
  setLevelsByName(classes)
  setLevelsByNumber(headings.map(({ block }) => block))
}

/** The headings by size of type, from the largest to the smallest. */
function sizeClasses(headings: readonly SizedHeading[]): SizedHeading[][] {
  const classes: SizedHeading[][] = []
  for (const heading of [...headings].sort((a, b) => b.size - a.size)) {
    const [first] = classes.at(-1) ?? []
    if (first !== undefined && first.size < heading.size * SAME_SIZE) classes.at(-1)?.push(heading)
    else classes.push([heading])
  }
  return classes
}

const levelsOf = (members: readonly SizedHeading[]): number[] =>
  members.flatMap(({ block }) => block.level ?? [])

function doLevelsFollowSizes(classes: readonly SizedHeading[][]): boolean {
  let deepest = 0
  for (const levels of classes.map(levelsOf)) {
    if (Math.min(MAX_LEVEL, ...levels) < deepest) return false
    deepest = Math.max(deepest, ...levels)
  }
  return true
}

function setLevelsBySize(classes: readonly SizedHeading[][]): void {
  const levels = [...new Set(classes.flatMap(levelsOf))].sort((a, b) => a - b)
  const top = levels[0] ?? 1
  classes.forEach((members, rank) => {
    const level = Math.min(
      MAX_LEVEL,
      levels[rank] ?? Math.max(top, levels.at(-1) ?? 1) + rank - levels.length + 1,
    )
    for (const { block } of members) block.level = level
  })
}

/** Gives a heading without a level that of its size. If no other heading has its size, it is below all larger ones. */
function setMissingLevels(classes: readonly SizedHeading[][]): void {
  let deepestAbove = 0
  for (const members of classes) {
    const level =
      median(levelsOf(members)) ??
      (deepestAbove === 0 ? DEFAULT_LEVEL : Math.min(MAX_LEVEL, deepestAbove + 1))
    for (const { block } of members) block.level ??= level
    deepestAbove = Math.max(deepestAbove, ...levelsOf(members))
  }
}

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]

const PART_NAME = /^(?:part|teil|partie|parte|book|buch|livre)\s+(?:[IVX]+|\d{1,2})\b/iu
const ITEM_NAME =
  /^(?:item|chapter|article|kapitel|artikel|chapitre|capítulo|capitolo|annex|appendix|anhang|schedule)\s+(?:\d{1,3}[A-Z]?|[A-Z]|[IVX]+)\b/iu
// The names of sections. A section is below a heading in capitals such as "ARTICLE ONE" or "RECITALS".
const SECTION_NAME = /^(?:section|abschnitt|§)\s*(?:\d{1,4}(?:\.\d{1,2})*|[A-Z]|[IVX]+)\b/iu
// Fewer headings do not show an order.
const MIN_NAMED_HEADINGS = 2
const MIN_SAME_RANK = 2

/**
 * Orders headings of one size: "Part I" is above "Item 1.", both are above headings without such a name, then capitals are
 * above lower case, and upright above italic letters.
 */
function setLevelsByName(classes: readonly SizedHeading[][]): void {
  // The headings in smaller type move down by the number of levels that were added for larger type.
  let shift = 0
  for (const members of classes) {
    const levels = levelsOf(members)
    const namedPatterns = [PART_NAME, ITEM_NAME].filter(
      (name) => members.filter(({ block }) => name.test(block.text)).length >= MIN_NAMED_HEADINGS,
    )
    // Without such names, different levels that the layout pass gave to headings of one size stay.
    const hasSeveralLevels = namedPatterns.length === 0 && new Set(levels).size > 1
    const ranks = hasSeveralLevels ? [] : usedRanks(members, namedPatterns)
    // Numbered names start at level 1: the larger type of a cover is not above them.
    const top = namedPatterns.length > 0 ? 1 : Math.min(...levels) + shift
    // Items alone establish an order, capitals alone do not.
    const minMatches = namedPatterns.length > 0 ? 1 : 2
    for (const heading of members) {
      const rankIndex = ranks.findIndex((usedRank) => usedRank >= rankOf(heading, namedPatterns))
      const rank =
        ranks.length < minMatches
          ? (heading.block.level ?? top) + shift
          : top + (rankIndex < 0 ? ranks.length - 1 : rankIndex)
      heading.block.level = Math.max(1, Math.min(MAX_LEVEL, rank))
    }
    shift = Math.max(...levelsOf(members)) - Math.max(...levels)
  }
}

const FIRST_UNNAMED_RANK = 10

/** The rank of a heading by its name, otherwise by capitals and italics. The smallest rank is the highest heading. */
function rankOf({ block, isItalic }: SizedHeading, namedPatterns: readonly RegExp[]): number {
  const patternIndex = namedPatterns.findIndex((name) => name.test(block.text))
  if (patternIndex >= 0) return patternIndex
  const isInCapitals = /\p{Lu}{2}/u.test(block.text) && !/\p{Ll}/u.test(block.text)
  if (!isInCapitals && SECTION_NAME.test(block.text)) return FIRST_UNNAMED_RANK + 1
  return FIRST_UNNAMED_RANK + (isInCapitals ? 0 : 2) + (isItalic ? 1 : 0)
}

function usedRanks(members: readonly SizedHeading[], namedPatterns: readonly RegExp[]): number[] {
  const counts = new Map<number, number>()
  for (const heading of members) {
    const rank = rankOf(heading, namedPatterns)
    counts.set(rank, (counts.get(rank) ?? 0) + 1)
  }
  return [...counts].flatMap(([rank, count]) => (count >= MIN_SAME_RANK ? [rank] : [])).sort((a, b) => a - b)
}

const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{L}/u

/** Puts "4.2 Title" one level below "4 Title". */
function setLevelsByNumber(blocks: readonly Block[]): void {
  const numberedHeadings = blocks.flatMap((block) => {
    const depth = NUMBERED.exec(block.text)?.[1]?.split('.').length
    return depth === undefined ? [] : [{ block, depth }]
  })
  const topLevels = numberedHeadings
    .filter(({ depth }) => depth === 1)
    .flatMap(({ block }) => block.level ?? [])
  if (topLevels.length < MIN_NAMED_HEADINGS || topLevels.length === numberedHeadings.length) return
  const top = median(topLevels) ?? 1
  for (const { block, depth } of numberedHeadings) block.level = Math.min(MAX_LEVEL, top + depth - 1)
}

/** Whether a heading begins with its number. */
export const isNumbered = ({ text }: Block): boolean => NUMBERED.test(text)
