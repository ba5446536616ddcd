// The worker thread of a local model. It is a thread because the runtimes block it for half a second for 16 chunks.

import { workerData } from 'node:worker_threads'
import { unit } from '../embedder.ts'
import { serveModel } from '../model-thread.ts'
import { type ModelFolder, readFolder } from './folder.ts'
import { loadRuntime, loadTokenizers, type Runtime, type Session, type Tensor } from './runtime.ts'

interface LoadedModel {
  folder: ModelFolder
  runtime: Runtime
  session: Session
  encode(text: string): number[]
}

async function load(path: string, threads: number): Promise<LoadedModel> {
  const folder = readFolder(path)
  const [runtime, { Tokenizer }] = await Promise.all([loadRuntime(), loadTokenizers()])
  const session = await runtime.InferenceSession.create(folder.weightsPath, { intraOpNumThreads: threads })
  const tokenizer = new Tokenizer(folder.tokenizer, folder.tokenizerConfig)
  return {
    folder,
    runtime,
    session,
    encode: (text) => truncate(tokenizer.encode(text).ids, folder.maxTokens),
  }
}

/** Cuts the tokens of a text to the first ones and the last one, which is [SEP]. */
const truncate = (ids: number[], maxTokens: number): number[] =>
  ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)]

async function embed(
  model: LoadedModel,
  texts: string[],
): Promise<{ dimensions: number; vectors: Float32Array }> {
  const rows = texts.map(model.encode)
  const width = Math.max(1, ...rows.map((row) => row.length))
  const outputs = await model.session.run(inputs(model, rows, width))
  const output = outputs.sentence_embedding ?? outputs.last_hidden_state ?? Object.values(outputs)[0]
  const dimensions = output?.dims.at(-1) ?? 0
  const vectors = new Float32Array(texts.length * dimensions)
  rows.forEach((row, i) => {
    const textVector =
      output &&
      (output.dims.length === 2 ? slice(output, i) : pool(output, i, row.length, model.folder.pooling))
    const vector = textVector && unit(textVector)
    if (vector) vectors.set(vector, i * dimensions)
  })
  return { dimensions, vectors }
}

/** Token ids, padded with 0 and masked, for the inputs that the model has. */
function inputs(model: LoadedModel, rows: number[][], width: number): Record<string, Tensor> {
  const cells = rows.length * width
  const ids = new BigInt64Array(cells)
  const mask = new BigInt64Array(cells)
  rows.forEach((row, i) => {
    row.forEach((id, j) => {
      ids[i * width + j] = BigInt(id)
      mask[i * width + j] = 1n
    })
  })
  const arrays: Record<string, BigInt64Array> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(cells),
  }
  const tensorShape = [rows.length, width]
  return Object.fromEntries(
    model.session.inputNames.flatMap((name) =>
      arrays[name] ? [[name, new model.runtime.Tensor('int64', arrays[name], tensorShape)]] : [],
    ),
  )
}

const slice = ({ data, dims }: Tensor, row: number): Float32Array => {
  const size = dims.at(-1) ?? 0
  return Float32Array.from({ length: size }, (_, i) => data[row * size + i] ?? 0)
}

/**
 * The vector of one text, not yet scaled to length 1: that of its first token ('cls'), or the sum of its tokens without padding.
 */
function pool(
  { data, dims }: Tensor,
  row: number,
  tokens: number,
  poolingMode: 'mean' | 'cls',
): Float32Array {
  const [, width = 0, size = 0] = dims
  const sums = new Float32Array(size)
  for (let token = 0; token < (poolingMode === 'cls' ? 1 : tokens); token++) {
    const offset = (row * width + token) * size
    for (let i = 0; i < size; i++) sums[i] = (sums[i] ?? 0) + (data[offset + i] ?? 0)
  }
  return sums
}

const { path, threads } = workerData as { path: string; threads: number }
const modelLoading = load(path, threads)
modelLoading.catch(() => {}) // The error is reported with the first request.

serveModel(async ({ texts }) => embed(await modelLoading, texts))
