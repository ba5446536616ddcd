// The arithmetic of the sentence model in WebAssembly with 128-bit vectors: matrix products in 16-bit integers, norms,
// attention. A matrix is stored in panels of eight columns, in which the two numbers of a column in each pair of rows are side by
// side: the instruction `i32x4.dot_i16x8_s` needs this order. The number of rows of activations is padded to a multiple of four.

import {
  assemble,
  type Code,
  type FunctionSource,
  float,
  int,
  type Local,
  lane,
  loadFloat,
  loadSplat,
  loadVector,
  op,
  repeatWhile,
  splatInt,
  storeFloat,
  storeVector,
  unless,
  zeros,
} from './assembler.ts'

export const PANEL_COLUMNS = 8
export const ROW_MULTIPLE = 4
const PAIRS_PER_STEP = 4
// The largest quantized activation. The sum of 1,536 products with weights of at most 127 must fit into a signed 32-bit integer;
// with 8,191 it reaches 75 % of the maximum.
const MAX_QUANTIZED = 8191
// Added to a variance, so that a row of equal numbers is not divided by 0.
const EPSILON = 1e-6
/** The bits of the float 1.5 × 2^23, which rounds a number that is added to it (quantizeRow). */
const ROUNDING_BITS = 0x4b400000

type Pointer = number

/** Pointers and `stride` are in bytes; other sizes are numbers of elements. */
export interface Kernel {
  memory: { readonly buffer: ArrayBuffer }
  /** Multiplies rows by a matrix, applies the scales of rows and columns, and adds the bias. */
  multiply: Multiply
  /** As `multiply`, with negative results replaced by 0. */
  multiplyRelu: Multiply
  /** As `multiply`, but adds the results to the output. */
  multiplyAdd: Multiply
  /** Converts rows to 16-bit integers, and stores for each row the scale that restores its numbers. */
  quantize(rows: Pointer, into: Pointer, scales: Pointer, count: number, width: number): void
  /** Scales rows to mean 0 and variance 1, applies gain and bias, then quantizes them. `scratch` has space for one row. */
  normalize(
    rows: Pointer,
    into: Pointer,
    scales: Pointer,
    count: number,
    width: number,
    gain: Pointer,
    bias: Pointer,
    scratch: Pointer,
  ): void
  /** Computes the inner products of a vector with `count` rows. Each row begins `stride` bytes after the one before. */
  products(vector: Pointer, rows: Pointer, into: Pointer, count: number, stride: number, width: number): void
  /** Computes the weighted sum of the rows. */
  weightedSum(
    weights: Pointer,
    rows: Pointer,
    into: Pointer,
    count: number,
    stride: number,
    width: number,
  ): void
  /** Adds the weighted rows of a float matrix to one row. Rows with the weight 0 are skipped. */
  addSparse(weights: Pointer, matrix: Pointer, into: Pointer, count: number, width: number): void
}

type Multiply = (
  rows: Pointer,
  rowScales: Pointer,
  matrix: Pointer,
  columnScales: Pointer,
  bias: Pointer,
  into: Pointer,
  count: number,
  depth: number,
  width: number,
) => void

const i32s = (count: number): 'i32'[] => new Array<'i32'>(count).fill('i32')
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const sumOfLanes = (vector: Local): Code =>
  op(
    'f32.add',
    op('f32.add', lane(vector.get, 0), lane(vector.get, 1)),
    op('f32.add', lane(vector.get, 2), lane(vector.get, 3)),
  )
const maxOfLanes = (vector: Local): Code =>
  op(
    'f32.max',
    op('f32.max', lane(vector.get, 0), lane(vector.get, 1)),
    op('f32.max', lane(vector.get, 2), lane(vector.get, 3)),
  )
const bytes = (count: Local, size: number): Code => op('i32.mul', count.get, int(size))

function multiply(name: string, kind: 'set' | 'relu' | 'add'): FunctionSource {
  return {
    name,
    parameters: i32s(9),
    body: ([rows, rowScales, matrix, columnScales, bias, into, count, depth, width], local) => {
      if (!rows || !rowScales || !matrix || !columnScales || !bias || !into || !count || !depth || !width)
        return []
      const sums = range(ROW_MULTIPLE).map(() => range(PANEL_COLUMNS / 4).map(() => local('v128')))
      const panel = range(PANEL_COLUMNS / 4).map(() => local('v128'))
      const pair = local('v128')
      const row = range(ROW_MULTIPLE).map(() => local('i32'))
      const [
        endOfRow,
        matrixPointer,
        outputPointer,
        scale,
        endOfRows,
        stride,
        panelStart,
        endOfColumns,
        column,
      ] = range(9).map(() => local('i32'))
      if (!endOfRow || !matrixPointer || !outputPointer || !scale || !endOfRows || !stride) return []
      if (!panelStart || !endOfColumns || !column) return []
      const first = row[0]
      if (!first) return []
      const step = range(PAIRS_PER_STEP).flatMap((p) => [
        ...panel.flatMap((vector, i) =>
          vector.set(loadVector(matrixPointer.get, p * PANEL_COLUMNS * 4 + i * 16)),
        ),
        ...row.flatMap((pointer, r) => [
          ...pair.set(loadSplat(pointer.get, p * 4)),
          ...panel.flatMap(
            (vector, i) =>
              sums[r]?.[i]?.set(
                op('i32x4.add', sums[r]?.[i]?.get ?? [], op('i32x4.dot_i16x8_s', vector.get, pair.get)),
              ) ?? [],
          ),
        ]),
      ])
      const result = (r: number, i: number): Code => {
        const scaledSum = op(
          'f32x4.add',
          loadVector(op('i32.add', bias.get, column.get), i * 16),
          op(
            'f32x4.mul',
            op('f32x4.convert_i32x4_s', sums[r]?.[i]?.get ?? []),
            op(
              'f32x4.mul',
              loadSplat(scale.get, r * 4),
              loadVector(op('i32.add', columnScales.get, column.get), i * 16),
            ),
          ),
        )
        if (kind === 'relu') return op('f32x4.pmax', scaledSum, zeros)
        return kind === 'add' ? op('f32x4.add', scaledSum, loadVector(outputPointer.get, i * 16)) : scaledSum
      }
      const finish = range(ROW_MULTIPLE).flatMap((r) => [
        ...panel.flatMap((_, i) => storeVector(outputPointer.get, result(r, i), i * 16)),
        ...outputPointer.advance(bytes(width, 4)),
      ])
      const fourRows = [
        ...sums.flat().flatMap((sum) => sum.set(zeros)),
        ...matrixPointer.set(panelStart.get),
        ...endOfRow.set(op('i32.add', first.get, stride.get)),
        ...row.slice(1).flatMap((pointer, r) => pointer.set(op('i32.add', row[r]?.get ?? [], stride.get))),
        ...repeatWhile(
          [
            ...step,
            ...matrixPointer.advance(int(PAIRS_PER_STEP * PANEL_COLUMNS * 4)),
            ...row.flatMap((pointer) => pointer.advance(int(PAIRS_PER_STEP * 4))),
          ],
          op('i32.lt_u', first.get, endOfRow.get),
        ),
        ...finish,
        ...scale.advance(int(ROW_MULTIPLE * 4)),
        // The first pointer is now at the end of its row, so it moves by three more rows to the next four rows.
        ...first.advance(op('i32.mul', stride.get, int(ROW_MULTIPLE - 1))),
      ]
      const onePanel = [
        ...first.set(rows.get),
        ...scale.set(rowScales.get),
        ...outputPointer.set(op('i32.add', into.get, column.get)),
        ...repeatWhile(fourRows, op('i32.lt_u', first.get, endOfRows.get)),
        ...panelStart.advance(bytes(depth, PANEL_COLUMNS * 2)),
        ...column.advance(int(PANEL_COLUMNS * 4)),
      ]
      return [
        ...stride.set(bytes(depth, 2)),
        ...endOfRows.set(op('i32.add', rows.get, op('i32.mul', stride.get, count.get))),
        ...endOfColumns.set(bytes(width, 4)),
        ...panelStart.set(matrix.get),
        ...column.set(int(0)),
        ...repeatWhile(onePanel, op('i32.lt_u', column.get, endOfColumns.get)),
      ]
    },
  }
}

/**
 * Reads floats at `from`, four at a time, and writes 16-bit integers at `into`, using the scale of the row. Both pointers
 * advance.
 */
function quantizeRow(
  { from, into, scales, end, width }: Record<'from' | 'into' | 'scales' | 'end' | 'width', Local>,
  { largestLanes, factor }: { largestLanes: Local; factor: Local },
  local: (type: 'v128' | 'f32' | 'i32') => Local,
): Code {
  const largest = local('f32')
  // A float of this size has no bits left for fractions. Adding it therefore rounds, and its lowest bits are the integer.
  const quantized = (offset: number): Code =>
    op(
      'i32x4.sub',
      op('f32x4.add', op('f32x4.mul', loadVector(from.get, offset), factor.get), splatInt(ROUNDING_BITS)),
      splatInt(ROUNDING_BITS),
    )
  return [
    ...largest.set(op('f32.max', maxOfLanes(largestLanes), float(1e-20))),
    ...storeFloat(scales.get, op('f32.div', largest.get, float(MAX_QUANTIZED))),
    ...scales.advance(int(4)),
    ...factor.set(op('f32x4.splat', op('f32.div', float(MAX_QUANTIZED), largest.get))),
    ...end.set(op('i32.add', from.get, bytes(width, 4))),
    ...repeatWhile(
      [
        ...storeVector(into.get, op('i16x8.narrow_i32x4_s', quantized(0), quantized(16))),
        ...from.advance(int(32)),
        ...into.advance(int(16)),
      ],
      op('i32.lt_u', from.get, end.get),
    ),
  ]
}

const quantize: FunctionSource = {
  name: 'quantize',
  parameters: i32s(5),
  body: ([rows, into, scales, count, width], local) => {
    if (!rows || !into || !scales || !count || !width) return []
    const [from, end, endOfRows] = [local('i32'), local('i32'), local('i32')]
    const [largestLanes, factor] = [local('v128'), local('v128')]
    return [
      ...from.set(rows.get),
      ...endOfRows.set(op('i32.add', rows.get, op('i32.mul', count.get, bytes(width, 4)))),
      ...repeatWhile(
        [
          ...largestLanes.set(zeros),
          ...end.set(op('i32.add', from.get, bytes(width, 4))),
          ...repeatWhile(
            [
              ...largestLanes.set(op('f32x4.pmax', largestLanes.get, op('f32x4.abs', loadVector(from.get)))),
              ...from.advance(int(16)),
            ],
            op('i32.lt_u', from.get, end.get),
          ),
          ...from.advance(bytes(width, -4)),
          ...quantizeRow({ from, into, scales, end, width }, { largestLanes, factor }, local),
        ],
        op('i32.lt_u', from.get, endOfRows.get),
      ),
    ]
  },
}

const normalize: FunctionSource = {
  name: 'normalize',
  parameters: i32s(8),
  body: ([rows, into, scales, count, width, gain, bias, scratch], local) => {
    if (!rows || !into || !scales || !count || !width || !gain || !bias || !scratch) return []
    const [from, end, endOfRows, at] = [local('i32'), local('i32'), local('i32'), local('i32')]
    const [largestLanes, factor, sum, mean, part] = range(5).map(() => local('v128'))
    if (!largestLanes || !factor || !sum || !mean || !part) return []
    const eachOf = (code: Code): Code => [
      ...end.set(op('i32.add', from.get, bytes(width, 4))),
      ...repeatWhile([...code, ...from.advance(int(16))], op('i32.lt_u', from.get, end.get)),
      ...from.advance(bytes(width, -4)),
    ]
    const average = op('f32.div', sumOfLanes(sum), op('f32.convert_i32_u', width.get))
    const offset = (base: Local): Code => loadVector(op('i32.add', base.get, at.get))
    return [
      ...from.set(rows.get),
      ...endOfRows.set(op('i32.add', rows.get, op('i32.mul', count.get, bytes(width, 4)))),
      ...repeatWhile(
        [
          ...sum.set(zeros),
          ...eachOf(sum.set(op('f32x4.add', sum.get, loadVector(from.get)))),
          ...mean.set(op('f32x4.splat', average)),
          ...sum.set(zeros),
          ...eachOf([
            ...part.set(op('f32x4.sub', loadVector(from.get), mean.get)),
            ...sum.set(op('f32x4.add', sum.get, op('f32x4.mul', part.get, part.get))),
          ]),
          ...factor.set(
            op(
              'f32x4.splat',
              op('f32.div', float(1), op('f32.sqrt', op('f32.add', average, float(EPSILON)))),
            ),
          ),
          ...largestLanes.set(zeros),
          ...at.set(int(0)),
          ...eachOf([
            ...part.set(
              op(
                'f32x4.add',
                op(
                  'f32x4.mul',
                  op('f32x4.mul', op('f32x4.sub', loadVector(from.get), mean.get), factor.get),
                  offset(gain),
                ),
                offset(bias),
              ),
            ),
            ...largestLanes.set(op('f32x4.pmax', largestLanes.get, op('f32x4.abs', part.get))),
            ...storeVector(op('i32.add', scratch.get, at.get), part.get),
            ...at.advance(int(16)),
          ]),
          // The integers are made from the row in `scratch`.
          ...at.set(scratch.get),
          ...quantizeRow({ from: at, into, scales, end, width }, { largestLanes, factor }, local),
          ...from.advance(bytes(width, 4)),
        ],
        op('i32.lt_u', from.get, endOfRows.get),
      ),
    ]
  },
}

const products: FunctionSource = {
  name: 'products',
  parameters: i32s(6),
  body: ([vector, rows, into, count, stride, width], local) => {
    if (!vector || !rows || !into || !count || !stride || !width) return []
    const [end, leftPointer, rightPointer, endOfOutput] = [
      local('i32'),
      local('i32'),
      local('i32'),
      local('i32'),
    ]
    const sums = [local('v128'), local('v128')]
    const [sum, other] = sums
    if (!sum || !other) return []
    return [
      ...endOfOutput.set(op('i32.add', into.get, bytes(count, 4))),
      ...end.set(op('i32.add', vector.get, bytes(width, 4))),
      ...repeatWhile(
        [
          ...sums.flatMap((one) => one.set(zeros)),
          ...leftPointer.set(vector.get),
          ...rightPointer.set(rows.get),
          ...repeatWhile(
            [
              ...range(4).flatMap((i) => {
                const one = sums[i % 2] ?? sum
                return one.set(
                  op(
                    'f32x4.add',
                    one.get,
                    op(
                      'f32x4.mul',
                      loadVector(leftPointer.get, i * 16),
                      loadVector(rightPointer.get, i * 16),
                    ),
                  ),
                )
              }),
              ...leftPointer.advance(int(64)),
              ...rightPointer.advance(int(64)),
            ],
            op('i32.lt_u', leftPointer.get, end.get),
          ),
          ...sum.set(op('f32x4.add', sum.get, other.get)),
          ...storeFloat(into.get, sumOfLanes(sum)),
          ...into.advance(int(4)),
          ...rows.advance(stride.get),
        ],
        op('i32.lt_u', into.get, endOfOutput.get),
      ),
    ]
  },
}

const weightedSum: FunctionSource = {
  name: 'weightedSum',
  parameters: i32s(6),
  body: ([weights, rows, into, count, stride, width], local) => {
    if (!weights || !rows || !into || !count || !stride || !width) return []
    const [end, weightPointer, row, endOfWeights] = [local('i32'), local('i32'), local('i32'), local('i32')]
    const sums = range(4).map(() => local('v128'))
    const weight = local('v128')
    return [
      ...end.set(op('i32.add', into.get, bytes(width, 4))),
      ...endOfWeights.set(op('i32.add', weights.get, bytes(count, 4))),
      ...repeatWhile(
        [
          ...sums.flatMap((sum) => sum.set(zeros)),
          ...weightPointer.set(weights.get),
          ...row.set(rows.get),
          ...repeatWhile(
            [
              ...weight.set(loadSplat(weightPointer.get)),
              ...sums.flatMap((sum, i) =>
                sum.set(op('f32x4.add', sum.get, op('f32x4.mul', weight.get, loadVector(row.get, i * 16)))),
              ),
              ...weightPointer.advance(int(4)),
              ...row.advance(stride.get),
            ],
            op('i32.lt_u', weightPointer.get, endOfWeights.get),
          ),
          ...sums.flatMap((sum, i) => storeVector(into.get, sum.get, i * 16)),
          ...into.advance(int(64)),
          ...rows.advance(int(64)),
        ],
        op('i32.lt_u', into.get, end.get),
      ),
    ]
  },
}

const addSparse: FunctionSource = {
  name: 'addSparse',
  parameters: i32s(5),
  body: ([weights, matrix, into, count, width], local) => {
    if (!weights || !matrix || !into || !count || !width) return []
    const [endOfWeights, at, row, end] = [local('i32'), local('i32'), local('i32'), local('i32')]
    const weight = local('v128')
    return [
      ...endOfWeights.set(op('i32.add', weights.get, bytes(count, 4))),
      ...repeatWhile(
        [
          ...unless(op('f32.eq', loadFloat(weights.get), float(0)), [
            ...weight.set(loadSplat(weights.get)),
            ...row.set(matrix.get),
            ...at.set(into.get),
            ...end.set(op('i32.add', into.get, bytes(width, 4))),
            ...repeatWhile(
              [
                ...range(4).flatMap((i) =>
                  storeVector(
                    at.get,
                    op(
                      'f32x4.add',
                      loadVector(at.get, i * 16),
                      op('f32x4.mul', weight.get, loadVector(row.get, i * 16)),
                    ),
                    i * 16,
                  ),
                ),
                ...at.advance(int(64)),
                ...row.advance(int(64)),
              ],
              op('i32.lt_u', at.get, end.get),
            ),
          ]),
          ...weights.advance(int(4)),
          ...matrix.advance(bytes(width, 4)),
        ],
        op('i32.lt_u', weights.get, endOfWeights.get),
      ),
    ]
  },
}

const MEMORY_PAGE_BYTES = 65_536

// The part of the WebAssembly interface that is used here, because Node's types do not have it.
interface WebAssemblyInterface {
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  Module: new (code: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object, imports: object) => { exports: object }
}
const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyInterface })
  .WebAssembly

/** @param memoryBytes the size of the kernel's memory */
export function openKernel(memoryBytes: number): Kernel {
  const memoryPages = Math.ceil(memoryBytes / MEMORY_PAGE_BYTES)
  const memory = new Memory({ initial: memoryPages, maximum: memoryPages })
  const code = assemble(
    [
      multiply('multiply', 'set'),
      multiply('multiplyRelu', 'relu'),
      multiply('multiplyAdd', 'add'),
      quantize,
      normalize,
      products,
      weightedSum,
      addSparse,
    ],
    memoryPages,
  )
  const { exports } = new Instance(new Module(code), { host: { memory } })
  return { ...(exports as unknown as Omit<Kernel, 'memory'>), memory }
}
