// Turns texts into vectors with the sentence model. The vector of a passage is the mean of those of its sentences, because a
// passage that was encoded as one text ranked worse (docs/decisions/0049-sentence-model.md).

import { packageFile } from '../../../package-file.ts'
import type { Purpose } from '../embedder.ts'
import { unit } from '../embedder.ts'
import type { EmbedResult } from '../model-thread.ts'
import { DIMENSIONS, MAX_TOKENS, openEncoder } from './encoder.ts'
import { MODEL_PATH, PROJECTION_PATH, readModelFile } from './model-file.ts'
import { plainSentences } from './plain-sentences.ts'
import { PROJECTED_DIMENSIONS, projection } from './projection.ts'
import { tokenizer } from './tokenizer.ts'

// The digests of the files that scripts/model.ts and lab/meaning/train.ts wrote.
const MODEL_DIGEST = '5428c4b72fe3c7ddbd1d0c5df8e8eb0807fe68b7a695091be522ffb6d7dc92e7'
const PROJECTION_DIGEST = 'aefcda306f07b21de3499458cf7dba2e0261efad24e874771ac24c8624b3b6f0'
// The maximum number of sentences (or table rows) of a passage that are encoded. The first rows show what a table is about.
const MAX_SENTENCES = 40
// The length of a query's vector is the share of its pieces that begin a word, raised to this power. A word that the model
// knows has one or two pieces. A technical term has many pieces, and the model does not know its meaning, so it counts less
// (docs/decisions/0049-sentence-model.md).
const FAMILIARITY_POWER = 3

export type EmbedTexts = (texts: readonly string[], purpose: Purpose) => EmbedResult

/** Reads the files of the model, which takes 0.1 s. @throws Error if a file is missing or damaged */
export function openSentenceModel(): EmbedTexts {
  const file = readModelFile(packageFile(MODEL_PATH), MODEL_DIGEST)
  const maps = readModelFile(packageFile(PROJECTION_PATH), PROJECTION_DIGEST)
  const tokenize = tokenizer(file.vocabulary)
  const encode = openEncoder(file)
  const project = { query: projection(maps, 'query'), passage: projection(maps, 'sentence') }
  const beginsWord = file.vocabulary.pieces.map((piece) => piece.startsWith('▁'))
  const familiarity = (pieces: readonly number[]): number =>
    pieces.filter((piece) => beginsWord[piece]).length / pieces.length
  const partsOf = (text: string, purpose: Purpose): number[][] => {
    const parts = purpose === 'query' ? [text] : plainSentences(text).slice(0, MAX_SENTENCES)
    return parts.map((part) => tokenize(part, MAX_TOKENS)).filter(({ length }) => length > 0)
  }
  return (texts, purpose) => {
    const parts = texts.map((text) => partsOf(text, purpose))
    const encodings = encode(parts.flat())
    const vectors = new Float32Array(texts.length * PROJECTED_DIMENSIONS)
    let partIndex = 0
    parts.forEach((textParts, text) => {
      const sum = new Float32Array(PROJECTED_DIMENSIONS)
      for (const _ of textParts) {
        const vector = project[purpose](
          encodings.subarray(partIndex * DIMENSIONS, (partIndex + 1) * DIMENSIONS),
        )
        for (let k = 0; k < PROJECTED_DIMENSIONS; k++) sum[k] = (sum[k] ?? 0) + (vector[k] ?? 0)
        partIndex += 1
      }
      const mean = unit(sum)
      const length = purpose === 'query' ? familiarity(textParts[0] ?? []) ** FAMILIARITY_POWER : 1
      mean?.forEach((number, k) => {
        vectors[text * PROJECTED_DIMENSIONS + k] = length * number
      })
    })
    return { dimensions: PROJECTED_DIMENSIONS, vectors }
  }
}
