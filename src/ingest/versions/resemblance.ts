// Decides whether a text is a revision of another: how much of the old wording and of the old numbers is still in the new text.
// Pure functions. docs/decisions/0028-name-conflicts.md says how the shares were chosen.

import { characters, fold, isUnspaced, words } from '../../language/words.ts'

// Wording is compared by runs of this many words (shingles).
const RUN_WORDS = 3
// Texts made from one template share its words but differ in dates, numbers and amounts.
const KEPT_WORDING = 0.6
const KEPT_FIGURES = 0.7
// Of longer texts a sample is compared: hashes that end in enough zeros that at most this many remain.
const MAX_SAMPLED = 4096

/** Hashes of some of a text's features, chosen by value, so that two texts are sampled alike. */
interface Sample {
  /** Only hashes that end in this many zero bits. */
  zeros: number
  hashes: Set<number>
}

export interface Sketch {
  wording: Sample
  figures: Sample
}

/** Takes a text piece by piece. No piece may end inside a word. */
export interface Sketcher {
  add(text: string): void
  sketch(): Sketch
}

export function makeSketcher(): Sketcher {
  const sketch: Sketch = { wording: emptySample(), figures: emptySample() }
  const run: number[] = []
  const addWord = (word: string): void => {
    const hash = hashOf(word)
    if (/\p{N}/u.test(word)) addHash(sketch.figures, mixed([hash]))
    run.push(hash)
    if (run.length > RUN_WORDS) run.shift()
    if (run.length === RUN_WORDS) addHash(sketch.wording, mixed(run))
  }
  return {
    add: (text) => {
      for (const { raw } of words(text)) {
        const word = fold(raw)
        for (const part of isUnspaced(word) ? characters(word) : [word]) addWord(part)
      }
    },
    // A shorter text is one run.
    sketch: () => {
      if (run.length > 0 && run.length < RUN_WORDS) addHash(sketch.wording, mixed(run))
      return sketch
    },
  }
}

/** The share of wording that is kept if the new text is a revision; undefined if it is another document. */
export function asRevision(before: Sketch, after: Sketch): number | undefined {
  const wording = keptOf(before.wording, after.wording)
  const figures = keptOf(before.figures, after.figures)
  const share = wording.all === 0 ? 0 : wording.kept / wording.all
  // One number may always change, such as a corrected date or amount.
  const sameFigures = figures.kept >= Math.min(figures.all - 1, figures.all * KEPT_FIGURES)
  return share >= KEPT_WORDING && sameFigures ? share : undefined
}

/** How many features the first text has, and how many of those the second has. */
function keptOf(before: Sample, after: Sample): { all: number; kept: number } {
  const zeros = Math.max(before.zeros, after.zeros)
  const sampled = [...before.hashes].filter((hash) => endsIn(hash, zeros))
  return { all: sampled.length, kept: sampled.filter((hash) => after.hashes.has(hash)).length }
}

const emptySample = (): Sample => ({ zeros: 0, hashes: new Set() })

function addHash(sample: Sample, hash: number): void {
  if (!endsIn(hash, sample.zeros)) return
  sample.hashes.add(hash)
  while (sample.hashes.size > MAX_SAMPLED) {
    sample.zeros++
    for (const sampledHash of sample.hashes)
      if (!endsIn(sampledHash, sample.zeros)) sample.hashes.delete(sampledHash)
  }
}

const endsIn = (hash: number, zeros: number): boolean => (hash & ((1 << zeros) - 1)) === 0

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash
}

/** Combines hashes in their order and spreads the result over all bits, as MurmurHash3 does. */
function mixed(hashes: readonly number[]): number {
  let hash = hashes.length
  for (const one of hashes) hash = Math.imul(hash ^ one ^ (one >>> 15), 0x9e3779b1) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
