// What the library reads wrong of a page's letters, put right in the order that each step needs.

import type { ParsedPage } from '@llamaindex/liteparse'
import { withDrawnBullets } from './glyphs/drawn-bullets.ts'
import { withIndices } from './glyphs/indices.ts'
import { withRaisedFigures } from './glyphs/raised-figures.ts'
import { withBoxes, withSigns } from './glyphs/signs.ts'
import { withLigatures, withWholeWords } from './glyphs/torn-words.ts'
import { withDrawnUnderscores } from './tex/underscores.ts'

/** The page with its signs, words, exponents, indices and bullets as they stand on it. */
export const mended = (page: ParsedPage): ParsedPage =>
  [
    withSigns,
    withBoxes,
    withWholeWords,
    withLigatures,
    withRaisedFigures,
    withIndices,
    withDrawnBullets,
    withDrawnUnderscores,
  ].reduce((read, mend) => mend(read), page)
