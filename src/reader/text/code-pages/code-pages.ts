// In which code page of one byte a letter a text is: the one in which it reads as a language. Bytes above 127 are other
// letters in each page, so every language's letter model is asked how likely the text is to be its own. Of 3,506 texts
// of 40 letters in 31 languages 11 came back wrong (the constants were set on these); chardet had 348 of 2,519 of them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import iconv from 'iconv-lite'
import { oldLanguages } from './languages.ts'

export interface CodePage {
  encoding: string
  /** Natural logarithm of the likelihood of all that is no plain word of ASCII. */
  likelihood: number
}

type Model = (before: string, letter: string) => number
type Judge = (word: string) => number

interface Candidate {
  model: Model
  never: RegExp | undefined
  pages: readonly string[]
}

/** Logarithms: of all words, and of those that are not plain ASCII. */
interface Score {
  likelihood: number
  odd: number
}

// Lines that are not plain ASCII, up to so many bytes: a hundred decodings are looked at, letter by letter.
const SAMPLE_BYTES = 3000
const LINE_BYTES = 400
// Letters of a language's alphabet that its commonest trigrams lack, those of foreign words, and no letters at all.
const RARE = 1 / 300
const FOREIGN = 1 / 2000
const IMPOSSIBLE = 1e-5
// A name is spelt as it likes.
const RULED_OUT = -5
// Pseudo-counts when a pair is estimated from its letter and a trigram from its pair (Dirichlet smoothing).
const SMOOTHING = 400
// A sign between words, and a page that is not its language's first.
const SIGN = -9
const BESIDE_FIGURES = -4
const UNUSUAL = -4
// DOS and the Macintosh of before 2001, so that a name alone is not read so (FranÁois); 6 loses sentences with one such letter.
const LONG_GONE = -5
// Of a language's trigrams: a text has some hundred, noise has new ones without end.
const MOST_KNOWN = 5000
// What a word of another language costs beyond what it costs in the language it suits best.
const LOAN = 2
// What a name from a neighbour costs ("Ångström AB" in a German list of customers); 7 reads six texts of 1,776 worse, 9
// that list.
const NAME = 8
// A capital behind a small letter, where not both are ASCII: what is small in one page is a capital in another.
const TURN = -4
const turn = /[^\P{Ll}a-z]\p{Lu}|\p{Ll}[^\P{Lu}A-Z]/gu
const WESTERN = 'windows-1252'
const OLD_SYSTEMS = /^(?:cp85\d|macintosh)$/
const latin = "abcdefghijklmnopqrstuvwxyz'"

/** The likeliest code page of a sample. */
export function likeliestPage(sample: Buffer): CodePage {
  const judges = candidates().map((one) => ({ judge: judgeOf(one), pages: one.pages }))
  const inBest = remembered((word) => Math.max(...judges.map(({ judge }) => judge(word))))
  const texts = remembered((encoding: string) => {
    const text = iconv.decode(sample, encoding)
    return { words: wordsOf(text), turns: TURN * (text.match(turn)?.length ?? 0) }
  })
  let best = { encoding: '', whole: Number.NEGATIVE_INFINITY, likelihood: 0 }
  for (const { judge, pages } of judges) {
    // Languages that share their pages: names wander among them.
    const kin = judges.filter((one) => one.pages[0] === pages[0])
    const inKin = remembered((word) => Math.max(...kin.map((one) => one.judge(word))))
    for (const encoding of pages) {
      const { words, turns } = texts(encoding)
      const { likelihood, odd } = scoreOf(words, judge, encoding === pages[0] ? inKin : judge, inBest)
      const prior = priorOf(encoding, pages) + turns
      const whole = likelihood + prior
      if (whole > best.whole) best = { encoding, whole, likelihood: odd + prior }
    }
  }
  return { encoding: best.encoding, likelihood: best.likelihood }
}

const priorOf = (encoding: string, pages: readonly string[]): number =>
  (encoding === pages[0] ? 0 : OLD_SYSTEMS.test(encoding) ? LONG_GONE : UNUSUAL) +
  (pages[0] === WESTERN ? 0 : UNUSUAL)

/** The lines that hold a byte above 127, or what stands around it where lines are long. */
export function tellingSample(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let size = 0
  for (let at = 0; size < SAMPLE_BYTES; ) {
    const odd = bytes.subarray(at).findIndex((byte) => byte >= 0x80)
    if (odd < 0) break
    const here = at + odd
    const from = Math.max(at, bytes.lastIndexOf(10, here) + 1, here - LINE_BYTES)
    const end = bytes.indexOf(10, here)
    const to = Math.min(end < 0 ? bytes.length : end + 1, here + LINE_BYTES)
    parts.push(bytes.subarray(from, to))
    size += to - from
    at = to
  }
  return Buffer.concat(parts)
}

// What stands between words in print, whatever the code page: before a word, behind it, anywhere, beside figures. Elsewhere
// such a sign is a letter of another page: "leto¹nji".
const beside = '(?<!L)[§£€¥±×½¼¾](?!L)|(?<!L)°'
const sign = new RegExp(
  ['(?<!L)[“„‘‚«¿¡µ©](?=L)', '[”“‘»…º²³¹®](?!L)', '[–—•·\u00a0]', beside]
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

/** What a sign between words costs, undefined for a word: quotes that come alone are another page's letters more often. */
function signCost(word: string): number | undefined {
  if (word.length > 1 || !/[^\p{L}\p{M}]|µ/u.test(word)) return undefined
  return beside.includes(word) ? BESIDE_FIGURES : SIGN
}

/** Words of plain ASCII read the same in every page: they speak for a language, but not against one that quotes them. */
function scoreOf(words: readonly string[], judge: Judge, inKin: Judge, inBest: Judge): Score {
  const score = { likelihood: 0, odd: 0 }
  for (const word of words) {
    const cost = signCost(word)
    if (cost !== undefined) {
      score.likelihood += cost
      score.odd += cost
    } else if (isAscii(word)) score.likelihood += Math.max(judge(word), inBest(word) - LOAN)
    else {
      const likelihood = Math.max(judge(word), inKin(word) - NAME)
      score.likelihood += likelihood
      score.odd += likelihood
    }
  }
  return score
}

function remembered<T>(ask: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const found = known.get(key) ?? ask(key)
    known.set(key, found)
    return found
  }
}

const isAscii = (word: string): boolean => /^\p{ASCII}*$/u.test(word)

/** The likelihood of a word and the space behind it. */
const judgeOf = ({ model, never }: Candidate): Judge =>
  remembered((word) => {
    let [sum, before] = [never?.test(word) ? RULED_OUT : 0, ' ']
    for (const letter of `${word} `) {
      sum += model(before, letter)
      before = (before + letter).slice(-2)
    }
    return sum
  })

let models: readonly Candidate[] | undefined

function candidates(): readonly Candidate[] {
  models ??= readModels()
  return models
}

/** Read with the first text that needs it: 2 MB of counts, of which 38 languages of 471 are kept. */
function readModels(): Candidate[] {
  const path = createRequire(import.meta.url).resolve('trigrams/lib/top.json')
  const counts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, number>>
  return oldLanguages.map(({ trigrams, letters, pages, never }) => ({
    model: modelOf(counts[trigrams] ?? {}, letters),
    pages,
    never,
  }))
}

/** How likely a letter is behind the two before it, as its logarithm; each is asked for once. */
function modelOf(trigrams: Record<string, number>, letters: string): Model {
  const [ones, twos, threes] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const add = (counts: Map<string, number>, key: string, count: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  let total = 0
  for (const [written, count] of Object.entries(trigrams)) {
    // These pages have Romanian's letters with a cedilla only.
    const trigram = written.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')
    total += count
    threes.set(trigram, count)
    // A pair stands in two trigrams, a letter in three.
    for (const pair of [trigram.slice(0, 2), trigram.slice(1)]) add(twos, pair, count / 2)
    for (const letter of trigram) add(ones, letter, count / 3)
  }
  for (const letter of letters) add(ones, letter, total * RARE)
  for (const letter of latin) add(ones, letter, total * FOREIGN)
  const all = [...ones.values()].reduce((sum, count) => sum + count, 0)
  const known = new Map<string, number>()
  return (before, letter) => {
    const key = before + letter
    const found = known.get(key)
    if (found !== undefined) return found
    const last = before.slice(-1)
    const one = (ones.get(letter) ?? all * IMPOSSIBLE) / all
    const two = ((twos.get(last + letter) ?? 0) + SMOOTHING * one) / ((ones.get(last) ?? 0) + SMOOTHING)
    const three = ((threes.get(key) ?? 0) + SMOOTHING * two) / ((twos.get(before) ?? 0) + SMOOTHING)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, Math.log(three))
    return Math.log(three)
  }
}
