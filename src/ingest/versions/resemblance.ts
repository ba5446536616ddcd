// Whether a text is a revision of another: how much of the old one's wording and of its figures is still in the new one.
// Pure. How the shares were chosen stands in docs/decisions/0028-name-conflicts.md.

import { characters, fold, isUnspaced, words } from '../../language/words.ts'

// Wording is compared by runs of so many words (shingles).
const RUN_WORDS = 3
// Texts that share a template share its words, and differ in their figures: dates, numbers, amounts.
const KEPT_WORDING = 0.6
const KEPT_FIGURES = 0.7
// Of longer texts a sample is compared: what has a hash that ends in so many zeros that no more than this is left.
const MOST_SAMPLED = 4096

/** Some of the things a text holds, chosen by their hashes: of two texts the same ones. */
interface Sample {
  /** Only hashes that end in so many zero bits. */
  zeros: number
  hashes: Set<number>
}

export interface Sketch {
  wording: Sample
  figures: Sample
}

/** Takes a text piece by piece; a piece ends between two words. */
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
    // A text of fewer words is one run.
    sketch: () => {
      if (run.length > 0 && run.length < RUN_WORDS) addHash(sketch.wording, mixed(run))
      return sketch
    },
  }
}

/** How much of the wording is kept where the new text is a revision; undefined where it is another document. */
export function asRevision(before: Sketch, after: Sketch): number | undefined {
  const wording = keptOf(before.wording, after.wording)
  const figures = keptOf(before.figures, after.figures)
  const share = wording.all === 0 ? 0 : wording.kept / wording.all
  // One may always change: the date or the amount that was put right.
  const sameFigures = figures.kept >= Math.min(figures.all - 1, figures.all * KEPT_FIGURES)
  return share >= KEPT_WORDING && sameFigures ? share : undefined
}

/** How many things the first holds, and how many of them are in the second. */
function keptOf(before: Sample, after: Sample): { all: number; kept: number } {
  const zeros = Math.max(before.zeros, after.zeros)
  const asked = [...before.hashes].filter((hash) => endsIn(hash, zeros))
  return { all: asked.length, kept: asked.filter((hash) => after.hashes.has(hash)).length }
}

const emptySample = (): Sample => ({ zeros: 0, hashes: new Set() })

function addHash(sample: Sample, hash: number): void {
  if (!endsIn(hash, sample.zeros)) return
  sample.hashes.add(hash)
  while (sample.hashes.size > MOST_SAMPLED) {
    sample.zeros++
    for (const kept of sample.hashes) if (!endsIn(kept, sample.zeros)) sample.hashes.delete(kept)
  }
}

const endsIn = (hash: number, zeros: number): boolean => (hash & ((1 << zeros) - 1)) === 0

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash
}

/** One hash of several in their order, spread over all bits as MurmurHash3 does. */
function mixed(hashes: readonly number[]): number {
  let hash = hashes.length
  for (const one of hashes) hash = Math.imul(hash ^ one ^ (one >>> 15), 0x9e3779b1) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
