// In which encoding of East Asia a text is, and how likely: what its bytes give must be letters that Japanese, Chinese or
// Korean is written with, and their words. Two bytes mean another letter in each, as rare as the words it would make.

import iconv from 'iconv-lite'

export interface EastAsian {
  encoding: string
  /** Natural logarithm of the likelihood of all that is no plain word of ASCII. */
  likelihood: number
}

interface Writing {
  encodings: readonly string[]
  /** Where each standard has its letters of daily use together, by the first of two bytes. */
  rows: { encoding: string; from: number; to: number; trail: number }
  /** Of which most of its texts are made, and no other's. */
  own?: RegExp
}

// Logarithms of shares: 83 kana are a third of Japanese, 140 syllables two thirds of Korean, and some 3,000 characters or
// syllables in daily use the rest, as of Chinese.
const OWN = -5.5
const COMMON = -9
const RARE = -12.5
const SIGN = -6
const NEVER = -15
const BROKEN = -20
// A word of two characters from the dictionary, and what each further one adds: 20,000 words are most of a text.
const WORD = -11
const LONGER = -2
// An ASCII letter in a word beside one of East Asia, as words of a code page pay for theirs, and each place where two meet.
const BESIDE = -3.3
const MEETING = -4
// Less usual than the code pages of Western Europe.
const PRIOR = -6
// Katakana of a single byte: any text of single bytes is full of them.
const HALF_WIDTH = -5

// Those of the commonest trigrams of the package of that name.
const FREQUENT =
  /[가간거게격경계고공과관교구국권규그근기나노누느는능니다단당대도동되된될든등따떠또라람러로록롭른를리만며모목무및반받발벌범별보부비사산생서선섭수술시신실아야어언엄업없에여연예와완요우위유육으은을의이익인일있자장재적전접정제족존종죄중지진집차참체초치타터포필하학한할함합행향형호혼활회]/

const writings: readonly Writing[] = [
  {
    encodings: ['shift_jis', 'euc-jp'],
    rows: { encoding: 'euc-jp', from: 0xb0, to: 0xcf, trail: 0xa1 },
    own: /[\u3005\u3041-\u3096\u30a1-\u30fc]/,
  },
  {
    encodings: ['gb18030'],
    rows: { encoding: 'gb18030', from: 0xb0, to: 0xd7, trail: 0xa1 },
  },
  { encodings: ['big5'], rows: { encoding: 'big5', from: 0xa4, to: 0xc6, trail: 0x40 } },
  { encodings: ['euc-kr'], rows: { encoding: 'euc-kr', from: 0xb0, to: 0xc8, trail: 0xa1 }, own: FREQUENT },
]

/** The likeliest of the five encodings, however unlikely. */
export function likeliestEastAsian(bytes: Buffer): EastAsian {
  let best = { encoding: '', likelihood: Number.NEGATIVE_INFINITY }
  for (const writing of writings) {
    const cost = remembered((letter) => costOf(letter, writing))
    for (const encoding of writing.encodings) {
      const likelihood = PRIOR + likelihoodOf(iconv.decode(bytes, encoding), cost)
      if (likelihood > best.likelihood) best = { encoding, likelihood }
    }
  }
  return best
}

function likelihoodOf(text: string, cost: (letter: string) => number): number {
  let sum = 0
  for (const [run] of text.matchAll(/\P{ASCII}+/gu)) {
    for (const { segment } of segmenter.segment(run)) {
      const letters = [...segment]
      const single = letters.reduce((all, letter) => all + cost(letter), 0)
      const word = letters.length > 1 && /^\p{Script=Han}+$/u.test(segment)
      sum += word ? Math.max(single, WORD + LONGER * (letters.length - 2)) : single
    }
  }
  // As many letters are to be explained as in a code page.
  for (const [run] of text.matchAll(/(?<=\P{ASCII})[a-z]+|[a-z]+(?=\P{ASCII})/giu)) sum += BESIDE * run.length
  for (const _ of text.matchAll(/(?<=\P{ASCII})(?=[a-z])|(?<=[a-z])(?=\P{ASCII})/giu)) sum += MEETING
  return sum
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

function costOf(letter: string, { rows, own }: Writing): number {
  if (letter === '\ufffd') return BROKEN
  if (own?.test(letter)) return OWN
  if (/[\uff61-\uff9f]/.test(letter)) return own ? HALF_WIDTH : NEVER
  if (/[\u3000-\u303f\uff01-\uff5e·—…“”‘’]/.test(letter)) return SIGN
  if (!/[\p{Script=Han}\p{Script=Hangul}]/u.test(letter)) return NEVER
  const [lead = 0, trail = 0] = iconv.encode(letter, rows.encoding)
  return lead >= rows.from && lead <= rows.to && trail >= rows.trail ? COMMON : RARE
}

function remembered(ask: (letter: string) => number): (letter: string) => number {
  const known = new Map<string, number>()
  return (letter) => {
    const found = known.get(letter) ?? ask(letter)
    known.set(letter, found)
    return found
  }
}
