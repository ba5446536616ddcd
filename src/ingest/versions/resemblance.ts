// Decides whether a text is a revision of another, by the shares of the old wording and the old numbers that are still in the new
// text (docs/decisions/0028-name-conflicts.md).

import { characters, fold, isUnspaced, words } from '../../language/words.ts'

// Wording is compared by runs of this many words (shingles).
const SHINGLE_WORDS = 3
// The shares of wording and numbers that a revision must keep. Numbers are counted separately, because two texts of one template
// have the same words but other dates and amounts.
const MIN_WORDING_SHARE = 0.6
const MIN_FIGURES_SHARE = 0.7
// Of a text with more hashes, only a sample is compared: the hashes that end in a certain number of zero bits.
const MAX_SAMPLED_HASHES = 4096

/** Hashes of some features of a text. They are chosen by their value, so that equal features are chosen in both texts. */
interface Sample {
  /** All hashes of the sample end in this many zero bits. */
  zeros: number
  hashes: Set<number>
}

export interface Sketch {
  vocabulary: Sample
  figures: Sample
}

/** Takes a text piece by piece. No piece may end inside a word. */
interface Sketcher {
  add(text: string): void
  sketch(): Sketch
}

export function makeSketcher(): Sketcher {
  const sketch: Sketch = { vocabulary: emptySample(), figures: emptySample() }
  const lastHashes: number[] = []
  const addWord = (word: string): void => {
    const hash = hashOf(word)
    if (/\p{N}/u.test(word)) addHash(sketch.figures, mixHashes([hash]))
    lastHashes.push(hash)
    if (lastHashes.length > SHINGLE_WORDS) lastHashes.shift()
    if (lastHashes.length === SHINGLE_WORDS) addHash(sketch.vocabulary, mixHashes(lastHashes))
  }
  return {
    add: (text) => {
      for (const { raw } of words(text)) {
        const word = fold(raw)
        for (const part of isUnspaced(word) ? characters(word) : [word]) addWord(part)
      }
    },
    // All words of a text that is shorter than a run are one run.
    sketch: () => {
      if (lastHashes.length > 0 && lastHashes.length < SHINGLE_WORDS)
        addHash(sketch.vocabulary, mixHashes(lastHashes))
      return sketch
    },
  }
}

/** The share of the wording that the new text keeps, if it is a revision. Undefined if it is another document. */
export function revisionShare(before: Sketch, after: Sketch): number | undefined {
  const vocabulary = sharedFeatures(before.vocabulary, after.vocabulary)
  const figures = sharedFeatures(before.figures, after.figures)
  const share = vocabulary.total === 0 ? 0 : vocabulary.shared / vocabulary.total
  // One number may always change, such as a corrected date or amount.
  const keepsFigures = figures.shared >= Math.min(figures.total - 1, figures.total * MIN_FIGURES_SHARE)
  return share >= MIN_WORDING_SHARE && keepsFigures ? share : undefined
}

/** How many features the first text has, and how many of them the second text also has. */
function sharedFeatures(before: Sample, after: Sample): { total: number; shared: number } {
  const zeros = Math.max(before.zeros, after.zeros)
  const comparable = [...before.hashes].filter((hash) => endsInZeros(hash, zeros))
  return { total: comparable.length, shared: comparable.filter((hash) => after.hashes.has(hash)).length }
}

const emptySample = (): Sample => ({ zeros: 0, hashes: new Set() })

function addHash(sample: Sample, hash: number): void {
  if (!endsInZeros(hash, sample.zeros)) return
  sample.hashes.add(hash)
  while (sample.hashes.size > MAX_SAMPLED_HASHES) {
    sample.zeros++
    for (const sampledHash of sample.hashes)
      if (!endsInZeros(sampledHash, sample.zeros)) sample.hashes.delete(sampledHash)
  }
}

const endsInZeros = (hash: number, zeros: number): boolean => (hash & ((1 << zeros) - 1)) === 0

/** The FNV-1a hash of a word. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let characterIndex = 0; characterIndex < word.length; characterIndex++)
    hash = Math.imul(hash ^ word.charCodeAt(characterIndex), 0x01000193)
  return hash
}

/** Combines hashes in their order and spreads the result over all bits, as MurmurHash3 does. */
function mixHashes(hashes: readonly number[]): number {
  let hash = hashes.length
  for (const itemHash of hashes)
    hash = Math.imul(hash ^ itemHash ^ (itemHash >>> 15), 0x9e3779b1) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
