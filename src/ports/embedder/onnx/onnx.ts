// A sentence model on this machine, in ONNX. It runs in a thread that starts with the first request.

import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import { startThread } from '../../thread.ts'
import type { EmbeddingModel, Purpose } from '../embedder.ts'
import { modelThread, vectorsIn } from '../model-thread.ts'
import { withPrefix } from '../prefixes.ts'

// 16 chunks of 300 tokens take about 60 MB of activations in a small model.
const TEXTS_PER_BATCH = 16

type Vectors = (Float32Array | undefined)[]

/** @param folder a folder that folder.ts can read. Its name becomes the model's name. */
export function onnxModel(folder: string): EmbeddingModel {
  const name = basename(resolve(folder))
  const workerData = { path: resolve(folder), threads: Math.max(1, availableParallelism() - 1) }
  const send = modelThread(() => startThread('./thread', import.meta.url, { workerData }))
  let measuredDimensions: number | undefined
  const embed = async (
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
  ): Promise<Vectors> => {
    signal?.throwIfAborted()
    if (texts.length === 0) return []
    const reply = await send({ texts: texts.map((text) => withPrefix(name, text, purpose)), purpose })
    measuredDimensions = reply.dimensions
    return vectorsIn(reply)
  }
  return {
    id: `onnx:${name}`,
    batch: TEXTS_PER_BATCH,
    embed,
    dimensions: async (signal) => {
      if (measuredDimensions === undefined) await embed(['dimensions'], 'passage', signal)
      return measuredDimensions ?? 0
    },
  }
}
