// Gets the vectors of chunks from a model. Equal texts are embedded once.

import { createHash } from 'node:crypto'
import { denseVector } from '../ports/db/binary.ts'
import type { Db } from '../ports/db/db.ts'
import { EmbeddingFailed, type EmbeddingModel } from '../ports/embedder/embedder.ts'
import {
  type ChunkKey,
  selectTexts,
  selectVectorsByHash,
  type UnfilledChunk,
  type VectorRow,
} from './fill.sql.ts'
import type { SpaceWriter } from './fill.ts'
import type { Space } from './spaces.sql.ts'

// The embedded engine inserts 200 to 400 rows/s into an HNSW index if it is idle, and a tenth of that beside other work. So ten
// rows block other statements for half a second at most.
const INDEX_BATCH_ROWS = 10
// The numbers are stored in four bytes, and computed from sums that are exact to seven digits.
const SIGNIFICANT_DIGITS = 6

export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (part) => Number(part.toPrecision(SIGNIFICANT_DIGITS))).join(',')}]`

export function modelWriter(db: Db, model: EmbeddingModel, space: Space): SpaceWriter {
  return {
    spaceId: space.id,
    rowsPerStatement: INDEX_BATCH_ROWS,
    next: async (filling, signal) => {
      const chunks = await selectTexts(db, filling, model.batch)
      const texts = chunks.map(modelText)
      const hashes = texts.map((text) => createHash('sha256').update(text).digest())
      const vectorByHash = await selectVectorsByHash(db, space.id, hashes)
      const hasVector = (hash: Buffer): boolean => vectorByHash.has(hash.toString('hex'))
      const supportsLanguage = ({ language }: UnfilledChunk): boolean =>
        model.languages?.includes(language) !== false
      const newTexts = texts.filter((_, i) => {
        const chunk = chunks[i]
        return chunk && supportsLanguage(chunk) && !hasVector(hashes[i] ?? Buffer.alloc(0))
      })
      const vectors = await embed(model, newTexts, space, signal)
      return chunks.map((chunk, i) => {
        if (!supportsLanguage(chunk)) return vectorRow(chunk, undefined, null)
        const hash = hashes[i] ?? Buffer.alloc(0)
        const vector = vectorByHash.get(hash.toString('hex'))
        const { version_id, chunk_no } = chunk
        return vector ? { version_id, chunk_no, vector, hash } : vectorRow(chunk, vectors.shift(), hash)
      })
    },
  }
}

async function embed(
  model: EmbeddingModel,
  texts: string[],
  space: Space,
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  if (texts.length === 0) return []
  const vectors = await model.embed(texts, 'passage', signal)
  const wrongVector = vectors.find((vector) => vector && vector.length !== space.dimensions)
  if (vectors.length !== texts.length || wrongVector) {
    throw new EmbeddingFailed(`${model.id} answered with vectors of another size than ${space.dimensions}`)
  }
  return vectors
}

/** The text of a chunk for a model: title and heading, then the text itself. */
const modelText = ({ title, heading, text }: UnfilledChunk): string =>
  [title, heading, text].filter(Boolean).join('\n')

const vectorRow = (
  { version_id, chunk_no }: ChunkKey,
  vector: Float32Array | undefined,
  hash: Buffer | null,
): VectorRow => ({ version_id, chunk_no, vector: vector ? denseVector(vector) : null, hash })
