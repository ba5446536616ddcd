// The paragraphs of a plain text: a text file, the text of a mail or of another file.

import type { Block } from '../../block.ts'
import { joinHyphenated } from './clean.ts'

// Text without blank lines, such as a log, is split at line ends into pieces of about this size.
const MAX_PIECE_CHARACTERS = 4000

/** The paragraphs of a text, separated by blank lines. */
export function* textBlocks(text: string): Generator<Block> {
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('\n\n', at)
    const end = next === -1 ? text.length : next
    for (const piece of pieces(text.slice(at, end))) {
      if (piece.trim() !== '') yield { kind: 'paragraph', text: joinHyphenated(piece) }
    }
    at = end + 2
  }
}

function* pieces(paragraph: string): Generator<string> {
  let start = 0
  while (paragraph.length - start > MAX_PIECE_CHARACTERS) {
    const line = paragraph.lastIndexOf('\n', start + MAX_PIECE_CHARACTERS)
    // A single line longer than a piece is not cut here; the chunker does that between words.
    const end = line > start ? line : paragraph.indexOf('\n', start + MAX_PIECE_CHARACTERS)
    if (end === -1) break
    yield paragraph.slice(start, end)
    start = end + 1
  }
  yield paragraph.slice(start)
}
