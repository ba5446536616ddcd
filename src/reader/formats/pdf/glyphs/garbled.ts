// Whether the text of a page is garbled. This runs on every page, so letters are counted one by one: regular expressions took a
// tenth of the time of a page.

import { readsAsLanguage } from '../../../../language/guess.ts'

// Text of any language in Latin letters has 30 to 50 % vowels, unlike a font with a shifted alphabet.
const VOWEL_SHARES = [0.2, 0.65] as const
const MAX_UNREADABLE_SHARE = 0.05
// Share of letters in runs of four consonants, or in words of three. 1,801 pages of filings, papers and manuals have at most 8
// %. German and Dutch compounds have up to 30 %, but there short words show the language. Of shuffled alphabets, 94 % have more
// than this; without this test only 38 % were found.
const MAX_CONSONANT_RUN_SHARE = 0.12
// Shorter texts show nothing: a part number, a unit, a name.
const MIN_LETTERS = 30

/** Whether the letters form no words of any language, because a font maps its glyphs to wrong letters. */
export function looksGarbled(text: string): boolean {
  const { ascii, nonAscii: rest } = countLetters(text)
  if (countOf(rest, /[\ufffd\p{Co}\p{Cn}]/gu) > text.length * MAX_UNREADABLE_SHARE) return true
  const latin = ascii.letters + countOf(rest, /\p{Script=Latin}/gu)
  if (latin < MIN_LETTERS || latin < text.length / 3) return false
  const vowels = ascii.vowels + countOf(rest.normalize('NFD'), /[aeiouy]/giu)
  const unusualLetters =
    vowels < latin * VOWEL_SHARES[0] ||
    vowels > latin * VOWEL_SHARES[1] ||
    lettersInConsonantRuns(text) > latin * MAX_CONSONANT_RUN_SHARE
  return unusualLetters && !readsAsLanguage(text)
}

const CONSONANT_RUNS = /[b-df-hj-np-tv-xz]{4,}|(?<![a-z])[b-df-hj-np-tv-xz]{3}(?![a-z])/gi

const lettersInConsonantRuns = (text: string): number =>
  (text.match(CONSONANT_RUNS) ?? []).reduce((sum, { length }) => sum + length, 0)

/** The number of letters and digits of any script. */
export function letterCount(text: string): number {
  const { ascii, nonAscii: rest } = countLetters(text)
  return ascii.letters + ascii.digits + countOf(rest, /[\p{L}\p{N}]/gu)
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
