// Levels of headings over the whole document: the layout pass sees twenty pages at a time and may put 18 points below
// 14. Where its levels and the sizes of type contradict each other, size decides; where they agree nothing is touched,
// since it also knows numbers and weight.

import type { TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { rectBox, standsIn } from './place.ts'

/** A heading and the height of its letters in points. */
export interface SizedHeading {
  block: Block
  size: number
}

// Points of one size of type differ by rounding: 11.96 is 12.
const SAME_SIZE = 1.06
const DEEPEST = 6

/** The headings among a page's blocks whose letters' size is known. */
export function sizedHeadings(blocks: readonly Block[], items: readonly TextItem[]): SizedHeading[] {
  return blocks.flatMap((block) => {
    const { kind, bbox } = block
    if (kind !== 'heading' || bbox === undefined) return []
    const sizes = items.flatMap((item) =>
      standsIn(rectBox(item), bbox) ? [item.fontHeight ?? item.fontSize ?? item.height] : [],
    )
    const size = sizes.sort((a, b) => a - b)[sizes.length >> 1]
    return size === undefined || size <= 0 ? [] : [{ block, size }]
  })
}

/** Sets the levels anew when any larger heading stands below a smaller one. */
export function settleLevels(headings: readonly SizedHeading[]): void {
  const classes = sizeClasses(headings)
  if (agrees(classes)) return
  const known = [...new Set(headings.map(({ block }) => block.level ?? 2))].sort((a, b) => a - b)
  const top = known[0] ?? 1
  classes.forEach((members, rank) => {
    const level = Math.min(DEEPEST, known[rank] ?? Math.max(top, known.at(-1) ?? 1) + rank - known.length + 1)
    for (const { block } of members) block.level = level
  })
}

/** From the largest type to the smallest. */
function sizeClasses(headings: readonly SizedHeading[]): SizedHeading[][] {
  const classes: SizedHeading[][] = []
  for (const heading of [...headings].sort((a, b) => b.size - a.size)) {
    const [first] = classes.at(-1) ?? []
    if (first !== undefined && first.size < heading.size * SAME_SIZE) classes.at(-1)?.push(heading)
    else classes.push([heading])
  }
  return classes
}

function agrees(classes: readonly SizedHeading[][]): boolean {
  let deepest = 0
  for (const members of classes) {
    const levels = members.map(({ block }) => block.level ?? 2)
    if (Math.min(...levels) < deepest) return false
    deepest = Math.max(...levels)
  }
  return true
}
