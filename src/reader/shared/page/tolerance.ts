// Which positions on a page count as equal or near, for every kind of page (PDF, picture, slide). All numbers but those of the
// last group are multiples of the height of a line of text. This is the height of the boxes of letters from ascent to descent,
// about 1.15 times the font size. So 0.2 is 2.3 points for a font of 10 points.

import type { BBox } from '../../block.ts'

/**
 * The maximum difference of texts with the same left edge, right edge or middle. Rounding and the side bearings of letters move
 * them by up to 0.15; the narrowest indent in real files is 0.5.
 */
export const EDGE = 0.18

/** The maximum difference of the right edges of numbers in one column. A closing bracket or a per cent sign adds up to 0.4. */
const NUMBER_EDGE = 0.45

/**
 * The maximum difference of the lower edges of texts on one line. Boxes with and without descenders differ by 0.2, a checkbox and
 * its text by 0.35.
 */
export const BASELINE = 0.36

/**
 * The maximum distance from one line to the next of the same text (heading, cell, paragraph), lower edge to lower edge. Without
 * extra line spacing it is 1.
 */
export const LINE_PITCH = 1.5

/** The maximum distance from one row to the next of the same table or list, with space or a rule between them. */
export const ROW_PITCH = 2.6

/** The maximum distance from one row to the next with a blank row or a coloured band between them. */
export const BLANK_ROW_PITCH = 4.2

/** The maximum gap between a line and the next line of the same text, lower edge to upper edge. */
export const LINE_GAP = 0.7

/** The maximum gap between paragraphs without a blank line between them. */
export const PARAGRAPH_GAP = 0.9

/** The minimum and maximum indent. A smaller difference is an inexact edge, a larger one is another column. */
export const INDENT = [0.5, 6] as const

/** Two font sizes are equal if they differ by no more than this factor, as 11.96 and 12 points do. */
export const SAME_SIZE = 1.06

/** A font that is larger by this factor may be that of a heading. Superscripts make a line 1.1 times as high. */
export const LARGER_SIZE = 1.15

// In points for all font sizes, because the width and distance of drawn lines do not depend on the letters beside them.

/** The maximum difference of a block's box from the boxes of its letters. */
export const BLOCK_EDGE = 1

/** Two rules whose positions differ by no more are one, because borders may be drawn cell by cell. */
export const SAME_RULE = 2

/** Two pieces with no wider gap are one rule that is drawn cell by cell. Rules under the names of two columns have a wider one. */
export const RULE_GAP = 3

/** The maximum distance of the ends of rules that meet, or that end at the same edge. */
export const RULE_END = 4

/** The height of a line of text, or of any box. */
export const heightOf = ([, top, , bottom]: BBox): number => bottom - top

/** Whether two edges of text, both left or both right, are the same. `height` is the height of a line. */
export const isSameEdge = (a: number, b: number, height: number): boolean => Math.abs(a - b) < height * EDGE

/** Whether numbers have the same right edge. */
export const isSameNumberEdge = (a: number, b: number, height: number): boolean =>
  Math.abs(a - b) < height * NUMBER_EDGE

/** Whether two boxes have the same baseline. */
export const sameBaseline = (a: BBox, b: BBox): boolean =>
  Math.abs(a[3] - b[3]) < Math.min(heightOf(a), heightOf(b)) * BASELINE

/** Whether one box is right below another. `gap` is the maximum gap between them, in heights of a line. */
export function isBelow(above: BBox, below: BBox, height: number, gap: number): boolean {
  const distance = below[1] - above[3]
  return distance > -height * EDGE && distance < height * gap
}

/** Whether an indent is that of a paragraph's first line, or of hanging lines. */
export const isIndent = (distance: number, height: number): boolean =>
  distance >= height * INDENT[0] && distance <= height * INDENT[1]

/** The usual height of lines: the median. */
export function usualHeight(lines: readonly { bbox: BBox }[]): number {
  const heights = lines.map(({ bbox }) => heightOf(bbox)).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}
