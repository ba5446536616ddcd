// Finds the most likely East Asian encoding of a text: the one in which the text has common characters and words of Japanese,
// Chinese or Korean. In a wrong encoding two bytes are another character, which is mostly rare and forms no words.

import iconv from 'iconv-lite'
import { memoize } from './code-pages.ts'

export interface EastAsian {
  encoding: string
  /** The natural logarithm of the likelihood of everything except ASCII words. */
  likelihood: number
}

interface WritingSystem {
  encodings: readonly string[]
  /** The bytes of common characters: the first byte is between `from` and `to`, the second is at least `trail`. */
  commonRange: { encoding: string; from: number; to: number; trail: number }
  /** The characters that make up most of its texts and that no other language uses. */
  ownLetters?: RegExp
}

// Natural logarithms of the frequency of a character. 83 kana make up a third of Japanese, and 140 syllables two thirds of
// Korean. About 3,000 characters or syllables of daily use make up the rest, and all of Chinese.
const OWN_LETTER = -5.5
const COMMON_CHARACTER = -9
const RARE_CHARACTER = -12.5
const PUNCTUATION = -6
const FOREIGN_CHARACTER = -15
const INVALID_BYTES = -20
// The logarithms for a word of two characters that the segmenter knows, and for each further character. 20,000 words make up
// most of a text.
const TWO_CHARACTER_WORD = -11
const FURTHER_CHARACTER = -2
// The logarithms for an ASCII letter beside East Asian characters, and for each change between the two scripts.
const ASCII_LETTER = -3.3
const SCRIPT_CHANGE = -4
// East Asian encodings are less common than the code pages of Western Europe.
const PRIOR = -6
// Half-width katakana are single bytes, so any single-byte text contains many.
const HALF_WIDTH_KATAKANA = -5

// The syllables of the most common Korean trigrams in the package `trigrams`.
const FREQUENT_HANGUL =
  /[가간거게격경계고공과관교구국권규그근기나노누느는능니다단당대도동되된될든등따떠또라람러로록롭른를리만며모목무및반받발벌범별보부비사산생서선섭수술시신실아야어언엄업없에여연예와완요우위유육으은을의이익인일있자장재적전접정제족존종죄중지진집차참체초치타터포필하학한할함합행향형호혼활회]/

const writingSystems: readonly WritingSystem[] = [
  {
    encodings: ['shift_jis', 'euc-jp'],
    commonRange: { encoding: 'euc-jp', from: 0xb0, to: 0xcf, trail: 0xa1 },
    ownLetters: /[\u3005\u3041-\u3096\u30a1-\u30fc]/,
  },
  {
    encodings: ['gb18030'],
    commonRange: { encoding: 'gb18030', from: 0xb0, to: 0xd7, trail: 0xa1 },
  },
  { encodings: ['big5'], commonRange: { encoding: 'big5', from: 0xa4, to: 0xc6, trail: 0x40 } },
  {
    encodings: ['euc-kr'],
    commonRange: { encoding: 'euc-kr', from: 0xb0, to: 0xc8, trail: 0xa1 },
    ownLetters: FREQUENT_HANGUL,
  },
]

export const eastAsian: readonly string[] = writingSystems.flatMap(({ encodings }) => encodings)

/** The most likely of the five encodings, however unlikely. */
export function likeliestEastAsian(bytes: Buffer): EastAsian {
  let best = { encoding: '', likelihood: Number.NEGATIVE_INFINITY }
  for (const system of writingSystems) {
    const rateLetter = memoize((letter) => letterLikelihood(letter, system))
    for (const encoding of system.encodings) {
      const likelihood = PRIOR + textLikelihood(iconv.decode(bytes, encoding), rateLetter)
      if (likelihood > best.likelihood) best = { encoding, likelihood }
    }
  }
  return best
}

function textLikelihood(text: string, rateLetter: (letter: string) => number): number {
  let sum = 0
  for (const [run] of text.matchAll(/\P{ASCII}+/gu)) {
    for (const { segment } of segmenter.segment(run)) {
      const letters = [...segment]
      const asLetters = letters.reduce((all, letter) => all + rateLetter(letter), 0)
      const asWord = TWO_CHARACTER_WORD + FURTHER_CHARACTER * (letters.length - 2)
      const isHanWord = letters.length > 1 && /^\p{Script=Han}+$/u.test(segment)
      sum += isHanWord ? Math.max(asLetters, asWord) : asLetters
    }
  }
  // ASCII letters beside East Asian characters are rated too, because a code page rates the whole word.
  for (const [run] of text.matchAll(/(?<=\P{ASCII})[a-z]+|[a-z]+(?=\P{ASCII})/giu))
    sum += ASCII_LETTER * run.length
  for (const _ of text.matchAll(/(?<=\P{ASCII})(?=[a-z])|(?<=[a-z])(?=\P{ASCII})/giu)) sum += SCRIPT_CHANGE
  return sum
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

function letterLikelihood(letter: string, { commonRange, ownLetters }: WritingSystem): number {
  if (letter === '\ufffd') return INVALID_BYTES
  if (ownLetters?.test(letter)) return OWN_LETTER
  // Half-width katakana.
  if (/[\uff61-\uff9f]/.test(letter)) return ownLetters ? HALF_WIDTH_KATAKANA : FOREIGN_CHARACTER
  if (/[\u3000-\u303f\uff01-\uff5e·—…“”‘’]/.test(letter)) return PUNCTUATION
  if (!/[\p{Script=Han}\p{Script=Hangul}]/u.test(letter)) return FOREIGN_CHARACTER
  const [lead = 0, trail = 0] = iconv.encode(letter, commonRange.encoding)
  const isCommon = lead >= commonRange.from && lead <= commonRange.to && trail >= commonRange.trail
  return isCommon ? COMMON_CHARACTER : RARE_CHARACTER
}
