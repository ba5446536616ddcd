// Encodes and decodes values in PostgreSQL's binary format (of array_recv, and of sparsevec_recv of pgvector 0.8), in which `pg`
// sends every Buffer. With numbers as text, the embedded engine spent a quarter of its time for a batch of chunks on parsing them
// (docs/decisions/0010-ingest-speed.md).

const INT4_OID = 23 // pg_type.oid

/** A one-dimensional `int4[]` without nulls. */
export function int4Array(values: readonly number[]): Buffer {
  if (values.length === 0) return int32Buffer([0, 0, INT4_OID])
  const array = int32Buffer([1, 0, INT4_OID, values.length, 1], values.length * 8)
  let offset = 20
  for (const value of values) {
    offset = array.writeInt32BE(4, offset)
    offset = array.writeInt32BE(value, offset)
  }
  return array
}

/** The non-zero elements of a sparse vector; the indexes in `at` ascend and begin at 1. */
interface SparseElements {
  at: readonly number[]
  values: readonly number[]
}

/** A `sparsevec`; its values are rounded to single precision. */
export function sparseVector({ at, values }: SparseElements, dimensions: number): Buffer {
  const vector = int32Buffer([dimensions, at.length, 0], at.length * 8)
  at.forEach((elementIndex, i) => {
    vector.writeInt32BE(elementIndex - 1, 12 + i * 4)
  })
  values.forEach((value, i) => {
    vector.writeFloatBE(value, 12 + (at.length + i) * 4)
  })
  return vector
}

/** A dense `vector` of pgvector. */
export function denseVector(values: Float32Array): Buffer {
  const vector = Buffer.allocUnsafe(4 + values.length * 4)
  vector.writeInt16BE(values.length, 0)
  vector.writeInt16BE(0, 2)
  values.forEach((value, i) => {
    vector.writeFloatBE(value, 4 + i * 4)
  })
  return vector
}

/** The elements of an `int4[]` without nulls, in the form of `array_send`. */
export function int4sOf(array: Buffer): Int32Array {
  const dimensions = array.readInt32BE(0)
  const values = new Int32Array(dimensions === 0 ? 0 : array.readInt32BE(12))
  for (let i = 0; i < values.length; i++) values[i] = array.readInt32BE(24 + i * 8)
  return values
}

// pgvector's binary form begins with three numbers: dimensions, number of elements, unused. Then come the indexes, from 0, and
// the values.
const SPARSE_HEADER_BYTES = 12

/** The elements of a `sparsevec` in the form of `sparsevec_send`. The returned indexes begin at 1. */
export function sparseOf(vector: Buffer): { at: Int32Array; values: Float32Array } {
  const count = vector.readInt32BE(4)
  return {
    at: int32s(vector.subarray(SPARSE_HEADER_BYTES, SPARSE_HEADER_BYTES + 4 * count)).map(
      (elementIndex) => elementIndex + 1,
    ),
    values: float32s(vector.subarray(SPARSE_HEADER_BYTES + 4 * count)),
  }
}

/** Reads big-endian 32-bit integers, as PostgreSQL sends them. */
export function int32s(bytes: Buffer): Int32Array {
  const values = new Int32Array(bytes.length >> 2)
  for (let i = 0; i < values.length; i++) values[i] = bytes.readInt32BE(i * 4)
  return values
}

/** Reads big-endian 32-bit floating-point numbers, as PostgreSQL sends them. */
export function float32s(bytes: Buffer): Float32Array {
  const values = new Float32Array(bytes.length >> 2)
  for (let i = 0; i < values.length; i++) values[i] = bytes.readFloatBE(i * 4)
  return values
}

/** A Buffer with these 32-bit integers, followed by `extraBytes` uninitialised bytes. */
function int32Buffer(headerNumbers: readonly number[], extraBytes = 0): Buffer {
  const buffer = Buffer.allocUnsafe(headerNumbers.length * 4 + extraBytes)
  headerNumbers.forEach((value, i) => {
    buffer.writeInt32BE(value, i * 4)
  })
  return buffer
}
