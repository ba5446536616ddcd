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
const MIN_SHARE = 1e-9
const SEED = 0x6b656e6e

/** With the singular value of each column. */
export interface Directions extends Dense {
  strengths: readonly number[]
}

/** `columns × k` in row-major order, k at most `rank` and at most the rank of the matrix; strongest direction first. */
export function rightSingularVectors(matrix: SparseMatrix, rank: number): Directions {
  const width = Math.min(rank + OVERSAMPLED, matrix.rows, matrix.columns)
  const turned = transposed(matrix)
  let basis = orthonormal(times(matrix, noise(matrix.columns, width)))
  for (let i = 0; i < POWER_ITERATIONS; i++) basis = orthonormal(times(matrix, times(turned, basis)))
  // Aᵀ·Q·W·λ^-½: turning Q, which has a row for each chunk, costs less than turning AᵀQ, which has one for each term.
  const { turn, strengths } = turnOf(times(turned, basis), rank)
  return { ...times(turned, times(asSparse(basis), turn)), strengths }
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

/** matrix · other. Four values of a row at a time: what they add up to is read and written once for them. */
function times(matrix: SparseMatrix, other: Dense): Dense {
  const { starts, indices, values } = matrix
  const width = other.columns
  const from = other.data
  const data = new Float32Array(matrix.rows * width)
  for (let row = 0; row < matrix.rows; row++) {
    const to = row * width
    const end = starts[row + 1] as number
    let at = starts[row] as number
    for (; at + 4 <= end; at += 4) {
      const p = values[at] as number
      const q = values[at + 1] as number
      const r = values[at + 2] as number
      const s = values[at + 3] as number
      const a = (indices[at] as number) * width
      const b = (indices[at + 1] as number) * width
      const c = (indices[at + 2] as number) * width
      const d = (indices[at + 3] as number) * width
      for (let i = 0; i < width; i++)
        (data[to + i] as number) +=
          p * (from[a + i] as number) +
          q * (from[b + i] as number) +
          r * (from[c + i] as number) +
          s * (from[d + i] as number)
    }
    for (; at < end; at++) {
      const by = values[at] as number
      const a = (indices[at] as number) * width
      for (let i = 0; i < width; i++) (data[to + i] as number) += by * (from[a + i] as number)
    }
  }
  return { rows: matrix.rows, columns: width, data }
}

/** So that a product with it, too, writes one row after the other: adding to rows here and there took twice as long. */
function transposed(matrix: SparseMatrix): SparseMatrix {
  const starts = new Int32Array(matrix.columns + 1)
  for (const column of matrix.indices) (starts[column + 1] as number) += 1
  for (let column = 0; column < matrix.columns; column++)
    (starts[column + 1] as number) += starts[column] as number
  const next = starts.slice()
  const indices = new Int32Array(matrix.indices.length)
  const values = new Float32Array(matrix.indices.length)
  for (let row = 0; row < matrix.rows; row++) {
    const end = matrix.starts[row + 1] as number
    for (let at = matrix.starts[row] as number; at < end; at++) {
      const column = matrix.indices[at] as number
      const to = next[column] as number
      next[column] = to + 1
      indices[to] = row
      values[to] = matrix.values[at] as number
    }
  }
  return { rows: matrix.columns, columns: matrix.rows, starts, indices, values }
}

/** An orthonormal basis of the columns' span, strongest first. */
function orthonormal(y: Dense): Dense {
  return times(asSparse(y), turnOf(y).turn)
}

/** What makes a basis of the span of `y` of its columns: y · turn. */
interface Turn {
  turn: Dense
  strengths: readonly number[]
}

/**
 * With the eigenvectors W of the small Gram matrix YᵀY and its eigenvalues λ, W · λ^-½ turns Y into an orthonormal basis of its
 * columns' span, strongest first, at most `most` of them (for Y = Aᵀ·Q into the right singular vectors of A).
 */
function turnOf(y: Dense, most = y.columns): Turn {
  if (y.columns === 0) return { turn: { rows: 0, columns: 0, data: new Float32Array(0) }, strengths: [] }
  const { values, vectors } = eigen(gram(y))
  const order = values
    .map((value, at) => ({ value, at }))
    .sort((a, b) => b.value - a.value)
    .filter(({ value }, _, [first]) => value > (first?.value ?? 0) * MIN_SHARE)
    .slice(0, most)
  const data = new Float32Array(y.columns * order.length)
  order.forEach(({ value, at }, column) => {
    // The sign of an eigenvector is arbitrary: its largest part is made positive.
    const vector = Array.from({ length: y.columns }, (_, row) => vectors.get(row, at))
    const largest = vector.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0)
    const scale = Math.sign(largest || 1) / Math.sqrt(value)
    vector.forEach((part, row) => {
      data[row * order.length + column] = part * scale
    })
  })
  return {
    turn: { rows: y.columns, columns: order.length, data },
    strengths: order.map(({ value }) => Math.sqrt(value)),
  }
}

function eigen(symmetric: Matrix): { values: number[]; vectors: Matrix } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(symmetric, {
    assumeSymmetric: true,
  })
  return { values: realEigenvalues, vectors: eigenvectorMatrix }
}

/** YᵀY in double precision. Four rows at a time: each sum is read and written once for them. */
function gram(y: Dense): Matrix {
  const width = y.columns
  const sums = new Float64Array(width * width)
  const { data } = y
  const whole = y.rows - (y.rows % 4)
  for (let row = 0; row < whole; row += 4) {
    const a = row * width
    const b = a + width
    const c = b + width
    const d = c + width
    for (let i = 0; i < width; i++) {
      const p = data[a + i] as number
      const q = data[b + i] as number
      const r = data[c + i] as number
      const s = data[d + i] as number
      if (p === 0 && q === 0 && r === 0 && s === 0) continue
      const to = i * width
      for (let j = i; j < width; j++)
        (sums[to + j] as number) +=
          p * (data[a + j] as number) +
          q * (data[b + j] as number) +
          r * (data[c + j] as number) +
          s * (data[d + j] as number)
    }
  }
  for (let at = whole * width; at < data.length; at += width)
    for (let i = 0; i < width; i++)
      for (let j = i; j < width; j++)
        (sums[i * width + j] as number) += (data[at + i] as number) * (data[at + j] as number)
  const full = new Matrix(width, width)
  for (let i = 0; i < width; i++) {
    for (let j = i; j < width; j++) {
      full.set(i, j, sums[i * width + j] ?? 0)
      full.set(j, i, sums[i * width + j] ?? 0)
    }
  }
  return full
}

/** With an entry for each value. */
const asSparse = ({ rows, columns, data }: Dense): SparseMatrix => ({
  rows,
  columns,
  starts: Int32Array.from({ length: rows + 1 }, (_, row) => row * columns),
  indices: Int32Array.from({ length: data.length }, (_, at) => at % columns),
  values: data,
})
