// The interface of text recognition engines and their result: lines of words with their boxes. Layout and second pass use only
// this.

import type { Rect } from '../rasters/grey-image.ts'

/** Of 100. A word with less is a smudge, a part of a drawing, or of another script. */
export const MIN_WORD_CONFIDENCE = 30

export interface WordBox {
  x0: number
  y0: number
  x1: number
  y1: number
}

export interface Word {
  text: string
  /** 0 to 100. */
  confidence: number
  /** In pixels of the image that was recognised, deskewed. */
  bbox: WordBox
}

export interface Line {
  words: Word[]
  bbox: WordBox
  /** The text with its spaces, if words have no spaces between them, as in Korean. */
  text?: string
}

export interface Recognised {
  /** In any order, because the layout orders them by their positions. */
  lines: Line[]
  /** Radians by which the engine rotated the image about its centre, 0 if it did not. */
  skew: number
}

/** What an image shows: a page, one block of text such as a table cell, or one line. */
export type ImageKind = 'page' | 'block' | 'line'

/** An engine of text recognition: Tesseract, or a server of the operator's. */
export interface Recogniser {
  /** @throws Error when the language has no training data, or the server fails */
  recognise: (image: Buffer, options: RecogniseOptions) => Promise<Recognised>
  /** Whether it can recognise hundreds of crops of a page, which the second pass needs. */
  readsCrops: boolean
  close: () => Promise<void>
}

export interface RecogniseOptions {
  /** Tesseract's code: eng, deu, chi_sim. */
  language: string
  imageKind: ImageKind
  /** A part of the image, in pixels. */
  rect?: Rect
  /** Whether binarization uses a threshold for each neighbourhood instead of one for the image. */
  adaptive?: boolean
}

export const wordsOf = (lines: readonly Line[]): Word[] => lines.flatMap(({ words }) => words)

/** The number of letters and digits. */
export const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Whether a word has a letter or a digit. */
export const hasLetters = ({ text }: Pick<Word, 'text'>): boolean => /[\p{L}\p{N}]/u.test(text)
