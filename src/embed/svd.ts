// The leading right singular vectors of a sparse matrix, by a randomised range finder with power iterations (Halko,
// Martinsson and Tropp 2011, algorithms 4.4 and 5.1). Pure and deterministic: the random start has a fixed seed.

import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** Rows in one array: row i has values[j] in column indices[j] for starts[i] <= j < starts[i + 1]. */
export interface SparseMatrix {
  rows: number
  columns: number
  starts: Int32Array
  indices: Int32Array
  values: Float32Array
}

/** Row-major. */
interface Dense {
  rows: number
  columns: number
  data: Float32Array
}

const OVERSAMPLED = 10
const POWER_ITERATIONS = 2
// Directions weaker than this share of the strongest are rounding noise of rank-deficient input, and are dropped.
const LEAST_SHARE = 1e-9
const SEED = 0x6b656e6e

/** With the singular value of each column. */
export interface Directions extends Dense {
  strengths: readonly number[]
}

/** `columns × k` in row-major order, k at most `rank` and at most the rank of the matrix; strongest direction first. */
export function rightSingularVectors(matrix: SparseMatrix, rank: number): Directions {
  const width = Math.min(rank + OVERSAMPLED, matrix.rows, matrix.columns)
  let basis = orthonormal(times(matrix, noise(matrix.columns, width)))
  for (let i = 0; i < POWER_ITERATIONS; i++)
    basis = orthonormal(times(matrix, timesTransposed(matrix, basis)))
  return orthonormal(timesTransposed(matrix, basis), rank)
}

/** Uniform in (-1, 1), which serves as well as Gaussian noise here, and the same on every machine. */
function noise(rows: number, columns: number): Dense {
  const data = new Float32Array(rows * columns)
  let state = SEED
  for (let i = 0; i < data.length; i++) {
    // xorshift32 (Marsaglia 2003)
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    data[i] = state / 2 ** 31
  }
  return { rows, columns, data }
}

/** matrix · other */
function times(matrix: SparseMatrix, other: Dense): Dense {
  const width = other.columns
  const data = new Float32Array(matrix.rows * width)
  for (let row = 0; row < matrix.rows; row++) {
    const end = matrix.starts[row + 1] ?? 0
    for (let at = matrix.starts[row] ?? 0; at < end; at++) {
      const from = (matrix.indices[at] ?? 0) * width
      add(data, row * width, other.data, from, width, matrix.values[at] ?? 0)
    }
  }
  return { rows: matrix.rows, columns: width, data }
}

/** matrixᵀ · other */
function timesTransposed(matrix: SparseMatrix, other: Dense): Dense {
  const width = other.columns
  const data = new Float32Array(matrix.columns * width)
  for (let row = 0; row < matrix.rows; row++) {
    const end = matrix.starts[row + 1] ?? 0
    for (let at = matrix.starts[row] ?? 0; at < end; at++) {
      const to = (matrix.indices[at] ?? 0) * width
      add(data, to, other.data, row * width, width, matrix.values[at] ?? 0)
    }
  }
  return { rows: matrix.columns, columns: width, data }
}

function add(
  to: Float32Array,
  toAt: number,
  from: Float32Array,
  fromAt: number,
  width: number,
  by: number,
): void {
  for (let i = 0; i < width; i++) to[toAt + i] = (to[toAt + i] ?? 0) + by * (from[fromAt + i] ?? 0)
}

/**
 * An orthonormal basis of the columns' span, strongest first, at most `most` of them: with the eigenvectors W of the
 * small Gram matrix YᵀY and its eigenvalues λ, the columns of Y · W · λ^-½ (for Y = Aᵀ·Q the right singular vectors).
 */
function orthonormal(y: Dense, most = y.columns): Directions {
  if (y.columns === 0) return { ...y, strengths: [] }
  const { values, vectors } = eigen(gram(y))
  const order = values
    .map((value, at) => ({ value, at }))
    .sort((a, b) => b.value - a.value)
    .filter(({ value }, _, [first]) => value > (first?.value ?? 0) * LEAST_SHARE)
    .slice(0, most)
  const turn = new Float32Array(y.columns * order.length)
  order.forEach(({ value, at }, column) => {
    // The sign of an eigenvector is arbitrary: its largest part is made positive.
    const vector = Array.from({ length: y.columns }, (_, row) => vectors.get(row, at))
    const largest = vector.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0)
    const scale = Math.sign(largest || 1) / Math.sqrt(value)
    vector.forEach((part, row) => {
      turn[row * order.length + column] = part * scale
    })
  })
  return { ...product(y, turn, order.length), strengths: order.map(({ value }) => Math.sqrt(value)) }
}

function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(symmetric, {
    assumeSymmetric: true,
  })
  return { values: realEigenvalues, vectors: eigenvectorMatrix }
}

/** YᵀY in double precision. */
function gram(y: Dense): Matrix {
  const width = y.columns
  const sums = new Float64Array(width * width)
  for (let row = 0; row < y.rows; row++) {
    const at = row * width
    for (let i = 0; i < width; i++) {
      const left = y.data[at + i] ?? 0
      if (left === 0) continue
      for (let j = i; j < width; j++)
        sums[i * width + j] = (sums[i * width + j] ?? 0) + left * (y.data[at + j] ?? 0)
    }
  }
  const full = new Matrix(width, width)
  for (let i = 0; i < width; i++) {
    for (let j = i; j < width; j++) {
      full.set(i, j, sums[i * width + j] ?? 0)
      full.set(j, i, sums[i * width + j] ?? 0)
    }
  }
  return full
}

/** y · turn */
function product(y: Dense, turn: Float32Array, columns: number): Dense {
  const data = new Float32Array(y.rows * columns)
  for (let row = 0; row < y.rows; row++) {
    for (let i = 0; i < y.columns; i++) {
      const by = y.data[row * y.columns + i] ?? 0
      if (by !== 0) add(data, row * columns, turn, i * columns, columns, by)
    }
  }
  return { rows: y.rows, columns, data }
}
