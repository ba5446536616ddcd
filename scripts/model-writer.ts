// Writes files as src/ports/embedder/sentence/model-file.ts reads them.

import type { ModelHead, TensorHead } from '../src/ports/embedder/sentence/model-file.ts'

const LARGEST = 127
const ALIGNMENT = 4

/** One scale for each of `count` groups of numbers, and the numbers as multiples of it. */
export function quantized(
  numbers: Float32Array,
  count: number,
  groupOf: (at: number) => number,
): { integers: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(count)
  numbers.forEach((number, at) => {
    const group = groupOf(at)
    scales[group] = Math.max(scales[group] ?? 0, Math.abs(number))
  })
  for (let group = 0; group < count; group++) scales[group] = (scales[group] ?? 0) / LARGEST
  const integers = Int8Array.from(numbers, (number, at) => Math.round(number / (scales[groupOf(at)] || 1)))
  return { integers, scales }
}

export interface ModelWriter {
  add(name: string, shape: readonly number[], numbers: Int8Array | Float32Array): void
  /** A matrix of eight bits with a scale for each column, and its bias. */
  addMatrix(name: string, shape: readonly number[], numbers: Float32Array, bias: Float32Array): void
  bytes(head: Omit<ModelHead, 'tensors'>): Buffer
}

export function modelWriter(): ModelWriter {
  const parts: Buffer[] = []
  const tensors: TensorHead[] = []
  let offset = 0
  const add: ModelWriter['add'] = (name, shape, numbers) => {
    const type = numbers instanceof Int8Array ? 'int8' : 'float32'
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
    const padding = Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)
    tensors.push({ name, type, shape, offset })
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return {
    add,
    addMatrix: (name, shape, numbers, bias) => {
      const [columns = 0] = shape.slice(-1)
      const { integers, scales } = quantized(numbers, columns, (at) => at % columns)
      add(name, shape, integers)
      add(`${name}.scales`, [columns], scales)
      add(`${name}.bias`, [columns], bias)
    },
    bytes: (head) => Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, tensors })}\n`), ...parts]),
  }
}
