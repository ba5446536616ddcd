// Finds the single-byte code page of a text: the one in which the text is most likely in some language. Bytes above 127
// are different letters in each code page, so the letter model of each language rates the text decoded with each of its
// code pages. Of 3,506 texts of 40 letters in 31 languages, on which the constants were fitted, 11 are decoded wrongly;
// chardet fails on 348 of 2,519 of them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import iconv from 'iconv-lite'
import { oldLanguages } from './languages.ts'

export interface CodePage {
  encoding: string
  /** The natural logarithm of the likelihood of everything except ASCII words. */
  likelihood: number
}

type LetterModel = (before: string, letter: string) => number
type RateWord = (word: string) => number

interface Candidate {
  model: LetterModel
  excludedSpelling: RegExp | undefined
  codePages: readonly string[]
}

/** The natural logarithms of the likelihood of all words, and of those that are not ASCII. */
interface Score {
  likelihood: number
  nonAscii: number
}

// The sample is small, since a hundred decodings are rated letter by letter.
const SAMPLE_BYTES = 3000
const CONTEXT_BYTES = 400
// The assumed shares, among all letters, of letters of the alphabet that the most common trigrams lack, of letters of foreign
// words, and of other characters.
const RARE_LETTER_SHARE = 1 / 300
const FOREIGN_LETTER_SHARE = 1 / 2000
const NON_LETTER_SHARE = 1e-5
// The penalty for a spelling that the language excludes; names may break the rules.
const RULED_OUT_PENALTY = -5
// The pseudo-count for estimating a pair from its letter and a trigram from its pair (Dirichlet smoothing).
const SMOOTHING = 400
// The penalty for a typographic sign beside a word, and for one beside digits.
const SIGN_PENALTY = -9
const SIGN_BESIDE_FIGURES_PENALTY = -4
// The penalty for a code page that is not the first of its language, and for a language that is not Western.
const UNUSUAL_PAGE_PENALTY = -4
// The penalty for DOS and Macintosh code pages, so that a single name ("FranÁois") does not decide for them. With -6,
// sentences with a single such letter are decoded wrongly.
const OLD_SYSTEM_PENALTY = -5
// Limits the cache of a language's trigrams: a text has some hundreds, random bytes have ever new ones.
const MAX_CACHED_TRIGRAMS = 5000
// A foreign ASCII word may have its likelihood in the language that it fits best, less this.
const LOAN_PENALTY = 2
// A name from a related language ("Ångström AB" in a German list of customers) may have its likelihood there, less this. With
// 7, six texts of 1,776 are decoded worse, with 9 that list.
const NAME_PENALTY = 8
// The penalty for a capital after a small letter if not both are ASCII: in a wrong code page some small letters are capitals.
const CASE_CHANGE_PENALTY = -4
// Matches "nÁ" and "éB", but not "eB".
const caseChange = /[^\P{Ll}a-z]\p{Lu}|\p{Ll}[^\P{Lu}A-Z]/gu
const WESTERN = 'windows-1252'
const OLD_SYSTEMS = /^(?:cp85\d|macintosh)$/
const latinLetters = "abcdefghijklmnopqrstuvwxyz'"

/** The code page in which a sample is most likely. */
export function likeliestPage(sample: Buffer): CodePage {
  const raters = candidates().map((candidate) => ({
    rateWord: raterOf(candidate),
    codePages: candidate.codePages,
  }))
  const rateInBest = memoize((word) => Math.max(...raters.map(({ rateWord }) => rateWord(word))))
  const texts = memoize((encoding: string) => {
    const text = iconv.decode(sample, encoding)
    return { words: wordsOf(text), casePenalty: CASE_CHANGE_PENALTY * (text.match(caseChange)?.length ?? 0) }
  })
  let best = { encoding: '', totalScore: Number.NEGATIVE_INFINITY, likelihood: 0 }
  for (const { rateWord, codePages } of raters) {
    // Languages with the same code pages, whose names often occur in each other's texts.
    const related = raters.filter((other) => other.codePages[0] === codePages[0])
    const rateInRelated = memoize((word) => Math.max(...related.map((other) => other.rateWord(word))))
    for (const encoding of codePages) {
      const { words, casePenalty } = texts(encoding)
      const { likelihood, nonAscii } = scoreOf(
        words,
        rateWord,
        encoding === codePages[0] ? rateInRelated : rateWord,
        rateInBest,
      )
      const prior = priorOf(encoding, codePages) + casePenalty
      const score = likelihood + prior
      if (score > best.totalScore) best = { encoding, totalScore: score, likelihood: nonAscii + prior }
    }
  }
  return { encoding: best.encoding, likelihood: best.likelihood }
}

const priorOf = (encoding: string, codePages: readonly string[]): number =>
  (encoding === codePages[0] ? 0 : OLD_SYSTEMS.test(encoding) ? OLD_SYSTEM_PENALTY : UNUSUAL_PAGE_PENALTY) +
  (codePages[0] === WESTERN ? 0 : UNUSUAL_PAGE_PENALTY)

/** The lines with bytes above 127, or the text around such bytes if lines are long. */
export function nonAsciiSample(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let size = 0
  for (let at = 0; size < SAMPLE_BYTES; ) {
    const firstOffset = bytes.subarray(at).findIndex((byte) => byte >= 0x80)
    if (firstOffset < 0) break
    const position = at + firstOffset
    const from = Math.max(at, bytes.lastIndexOf(10, position) + 1, position - CONTEXT_BYTES)
    const end = bytes.indexOf(10, position)
    const to = Math.min(end < 0 ? bytes.length : end + 1, position + CONTEXT_BYTES)
    parts.push(bytes.subarray(from, to))
    size += to - from
    at = to
  }
  return Buffer.concat(parts)
}

// Typographic signs where they are usual: before a word, after it, anywhere, or beside digits (L means a letter). Elsewhere the
// byte is a letter of another code page, as in "leto¹nji".
const signsWithoutLetters = '(?<!L)[§£€¥±×½¼¾](?!L)|(?<!L)°'
const sign = new RegExp(
  ['(?<!L)[“„‘‚«¿¡µ©](?=L)', '[”“‘»…º²³¹®](?!L)', '[–—•·\u00a0]', signsWithoutLetters]
    .join('|')
    .replaceAll('L', '[\\p{L}\\p{M}]'),
  'gu',
)

const wordsOf = (text: string): string[] =>
  text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replaceAll('’', "'")
    // All of ASCII except for a to z and the apostrophe.
    .replace(/[^\P{ASCII}a-z']/gu, ' ')
    .replace(sign, ' $& ')
    .split(' ')
    .filter((word) => word !== '')

/** The penalty for a sign between words; undefined for a word. */
function signPenalty(word: string): number | undefined {
  if (word.length > 1 || !/[^\p{L}\p{M}]|µ/u.test(word)) return undefined
  return signsWithoutLetters.includes(word) ? SIGN_BESIDE_FIGURES_PENALTY : SIGN_PENALTY
}

/**
 * The likelihood of all words in a language. ASCII words are the same in every code page: they make a language more likely, but
 * make a language that quotes foreign words little less likely.
 */
function scoreOf(
  words: readonly string[],
  rateWord: RateWord,
  rateInRelated: RateWord,
  rateInBest: RateWord,
): Score {
  const score = { likelihood: 0, nonAscii: 0 }
  for (const word of words) {
    const penalty = signPenalty(word)
    if (penalty !== undefined) {
      score.likelihood += penalty
      score.nonAscii += penalty
    } else if (isAscii(word)) score.likelihood += Math.max(rateWord(word), rateInBest(word) - LOAN_PENALTY)
    else {
      const likelihood = Math.max(rateWord(word), rateInRelated(word) - NAME_PENALTY)
      score.likelihood += likelihood
      score.nonAscii += likelihood
    }
  }
  return score
}

/** The function with a cache of its results. */
export function memoize<T>(compute: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>()
  return (key) => {
    const value = cache.get(key) ?? compute(key)
    cache.set(key, value)
    return value
  }
}

const isAscii = (word: string): boolean => /^\p{ASCII}*$/u.test(word)

/** The likelihood of a word with the space after it. */
const raterOf = ({ model, excludedSpelling }: Candidate): RateWord =>
  memoize((word) => {
    let [sum, previousLetter] = [excludedSpelling?.test(word) ? RULED_OUT_PENALTY : 0, ' ']
    for (const letter of `${word} `) {
      sum += model(previousLetter, letter)
      previousLetter = (previousLetter + letter).slice(-2)
    }
    return sum
  })

let models: readonly Candidate[] | undefined

function candidates(): readonly Candidate[] {
  models ??= readModels()
  return models
}

/** Loaded when first needed: a file of 2 MB with the counts of 471 languages, of which 38 are used. */
function readModels(): Candidate[] {
  const path = createRequire(import.meta.url).resolve('trigrams/lib/top.json')
  const counts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, number>>
  return oldLanguages.map(({ trigrams, letters, codePages, excludedSpelling }) => ({
    model: modelOf(counts[trigrams] ?? {}, letters),
    codePages,
    excludedSpelling,
  }))
}

/** A model that gives the logarithm of the probability of a letter after the two before it. */
function modelOf(trigrams: Record<string, number>, letters: string): LetterModel {
  const [unigrams, bigrams, trigramCounts] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const add = (counts: Map<string, number>, key: string, count: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  let total = 0
  for (const [key, count] of Object.entries(trigrams)) {
    // These code pages have the Romanian letters only with a cedilla.
    const trigram = key.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')
    total += count
    trigramCounts.set(trigram, count)
    // A pair is in two trigrams, a letter in three.
    for (const pair of [trigram.slice(0, 2), trigram.slice(1)]) add(bigrams, pair, count / 2)
    for (const letter of trigram) add(unigrams, letter, count / 3)
  }
  for (const letter of letters) add(unigrams, letter, total * RARE_LETTER_SHARE)
  for (const letter of latinLetters) add(unigrams, letter, total * FOREIGN_LETTER_SHARE)
  const totalCount = [...unigrams.values()].reduce((sum, count) => sum + count, 0)
  const cache = new Map<string, number>()
  return (letters, letter) => {
    const key = letters + letter
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const last = letters.slice(-1)
    const unigramShare = (unigrams.get(letter) ?? totalCount * NON_LETTER_SHARE) / totalCount
    const bigramShare =
      ((bigrams.get(last + letter) ?? 0) + SMOOTHING * unigramShare) / ((unigrams.get(last) ?? 0) + SMOOTHING)
    const trigramShare =
      ((trigramCounts.get(key) ?? 0) + SMOOTHING * bigramShare) / ((bigrams.get(letters) ?? 0) + SMOOTHING)
    if (cache.size >= MAX_CACHED_TRIGRAMS) cache.clear()
    cache.set(key, Math.log(trigramShare))
    return Math.log(trigramShare)
  }
}
