// A small assembler for WebAssembly, with the few instructions that the kernels need, named as in the specification
// (https://webassembly.github.io/spec/core/binary). So kernel.ts can generate unrolled loops without a build tool or a binary file.

/** The bytes of some instructions. */
export type Code = readonly number[]

type ValueType = 'i32' | 'f32' | 'v128'

const VALUE_TYPE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b }
const FUNCTION_TYPE = 0x60
const VOID = 0x40
const VECTOR_PREFIX = 0xfd

/** Unsigned LEB128. */
function unsignedLeb128(value: number): number[] {
  const bytes: number[] = []
  let remainingBits = value
  do {
    const hasMore = remainingBits > 127
    bytes.push((remainingBits & 127) | (hasMore ? 128 : 0))
    remainingBits >>>= 7
  } while (remainingBits > 0)
  return bytes
}

/** Signed LEB128. */
function signedLeb128(value: number): number[] {
  const bytes: number[] = []
  for (let remainingBits = value; ; remainingBits >>= 7) {
    const lowBits = remainingBits & 127
    const isLast = (remainingBits >> 7 === 0 && lowBits < 64) || (remainingBits >> 7 === -1 && lowBits >= 64)
    bytes.push(isLast ? lowBits : lowBits | 128)
    if (isLast) return bytes
  }
}

const VECTOR_INSTRUCTION = {
  'f32x4.splat': 0x13,
  'f32x4.abs': 0xe0,
  'f32x4.add': 0xe4,
  'f32x4.sub': 0xe5,
  'f32x4.mul': 0xe6,
  'f32x4.pmax': 0xeb,
  'f32x4.convert_i32x4_s': 0xfa,
  'i16x8.narrow_i32x4_s': 0x85,
  'i32x4.add': 0xae,
  'i32x4.dot_i16x8_s': 0xba,
  'i32x4.sub': 0xb1,
} as const

const SCALAR_INSTRUCTION = {
  'i32.add': 0x6a,
  'i32.mul': 0x6c,
  'i32.lt_u': 0x49,
  'f32.eq': 0x5b,
  'f32.abs': 0x8b,
  'f32.sqrt': 0x91,
  'f32.add': 0x92,
  'f32.sub': 0x93,
  'f32.mul': 0x94,
  'f32.div': 0x95,
  'f32.max': 0x97,
  'f32.convert_i32_u': 0xb3,
} as const

// The alignment is only a hint, and 2^0 is always allowed.
const memoryArgument = (offset: number): number[] => [0, ...unsignedLeb128(offset)]
const vectorMemoryInstruction = (opcode: number, address: Code, offset: number): Code => [
  ...address,
  VECTOR_PREFIX,
  ...unsignedLeb128(opcode),
  ...memoryArgument(offset),
]

/** The code of the operands in their order, and after it the instruction. */
export const op = (
  name: keyof typeof VECTOR_INSTRUCTION | keyof typeof SCALAR_INSTRUCTION,
  ...operands: Code[]
): Code => [
  ...operands.flat(),
  ...(name in VECTOR_INSTRUCTION
    ? [VECTOR_PREFIX, ...unsignedLeb128(VECTOR_INSTRUCTION[name as keyof typeof VECTOR_INSTRUCTION])]
    : [SCALAR_INSTRUCTION[name as keyof typeof SCALAR_INSTRUCTION]]),
]

export const int = (value: number): Code => [0x41, ...signedLeb128(value)]
export const splatInt = (value: number): Code => [...int(value), VECTOR_PREFIX, 0x11]
export const float = (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)]
export const zeros: Code = [VECTOR_PREFIX, 12, ...new Array<number>(16).fill(0)]

export const loadFloat = (address: Code, offset = 0): Code => [...address, 0x2a, ...memoryArgument(offset)]
export const storeFloat = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0x38,
  ...memoryArgument(offset),
]
export const loadVector = (address: Code, offset = 0): Code => vectorMemoryInstruction(0, address, offset)
/** Loads 32 bits and repeats them four times. */
export const loadSplat = (address: Code, offset = 0): Code => vectorMemoryInstruction(9, address, offset)
export const storeVector = (address: Code, value: Code, offset = 0): Code =>
  vectorMemoryInstruction(11, [...address, ...value], offset)
export const lane = (vector: Code, at: number): Code => [...vector, VECTOR_PREFIX, 0x1f, at]

export interface Local {
  get: Code
  set(value: Code): Code
  /** Adds a number of bytes to this variable, which has to be a pointer. */
  advance(by: Code): Code
}

export interface FunctionSource {
  name: string
  parameters: readonly ValueType[]
  /** The function's code. `local` declares a local variable. */
  body(parameters: readonly Local[], local: (type: ValueType) => Local): Code
}

const localAt = (index: number): Local => {
  const get = [0x20, ...unsignedLeb128(index)]
  const set = (value: Code): Code => [...value, 0x21, ...unsignedLeb128(index)]
  return { get, set, advance: (by) => set(op('i32.add', get, by)) }
}

/** Runs the code once, and again while the condition is true. The condition is checked after each run. */
export const repeatWhile = (code: Code, condition: Code): Code => [
  0x03,
  VOID,
  ...code,
  ...condition,
  0x0d,
  0,
  0x0b,
]

export const unless = (condition: Code, code: Code): Code => [
  0x02,
  VOID,
  ...condition,
  0x0d,
  0,
  ...code,
  0x0b,
]

const section = (id: number, entries: readonly Code[]): number[] => {
  const content = [...unsignedLeb128(entries.length), ...entries.flat()]
  return [id, ...unsignedLeb128(content.length), ...content]
}
const text = (value: string): number[] => [
  ...unsignedLeb128(value.length),
  ...new TextEncoder().encode(value),
]

/** A module that imports its memory as `host.memory` and exports the functions. They return nothing. */
export function assemble(functions: readonly FunctionSource[], memoryPages: number): Uint8Array<ArrayBuffer> {
  const bodies = functions.map(({ parameters, body }) => {
    const locals: ValueType[] = []
    const code = body(
      parameters.map((_, i) => localAt(i)),
      (type) => localAt(parameters.length + locals.push(type) - 1),
    )
    const functionBytes = [
      ...unsignedLeb128(locals.length),
      ...locals.flatMap((type) => [1, VALUE_TYPE[type]]),
      ...code,
      0x0b,
    ]
    return [...unsignedLeb128(functionBytes.length), ...functionBytes]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      functions.map(({ parameters }) => [
        FUNCTION_TYPE,
        ...unsignedLeb128(parameters.length),
        ...parameters.map((type) => VALUE_TYPE[type]),
        0,
      ]),
    ),
    ...section(2, [[...text('host'), ...text('memory'), 2, 0, ...unsignedLeb128(memoryPages)]]),
    ...section(
      3,
      functions.map((_, i) => unsignedLeb128(i)),
    ),
    ...section(
      7,
      functions.map(({ name }, i) => [...text(name), 0, ...unsignedLeb128(i)]),
    ),
    ...section(10, bodies),
  ])
}
