// Finds the single-byte code page of a text: the one in which the text is most likely in some language. Bytes above 127
// are different letters in each code page, so the letter model of each language rates the text decoded with each of its
// code pages. Of 3,506 texts of 40 letters in 31 languages 11 were decoded wrongly (the constants were tuned on these);
// chardet failed on 348 of 2,519 of them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import iconv from 'iconv-lite'
import { oldLanguages } from './languages.ts'

export interface CodePage {
  encoding: string
  /** The natural logarithm of the likelihood of everything except ASCII words. */
  likelihood: number
}

type Model = (before: string, letter: string) => number
type Judge = (word: string) => number

interface Candidate {
  model: Model
  never: RegExp | undefined
  pages: readonly string[]
}

/** Logarithms: of all words, and of those that are not ASCII. */
interface Score {
  likelihood: number
  nonAscii: number
}

// The sample is small, since a hundred decodings are rated letter by letter.
const SAMPLE_BYTES = 3000
const LINE_BYTES = 400
// Letters of the alphabet that are missing in the most common trigrams, letters of foreign words, and non-letters.
const RARE = 1 / 300
const FOREIGN = 1 / 2000
const IMPOSSIBLE = 1e-5
// The penalty for a spelling that the language rules out; names may break the rules.
const RULED_OUT = -5
// The pseudo-count for estimating a pair from its letter and a trigram from its pair (Dirichlet smoothing).
const SMOOTHING = 400
// The penalties for signs between words and beside digits, and for a code page that is not the first of its language.
const SIGN = -9
const BESIDE_FIGURES = -4
const UNUSUAL = -4
// The penalty for DOS and Macintosh code pages, so that a single name does not decide for them (FranÁois). With 6, sentences
// with a single such letter are decoded wrongly.
const OLD_SYSTEM = -5
// Limits the cache of a language's trigrams: a text has some hundreds, noise has endless new ones.
const MAX_KNOWN = 5000
// The penalty for a word of another language, added to its cost in the language that it fits best.
const LOAN = 2
// The penalty for a name from a related language ("Ångström AB" in a German list of customers). With 7, six texts of 1,776 are
// decoded worse, with 9 that list.
const NAME = 8
// The penalty for a capital after a small letter if not both are ASCII, since small letters are capitals in another code page.
const TURN = -4
const turn = /[^\P{Ll}a-z]\p{Lu}|\p{Ll}[^\P{Lu}A-Z]/gu
const WESTERN = 'windows-1252'
const OLD_SYSTEMS = /^(?:cp85\d|macintosh)$/
const latin = "abcdefghijklmnopqrstuvwxyz'"

/** The most likely code page of a sample. */
export function likeliestPage(sample: Buffer): CodePage {
  const judges = candidates().map((candidate) => ({ judge: judgeOf(candidate), pages: candidate.pages }))
  const inBest = memoize((word) => Math.max(...judges.map(({ judge }) => judge(word))))
  const texts = memoize((encoding: string) => {
    const text = iconv.decode(sample, encoding)
    return { words: wordsOf(text), turns: TURN * (text.match(turn)?.length ?? 0) }
  })
  let best = { encoding: '', whole: Number.NEGATIVE_INFINITY, likelihood: 0 }
  for (const { judge, pages } of judges) {
    // Languages with the same code pages, between which names are exchanged.
    const related = judges.filter((other) => other.pages[0] === pages[0])
    const inRelated = memoize((word) => Math.max(...related.map((other) => other.judge(word))))
    for (const encoding of pages) {
      const { words, turns } = texts(encoding)
      const { likelihood, nonAscii } = scoreOf(
        words,
        judge,
        encoding === pages[0] ? inRelated : judge,
        inBest,
      )
      const prior = priorOf(encoding, pages) + turns
      const score = likelihood + prior
      if (score > best.whole) best = { encoding, whole: score, likelihood: nonAscii + prior }
    }
  }
  return { encoding: best.encoding, likelihood: best.likelihood }
}

const priorOf = (encoding: string, pages: readonly string[]): number =>
  (encoding === pages[0] ? 0 : OLD_SYSTEMS.test(encoding) ? OLD_SYSTEM : UNUSUAL) +
  (pages[0] === WESTERN ? 0 : UNUSUAL)

/** The lines with bytes above 127, or the text around such bytes if lines are long. */
export function nonAsciiSample(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let size = 0
  for (let at = 0; size < SAMPLE_BYTES; ) {
    const firstOffset = bytes.subarray(at).findIndex((byte) => byte >= 0x80)
    if (firstOffset < 0) break
    const position = at + firstOffset
    const from = Math.max(at, bytes.lastIndexOf(10, position) + 1, position - LINE_BYTES)
    const end = bytes.indexOf(10, position)
    const to = Math.min(end < 0 ? bytes.length : end + 1, position + LINE_BYTES)
    parts.push(bytes.subarray(from, to))
    size += to - from
    at = to
  }
  return Buffer.concat(parts)
}

// Typographic signs: before a word, after it, anywhere, beside digits. Elsewhere they are letters of another code page:
// "leto¹nji".
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
    .replace(/[^\P{ASCII}a-z']/gu, ' ')
    .replace(sign, ' $& ')
    .split(' ')
    .filter((word) => word !== '')

/**
 * The penalty for a sign between words; undefined for a word. Single quotes are more often letters of another code
 * page.
 */
function signCost(word: string): number | undefined {
  if (word.length > 1 || !/[^\p{L}\p{M}]|µ/u.test(word)) return undefined
  return signsWithoutLetters.includes(word) ? BESIDE_FIGURES : SIGN
}

/** ASCII words are the same in every code page. They count for a language, but not against one that quotes them. */
function scoreOf(words: readonly string[], judge: Judge, inRelated: Judge, inBest: Judge): Score {
  const score = { likelihood: 0, nonAscii: 0 }
  for (const word of words) {
    const cost = signCost(word)
    if (cost !== undefined) {
      score.likelihood += cost
      score.nonAscii += cost
    } else if (isAscii(word)) score.likelihood += Math.max(judge(word), inBest(word) - LOAN)
    else {
      const likelihood = Math.max(judge(word), inRelated(word) - NAME)
      score.likelihood += likelihood
      score.nonAscii += likelihood
    }
  }
  return score
}

/** The function with a cache of its results. */
export function memoize<T>(ask: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>()
  return (key) => {
    const value = cache.get(key) ?? ask(key)
    cache.set(key, value)
    return value
  }
}

const isAscii = (word: string): boolean => /^\p{ASCII}*$/u.test(word)

/** The likelihood of a word with the space after it. */
const judgeOf = ({ model, never }: Candidate): Judge =>
  memoize((word) => {
    let [sum, previousLetter] = [never?.test(word) ? RULED_OUT : 0, ' ']
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

/** Loaded when first needed: 2 MB of counts for 471 languages, of which 38 are kept. */
function readModels(): Candidate[] {
  const path = createRequire(import.meta.url).resolve('trigrams/lib/top.json')
  const counts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, number>>
  return oldLanguages.map(({ trigrams, letters, pages, never }) => ({
    model: modelOf(counts[trigrams] ?? {}, letters),
    pages,
    never,
  }))
}

/** The logarithm of the probability of a letter after the two before it, cached. */
function modelOf(trigrams: Record<string, number>, letters: string): Model {
  const [unigrams, bigrams, threes] = [
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
    threes.set(trigram, count)
    // A pair is in two trigrams, a letter in three.
    for (const pair of [trigram.slice(0, 2), trigram.slice(1)]) add(bigrams, pair, count / 2)
    for (const letter of trigram) add(unigrams, letter, count / 3)
  }
  for (const letter of letters) add(unigrams, letter, total * RARE)
  for (const letter of latin) add(unigrams, letter, total * FOREIGN)
  const all = [...unigrams.values()].reduce((sum, count) => sum + count, 0)
  const cache = new Map<string, number>()
  return (letters, letter) => {
    const key = letters + letter
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const last = letters.slice(-1)
    const unigram = (unigrams.get(letter) ?? all * IMPOSSIBLE) / all
    const bigram =
      ((bigrams.get(last + letter) ?? 0) + SMOOTHING * unigram) / ((unigrams.get(last) ?? 0) + SMOOTHING)
    const three = ((threes.get(key) ?? 0) + SMOOTHING * bigram) / ((bigrams.get(letters) ?? 0) + SMOOTHING)
    if (cache.size >= MAX_KNOWN) cache.clear()
    cache.set(key, Math.log(three))
    return Math.log(three)
  }
}
