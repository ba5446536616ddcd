// Lines and words of Tesseract's nested result.

import type { Block, Line, Word } from 'tesseract.js'

export const linesOf = (blocks: readonly Block[]): Line[] =>
  blocks.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))

export const wordsOf = (blocks: readonly Block[]): Word[] => linesOf(blocks).flatMap(({ words }) => words)

/** Tesseract's blocks with each line replaced. */
export const mapLines = (blocks: readonly Block[], change: (line: Line) => Line): Block[] =>
  blocks.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({ ...paragraph, lines: paragraph.lines.map(change) })),
  }))

/** The number of letters and digits. */
export const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Whether a word has a letter or a digit. */
export const hasLetters = ({ text }: Pick<Word, 'text'>): boolean => /[\p{L}\p{N}]/u.test(text)
