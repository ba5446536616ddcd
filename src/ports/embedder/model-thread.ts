// Runs a model in a worker thread, because a batch of chunks blocks the thread that computes it for half a second. This file has
// the code of both sides: `modelThread` for the main thread, `serveModel` for the worker.

import { parentPort, type Worker } from 'node:worker_threads'
import { EmbeddingFailed, type Purpose } from './embedder.ts'

interface EmbedRequest {
  texts: string[]
  purpose: Purpose
}

/** All vectors in one array, in the order of the texts. A text without a vector has only zeros. */
export interface EmbedResult {
  dimensions: number
  vectors: Float32Array
}

type NumberedRequest = EmbedRequest & { requestNumber: number }
type Reply = (EmbedResult & { requestNumber: number }) | { requestNumber: number; error: string }

interface PendingRequest {
  resolve(answer: EmbedResult): void
  reject(error: Error): void
}

export function vectorsIn({ dimensions, vectors }: EmbedResult): (Float32Array | undefined)[] {
  return Array.from({ length: dimensions ? vectors.length / dimensions : 0 }, (_, i) => {
    const vector = vectors.slice(i * dimensions, (i + 1) * dimensions)
    return vector.some((number) => number !== 0) ? vector : undefined
  })
}

/**
 * Sends requests to one worker thread. The thread starts with the first request and lives as long as the process. If it dies,
 * the next request starts another.
 * @throws EmbeddingFailed
 */
export function modelThread(start: () => Worker): (request: EmbedRequest) => Promise<EmbedResult> {
  const pendingRequests = new Map<number, PendingRequest>()
  let thread: Worker | undefined
  let lastRequestNumber = 0
  const failAll = (reason: string): void => {
    thread = undefined
    for (const request of pendingRequests.values())
      request.reject(new EmbeddingFailed(`the local model ended: ${reason}`))
    pendingRequests.clear()
  }
  const startWorker = (): Worker => {
    const worker = start()
    worker.on('message', (reply: Reply) => {
      const request = pendingRequests.get(reply.requestNumber)
      pendingRequests.delete(reply.requestNumber)
      // An idle model must not keep the process alive.
      if (pendingRequests.size === 0) worker.unref()
      if ('error' in reply) request?.reject(new EmbeddingFailed(`the local model failed: ${reply.error}`))
      else request?.resolve(reply)
    })
    worker.on('error', (error) => failAll(error.message))
    worker.on('exit', (code) => failAll(`exit code ${code}`))
    return worker
  }
  return (request) =>
    new Promise((resolve, reject) => {
      thread ??= startWorker()
      thread.ref()
      lastRequestNumber += 1
      pendingRequests.set(lastRequestNumber, { resolve, reject })
      thread.postMessage({ ...request, requestNumber: lastRequestNumber } satisfies NumberedRequest)
    })
}

/**
 * Runs in the worker thread. Answers one request after the other, because two at once would need twice the memory and no less
 * time.
 */
export function serveModel(embed: (request: EmbedRequest) => Promise<EmbedResult>): void {
  let lastAnswer: Promise<unknown> = Promise.resolve()
  parentPort?.on('message', ({ requestNumber, ...request }: NumberedRequest) => {
    lastAnswer = lastAnswer.then(async () => {
      try {
        const result = await embed(request)
        parentPort?.postMessage({ requestNumber, ...result } satisfies Reply, [
          result.vectors.buffer as ArrayBuffer,
        ])
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        parentPort?.postMessage({ requestNumber, error: message } satisfies Reply)
      }
    })
  })
}
