// A sentence model on this machine, in ONNX. It runs in a thread that starts with the first request.

import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../thread.ts'
import { EmbeddingFailed, type EmbeddingModel, type Purpose } from '../embedder.ts'
import { withPrefix } from '../prefixes.ts'
import type { EmbedReply, EmbedRequest } from './thread.ts'

// 16 chunks of 300 tokens take about 60 MB of activations in a small model.
const TEXTS_AT_A_TIME = 16

type Vectors = (Float32Array | undefined)[]
interface PendingRequest {
  resolve(answer: { dimensions: number; vectors: Float32Array }): void
  reject(error: Error): void
}

/** @param folder as folder.ts reads it; the model has its name */
export function onnxModel(folder: string): EmbeddingModel {
  const name = basename(resolve(folder))
  const send = threadFor(resolve(folder))
  let measuredDimensions: number | undefined
  const embed = async (texts: readonly string[], as: Purpose, signal?: AbortSignal): Promise<Vectors> => {
    signal?.throwIfAborted()
    if (texts.length === 0) return []
    const { dimensions, vectors } = await send(texts.map((text) => withPrefix(name, text, as)))
    measuredDimensions = dimensions
    return texts.map((_, i) => {
      const vector = vectors.slice(i * dimensions, (i + 1) * dimensions)
      return vector.some((number) => number !== 0) ? vector : undefined
    })
  }
  return {
    id: `onnx:${name}`,
    batch: TEXTS_AT_A_TIME,
    embed,
    dimensions: async (signal) => {
      if (measuredDimensions === undefined) await embed(['dimensions'], 'passage', signal)
      return measuredDimensions ?? 0
    },
  }
}

/** Sends requests to one thread, which lives as long as the process and is replaced if it dies. */
function threadFor(
  path: string,
): (texts: string[]) => Promise<{ dimensions: number; vectors: Float32Array }> {
  const open = new Map<number, PendingRequest>()
  let thread: Worker | undefined
  let last = 0
  const end = (reason: string): void => {
    thread = undefined
    for (const request of open.values())
      request.reject(new EmbeddingFailed(`the local model ended: ${reason}`))
    open.clear()
  }
  const start = (): Worker => {
    const workerData = { path, threads: Math.max(1, availableParallelism() - 1) }
    const started = startThread('./thread', import.meta.url, { workerData })
    started.on('message', (answer: EmbedReply) => {
      const request = open.get(answer.no)
      open.delete(answer.no)
      // An idle model must not keep the process alive.
      if (open.size === 0) started.unref()
      if ('error' in answer) request?.reject(new EmbeddingFailed(`the local model failed: ${answer.error}`))
      else request?.resolve(answer)
    })
    started.on('error', (error) => end(error.message))
    started.on('exit', (code) => end(`exit code ${code}`))
    return started
  }
  return (texts) =>
    new Promise((resolve, reject) => {
      thread ??= start()
      thread.ref()
      last += 1
      open.set(last, { resolve, reject })
      thread.postMessage({ no: last, texts } satisfies EmbedRequest)
    })
}
