// Reduces a vector of the model from 512 numbers to the 128 that are compared. There is one linear map for questions and one
// for passages, trained so that a question is near the sentence that answers it (lab/meaning).

import { unit } from '../embedder.ts'
import { DIMENSIONS } from './encoder.ts'
import type { ModelFile } from './model-file.ts'

export const PROJECTED_DIMENSIONS = 128

/** Projects a vector of the model and scales it to length 1. */
type Project = (vector: Float32Array) => Float32Array

export function projection(file: ModelFile, kindOfText: 'query' | 'sentence'): Project {
  const integers = file.integers(kindOfText)
  const scales = file.floats(`${kindOfText}.scales`)
  const bias = file.floats(`${kindOfText}.bias`)
  return (vector) => {
    const sums = new Float32Array(PROJECTED_DIMENSIONS)
    for (let i = 0; i < DIMENSIONS; i++) {
      const factor = vector[i] ?? 0
      const row = i * PROJECTED_DIMENSIONS
      for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
        sums[k] = (sums[k] ?? 0) + factor * (integers[row + k] ?? 0)
    }
    for (let k = 0; k < PROJECTED_DIMENSIONS; k++)
      sums[k] = (sums[k] ?? 0) * (scales[k] ?? 0) + (bias[k] ?? 0)
    return unit(sums) ?? sums
  }
}
