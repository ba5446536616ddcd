// Universal Sentence Encoder lite (Cer et al. 2018). Its input is the pieces of a text with their positions. Two transformer
// layers follow, then the mean of all pieces, then one more layer. Weights have eight bits, activations fourteen. Two properties
// save time: nine of ten numbers in the hidden layer of a feed-forward network are 0 (`addSparse`), and after the hidden layer of
// the second network only linear steps lead to the mean, so they are computed once for the mean and not for each piece.

import { type Kernel, openKernel, PANEL_COLUMNS, ROW_MULTIPLE } from './kernel.ts'
import type { ModelFile } from './model-file.ts'

export const MAX_TOKENS = 128
export const DIMENSIONS = 512
const WIDTH = 256
const HIDDEN_SIZE = 1536
const HEADS = 4
// The number of rows in one pass: large enough to share the cost of reading the weights, small enough for a processor's cache.
const MAX_ROWS = 256

/** Returns the vectors of the texts in one array, one after the other. Each has the length 1. */
type Encode = (texts: readonly (readonly number[])[]) => Float32Array

interface Matrix {
  panels: number
  scales: number
  bias: number
  depth: number
  width: number
}

/** A part of the kernel's memory. It is allocated from the beginning and never freed. */
interface Arena {
  reserve(bytes: number): number
  storeFloats(numbers: ArrayLike<number>): number
}

const ALIGNMENT = 64

function arenaIn(memory: Kernel['memory']): Arena {
  let next = ALIGNMENT
  const reserve = (bytes: number): number => {
    const start = next
    next = Math.ceil((next + bytes) / ALIGNMENT) * ALIGNMENT
    if (next > memory.buffer.byteLength) throw new Error('the memory of the sentence model is too small')
    return start
  }
  return {
    reserve,
    storeFloats: (numbers) => {
      const start = reserve(numbers.length * 4)
      new Float32Array(memory.buffer, start, numbers.length).set(numbers)
      return start
    },
  }
}

/** Stores a matrix in panels (kernel.ts), in the order [column / 8][row / 2][column % 8][row % 2]. */
function packPanels(integers: Int8Array, depth: number, width: number, into: Int16Array): void {
  let offset = 0
  for (let first = 0; first < width; first += PANEL_COLUMNS)
    for (let row = 0; row < depth; row += 2)
      for (let column = first; column < first + PANEL_COLUMNS; column++) {
        into[offset++] = integers[row * width + column] ?? 0
        into[offset++] = integers[(row + 1) * width + column] ?? 0
      }
}

const MEMORY_BYTES = 20 * 1024 * 1024

export function openEncoder(file: ModelFile): Encode {
  const kernel = openKernel(MEMORY_BYTES)
  const arena = arenaIn(kernel.memory)
  const matrix = (name: string): Matrix => {
    const [depth = 0, width = 0] = file.shape(name)
    const panels = arena.reserve(depth * width * 2)
    packPanels(file.integers(name), depth, width, new Int16Array(kernel.memory.buffer, panels, depth * width))
    return {
      panels,
      scales: arena.storeFloats(file.floats(`${name}.scales`)),
      bias: arena.storeFloats(file.floats(`${name}.bias`)),
      depth,
      width,
    }
  }
  const norm = (name: string) => ({
    gain: arena.storeFloats(file.floats(`${name}.gain`)),
    bias: arena.storeFloats(file.floats(`${name}.bias`)),
  })
  const layer = (index: number) => ({
    attentionNorm: norm(`${index}.attention.norm`),
    queryKeyValue: matrix(`${index}.attention.qkv`),
    attentionOut: matrix(`${index}.attention.out`),
    feedForwardNorm: norm(`${index}.feedForward.norm`),
    hidden: matrix(`${index}.feedForward.hidden`),
  })
  const layers = [layer(0), layer(1)] as const
  const residual = matrix('0.residual')
  const lastOut = matrix('1.feedForward.out')
  const outputMatrix = matrix('head')
  const firstOut = asFloats(file, '0.feedForward.out', arena, kernel)
  const firstOutBias = file.floats('0.feedForward.out.bias')
  const embeddings = file.integers('embeddings')
  const embeddingScales = file.floats('embeddings.scales')
  const positions = positionsOf(file.floats('positions.frequencies'))

  const rowBytes = (width: number): number => (MAX_ROWS + ROW_MULTIPLE) * width * 4
  const input = arena.reserve(rowBytes(WIDTH))
  const state = arena.reserve(rowBytes(DIMENSIONS))
  const integers = arena.reserve(rowBytes(DIMENSIONS) / 2)
  const scales = arena.reserve(rowBytes(1))
  const wide = arena.reserve(rowBytes(HIDDEN_SIZE))
  const mixedRows = arena.reserve(rowBytes(DIMENSIONS))
  const scratch = arena.reserve(DIMENSIONS * 4)
  const weights = arena.reserve(MAX_TOKENS * 4)
  const sums = arena.reserve(rowBytes(HIDDEN_SIZE))
  const sumIntegers = arena.reserve(rowBytes(HIDDEN_SIZE) / 2)
  const floatsAt = (at: number, count: number): Float32Array =>
    new Float32Array(kernel.memory.buffer, at, count)

  const multiply = (
    operation: 'multiply' | 'multiplyRelu' | 'multiplyAdd',
    matrix: Matrix,
    { into, count, rows = integers }: { into: number; count: number; rows?: number },
  ): void =>
    kernel[operation](
      rows,
      scales,
      matrix.panels,
      matrix.scales,
      matrix.bias,
      into,
      count,
      matrix.depth,
      matrix.width,
    )
  const normalizeRows = (
    rows: number,
    { gain, bias }: { gain: number; bias: number },
    count: number,
    width: number,
  ): void => kernel.normalize(rows, integers, scales, count, width, gain, bias, scratch)

  /** Computes attention from `wide` (queries, keys and values side by side) into `mixedRows`. */
  const computeAttention = (texts: readonly Span[], width: number): void => {
    const size = width / HEADS
    const stride = 3 * width * 4
    for (const { first, length } of texts) {
      const scores = floatsAt(weights, length)
      for (let head = 0; head < HEADS; head++) {
        const keys = wide + first * stride + (width + head * size) * 4
        for (let row = first; row < first + length; row++) {
          const query = wide + row * stride + head * size * 4
          kernel.products(query, keys, weights, length, stride, size)
          softmax(scores, size ** -0.5)
          kernel.weightedSum(
            weights,
            keys + width * 4,
            mixedRows + (row * width + head * size) * 4,
            length,
            stride,
            size,
          )
        }
      }
    }
  }

  /** Encodes the texts of one pass, one after the other, with at most MAX_ROWS rows. */
  const encodePass = (texts: readonly (readonly number[])[], into: Float32Array): void => {
    const spans = spansOf(texts)
    const usedRows = texts.reduce((sum, { length }) => sum + length, 0)
    const count = Math.ceil(usedRows / ROW_MULTIPLE) * ROW_MULTIPLE
    const rows = floatsAt(input, count * WIDTH).fill(0)
    texts.forEach((pieces, text) => {
      pieces.forEach((piece, position) => {
        const scale = embeddingScales[piece] ?? 0
        const to = ((spans[text]?.first ?? 0) + position) * WIDTH
        for (let i = 0; i < WIDTH; i++)
          rows[to + i] = scale * (embeddings[piece * WIDTH + i] ?? 0) + (positions[position * WIDTH + i] ?? 0)
      })
    })
    kernel.quantize(input, integers, scales, count, WIDTH)
    multiply('multiply', residual, { into: state, count })
    let width = WIDTH
    let from = input
    for (const layer of layers) {
      normalizeRows(from, layer.attentionNorm, count, width)
      multiply('multiply', layer.queryKeyValue, { into: wide, count })
      computeAttention(spans, width)
      kernel.quantize(mixedRows, integers, scales, count, width)
      multiply('multiplyAdd', layer.attentionOut, { into: state, count })
      normalizeRows(state, layer.feedForwardNorm, count, DIMENSIONS)
      multiply('multiplyRelu', layer.hidden, { into: wide, count })
      if (layer === layers[0]) {
        const states = floatsAt(state, count * DIMENSIONS)
        for (let row = 0; row < count; row++) {
          for (let i = 0; i < DIMENSIONS; i++)
            states[row * DIMENSIONS + i] = (states[row * DIMENSIONS + i] ?? 0) + (firstOutBias[i] ?? 0)
          kernel.addSparse(
            wide + row * HIDDEN_SIZE * 4,
            firstOut,
            state + row * DIMENSIONS * 4,
            HIDDEN_SIZE,
            DIMENSIONS,
          )
        }
      }
      width = DIMENSIONS
      from = state
    }
    computeVectors(spans, into)
  }

  /** Computes the mean of each text with the last product of the second layer, then the last layer. */
  const computeVectors = (spans: readonly Span[], into: Float32Array): void => {
    const ones = floatsAt(weights, MAX_TOKENS)
    spans.forEach(({ first, length }, text) => {
      ones.fill(1 / length)
      kernel.weightedSum(
        weights,
        wide + first * HIDDEN_SIZE * 4,
        sums + text * HIDDEN_SIZE * 4,
        length,
        HIDDEN_SIZE * 4,
        HIDDEN_SIZE,
      )
      kernel.weightedSum(
        weights,
        state + first * DIMENSIONS * 4,
        mixedRows + text * DIMENSIONS * 4,
        length,
        DIMENSIONS * 4,
        DIMENSIONS,
      )
    })
    const count = Math.ceil(spans.length / ROW_MULTIPLE) * ROW_MULTIPLE
    kernel.quantize(sums, sumIntegers, scales, count, HIDDEN_SIZE)
    multiply('multiplyAdd', lastOut, { into: mixedRows, count, rows: sumIntegers })
    kernel.quantize(mixedRows, integers, scales, count, DIMENSIONS)
    multiply('multiply', outputMatrix, { into: state, count })
    const states = floatsAt(state, spans.length * DIMENSIONS)
    for (let text = 0; text < spans.length; text++) {
      let sum = 0
      for (let i = text * DIMENSIONS; i < (text + 1) * DIMENSIONS; i++) {
        const value = Math.tanh(states[i] ?? 0)
        into[i] = value
        sum += value * value
      }
      const length = Math.sqrt(sum) || 1
      for (let i = text * DIMENSIONS; i < (text + 1) * DIMENSIONS; i++) into[i] = (into[i] ?? 0) / length
    }
  }

  return (texts) => {
    const vectors = new Float32Array(texts.length * DIMENSIONS)
    for (const { first, last } of passes(texts))
      encodePass(texts.slice(first, last), vectors.subarray(first * DIMENSIONS, last * DIMENSIONS))
    return vectors
  }
}

interface Span {
  first: number
  length: number
}

function spansOf(texts: readonly (readonly number[])[]): Span[] {
  let first = 0
  return texts.map(({ length }) => {
    const span = { first, length }
    first += length
    return span
  })
}

/** Divides the texts into passes of at most MAX_ROWS rows. @throws RangeError for a text without pieces or with too many */
function passes(texts: readonly (readonly number[])[]): { first: number; last: number }[] {
  const allPasses: { first: number; last: number }[] = []
  let rows = 0
  texts.forEach(({ length }, textIndex) => {
    if (length < 1 || length > MAX_TOKENS) throw new RangeError(`a text of ${length} pieces`)
    const current = allPasses.at(-1)
    if (current && rows + length <= MAX_ROWS) {
      current.last = textIndex + 1
      rows += length
    } else {
      allPasses.push({ first: textIndex, last: textIndex + 1 })
      rows = length
    }
  })
  return allPasses
}

/** Stores a matrix as floats, for products with rows that are mostly 0. Returns where it begins. */
function asFloats(file: ModelFile, name: string, arena: Arena, { memory }: Kernel): number {
  const [depth = 0, width = 0] = file.shape(name)
  const integers = file.integers(name)
  const scales = file.floats(`${name}.scales`)
  const start = arena.reserve(depth * width * 4)
  const floats = new Float32Array(memory.buffer, start, depth * width)
  for (let i = 0; i < floats.length; i++) floats[i] = (integers[i] ?? 0) * (scales[i % width] ?? 0)
  return start
}

/** Sines and cosines of each position, as in "Attention is all you need" (Vaswani et al. 2017). */
function positionsOf(frequencies: Float32Array): Float32Array {
  const table = new Float32Array(MAX_TOKENS * WIDTH)
  for (let position = 0; position < MAX_TOKENS; position++)
    for (let i = 0; i < WIDTH / 2; i++) {
      const angle = position * (frequencies[i] ?? 0)
      table[position * WIDTH + i] = Math.sin(angle)
      table[position * WIDTH + WIDTH / 2 + i] = Math.cos(angle)
    }
  return table
}

function softmax(scores: Float32Array, factor: number): void {
  let maxScore = Number.NEGATIVE_INFINITY
  for (const score of scores) if (score > maxScore) maxScore = score
  let sum = 0
  for (let i = 0; i < scores.length; i++) {
    const value = Math.exp(((scores[i] ?? 0) - maxScore) * factor)
    scores[i] = value
    sum += value
  }
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) / sum
}
