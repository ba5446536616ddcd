// SQL for quoted phrases and literal texts: chunks are found by the words, then checked by a pattern on the text.

import sql, { join, type Sql } from 'sql-template-tag'
import { escapeSigns, inAnyCase } from '../../language/letter-case.ts'
import type { Phrase } from '../query/phrases.ts'

/**
 * The condition that the chunk, its heading or its title contains the phrase, ignoring letter case and spacing. The GIN index
 * finds chunks with its words, and a pattern checks them. Normalising the spacing of each text instead took six times as long.
 */
export const containsPhrase = ({ text, terms }: Phrase): Sql => {
  const containsText = sql`concat_ws(' ', d.title, c.heading, c.text) ~ ${patternInAnyCase(text)}`
  if (terms.length === 0) return containsText
  const words = terms.map((reading) => sql`c.terms @> ${[...reading]}::int[]`)
  return sql`(${join(words, ' OR ')}) AND ${containsText}`
}

// Keyboards have one character for these, word processors and typesetters have several.
const APOSTROPHES = "['‘’ʼ′]"
const HYPHENS = '[-‐‑‒–−]'

// The characters that may be between two words of a sentence. Commas and brackets separate words as spaces do.
const BETWEEN = '[,;:)\\s]*\\s[(\\s]*'

/** The text as a regular expression that matches any spacing, punctuation between words, apostrophes and hyphens. */
export const patternOf = (text: string): string => withAnySigns(escapeSigns(withoutCommas(text)))

/** The same, in any letter case. */
export const patternInAnyCase = (text: string): string => withAnySigns(inAnyCase(withoutCommas(text)))

const withoutCommas = (text: string): string => text.replace(/[,;:]+(?=\s)/g, '')

const withAnySigns = (pattern: string): string =>
  pattern
    .replace(new RegExp(APOSTROPHES, 'g'), APOSTROPHES)
    .replace(new RegExp(HYPHENS, 'g'), HYPHENS)
    .replaceAll(' ', BETWEEN)
