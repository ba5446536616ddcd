// Decides whether the text of a page is garbled. This runs on every page, so ASCII letters are counted in a loop: regular
// expressions would take a tenth of the time of a page.

import { readsAsLanguage } from '../../../../language/guess.ts'

// Text of any language in Latin letters has 30 to 50 % vowels, unlike a font with a shifted alphabet.
const VOWEL_SHARE_RANGE = [0.2, 0.65] as const
const MAX_UNREADABLE_SHARE = 0.05
// The share of letters in runs of four consonants, or in words of three consonants. It is at most 8 % on 1,801 pages of
// filings, papers and manuals. German and Dutch compounds reach 30 %, but short words show their language. With this limit 94 %
// of shuffled alphabets are found, without it 38 %.
const MAX_CONSONANT_RUN_SHARE = 0.12
// Shorter texts are not judged: a part number, a unit, a name.
const MIN_LETTERS = 30

/** Whether the letters form no words of any language, because a font maps its glyphs to wrong letters. */
export function looksGarbled(text: string): boolean {
  const { ascii, nonAscii: nonAsciiText } = countLetters(text)
  if (countOf(nonAsciiText, /[\ufffd\p{Co}\p{Cn}]/gu) > text.length * MAX_UNREADABLE_SHARE) return true
  const latin = ascii.letters + countOf(nonAsciiText, /\p{Script=Latin}/gu)
  if (latin < MIN_LETTERS || latin < text.length / 3) return false
  const vowels = ascii.vowels + countOf(nonAsciiText.normalize('NFD'), /[aeiouy]/giu)
  const hasUnusualLetters =
    vowels < latin * VOWEL_SHARE_RANGE[0] ||
    vowels > latin * VOWEL_SHARE_RANGE[1] ||
    lettersInConsonantRuns(text) > latin * MAX_CONSONANT_RUN_SHARE
  return hasUnusualLetters && !readsAsLanguage(text)
}

const CONSONANT_RUNS = /[b-df-hj-np-tv-xz]{4,}|(?<![a-z])[b-df-hj-np-tv-xz]{3}(?![a-z])/gi

const lettersInConsonantRuns = (text: string): number =>
  (text.match(CONSONANT_RUNS) ?? []).reduce((sum, { length }) => sum + length, 0)

/** The number of letters and digits of any script. */
export function letterCount(text: string): number {
  const { ascii, nonAscii: nonAsciiText } = countLetters(text)
  return ascii.letters + ascii.digits + countOf(nonAsciiText, /[\p{L}\p{N}]/gu)
}

interface LetterCounts {
  ascii: { letters: number; vowels: number; digits: number }
  /** The characters that are not ASCII. */
  nonAscii: string
}

function countLetters(text: string): LetterCounts {
  const ascii = { letters: 0, vowels: 0, digits: 0 }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (isBetween(unit | 0x20, 0x61, 0x7a)) {
      ascii.letters++
      if (VOWEL_UNITS.has(unit | 0x20)) ascii.vowels++
    } else if (isBetween(unit, 0x30, 0x39)) ascii.digits++
  }
  return { ascii, nonAscii: text.replace(ASCII, '') }
}

const VOWEL_UNITS: ReadonlySet<number> = new Set([...'aeiouy'].map((vowel) => vowel.charCodeAt(0)))
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /[\x00-\x7f]+/g

const isBetween = (unit: number, from: number, to: number): boolean => unit >= from && unit <= to

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
