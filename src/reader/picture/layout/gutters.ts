// Upright rules as walls between words: of columns, and of boxes that stand side by side with blank paper between them.

import type { BBox } from '../../block.ts'
import type { Grey } from '../raster/grey-image.ts'
import { type Rule, type Rules, thickest } from '../raster/ruling-lines.ts'
import { inkOf } from '../tables/ruled-tables.ts'
import type { Walls } from './separators.ts'

// Of the page's longer side: sides closer together are a double rule.
const LEAST_GAP = 1 / 40
// Of the longer one: sides of one box run beside each other.
const SAME_RUN = 0.8

/** The walls of a page: nothing is written or ruled between two boxes, while a table's columns share the rule between them. */
export function wallsOf(grey: Grey, { down }: Rules): Walls {
  const least = Math.max(grey.width, grey.height) * LEAST_GAP
  const sides = [...down].sort((a, b) => a.at - b.at)
  const gaps = sides.flatMap((right, i) => {
    const before = sides.slice(0, i)
    const left = before.findLast((side) => right.at - side.at >= least && common(side, right) > 0)
    const isBox =
      left !== undefined &&
      before.some((side) => side.at < left.at && areSides(side, left)) &&
      sides.slice(i + 1).some((side) => areSides(right, side))
    const gap = isBox ? between(left, right) : undefined
    return gap !== undefined && isBlank(grey, gap) ? [gap] : []
  })
  return { down, gaps }
}

const common = (a: Rule, b: Rule): number => Math.min(a.to, b.to) - Math.max(a.from, b.from)

const areSides = (a: Rule, b: Rule): boolean =>
  common(a, b) >= SAME_RUN * Math.max(a.to - a.from, b.to - b.from)

const between = (left: Rule, right: Rule): BBox => [
  left.at + left.thickness / 2,
  Math.min(left.from, right.from),
  right.at - right.thickness / 2,
  Math.max(left.to, right.to),
]

/** What ends at the boxes' corners is theirs. */
function isBlank(grey: Grey, [left, top, right, bottom]: BBox): boolean {
  const rim = thickest(grey)
  const part = {
    left: left + rim,
    top: top + rim,
    width: right - left - 2 * rim,
    height: bottom - top - 2 * rim,
  }
  return inkOf(grey, part) === undefined
}
