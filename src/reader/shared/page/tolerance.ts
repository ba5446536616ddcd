// What counts as equal or near on a page, with one number for each meaning and for every kind of page (PDF, picture, slide).
// All but the last group are shares of the height of a line of text. That is the box of its letters from ascent to descent,
// about 1.15 times the font size, so that 0.2 is 2.3 points for type of 10 points.

import type { BBox } from '../../block.ts'

/**
 * Maximum difference of texts with the same left edge, right edge or middle. Rounding and the side bearings of letters move
 * them by up to 0.15; the narrowest indent seen is 0.5.
 */
export const EDGE = 0.18

/**
 * Maximum difference of the right edges of figures in one column. A closing bracket or a per cent sign extends by up to 0.4.
 */
const FIGURE_EDGE = 0.45

/**
 * Maximum difference of the lower edges of texts on one line. Boxes with and without descenders differ by 0.2, a checkbox and
 * its text by 0.35.
 */
export const BASELINE = 0.36

/**
 * Distance from one line to the next of the same text (heading, cell, paragraph), lower edge to lower edge. Without extra line
 * spacing it is 1.
 */
export const LINE_PITCH = 1.5

/** Distance from one row to the next of the same table or list, with space or a rule between them. */
export const ROW_PITCH = 2.6

/** Distance from one row to the next with a blank row or a band of colour between them. */
export const BLANK_ROW_PITCH = 4.2

/** Gap between a text and its next line (lower edge to upper edge). */
export const LINE_GAP = 0.7

/** Gap between paragraphs that follow each other without a blank line. */
export const PARAGRAPH_GAP = 0.9

/**
 * The indent of a first line, of hanging lines, or of a level of a list. A smaller one is an inexact edge, a larger one is
 * another column.
 */
export const INDENT = [0.5, 6] as const

/** Two sizes of type are equal if they differ by no more than this factor: 11.96 points is 12. */
export const SAME_SIZE = 1.06

/** Type that is larger by this factor is as large as a heading. Superscripts make a line of the same type 1.1 times as high. */
export const LARGER_SIZE = 1.15

// Points, whatever the type size, because the width and distance of drawn lines do not depend on the letters beside them.

/** The maximum difference of a block's box from the boxes of its letters. */
export const BLOCK_EDGE = 1

/** Two rules with a smaller difference are one: borders are drawn cell by cell, each slightly off. */
export const SAME_RULE = 2

/** Two pieces with a smaller gap are one rule, drawn cell by cell. Rules under the names of two columns are further apart. */
export const RULE_GAP = 3

/** The maximum distance of the ends of rules that meet, or that end at one edge. */
export const RULE_END = 4

/** The height of a line of text, or of any box. */
export const heightOf = ([, top, , bottom]: BBox): number => bottom - top

/** Whether two edges of text, both left or both right, are the same. `height` is that of a line. */
export const sameEdge = (a: number, b: number, height: number): boolean => Math.abs(a - b) < height * EDGE

/** Whether figures have the same right edge. */
export const sameFigureEdge = (a: number, b: number, height: number): boolean =>
  Math.abs(a - b) < height * FIGURE_EDGE

/** Whether two boxes have the same baseline. */
export const sameBaseline = (a: BBox, b: BBox): boolean =>
  Math.abs(a[3] - b[3]) < Math.min(heightOf(a), heightOf(b)) * BASELINE

/** Whether one box is right below another. `gap` is the maximum gap between them, in heights of a line. */
export function isBelow(above: BBox, below: BBox, height: number, gap: number): boolean {
  const white = below[1] - above[3]
  return white > -height * EDGE && white < height * gap
}

/** Whether an indent is that of a paragraph's first line, or of hanging lines. */
export const isIndent = (distance: number, height: number): boolean =>
  distance >= height * INDENT[0] && distance <= height * INDENT[1]

/** The typical height of lines: the median. */
export function usualHeight(lines: readonly { bbox: BBox }[]): number {
  const heights = lines.map(({ bbox }) => heightOf(bbox)).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}
