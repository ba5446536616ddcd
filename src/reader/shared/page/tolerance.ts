// What counts as equal or near on a page: one meaning and one number each, for every kind of page (PDF, picture, slide).
// All but the last group are shares of the height of a line of text: the box of its letters from ascent to descent, about
// 1.15 times the font size, so that 0.2 is 2.3 points in type of 10.

import type { BBox } from '../../block.ts'

/**
 * Places of texts that are set on one line down the page: left edges, right edges or the middles of centred lines. Rounding
 * and the side bearings of letters move them by up to 0.15; the narrowest indent seen is 0.5.
 */
export const EDGE = 0.18

/** Right edges of the figures of one column: a closing bracket or a per cent sign stands out by up to 0.4. */
const FIGURE_EDGE = 0.45

/** Lower edges of texts on one line: boxes with and without descenders differ by 0.2, a box to be ticked from its text by 0.35. */
export const BASELINE = 0.36

/** From one line to the next of the same text (heading, cell, paragraph), lower edge to lower edge. Set solid it is 1. */
export const LINE_PITCH = 1.5

/** From one row to the next of the same table or list, with room or a rule between them. */
export const ROW_PITCH = 2.6

/** The same with a blank row, or a band of colour, between the rows. */
export const BLANK_ROW_PITCH = 4.2

/** White between a text and the next line of it (lower edge to upper edge). */
export const LINE_GAP = 0.7

/** White between paragraphs that follow each other without a blank line. */
export const PARAGRAPH_GAP = 0.9

/** An indent of a first line, of a hanging one or of a level of a list: less is an edge that is off, more is another column. */
export const INDENT = [0.5, 6] as const

/** Two sizes of type are one when they differ by no more than this factor: 11.96 points is 12. */
export const SAME_SIZE = 1.06

/** Type that is larger by this factor stands out as a heading does; raised marks make a line of the same type 1.1 as high. */
export const LARGER_SIZE = 1.15

// Points, whatever the type: drawn lines are as wide and as far apart as the pen, not as the letters beside them.

/** The box of a block may be this far off the boxes of its letters. */
export const BLOCK_EDGE = 1

/** Two rules are one: borders are drawn cell by cell, each a little off. */
export const SAME_RULE = 2

/** Two pieces are one rule, drawn cell by cell; rules under the names of two columns stand further apart. */
export const RULE_GAP = 3

/** The ends of rules meet, or end on one edge. */
export const RULE_END = 4

/** The height of a line of text, or of any box. */
export const heightOf = ([, top, , bottom]: BBox): number => bottom - top

/** Whether two edges of text, both left or both right, are one; `height` is that of a line. */
export const sameEdge = (a: number, b: number, height: number): boolean => Math.abs(a - b) < height * EDGE

/** Whether figures end on one right edge. */
export const sameFigureEdge = (a: number, b: number, height: number): boolean =>
  Math.abs(a - b) < height * FIGURE_EDGE

/** Whether two boxes stand on one baseline. */
export const sameBaseline = (a: BBox, b: BBox): boolean =>
  Math.abs(a[3] - b[3]) < Math.min(heightOf(a), heightOf(b)) * BASELINE

/** Whether one box stands right below another; `gap` is the most white between them, in heights of a line. */
export function isBelow(above: BBox, below: BBox, height: number, gap: number): boolean {
  const white = below[1] - above[3]
  return white > -height * EDGE && white < height * gap
}

/** Whether an indent is that of a paragraph's first line, or of lines that hang. */
export const isIndent = (distance: number, height: number): boolean =>
  distance >= height * INDENT[0] && distance <= height * INDENT[1]

/** The usual height of lines: the median. */
export function usualHeight(lines: readonly { bbox: BBox }[]): number {
  const heights = lines.map(({ bbox }) => heightOf(bbox)).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}
