import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Basis, fitBasis, foldIn, type TermRows } from './fit.ts'
import { fitInThread } from './fit-in-thread.ts'
import { rightSingularVectors } from './svd.ts'

/** Chunks as lists of terms, each with weight 1. */
function rowsOf(chunks: number[][]): TermRows {
  const starts = [0]
  for (const chunk of chunks) starts.push((starts.at(-1) ?? 0) + chunk.length)
  const terms = Int32Array.from(chunks.flat())
  return { starts: Int32Array.from(starts), terms, weights: new Float32Array(terms.length).fill(1) }
}

function lookup(basis: Basis): Parameters<typeof foldIn>[1] {
  const place = new Map(Array.from(basis.terms, (term, at) => [term, at]))
  return (term) => {
    const at = place.get(term)
    if (at === undefined) return undefined
    const from = at * basis.dimensions
    return { scale: basis.scales[at] ?? 0, v: basis.vectors.subarray(from, from + basis.dimensions) }
  }
}

const fold = (basis: Basis, chunk: number[]): Float32Array | undefined =>
  foldIn(
    chunk.map((term) => ({ term, weight: 1 })),
    lookup(basis),
  )

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  (a ?? new Float32Array()).reduce((sum, x, i) => sum + x * (b?.[i] ?? 0), 0)

/** Two subjects of 30 words in a ring; a chunk holds three neighbours of one subject, and its name (99, 199). */
const twoSubjects = Array.from({ length: 60 }, (_, i) => {
  const first = (i % 2) * 100
  return [0, 1, 2].map((j) => first + (((i >> 1) + j) % 30)).concat(first + 99)
})

describe('fitBasis', () => {
  test('brings together chunks that share a subject without sharing a word', () => {
    const basis = fitBasis(rowsOf(twoSubjects), 2)
    const alike = (a: number, b: number): number => dot(fold(basis, [a]), fold(basis, [b]))
    expect(alike(0, 15)).toBeGreaterThan(0.8)
    // Two power iterations leave a part of the rings' next harmonics in the two dimensions (.51; eight leave .01).
    expect(Math.abs(alike(0, 115))).toBeLessThan(0.6)
  })

  test('is the same each time, here and in its thread', async () => {
    const here = fitBasis(rowsOf(twoSubjects))
    expect(fitBasis(rowsOf(twoSubjects))).toEqual(here)
    expect(await fitInThread(rowsOf(twoSubjects), new AbortController().signal)).toEqual(here)
  })

  test('ends with its signal', async () => {
    const stop = new AbortController()
    const fit = fitInThread(rowsOf(twoSubjects), stop.signal)
    stop.abort(new Error('enough'))
    await expect(fit).rejects.toThrow('enough')
  })

  test.each([
    ['nothing', []],
    ['empty chunks', [[], [], []]],
    ['chunks that share no term', [[1], [2], [3], [4]]],
  ])('%s has no dimension, and folds to nothing', (_, chunks) => {
    const basis = fitBasis(rowsOf(chunks))
    expect(basis.dimensions * basis.terms.length).toBe(0)
    expect(fold(basis, [1, 2])).toBeUndefined()
  })

  test('equal chunks need one dimension', () => {
    expect(fitBasis(rowsOf(Array.from({ length: 80 }, () => [1, 2, 3]))).dimensions).toBe(1)
  })

  test('any chunks fold to length 1 or to nothing', () => {
    const chunk = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), (chunks) => {
        const basis = fitBasis(rowsOf(chunks))
        for (const each of chunks) {
          const vector = fold(basis, each)
          if (vector) expect(Math.sqrt(dot(vector, vector))).toBeCloseTo(1, 4)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('rightSingularVectors', () => {
  const entry = fc.tuple(fc.nat(11), fc.nat(8), fc.integer({ min: -9, max: 9 }))

  test('are orthonormal and keep what a matrix of low rank does to any row', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 60 }), (entries) => {
        const dense = Array.from({ length: 12 }, () => new Array<number>(9).fill(0))
        for (const [row, column, value] of entries) (dense[row] ?? [])[column] = value
        fc.pre(dense.some((row) => row.some((value) => value !== 0)))
        const starts = [0]
        for (const row of dense) starts.push((starts.at(-1) ?? 0) + row.length)
        const { columns: k, data } = rightSingularVectors(
          {
            rows: 12,
            columns: 9,
            starts: Int32Array.from(starts),
            indices: Int32Array.from(dense.flatMap((row) => row.map((_, column) => column))),
            values: Float32Array.from(dense.flat()),
          },
          9,
        )
        const column = (j: number): number[] => Array.from({ length: 9 }, (_, i) => data[i * k + j] ?? 0)
        const inner = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)
        for (let a = 0; a < k; a++) {
          for (let b = 0; b < k; b++) expect(inner(column(a), column(b))).toBeCloseTo(a === b ? 1 : 0, 3)
        }
        // Every row lies in their span: projecting it changes nothing.
        for (const row of dense) {
          const parts = Array.from({ length: k }, (_, j) => inner(row, column(j)))
          const back = row.map((_, i) => parts.reduce((sum, part, j) => sum + part * (column(j)[i] ?? 0), 0))
          for (const [i, value] of row.entries()) expect(back[i]).toBeCloseTo(value, 2)
        }
      }),
      { numRuns: 100 },
    )
  })
})
