// A sentence model on this machine: an ONNX folder, computed in a thread that starts with the first question.

import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../thread.ts'
import { EmbeddingFailed, type EmbeddingModel, type Purpose } from '../embedder.ts'
import { prompted } from '../prompts.ts'
import type { Answered, Asked } from './thread.ts'

// 16 chunks of 300 tokens through a small model: some 60 MB of activations.
const TEXTS_AT_A_TIME = 16

type Vectors = (Float32Array | undefined)[]
interface Question {
  resolve(answer: { dimensions: number; vectors: Float32Array }): void
  reject(error: Error): void
}

/** `folder`: as read by folder.ts; its name is the model's. */
export function onnxModel(folder: string): EmbeddingModel {
  const name = basename(resolve(folder))
  const ask = questions(resolve(folder))
  let known: number | undefined
  const embed = async (texts: readonly string[], as: Purpose, signal?: AbortSignal): Promise<Vectors> => {
    signal?.throwIfAborted()
    if (texts.length === 0) return []
    const { dimensions, vectors } = await ask(texts.map((text) => prompted(name, text, as)))
    known = dimensions
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
      if (known === undefined) await embed(['dimensions'], 'passage', signal)
      return known ?? 0
    },
  }
}

/** Puts questions to one thread; it lives as long as the process, and a new one is started when it dies. */
function questions(
  path: string,
): (texts: string[]) => Promise<{ dimensions: number; vectors: Float32Array }> {
  const open = new Map<number, Question>()
  let thread: Worker | undefined
  let last = 0
  const end = (reason: string): void => {
    thread = undefined
    for (const question of open.values())
      question.reject(new EmbeddingFailed(`the local model ended: ${reason}`))
    open.clear()
  }
  const start = (): Worker => {
    const workerData = { path, threads: Math.max(1, availableParallelism() - 1) }
    const started = startThread('./thread', import.meta.url, { workerData })
    started.on('message', (answer: Answered) => {
      const question = open.get(answer.no)
      open.delete(answer.no)
      // An idle model must not keep the process from ending.
      if (open.size === 0) started.unref()
      if ('error' in answer) question?.reject(new EmbeddingFailed(`the local model failed: ${answer.error}`))
      else question?.resolve(answer)
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
      thread.postMessage({ no: last, texts } satisfies Asked)
    })
}
