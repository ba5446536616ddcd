// Small tables without rules that the layout pass takes for text: figures under a line that names each of their columns.

import type { BBox } from '../../../block.ts'
import { BLANK_ROW_PITCH } from '../../../page/tolerance.ts'
import { isFigure, type Line } from '../lines.ts'
import { isUnder, placesBelowNames } from './below-names.ts'

const LEAST_COLUMNS = 3
// Labels alone between two rows: titles of groups, and the first lines of labels that wrap.
const MOST_LABELS = 2
// Names are short: a line of prose with wide gaps is none.
const MOST_NAME_WORDS = 5

/** Where a line of names stands over rows of figures, each below its own name. */
export const namedRows = (lines: readonly Line[]): BBox[] =>
  placesBelowNames(lines, {
    isNames,
    // Each figure stands under its name, so a blank row may be between.
    pitch: BLANK_ROW_PITCH,
    isRow: isRowOf,
    mayStand: isLabelOf,
    mostBetween: MOST_LABELS,
    isTable: (_, [first, ...more]) =>
      first !== undefined && (more.length > 0 || first.segments.every(({ text }) => isFigure(text))),
  })

/** One text alone that ends before the second name. */
const isLabelOf = (names: Line, { segments: [only, second] }: Line): boolean =>
  only !== undefined && second === undefined && only.bbox[2] < (names.segments[1]?.bbox[0] ?? 0)

const isNames = ({ segments }: Line): boolean =>
  segments.length >= LEAST_COLUMNS - 1 &&
  segments.every(({ text, words }) => words.length <= MOST_NAME_WORDS && (!isFigure(text) || YEAR.test(text)))

const YEAR = /^(?:19|20)\d\d$/

/** Whether the line has a figure under each name; its label may have a name or none. */
function isRowOf(names: Line, { segments }: Line): boolean {
  const [label, ...figures] = segments
  if (label === undefined || segments.length < LEAST_COLUMNS || !figures.every(({ text }) => isFigure(text)))
    return false
  const own = segments.length === names.segments.length ? segments : figures
  return own.length === names.segments.length && own.every((cell, i) => isUnder(names.segments[i], cell))
}
