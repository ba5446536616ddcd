// Helpers to replace the words in a part of the page by the words that a crop of this part gives.

import type { Rect } from '../../rasters/grey-image.ts'
import type { LineWord } from '../engine.ts'
import type { Line, Word } from '../recognised.ts'
import { toLine, toWord } from './inserted-words.ts'

/** The lines of a crop, with their positions on the page. */
export const toLines = (lines: readonly (readonly LineWord[])[], { left, top }: Rect): Line[] =>
  lines
    .filter((words) => words.length > 0)
    .map((words) =>
      toLine(
        words.map(toWord).map(({ bbox: { x0, y0, x1, y1 }, ...word }) => ({
          ...word,
          bbox: { x0: left + x0, y0: top + y0, x1: left + x1, y1: top + y1 },
        })),
      ),
    )

/** The lines without their words in the given parts of the page. */
export const withoutWords = (lines: readonly Line[], parts: readonly Rect[]): Line[] =>
  lines.flatMap((line) => {
    const words = line.words.filter((word) => !parts.some((part) => isInRect(word, part)))
    return words.length === 0 ? [] : [{ ...line, words }]
  })

/** Whether the middle of a word is in a part of the page. */
export function isInRect({ bbox: { x0, y0, x1, y1 } }: Word, { left, top, width, height }: Rect): boolean {
  const [x, y] = [(x0 + x1) / 2 - left, (y0 + y1) / 2 - top]
  return x > 0 && x < width && y > 0 && y < height
}
