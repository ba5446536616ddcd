// What is known while a page is looked at, and what a look at it gave.

import type { Angle } from '../formats/exif-orientation.ts'
import type { Reader, Recognised } from './engine.ts'

/** Where and how to look; what was found out about one page is the first guess for the next. */
export interface Look {
  reader: Reader
  path: string
  angle: Angle
  language: string
  /** A page has been read well with both; before that the middle of a page is looked at first. */
  settled: boolean
  /** Tells that the work goes on, a page may be looked at six times; and how much of its parts is read, 0 to 1. */
  step: (share?: number) => void
}

export interface Sight extends Recognised {
  angle: Angle
  language: string
  pixelsPerPoint: number
  /** Lines of it were no text in any language asked for. */
  leftOut?: boolean
}

// Upright text of any quality stays above this; lying on its side it falls to .3 to .5.
const DOUBTFUL_CONFIDENCE = 0.65
// A table drawn upside down and turned by 90° read with .90, its columns one after the other.
export const LEVEL_SHARE = 0.5

export const isClear = ({ confidence, words, level }: Recognised): boolean =>
  confidence >= DOUBTFUL_CONFIDENCE && words > 0 && level >= LEVEL_SHARE

// Told apart by their stop words.
export const inLatin: ReadonlySet<string> = new Set('eng deu fra spa ita por nld swe dan nor fin'.split(' '))
