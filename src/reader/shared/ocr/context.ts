// The state that OCR passes share, and the result of a pass over a page.

import type { Angle } from '../rasters/exif-orientation.ts'
import type { OcrEngine, Recognition } from './engine.ts'

/** How to recognise a page. The angle and language of one page are the first guess for the next. */
export interface OcrContext {
  engine: OcrEngine
  path: string
  angle: Angle
  language: string
  /** Whether a page was recognised reliably with this angle and language. Until then the middle of a page is tried first. */
  isSettled: boolean
  /** Reports progress, also within a page, which may take six passes. `share` is how much of a pass is done, 0 to 1. */
  progress: (share?: number) => void
}

export interface PageRecognition extends Recognition {
  angle: Angle
  language: string
  pixelsPerPoint: number
}

// Upright text of any quality has a higher confidence. Text that is rotated by 90° has .3 to .5.
const MIN_RELIABLE_CONFIDENCE = 0.65
// Confidence alone is not enough: text that runs up or down may have a high one, although its lines are in the wrong order.
export const MIN_HORIZONTAL_SHARE = 0.5

export const isReliable = ({ confidence, confidentWords, horizontalShare }: Recognition): boolean =>
  confidence >= MIN_RELIABLE_CONFIDENCE && confidentWords > 0 && horizontalShare >= MIN_HORIZONTAL_SHARE

/** Languages in Latin script. Their stop words distinguish them. */
export const latinLanguages: ReadonlySet<string> = new Set(
  'eng deu fra spa ita por nld swe dan nor fin'.split(' '),
)
